// Keys that walk the rows of lists, as in mail programs: j goes to the next row and k to the one before, x ticks, Enter
// opens. The focus really is on the row's own link, so that a screen reader reads it. Components mark their lists with
// `data-rows`, and a cell whose link is the row's own, though an earlier one has a link as well, with `data-main`. A
// fold with `data-key` is a decision of its row, which that key unfolds: what decides is the press inside.

const ROWS = "[data-rows] > :is(tr, li, label, section)";
/** What ticks a row; not the boxes of forms in it. */
export const BOX = "[data-rows] > tr > td > .check > [type=checkbox], [data-rows] > label > [type=checkbox]";

/** Whether the key did something. */
export function walkRows({ key, shiftKey, repeat }: KeyboardEvent): boolean {
  if (shiftKey) return false;
  const rows = [...document.querySelectorAll<HTMLElement>(ROWS)];
  const at = rows.findIndex((row) => row.contains(document.activeElement));
  // With Caps Lock they are capitals.
  const letter = key.toLowerCase();
  switch (letter) {
    case "j":
      return goToFirst(at < 0 ? fromView(rows) : rows.slice(at + 1));
    case "k":
      return goToFirst(rows.slice(0, Math.max(0, at)).reverse());
    case "x":
      return !repeat && tick(rows[at]);
    case "a":
    case "r":
      return !repeat && unfold(rows[at]?.querySelector<HTMLDetailsElement>(`details[data-key=${letter}]`));
    case "enter":
      return openFromBox(rows[at]);
    default:
      return false;
  }
}

/** Brings the focus back to the row that a key opened, when the list is seen again. */
export function returnToRow(): void {
  document.addEventListener("click", ({ detail, target }) => {
    const link = detail === 0 && (target as Element).closest<HTMLElement>("[data-rows] a[href]");
    if (!link) return;
    const path = link.getAttribute("href")!;
    history.replaceState({ path, at: linksTo(path).indexOf(link) }, "");
  });
  const { path, at } = history.state ?? {};
  if (path && document.activeElement === document.body) linksTo(path)[at]?.focus();
}

/** Several rows may lead to the same agent. */
function linksTo(path: string): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>(`[data-rows] a[href="${CSS.escape(path)}"]`)];
}

/** Goes to the first of these that can have the focus: some are folded away. */
function goToFirst(rows: HTMLElement[]): boolean {
  return rows.some((row) => {
    const stop = linkOf(row) ?? boxOf(row) ?? row;
    if (stop === row) row.tabIndex = -1;
    stop.focus({ preventScroll: true });
    if (document.activeElement !== stop) return false;
    // At once: who holds the key down, or wants no motion, sees each row where it is.
    for (const part of [row, stop]) part.scrollIntoView({ block: "nearest" });
    return true;
  });
}

/** The rows from the first one in view on; the last one when all are above. */
function fromView(rows: HTMLElement[]): HTMLElement[] {
  return rows.slice(rows.findIndex((row) => row.getBoundingClientRect().top >= 0));
}

function tick(row: HTMLElement | undefined): boolean {
  const box = row && boxOf(row);
  box?.click();
  return Boolean(box);
}

/** Shows a decision, with the focus on the field or button inside it. */
function unfold(fold: HTMLDetailsElement | null | undefined): boolean {
  if (!fold) return false;
  fold.open = true;
  fold.querySelector<HTMLElement>("input:not([type=hidden]), form button")?.focus();
  return true;
}

/** Enter in a box would send its form, with whatever else is ticked. */
function openFromBox(row: HTMLElement | undefined): boolean {
  if (!row || document.activeElement !== boxOf(row)) return false;
  linkOf(row)?.click();
  return true;
}

function linkOf(row: HTMLElement): HTMLElement | null {
  return row.querySelector<HTMLElement>("[data-main] a[href]") ?? row.querySelector<HTMLElement>("a[href]");
}

function boxOf(row: HTMLElement): HTMLElement | null {
  const box = row.querySelector<HTMLElement>("[type=checkbox]");
  return box?.matches(BOX) ? box : null;
}
