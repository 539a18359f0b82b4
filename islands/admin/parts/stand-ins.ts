// Stand-ins for controls until their first use: they look and sound the same, but a press only loads the control.
import type { Place } from "./places.ts";

/** The nodes of a stand-in, of which the first is what has the focus. */
export function standInFor(place: Exclude<Place, { kind: "all" }>): HTMLElement[] {
  if (place.kind === "row") return [menuButton(place)];
  if (place.kind === "list") return [listButton(place)];
  return [userInput(place), element("p", { className: "hint" }, { role: "status" })];
}

const isClosed = (popup: "menu" | "listbox") => ({ "aria-haspopup": popup, "aria-expanded": "false" });

function menuButton({ name, label }: Place & { kind: "row" }): HTMLElement {
  const about = { "aria-label": `${label || "More for"} ${name}`, ...isClosed("menu") };
  const button = element("button", { type: "button", className: "tiny quiet more" }, about);
  button.append(element("span", { textContent: label || "⋯" }, { "aria-hidden": "true" }));
  return button;
}

function listButton({ id, label, field }: Place & { kind: "list" }): HTMLElement {
  const chosen = field.selectedOptions[0] ?? field.options[0]!;
  const about = { "aria-label": `${label}: ${chosen.text}`, ...isClosed("listbox") };
  const button = element("button", { id, type: "button", className: "pop-button" }, about);
  const { mark } = chosen.dataset;
  if (mark?.startsWith("chip")) button.append(element("span", { className: mark, textContent: chosen.text }));
  else button.append(...(mark ? [element("span", { className: mark })] : []), ` ${chosen.text}`);
  return button;
}

function userInput({ id, field }: Place & { kind: "user" }): HTMLElement {
  // Not as typed.
  const defaultValue = field.value ? (field.dataset.name ?? field.value) : "";
  return element(
    "input",
    { id, autocomplete: "off", placeholder: field.placeholder, defaultValue },
    { role: "combobox", "aria-autocomplete": "list", "aria-expanded": "false" },
  );
}

function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]>,
  attributes: Record<string, string> = {},
): HTMLElement {
  const made = Object.assign(document.createElement(name), properties);
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
  return made;
}
