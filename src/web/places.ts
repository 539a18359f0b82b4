// The places that staff can go to: pages by their labels in the menu and the tabs, and by what one can do there.
import type { By } from "../shared/domain.ts";
import type { Place } from "../shared/palette.ts";
import { hasRight } from "../shared/rights.ts";
import type { Page } from "./page.tsx";

/** Those of `pages` that somebody has the right to open, in the same order; those of one's own account last. */
export function placesIn(pages: readonly Page[], by: Pick<By, "roles">): Place[] {
  const isOwn = ({ path }: Page) => (path.startsWith("/profile") ? 1 : 0);
  const sorted = pages.toSorted((one, other) => isOwn(one) - isOwn(other));
  return sorted.flatMap(({ path, right, show, menu, tab, palette = [] }) => {
    if (!show || path.includes(":") || (right && !hasRight(by, right))) return [];
    const section = tab?.section ?? "";
    const label = (tab && "label" in tab ? tab.label : undefined) ?? menu?.admin;
    const own: Place[] = label ? [{ title: label, hint: label === section ? "" : section, path }] : [];
    return [...own, ...palette.map((title): Place => ({ title, hint: label ?? section, path }))];
  });
}
