// The plain controls of a page that get a better one: each is hidden, and a slot is inserted beside it.

/** An action on a row: its label, and a function that triggers the plain control. */
export type RowAction = { label: string; isDangerous: boolean; action: () => void };

/** `id` is that of the better control, to which the label of the plain one refers from then on. */
type Field<E extends HTMLElement> = { field: E; id: string; label: string };

export type Place = { slot: HTMLElement; hidden: readonly HTMLElement[] } & (
  | ({ kind: "user" } & Field<HTMLInputElement>)
  | ({ kind: "list" } & Field<HTMLSelectElement>)
  /** `label`: what its button says in place of the dots. */
  | { kind: "row"; name: string; label: string | undefined; actions: RowAction[] }
  | { kind: "all"; formId: string }
);

/** Finds the plain controls below `root`, hides them, and returns a slot for each. */
export function findPlaces(root: ParentNode): Place[] {
  const all = <E extends HTMLElement>(selector: string) => [...root.querySelectorAll<E>(selector)];
  return [
    ...all<HTMLInputElement>("[data-desk=user]").map(
      (field): Place => ({ kind: "user", ...fieldPlace(field), ...replaced(field) }),
    ),
    ...all<HTMLSelectElement>("select[data-desk=list]").map(
      (field): Place => ({ kind: "list", ...fieldPlace(field), ...replaced(field) }),
    ),
    ...all("[data-desk=row]").flatMap(rowPlace),
    ...all("[data-desk=all]").map(
      (heading): Place => ({ kind: "all", formId: heading.dataset.form ?? "", ...replaced(heading) }),
    ),
  ];
}

/** Shows the plain control again, in place of what replaced it. */
export function giveBack(place: Place): void {
  for (const control of place.hidden) control.hidden = false;
  place.slot.remove();
  if (place.kind === "user" || place.kind === "list") refer(place.id, place.field.id);
}

function replaced(field: HTMLElement): Pick<Place, "slot" | "hidden"> {
  const slot = document.createElement("div");
  field.hidden = true;
  field.after(slot);
  return { slot, hidden: [field] };
}

function fieldPlace<E extends HTMLElement>(field: E): Field<E> {
  const id = `${field.id}-choice`;
  return { field, id, label: refer(field.id, id) };
}

/** Makes the label of one control refer to another; returns the label's text. */
function refer(from: string, to: string): string {
  const label = document.querySelector<HTMLLabelElement>(`label[for="${from}"]`);
  if (label) label.htmlFor = to;
  return label?.textContent ?? "";
}

/**
 * The first control, the most likely one, stays unless `data-all` says otherwise, which may name the menu; the others
 * move into it, and instead of a fold of class `pick` its buttons.
 */
function rowPlace(row: HTMLElement): Place[] {
  const controls = [
    ...row.querySelectorAll<HTMLElement>("a.button, details.sure:not(.pick), [popovertarget], [type=submit]"),
  ].filter((control) => !control.parentElement!.closest("details.sure:not(.pick)"));
  const { all, name = "" } = row.dataset;
  const first = all === undefined ? controls.shift() : null;
  if (controls.length === 0) return [];
  const hidden = controls.map((control) => formOrSelf(control, row, first));
  const actions = controls.map((control, i) => actionOf(control, hidden[i]!));
  const slot = document.createElement("span");
  if (first) first.after(slot);
  else row.append(slot);
  return [{ kind: "row", name, label: all, actions, slot, hidden }];
}

/** A control's form, unless that also holds the control that stays. */
function formOrSelf(control: HTMLElement, row: HTMLElement, first: HTMLElement | null | undefined): HTMLElement {
  const form = control.closest("form");
  const isOwn = form && form !== row && row.contains(form) && !form.contains(first ?? null);
  return isOwn ? form : control;
}

function actionOf(control: HTMLElement, hidden: HTMLElement): RowAction {
  hidden.hidden = true;
  const source = control.querySelector("summary") ?? control;
  return {
    label: labelOf(source),
    isDangerous: source.classList.contains("danger"),
    action: control instanceof HTMLDetailsElement ? () => ask(control, hidden) : () => control.click(),
  };
}

/** Shows a control that asks for confirmation first, with its question, until it is closed. */
function ask(details: HTMLDetailsElement, hidden: HTMLElement): void {
  hidden.hidden = false;
  details.open = true;
  // After the menu, which returns the focus to its own button when it closes.
  requestAnimationFrame(() => details.querySelector<HTMLElement>("input:not([type=hidden]), button")?.focus());
  details.addEventListener("toggle", () => {
    if (!details.open) hidden.hidden = true;
  });
}

/** The label of a control, without text for screen readers only: the menu's button already names the row. */
function labelOf(element: HTMLElement): string {
  const copy = element.cloneNode(true) as HTMLElement;
  for (const hidden of copy.querySelectorAll(".sr")) hidden.remove();
  return copy.textContent?.trim() ?? "";
}
