// Navigation as the pages declare it: the links of the menu and of an agent's bar, and the tabs of each section.
import type { By, Operator } from "../shared/domain.ts";
import { operatorCodes, operatorName, operatorPath } from "../shared/operators.ts";
import { hasRight, isStaff, type Right } from "../shared/rights.ts";
import { FOOT_PLACES, type Page, PLACES, type Section, type Tab } from "./page.tsx";
import { pages } from "./pages/index.tsx";
import type { IconName } from "./ui/frame/icons.tsx";

/** A link of the menu, with the network of the bundles that it leads to. */
export type MenuLink = {
  path: string;
  /** What it takes to open it, for links of staff. */
  right?: Right | undefined;
  label: string;
  /** Also in the bar of a phone. */
  isInBar?: boolean;
  icon: IconName;
  /** At the foot of the staff's menu. */
  isAtFoot?: boolean;
  operator?: Operator | undefined;
};

const MENUS = { agent: menuFor("agent"), admin: inOrder(menuFor("admin")) };

/**
 * The links for whoever looks: staff get those that they have the right to open, an agent also one for each network on
 * sale behind that of the buying page.
 */
export function menuOf(by: Pick<By, "roles">): MenuLink[] {
  if (isStaff(by)) return MENUS.admin.flatMap((link) => reachable(link, by));
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
  return first ? [{ ...link, path: first[0], right: undefined }] : [];
}

/** The tabs of a section that somebody has the right to open, each with the first of its parts. */
export function tabsOf(section: Section, by: Pick<By, "roles">): [path: string, label: string][] {
  const firsts = new Map<string, string>();
  for (const { path, tab } of tabbed(section, by)) if (!firsts.has(tab.label)) firsts.set(tab.label, path);
  return [...firsts].map(([label, path]) => [path, label]);
}

/** The parts of a tab that somebody has the right to open; none for a tab of one page. */
export function partsOf(section: Section, label: string, by: Pick<By, "roles">): [path: string, part: string][] {
  return tabbed(section, by).flatMap(({ path, tab }): [string, string][] =>
    tab.label === label && tab.part !== undefined ? [[path, tab.part]] : [],
  );
}

function tabbed(section: Section, by: Pick<By, "roles">): { path: string; tab: Tab }[] {
  return pages.flatMap(({ path, tab, right }) =>
    tab && "label" in tab && tab.section === section && mayOpen(by, { right }) ? [{ path, tab }] : [],
  );
}

/** The words that lead to a page, the nearest first: "Deposits · In · Money" for a tab, or its label in the menu. */
export function titleOf({ menu, tab }: Pick<Page, "menu" | "tab">, by: Pick<By, "roles">): string | undefined {
  if (!isStaff(by)) return menu?.agent;
  if (!tab || !("label" in tab)) return menu?.admin ?? menu?.agent;
  const { part, label, section } = tab;
  const isOnePage = partsOf(section, label, by).length === 1;
  return [...new Set([isOnePage ? undefined : part, label, section])].filter(Boolean).join(" · ");
}

/** The tab that a page has or belongs under, with its path. */
export function tabOfPage({ path, tab }: Pick<Page, "path" | "tab">): { path: string; tab: Tab } | undefined {
  if (!tab) return undefined;
  if ("label" in tab) return { path, tab };
  const above = pages.find((one) => one.path === tab.under);
  return above && tabOfPage(above);
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

/** The path of the tab that an address belongs to for somebody, and of its part; of the page itself without parts. */
export function tabOf(address: string, by: Pick<By, "roles">): { tab: string; part: string } | undefined {
  const [path] = address.split(/[?#]/);
  const page = pages.find((one) => one.path === path);
  const own = page && tabOfPage(page);
  if (!own) return undefined;
  const first = tabsOf(own.tab.section, by).find(([, label]) => label === own.tab.label);
  return { tab: first?.[0] ?? own.path, part: own.path };
}

/** The section whose tab a path is. */
function sectionOf(path: string): Section | undefined {
  return pages.find((page) => page.path === path)?.tab?.section;
}

function mayOpen(by: Pick<By, "roles">, { right }: { right?: Right | undefined }): boolean {
  return right === undefined || hasRight(by, right);
}

function inOrder(links: MenuLink[]): MenuLink[] {
  const order: readonly string[] = [...PLACES, ...FOOT_PLACES];
  return links.toSorted((one, other) => order.indexOf(one.label) - order.indexOf(other.label));
}

function menuFor(audience: "agent" | "admin"): MenuLink[] {
  return pages.flatMap(({ path, right, menu }) => {
    const label = menu?.[audience];
    if (!menu || !label) return [];
    return {
      path,
      right,
      label,
      isInBar: audience === "agent" && menu.inBar === true,
      icon: menu.icon,
      isAtFoot: FOOT_PLACES.some((place) => place === label),
    };
  });
}
