// Finds the plain controls of a page that there is something better for, hides them, and makes room beside them.

/** Something that can be done with a row: what it is called, and how the plain control does it. */
export type RowAction = { words: string; isDangerous: boolean; act: () => void };

export type Place = { slot: HTMLElement } & (
  | { kind: "user"; field: HTMLInputElement }
  | { kind: "list"; field: HTMLSelectElement }
  | { kind: "row"; name: string; actions: RowAction[] }
  | { kind: "all"; formId: string }
);

export function placesIn(root: ParentNode): Place[] {
  const all = <E extends HTMLElement>(selector: string) => [...root.querySelectorAll<E>(selector)];
  return [
    ...all<HTMLInputElement>("[data-desk=user]").map(
      (field): Place => ({ kind: "user", field, slot: instead(field) }),
    ),
    ...all<HTMLSelectElement>("select[data-desk=list]").map(
      (field): Place => ({ kind: "list", field, slot: instead(field) }),
    ),
    ...all("[data-desk=row]").flatMap(rowPlace),
    ...all("[data-desk=all]").map(
      (heading): Place => ({ kind: "all", formId: heading.dataset.form ?? "", slot: instead(heading) }),
    ),
  ];
}

function instead(field: HTMLElement): HTMLElement {
  const slot = document.createElement("div");
  field.hidden = true;
  field.after(slot);
  return slot;
}

/** The first control stays where it is, because it is the likeliest; a menu takes in the others. */
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

/** A control goes out of sight with its form, unless the one that stays is in it as well. */
function actionOf(control: HTMLElement, row: HTMLElement, first: HTMLElement): RowAction {
  const form = control.closest("form");
  const isOwn = form && form !== row && row.contains(form) && !form.contains(first);
  const hidden = isOwn ? form : control;
  hidden.hidden = true;
  const said = control.querySelector("summary") ?? control;
  return {
    words: wordsOf(said),
    isDangerous: said.classList.contains("danger"),
    act: control instanceof HTMLDetailsElement ? () => ask(control, hidden) : () => control.click(),
  };
}

/** What has to be asked first comes out of hiding with its question, and goes back when it is closed. */
function ask(details: HTMLDetailsElement, hidden: HTMLElement): void {
  hidden.hidden = false;
  details.open = true;
  // The menu gives the focus back to its own button as it closes.
  requestAnimationFrame(() =>
    details.querySelector<HTMLElement>("input:not([type=hidden]), button")?.focus(),
  );
  details.addEventListener("toggle", () => {
    if (!details.open) hidden.hidden = true;
  });
}

/** Without what is only there for screen readers: the menu's button names the row. */
function wordsOf(element: HTMLElement): string {
  const copy = element.cloneNode(true) as HTMLElement;
  for (const hidden of copy.querySelectorAll(".sr")) hidden.remove();
  return copy.textContent?.trim() ?? "";
}

/** Leads the label of a plain field to the control that stands in its place; returns its words. */
export function takeLabel(field: HTMLElement, id: string): string {
  const label = document.querySelector<HTMLLabelElement>(`label[for="${field.id}"]`);
  if (label) label.htmlFor = id;
  return label?.textContent ?? "";
}
