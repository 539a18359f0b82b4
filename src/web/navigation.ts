// Navigation as the pages declare it: the links of the menu and of an agent's bar, and the tabs of each section.
import type { Operator } from "../shared/domain.ts";
import { operatorCodes, operatorName, operatorPath } from "../shared/operators.ts";
import type { Page, Section } from "./page.tsx";
import { pages } from "./pages/index.tsx";
import type { IconName } from "./ui/icons.tsx";

/** A link of the menu, with the network of the bundles that it leads to. */
export type MenuLink = {
  path: string;
  label: string;
  /** Its shorter label in the bar of a phone, if it has a place there. */
  bar?: string | undefined;
  icon: IconName;
  operator?: Operator | undefined;
};

const MENUS = { agent: menuFor("agent"), admin: menuFor("admin") };

/** The links for agents or admins. An agent's has a link for each network on sale behind that of the buying page. */
export function menuOf(audience: "agent" | "admin"): MenuLink[] {
  if (audience === "admin") return MENUS.admin;
  const networks = operatorCodes().map(
    (operator): MenuLink => ({
      path: operatorPath(operator),
      label: operatorName(operator),
      icon: "buy",
      operator,
    }),
  );
  return MENUS.agent.flatMap((link) => (link.path === "/buy" ? [link, ...networks] : [link]));
}

export function tabsOf(section: Section): [path: string, label: string][] {
  return pages.flatMap(({ path, tab }): [string, string][] =>
    tab?.section === section && "label" in tab ? [[path, tab.label]] : [],
  );
}

/**
 * The path of the menu's link that a page belongs to: its own, or else of its section, the one it names, or the one its
 * path continues.
 */
export function placeOf({ path, under, tab }: Page, menu: readonly MenuLink[]): string | undefined {
  const links = menu.map((link) => link.path);
  if (links.includes(path)) return path;
  if (tab) return tabsOf(tab.section).find(([target]) => links.includes(target))?.[0];
  const wanted = under ?? path;
  // An admin's dashboard has an address of its own.
  if (wanted === "/" && !links.includes("/")) return "/admin";
  const begins = (target: string) => wanted === target || wanted.startsWith(`${target}/`);
  return links.filter(begins).sort((a, b) => b.length - a.length)[0];
}

function menuFor(audience: "agent" | "admin"): MenuLink[] {
  return pages.flatMap(({ path, menu }) => {
    const label = menu?.[audience];
    if (!menu || !label) return [];
    return {
      path,
      label,
      bar: audience === "agent" ? menu.bar : undefined,
      icon: menu.icon,
    };
  });
}
