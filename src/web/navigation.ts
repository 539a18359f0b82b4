// Navigation as the pages declare it: the links of the menu and of an agent's bar, and the tabs of each section.
import type { By, Operator } from "../shared/domain.ts";
import { operatorCodes, operatorName, operatorPath } from "../shared/operators.ts";
import { hasRight, isStaff, type Right } from "../shared/rights.ts";
import { MENU_GROUPS, type MenuGroup, type Page, type Section } from "./page.tsx";
import { pages } from "./pages/index.tsx";
import type { IconName } from "./ui/frame/icons.tsx";

/** A link of the menu, with the network of the bundles that it leads to. */
export type MenuLink = {
  path: string;
  /** What it takes to open it, for links of staff. */
  right?: Right | undefined;
  label: string;
  /** Its shorter label in the bar of a phone, if it has a place there. */
  bar?: string | undefined;
  icon: IconName;
  /** Of the staff's menu. */
  group?: MenuGroup | undefined;
  operator?: Operator | undefined;
};

const MENUS = { agent: menuFor("agent"), admin: inGroups(menuFor("admin")) };

/**
 * The links for whoever looks: staff get those that they have the right to open, an agent also one for each network on
 * sale behind that of the buying page.
 */
export function menuOf(by: Pick<By, "roles">): MenuLink[] {
  if (isStaff(by)) {
    const links = MENUS.admin.flatMap((link) => reachable(link, by));
    // Two links of a section may lead to the same tab.
    return links.filter((link, at) => links.findIndex(({ path }) => path === link.path) === at);
  }
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

/** The link; for a section whose own page is refused, the first of its tabs which may be opened. */
function reachable(link: MenuLink, by: Pick<By, "roles">): MenuLink[] {
  if (mayOpen(by, link)) return [link];
  const section = sectionOf(link.path);
  const [first] = section ? tabsOf(section, by) : [];
  return first ? [{ ...link, path: first[0], label: first[1], right: undefined }] : [];
}

/** The tabs of a section that somebody has the right to open. */
export function tabsOf(section: Section, by: Pick<By, "roles">): [path: string, label: string][] {
  return pages.flatMap(({ path, tab, right }): [string, string][] =>
    tab?.section === section && "label" in tab && mayOpen(by, { right }) ? [[path, tab.label]] : [],
  );
}

/**
 * The path of the menu's link that a page belongs to: its own, or else of its section, the one it names, or the one its
 * path continues.
 */
export function placeOf({ path, under, tab }: Page, menu: readonly MenuLink[]): string | undefined {
  const links = menu.map((link) => link.path);
  if (links.includes(path)) return path;
  if (tab && "under" in tab && links.includes(tab.under)) return tab.under;
  if (tab) return links.find((link) => sectionOf(link) === tab.section);
  const wanted = under ?? path;
  // An admin's dashboard has an address of its own.
  if (wanted === "/" && !links.includes("/")) return "/admin";
  // Every address of staff begins with that of Today.
  const begins = (target: string) => wanted === target || (target !== "/admin" && wanted.startsWith(`${target}/`));
  return links.filter(begins).sort((a, b) => b.length - a.length)[0];
}

/** The path of the staff's menu link that an address belongs to, if somebody has the right to open it. */
export function linkOf(address: string, by: Pick<By, "roles">): string | undefined {
  const [path] = address.split(/[?#]/);
  const page = pages.find((one) => one.path === path);
  return page && placeOf(page, menuOf(by));
}

/** The path of the tab that an address belongs to, if it is in a section. */
export function tabOf(address: string): string | undefined {
  const [path] = address.split(/[?#]/);
  const tab = pages.find((one) => one.path === path)?.tab;
  return tab && ("under" in tab ? tab.under : path);
}

/** The section whose tab a path is. */
function sectionOf(path: string): Section | undefined {
  return pages.find((page) => page.path === path)?.tab?.section;
}

function mayOpen(by: Pick<By, "roles">, { right }: { right?: Right | undefined }): boolean {
  return right === undefined || hasRight(by, right);
}

/** The links by the order of their groups, within a group as the pages are listed. */
function inGroups(links: MenuLink[]): MenuLink[] {
  return MENU_GROUPS.flatMap((group) => links.filter((link) => link.group === group));
}

function menuFor(audience: "agent" | "admin"): MenuLink[] {
  return pages.flatMap(({ path, right, menu }) => {
    const label = menu?.[audience];
    if (!menu || !label) return [];
    return {
      path,
      right,
      label,
      bar: audience === "agent" ? menu.bar : undefined,
      icon: menu.icon,
      group: audience === "admin" ? menu.group : undefined,
    };
  });
}
