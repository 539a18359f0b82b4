// axe's objections to pages. Contrast, its slowest rule by far, is checked once for each look of a text.
import type { Page } from "playwright-core";

const source = Bun.file(require.resolve("axe-core/axe.min.js"));

type Rules = {
  /** Only these; all by default. */
  runOnly?: readonly string[];
  without?: readonly string[];
  /** Of which elements; of the whole page by default. */
  of?: string;
};

/** axe's objections to the current page, of every impact, a line for each rule. */
export async function objectionsTo(page: Page, rules: Rules = {}): Promise<string[]> {
  const isThere = await page.evaluate(() => "axe" in globalThis);
  if (!isThere) await page.evaluate(await source.text());
  return page.evaluate(async ({ runOnly, without = [], of }) => {
    type Violation = { id: string; impact: string; nodes: { html: string }[] };
    type Axe = { run: (context: unknown, options: object) => Promise<{ violations: Violation[] }> };
    const { axe } = globalThis as unknown as { axe: Axe };
    const rules = runOnly
      ? { runOnly: { type: "rule", values: runOnly } }
      : { rules: Object.fromEntries(without.map((id) => [id, { enabled: false }])) };
    const quick = { resultTypes: ["violations"], preload: false, iframes: false };
    const { violations } = await axe.run(of ?? document, { ...quick, ...rules });
    const lineOf = ({ id, impact, nodes }: Violation) =>
      `${id} (${impact}): ${nodes.map(({ html }) => html.slice(0, 200)).join(" ")}`;
    return violations.map(lineOf);
  }, rules);
}

const CONTRAST = "color-contrast";

/**
 * As `objectionsTo`, but the contrast of a text that looks as one did that is in `seen` is not computed again: of the
 * same colour, size and weight, on the same backgrounds. Without a `seen` it is not checked at all.
 */
export async function newObjectionsTo(page: Page, rules: Rules, seen: Set<string> | null): Promise<string[]> {
  const { without = [], runOnly } = rules;
  const others = await objectionsTo(
    page,
    runOnly ? { runOnly: runOnly.filter((id) => id !== CONTRAST) } : { without: [...without, CONTRAST] },
  );
  if (!seen) return others;
  const found = await page.evaluate(markNewLooks, { mark: MARK, place: PLACE, seen: [...seen] });
  for (const look of found) if (!look.includes(PLACE)) seen.add(look);
  if (found.length === 0) return others;
  return [...others, ...(await objectionsTo(page, { runOnly: [CONTRAST], of: `[${MARK}]` }))];
}

const MARK = "data-new-look";
/** In the look of a text whose background depends on where it is. */
const PLACE = "place ";

/** Marks a text of each look that is not in `seen`, and all on a background that their place decides. */
function markNewLooks({ mark, place, seen }: { mark: string; place: string; seen: string[] }): string[] {
  const known = new Set(seen);
  const grounds = new WeakMap<Element, string>();
  let places = 0;
  /** What lies behind a text, from the nearest background to the first that nothing shines through. */
  const groundOf = (element: Element | null): string => {
    if (!element) return "";
    const before = grounds.get(element);
    if (before !== undefined) return before;
    const { backgroundColor, backgroundImage, filter, mixBlendMode, position, transform } = getComputedStyle(element);
    const own = [backgroundColor, backgroundImage, filter, mixBlendMode].join(" ");
    const isOpaque = backgroundColor.startsWith("rgb(") && backgroundImage === "none";
    const isElsewhere = !["static", "relative"].includes(position) || transform !== "none";
    const behind = isOpaque ? "" : isElsewhere ? `${place}${++places}` : groundOf(element.parentElement);
    const ground = `${own} > ${behind}`;
    grounds.set(element, ground);
    return ground;
  };
  const opacityOf = (element: Element | null): string =>
    element ? `${getComputedStyle(element).opacity}${opacityOf(element.parentElement)}` : "";
  const isText = ({ nodeType, nodeValue }: Node) => nodeType === Node.TEXT_NODE && nodeValue!.trim() !== "";
  const fresh: string[] = [];
  for (const element of document.querySelectorAll("body *")) {
    element.removeAttribute(mark);
    const isField = element.matches("input, select, textarea");
    if (!isField && ![...element.childNodes].some(isText)) continue;
    const { color, fontSize, fontWeight, textShadow } = getComputedStyle(element);
    const hint = isField ? getComputedStyle(element, "::placeholder").color : "";
    const state = element.closest(":disabled, [aria-disabled=true]") ? "disabled" : "";
    const own = [color, hint, fontSize, fontWeight, textShadow, state, opacityOf(element)];
    const look = [...own, groundOf(element)].join(" | ");
    const isByPlace = look.includes(place);
    if (known.has(look)) continue;
    if (!isByPlace) known.add(look);
    element.setAttribute(mark, "");
    fresh.push(look);
  }
  return fresh;
}
