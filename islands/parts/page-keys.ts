// Keys of one letter, for laptops: / to the search, n to a new sale for agents, and those that walk the rows of lists.
// They can be turned off, for people whose devices type letters by speech.
import { BOX, returnToRow, walkRows } from "./row-keys.ts";

/** Whether n leads to a new sale. */
export type Keys = { sells: boolean };

const OFF = "keys-off";
/** Open over a page: dialogs, the palette, menus. Within `:is`, browsers pass over a selector that they do not know. */
const OPEN = ":is(dialog[open], :popover-open, .pop)";
/** The links to what stands beside this in its list; each names its key. */
const BESIDE = "a[data-key]";
const FIELD = "input, select, textarea, [contenteditable], [inert]";

/** Its place, at the end of the page, gets the line that names the keys. */
export function followKeys(place: Element, { sells }: Keys): void {
  const line = add(place, "p", "keys small soft");
  const names = add(line, "span");
  const button = add(line, "button", "tiny quiet");
  button.type = "button";
  let isOn = !readOff();
  const show = () => {
    names.replaceChildren();
    if (isOn) nameKeys(names, sells);
    button.textContent = isOn ? "Turn off" : "Turn keys on";
  };
  button.addEventListener("click", () => {
    isOn = !isOn;
    keepOff(!isOn);
    show();
  });
  show();
  document.addEventListener("keydown", (event) => {
    if (isOn && isForPage(event) && follow(event, sells)) event.preventDefault();
  });
  if (isOn) returnToRow();
}

/** "Keys: / search, j k next and previous row": those that do something on this page. */
function nameKeys(place: Element, sells: boolean): void {
  const has = (selector: string) => document.querySelector(selector) !== null;
  const effects = {
    "/": "search",
    ...(sells && { n: "new sale" }),
    ...(has(BESIDE) && { "j k": "older and newer order" }),
    ...(has("[data-rows] *") && { "j k": "next and previous row" }),
    ...(has(BOX) && { x: "tick" }),
    ...(has("[data-rows] a[href]") && { Enter: "open" }),
    ...(has("[data-key=a]") && { a: "approve" }),
    ...(has("[data-key=r]") && { r: "refuse" }),
  };
  place.append("Keys: ");
  for (const [at, [keys, effect]] of Object.entries(effects).entries()) {
    if (at > 0) place.append(", ");
    for (const key of keys.split(" ")) {
      add(place, "kbd").textContent = key;
      place.append(" ");
    }
    place.append(effect);
  }
  place.append(" ");
}

function add<Name extends "p" | "span" | "button" | "kbd">(
  parent: Element,
  tag: Name,
  className = "",
): HTMLElementTagNameMap[Name] {
  const element = Object.assign(document.createElement(tag), { className });
  parent.append(element);
  return element;
}

/** Whether a key is pressed alone, in no field, and with nothing open over the page. */
function isForPage({ ctrlKey, metaKey, altKey, defaultPrevented, target }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey || altKey || defaultPrevented || document.querySelector(OPEN)) return false;
  // A row's box is no field for letters.
  return !(target instanceof Element) || target.matches(BOX) || target.closest(FIELD) === null;
}

/** Whether the key did something, which the browser must not do in its own way, too. */
function follow(event: KeyboardEvent, sells: boolean): boolean {
  if (event.key === "/") search();
  else if (event.key === "n" && sells && !hasTyped()) location.assign("/buy");
  else return walkRows(event) || turnOver(event);
  return true;
}

/** On the page of one row of a list: to the one below it there, or above. */
function turnOver({ key, shiftKey }: KeyboardEvent): boolean {
  const link = document.querySelector<HTMLElement>(`a[data-key="${CSS.escape(key.toLowerCase())}"]`);
  if (!link || shiftKey || hasTyped()) return false;
  link.click();
  return true;
}

/** To the field of this page; without one agents' orders have it, and staff have a search for everything. */
function search(): void {
  const field = document.querySelector<HTMLInputElement>("input[type=search]");
  const finder = document.querySelector<HTMLElement>("a.finder");
  field?.focus();
  field?.select();
  if (field) return;
  if (finder) finder.click();
  // The browser itself focuses the field that an address names, long before a script could.
  else location.assign("/orders#search");
}

/** Some browsers forbid storage: there the choice lasts as long as the page. */
function readOff(): boolean {
  try {
    return localStorage.getItem(OFF) !== null;
  } catch {
    return false;
  }
}

function keepOff(isOff: boolean): void {
  try {
    if (isOff) localStorage.setItem(OFF, "1");
    else localStorage.removeItem(OFF);
  } catch {}
}

/** Whether a form holds something that is not sent yet: one letter must not throw it away. */
function hasTyped(): boolean {
  const fields = document.querySelectorAll<HTMLInputElement>("form[method=post] :is(input, textarea)");
  return [...fields].some(({ value, defaultValue }) => value !== defaultValue);
}
