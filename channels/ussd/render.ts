// Screens as text: "CON " or "END ", printable ASCII, short enough for every network, lists cut into pages.
import { asciiText, cutTo, gsm7Length } from "../../src/shared/sms-text.ts";
import { type Choice, type Facts, isLast, type Line, type Screen } from "./conversation.ts";

/** In septets: networks take 160 to 182, nobody promises more than 160, and whether "CON " counts nobody says. */
export const SCREEN_SEPTETS = 150;
/** With "9 More" and "0 Back" seven lines to choose from. */
const LINES_A_PAGE = 5;
export const LINE_SEPTETS = 36;
/** What is left for the words above a list. */
const TITLE_SEPTETS = 44;

/** The choices that a list adds while it has more pages. */
export const MORE = "9";
export const BACK = "0";

/** The whole answer that shows this screen, with a word about the last answer above it. */
export function render(screen: Screen, facts: Facts, say?: string): string {
  const text = [...(say ? [say] : []), screen.text(facts)].map(asciiText).join("\n");
  const end = isLast(screen);
  const rows = [
    ...pageOf(screen, facts).lines,
    ...offered(screen, facts).map(({ digit, label }) => `${digit} ${asciiText(wordsOf(label, facts))}`),
  ];
  const tail = rows.map((row) => `\n${row}`).join("");
  return `${end ? "END" : "CON"} ${fit(text, SCREEN_SEPTETS - 4 - septets(tail))}${tail}`;
}

/** The words of a choice at this moment. */
export function wordsOf(label: Choice["label"], facts: Facts): string {
  return typeof label === "string" ? label : label(facts);
}

/** What can be chosen at this moment, beside the lines of a list. */
function offered(screen: Screen, facts: Facts): Pick<Choice, "digit" | "label">[] {
  const own = (screen.choices ?? []).filter(({ when }) => !when || when(facts));
  return pageOf(screen, facts).hasMore ? [{ digit: MORE, label: "More" }, ...own] : own;
}

type Page = { lines: string[]; hasMore: boolean };

/** The page of a screen's list that is shown; without a list there is nothing on it. */
export function pageOf(screen: Screen, facts: Facts): Page {
  if (!screen.list) return { lines: [], hasMore: false };
  const pages = pagesOf(screen.list.lines(facts));
  const shown = Math.min(facts.context.page ?? 0, pages.length - 1);
  return { lines: pages[shown] ?? [], hasMore: shown < pages.length - 1 };
}

/** The place in a list that a typed number points to, on whichever page it stands; null for none. */
export function placeIn(lines: Line[], typed: string): number | null {
  const place = lines.findIndex(({ number }) => number === typed);
  return place < 0 ? null : place;
}

/**
 * Lines numbered as they come, without 9, which turns the page. Each keeps its number on whichever page it is, so that a
 * number never means what it did not show.
 */
export function numbered(words: string[]): Line[] {
  const skipped = Number(MORE);
  return words.map((line, i) => ({ number: String(i + 1 < skipped ? i + 1 : i + 2), words: line }));
}

/** Cut the same way whatever is said above them, so that the same page always holds the same lines. */
function pagesOf(lines: Line[]): string[][] {
  const room = SCREEN_SEPTETS - 4 - TITLE_SEPTETS - `\n${MORE} More\n${BACK} Back`.length;
  const pages: string[][] = [];
  let used = room;
  for (const { number, words } of lines) {
    const row = cutTo(`${number} ${asciiText(words)}`, LINE_SEPTETS);
    const page = pages.at(-1);
    const needed = septets(row) + 1;
    if (page && page.length < LINES_A_PAGE && used + needed <= room) page.push(row);
    else pages.push([row]);
    used = pages.at(-1)!.length === 1 ? needed : used + needed;
  }
  return pages;
}

/** As many whole lines as there is room for, the first of them cut after a sentence where even that is too long. */
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
