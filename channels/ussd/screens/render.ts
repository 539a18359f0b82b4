// The rendering of USSD screens: "CON " or "END ", printable ASCII, within every network's limit, lists cut into pages.
import { SCREEN_SEPTETS } from "../../../src/core/messaging/languages/widths.ts";
import { asciiText, cutTo, gsm7Length } from "../../../src/shared/phones/sms-text.ts";
import { type Choice, type Facts, isLast, type Line, type Screen } from "../conversation.ts";

/** With the lines of a list, "9 More" and "0 Back". */
const CHOICES_A_PAGE = 7;
export const LINE_SEPTETS = 36;
/** The room reserved for the text above a list. */
const TITLE_SEPTETS = 44;

/** The choices that turn the pages of a list. */
export const MORE = "9";
export const BACK = "0";

/** The complete answer that shows a screen, with `notice`, a message about the last input, above it. */
export function render(screen: Screen, facts: Facts, notice?: string): string {
  const text = [...(notice ? [notice] : []), screen.text(facts)].map(asciiText).join("\n");
  const end = isLast(screen);
  const rows = [
    ...pageOf(screen, facts).lines,
    ...offered(screen, facts).map(({ digit, label }) => `${digit} ${asciiText(labelAt(label, facts))}`),
  ];
  const tail = rows.map((row) => `\n${row}`).join("");
  return `${end ? "END" : "CON"} ${fit(text, SCREEN_SEPTETS - 4 - septets(tail))}${tail}`;
}

/** The label of a choice, given the facts. */
export function labelAt(label: Choice["label"], facts: Facts): string {
  return typeof label === "string" ? facts.t(label) : label(facts);
}

/** The choices available now, besides the lines of a list. */
function offered(screen: Screen, facts: Facts): Pick<Choice, "digit" | "label">[] {
  const available = (screen.choices ?? []).filter(({ when }) => !when || when(facts));
  return pageOf(screen, facts).hasMore ? [{ digit: MORE, label: "ussd.option.more" }, ...available] : available;
}

type Page = { lines: string[]; hasMore: boolean };

/** The current page of a screen's list; empty without a list. */
export function pageOf(screen: Screen, facts: Facts): Page {
  if (!screen.list) return { lines: [], hasMore: false };
  const pages = pagesOf(screen.list.lines(facts), screen.choices ?? [], facts);
  const shown = Math.min(facts.context.page ?? 0, pages.length - 1);
  return { lines: pages[shown] ?? [], hasMore: shown < pages.length - 1 };
}

/** The index of the line with the typed number, on whichever page it is; null if there is none. */
export function placeIn(lines: Line[], typed: string): number | null {
  const place = lines.findIndex(({ number }) => number === typed);
  return place < 0 ? null : place;
}

/**
 * Numbers lines in order, skipping 9, which turns the page. The numbers run on across pages, so that each means one
 * line only.
 */
export function numbered(labels: string[]): Line[] {
  const skipped = Number(MORE);
  return labels.map((line, i) => ({ number: String(i + 1 < skipped ? i + 1 : i + 2), label: line }));
}

/** Pages are cut without regard to the message above them, so that a page always holds the same lines. */
function pagesOf(lines: Line[], choices: readonly Choice[], facts: Facts): string[][] {
  const others = [{ digit: MORE, label: "ussd.option.more" as const }, ...choices];
  const tail = others.map(({ digit, label }) => asciiText(`\n${digit} ${labelAt(label, facts)}`)).join("");
  const room = SCREEN_SEPTETS - 4 - TITLE_SEPTETS - septets(tail);
  const pages: string[][] = [];
  let used = room;
  for (const { number, label } of lines) {
    const row = cutTo(`${number} ${asciiText(label)}`, LINE_SEPTETS);
    const page = pages.at(-1);
    const needed = septets(row) + 1;
    if (page && page.length < CHOICES_A_PAGE - others.length && used + needed <= room) page.push(row);
    else pages.push([row]);
    used = pages.at(-1)!.length === 1 ? needed : used + needed;
  }
  return pages;
}

/** As many whole lines as fit; if even the first is too long, it is cut after a sentence. */
function fit(text: string, room: number): string {
  const lines = text.split("\n");
  while (lines.length > 1 && septets(lines.join("\n")) > room) lines.pop();
  const whole = lines.join("\n");
  if (septets(whole) <= room) return whole;
  const cut = cutTo(whole, room);
  return /^.+[.!?](?= )/.exec(cut)?.[0] ?? cut;
}

function septets(text: string): number {
  return gsm7Length(text)!;
}
