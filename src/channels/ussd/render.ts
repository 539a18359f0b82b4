// Screens as text: "CON " or "END ", printable ASCII, short enough for every network, lists cut into pages.
import { asciiText } from "../../shared/sms-text.ts";
import { type Choice, type Facts, isLast, type Screen } from "./conversation.ts";

/** Networks take 160 to 182 characters; nobody promises more than 160, and whether "CON " counts nobody says. */
export const SCREEN_CHARS = 150;
/** With "9 More" and "0 Back" seven lines to choose from. */
const LINES_A_PAGE = 5;
const LINE_CHARS = 32;
/** What is left for the words above a list. */
const TITLE_CHARS = 36;

/** The choices that a list adds while it has more pages. */
export const MORE = "9";
export const BACK = "0";

/** The whole answer that shows this screen, with a word about the last answer above it. */
export function render(screen: Screen, facts: Facts, say?: string): string {
  const text = [...(say ? [say] : []), screen.text(facts)].map(asciiText).join("\n");
  const end = isLast(screen);
  const rows = [
    ...pageOf(screen, facts).lines,
    ...offered(screen, facts).map(({ digit, label }) => `${digit} ${asciiText(label)}`),
  ];
  const tail = rows.map((row) => `\n${row}`).join("");
  return `${end ? "END" : "CON"} ${fit(text, SCREEN_CHARS - 4 - tail.length)}${tail}`;
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
export function placeIn(lines: string[], typed: string): number | null {
  const place = lines.findIndex((_, i) => numberOf(i) === typed);
  return place < 0 ? null : place;
}

/** A line keeps its number on whichever page it is, so that a number never means what it did not show. */
function numberOf(place: number): string {
  return String(place < Number(MORE) - 1 ? place + 1 : place + 2);
}

/** Cut the same way whatever is said above them, so that the same page always holds the same lines. */
function pagesOf(lines: string[]): string[][] {
  const room = SCREEN_CHARS - 4 - TITLE_CHARS - `\n${MORE} More\n${BACK} Back`.length;
  const pages: string[][] = [];
  let used = room;
  for (const [place, line] of lines.entries()) {
    const row = `${numberOf(place)} ${asciiText(line)}`.slice(0, LINE_CHARS).trimEnd();
    const page = pages.at(-1);
    if (page && page.length < LINES_A_PAGE && used + row.length + 1 <= room) page.push(row);
    else pages.push([row]);
    used = pages.at(-1)!.length === 1 ? row.length + 1 : used + row.length + 1;
  }
  return pages;
}

/** As many whole lines as there is room for, the first of them cut where even that is too long. */
function fit(text: string, room: number): string {
  if (text.length <= room) return text;
  const lines = text.split("\n");
  while (lines.length > 1 && lines.join("\n").length > room) lines.pop();
  return lines.join("\n").slice(0, room).trimEnd();
}
