// The dialog of the palette. It lists pages and what was chosen before, and while somebody types everything that is
// called so and that they may see. A combobox with a listbox: the focus stays in the field, and the arrows choose
// (https://www.w3.org/WAI/ARIA/apg/patterns/combobox/).
import { matchingPlaces, type Place } from "../../src/shared/palette.ts";
import { choose, chosenBefore } from "./chosen.ts";

type Group = { heading: string; hits: Place[] };

const FIND_PATH = "/admin/find";
const PAUSE_MS = 150;
/** Of the pages that match, beside what is found. */
const PAGES_MAX = 6;
const UNAVAILABLE = "The search cannot be reached now. Enter tries it on a page of its own.";

export class PaletteDialog {
  readonly #userId: number;
  readonly #parts = addDialog();
  #places: Place[] = [];
  #recent: Place[] = [];
  #found: Group[] = [];
  #options: HTMLAnchorElement[] = [];
  #active = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #request = new AbortController();

  constructor(userId: number) {
    this.#userId = userId;
    const { dialog, input, list, close } = this.#parts;
    input.addEventListener("input", () => this.#type());
    input.addEventListener("keydown", (event) => this.#press(event));
    list.addEventListener("click", ({ target }) => this.#choose((target as Element).closest("a")));
    close.addEventListener("click", () => dialog.close());
    // The dialog itself is only pressed beside its content.
    dialog.addEventListener("click", ({ target }) => target === dialog && dialog.close());
  }

  open(): void {
    const { dialog, input } = this.#parts;
    input.value = "";
    this.#found = [];
    if (!dialog.open) dialog.showModal();
    input.focus();
    this.#render(this.#places.length === 0 ? "Searching …" : undefined);
    void this.#readPlaces();
  }

  /** Every time anew, because rights change, and so does what was chosen. */
  async #readPlaces(): Promise<void> {
    const before = chosenBefore(this.#userId);
    const answer = await ask<{ places: Place[]; recent: Place[] }>({ recent: before.join() });
    if (!answer) return this.#render(UNAVAILABLE);
    this.#places = answer.places;
    const known = [...answer.recent, ...answer.places];
    this.#recent = before.flatMap((path) => known.find((place) => place.path === path) ?? []);
    if (this.#typed === "") this.#render();
  }

  get #typed(): string {
    return this.#parts.input.value.trim();
  }

  /** Pages match at once; what is found replaces what was found for another text. */
  #type(): void {
    clearTimeout(this.#timer);
    this.#request.abort();
    this.#request = new AbortController();
    this.#found = [];
    this.#render(this.#typed === "" ? undefined : "Searching …");
    if (this.#typed !== "") this.#timer = setTimeout(() => void this.#search(), PAUSE_MS);
  }

  async #search(): Promise<void> {
    const { signal } = this.#request;
    const answer = await ask<{ groups: Group[] }>({ q: this.#typed }, signal);
    if (signal.aborted) return;
    this.#found = answer?.groups ?? [];
    this.#render(answer ? undefined : UNAVAILABLE);
  }

  #render(message?: string): void {
    const { list, note } = this.#parts;
    const selected = this.#options[this.#active]?.href;
    const groups = [...pageGroups(this.#typed, this.#places, this.#recent), ...this.#found];
    list.replaceChildren();
    this.#options = groups.flatMap((group, at) => addGroup(list, group, `palette-${at}`));
    const kept = this.#options.findIndex(({ href }) => href === selected);
    this.#select(this.#typed === "" ? 0 : Math.max(0, kept));
    const count = this.#options.length === 1 ? "1 result" : `${this.#options.length} results`;
    note.textContent = message ?? count;
  }

  #select(index: number): void {
    const { input } = this.#parts;
    const count = this.#options.length;
    this.#active = count === 0 ? 0 : (index + count) % count;
    for (const [at, option] of this.#options.entries())
      option.setAttribute("aria-selected", String(at === this.#active));
    const option = this.#options[this.#active];
    if (option) input.setAttribute("aria-activedescendant", option.id);
    else input.removeAttribute("aria-activedescendant");
    option?.scrollIntoView({ block: "nearest" });
  }

  #press(event: KeyboardEvent): void {
    const { key, ctrlKey, metaKey, isComposing } = event;
    if (isComposing) return;
    if (key === "ArrowDown") this.#select(this.#active + 1);
    else if (key === "ArrowUp") this.#select(this.#active - 1);
    else if (key === "Enter") this.#go(ctrlKey || metaKey);
    else return;
    event.preventDefault();
  }

  #go(isApart: boolean): void {
    const option = this.#options[this.#active];
    this.#choose(option);
    const path = option?.href ?? `${FIND_PATH}?${new URLSearchParams({ q: this.#typed })}`;
    if (isApart) window.open(path);
    else location.assign(path);
  }

  #choose(option: HTMLAnchorElement | null | undefined): void {
    if (option) choose(this.#userId, option.getAttribute("href")!);
  }
}

/** What was chosen before stands alone when nothing is typed, and first in what matches. */
function pageGroups(typed: string, places: Place[], recent: Place[]): Group[] {
  const pages = { heading: "Pages", hits: places };
  if (typed === "") return recent.length > 0 ? [{ heading: "Recent", hits: recent }, pages] : [pages];
  const rank = ({ path }: Place) => (recent.some((place) => place.path === path) ? 0 : 1);
  const matching = matchingPlaces(places, typed).sort((one, other) => rank(one) - rank(other));
  return matching.length > 0 ? [{ ...pages, hits: matching.slice(0, PAGES_MAX) }] : [];
}

function addDialog() {
  const label = { "aria-label": "Search everything" };
  const dialog = add(document.body, "dialog", { className: "palette" }, label);
  const top = add(dialog, "div", { className: "palette-top" });
  const placeholder = "Page, order, number, agent, reference …";
  const input = add(
    top,
    "input",
    { maxLength: 100, autocomplete: "off", spellcheck: false, enterKeyHint: "go", placeholder },
    {
      ...label,
      role: "combobox",
      "aria-expanded": "true",
      "aria-controls": "palette-list",
      "aria-autocomplete": "list",
    },
  );
  const close = add(top, "button", { className: "tiny quiet", type: "button", textContent: "Close" });
  const list = add(
    dialog,
    "div",
    { className: "palette-list", id: "palette-list" },
    { role: "listbox", "aria-label": "Results" },
  );
  const foot = add(dialog, "div", { className: "palette-foot" });
  const note = add(foot, "p", {}, { role: "status" });
  add(foot, "p", { className: "palette-keys", textContent: "↑ ↓ choose, Enter opens, Esc closes" });
  return { dialog, input, close, list, note };
}

function addGroup(list: Element, { heading, hits }: Group, id: string): HTMLAnchorElement[] {
  const group = add(list, "div", {}, { role: "group", "aria-labelledby": id });
  add(group, "p", { className: "palette-heading", textContent: heading, id });
  return hits.map(({ title, hint, path }, at) => {
    const properties = { href: path, id: `${id}-${at}`, tabIndex: -1 };
    const option = add(group, "a", properties, { role: "option", "aria-selected": "false" });
    add(option, "bdi", { textContent: title });
    if (hint) add(option, "bdi", { className: "small soft", textContent: hint });
    return option;
  });
}

function add<Name extends keyof HTMLElementTagNameMap>(
  parent: Element,
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]>,
  attributes: Record<string, string> = {},
): HTMLElementTagNameMap[Name] {
  const element = Object.assign(document.createElement(name), properties);
  for (const [attribute, value] of Object.entries(attributes)) element.setAttribute(attribute, value);
  parent.append(element);
  return element;
}

/** Null if it is unavailable: offline, logged out, or no longer wanted. */
async function ask<T>(query: Record<string, string>, signal?: AbortSignal): Promise<T | null> {
  try {
    const headers = { accept: "application/json" };
    const response = await fetch(`${FIND_PATH}?${new URLSearchParams(query)}`, {
      headers,
      signal: signal ?? null,
    });
    const isJson = response.headers.get("content-type")?.startsWith("application/json");
    return response.ok && isJson ? await response.json() : null;
  } catch {
    return null;
  }
}
