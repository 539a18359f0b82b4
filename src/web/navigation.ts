// The ways between pages, as the pages declare them: the drawer's links, and the tabs over those that belong together.
import type { Operator } from "../shared/domain.ts";
import type { Section } from "./page.tsx";
import { pages } from "./pages/index.tsx";

/** A link of the drawer; one that sells an operator's bundles carries its colour. */
export type MenuLink = { path: string; label: string; operator?: Operator | undefined };

export const MENUS = { agent: menuFor("agent"), admin: menuFor("admin") };

export function tabsOf(section: Section): [path: string, label: string][] {
  return pages.flatMap(({ path, tab }): [string, string][] =>
    tab?.of === section && "label" in tab ? [[path, tab.label]] : [],
  );
}

function menuFor(whom: "agent" | "admin"): MenuLink[] {
  return pages.flatMap(({ path, menu }) => {
    const label = menu?.[whom];
    return label ? [{ path, label, operator: menu.operator }] : [];
  });
}
