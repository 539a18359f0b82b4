// The plain controls of a page that get a better one: each is hidden, and a slot is inserted beside it.

/** An action on a row: its label, and a function that triggers the plain control. */
export type RowAction = { label: string; isDangerous: boolean; action: () => void };

export type Place = { slot: HTMLElement } & (
  | { kind: "user"; field: HTMLInputElement }
  | { kind: "list"; field: HTMLSelectElement }
  | { kind: "row"; name: string; actions: RowAction[] }
  | { kind: "all"; formId: string }
);

/** Finds the plain controls below `root`, hides them, and returns a slot for each. */
export function findPlaces(root: ParentNode): Place[] {
  const all = <E extends HTMLElement>(selector: string) => [...root.querySelectorAll<E>(selector)];
  return [
    ...all<HTMLInputElement>("[data-desk=user]").map(
      (field): Place => ({ kind: "user", field, slot: replacementSlot(field) }),
    ),
    ...all<HTMLSelectElement>("select[data-desk=list]").map(
      (field): Place => ({ kind: "list", field, slot: replacementSlot(field) }),
    ),
    ...all("[data-desk=row]").flatMap(rowPlace),
    ...all("[data-desk=all]").map(
      (heading): Place => ({
        kind: "all",
        formId: heading.dataset.form ?? "",
        slot: replacementSlot(heading),
      }),
    ),
  ];
}

function replacementSlot(field: HTMLElement): HTMLElement {
  const slot = document.createElement("div");
  field.hidden = true;
  field.after(slot);
  return slot;
}

/** The first control, the most likely one, stays; the others move into a menu. */
function rowPlace(row: HTMLElement): Place[] {
  const [first, ...others] = [
    ...row.querySelectorAll<HTMLElement>("a.button, details.sure, button[type=submit]"),
  ].filter((control) => !control.parentElement!.closest("details.sure"));
  if (others.length === 0) return [];
  const actions = others.map((control) => actionOf(control, row, first!));
  const slot = document.createElement("span");
  first!.after(slot);
  return [{ kind: "row", name: row.dataset.name ?? "", actions, slot }];
}

/** Hides a control, and its form too unless that also holds the control that stays. */
function actionOf(control: HTMLElement, row: HTMLElement, first: HTMLElement): RowAction {
  const form = control.closest("form");
  const isOwn = form && form !== row && row.contains(form) && !form.contains(first);
  const hidden = isOwn ? form : control;
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
  requestAnimationFrame(() =>
    details.querySelector<HTMLElement>("input:not([type=hidden]), button")?.focus(),
  );
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

/** Makes the label of a plain field refer to the control that replaces it; returns the label's text. */
export function takeLabel(field: HTMLElement, id: string): string {
  const label = document.querySelector<HTMLLabelElement>(`label[for="${field.id}"]`);
  if (label) label.htmlFor = id;
  return label?.textContent ?? "";
}
