// Navigation as the pages declare it: the links of the drawer and the tabs of each section.
import type { Operator } from "../shared/domain.ts";
import type { Section } from "./page.tsx";
import { pages } from "./pages/index.tsx";

/** A link of the drawer, with the operator's colour when it leads to that operator's bundles. */
export type MenuLink = { path: string; label: string; operator?: Operator | undefined };

export const MENUS = { agent: menuFor("agent"), admin: menuFor("admin") };

export function tabsOf(section: Section): [path: string, label: string][] {
  return pages.flatMap(({ path, tab }): [string, string][] =>
    tab?.section === section && "label" in tab ? [[path, tab.label]] : [],
  );
}

function menuFor(audience: "agent" | "admin"): MenuLink[] {
  return pages.flatMap(({ path, menu }) => {
    const label = menu?.[audience];
    return label ? [{ path, label, operator: menu.operator }] : [];
  });
}
