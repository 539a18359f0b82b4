// A copy of what is typed into a form, kept in this tab for its user, because phones throw tabs away. When the page
// comes back without it, it is offered, never filled in unasked.
import { useEffect, useRef, useState } from "react";
import { listen } from "./parts/form.ts";

/** `refill`: the action that shows the form with all its rows, for a form that grows. */
type Props = { userId: number; name: string; refill?: string };
type Fields = Record<string, string>;

/** Never kept: a page's own values, secrets, and the number of a Ghana Card. */
const LEFT_OUT = /^key$|^action$|password|pin$|code$|card/i;
const EXCERPT_CHARS = 60;

export function KeepTyped({ userId, name, refill }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const [found, setFound] = useState<Fields | null>(null);
  const store = `typed of ${userId} ${name}`;
  useEffect(() => {
    const own = place.current!.closest("form")!;
    const initially = JSON.stringify(fieldsOf(own));
    const before = recall(store);
    if (before && JSON.stringify(before) !== initially && textIn(before)) setFound(before);
    const save = () => remember(store, fieldsOf(own));
    return listen([
      [own, "input", save],
      // Unless a script has held it back, the server has it now, or its page shows it again.
      [own, "submit", (event) => setTimeout(() => event.defaultPrevented || remember(store, null))],
      [own, "unsent", save],
    ]);
  }, [store]);
  const use = () => {
    setFound(null);
    if (found) fill(place.current!.closest("form")!, found, refill);
  };
  const discard = () => {
    setFound(null);
    remember(store, null);
  };
  return (
    <div ref={place}>
      {found && (
        <div className="note info" role="status">
          <p>
            You typed this before: <bdi>{textIn(found)}</bdi>
          </p>
          <div className="actions">
            <button className="quiet" type="button" onClick={use}>
              Use it
            </button>
            <button className="quiet" type="button" onClick={discard}>
              Throw it away
            </button>
          </div>
        </div>
      )}
    </div>
  );
}

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

function fieldsOf(form: HTMLFormElement): Fields {
  const fields = [...new FormData(form)].filter(
    (field): field is [string, string] => typeof field[1] === "string" && !LEFT_OUT.test(field[0]),
  );
  return Object.fromEntries(fields);
}

/** The beginning of the longest text. */
function textIn(fields: Fields): string {
  const [text = ""] = Object.values(fields).sort((a, b) => b.length - a.length);
  return text.length > EXCERPT_CHARS ? `${text.slice(0, EXCERPT_CHARS)}…` : text;
}

function fill(form: HTMLFormElement, fields: Fields, refill: string | undefined): void {
  let hasGrown = false;
  for (const [name, value] of Object.entries(fields)) {
    const control = form.elements.namedItem(name) as Control | null;
    if (control?.type === "checkbox") (control as HTMLInputElement).checked = true;
    else if (control) control.value = value;
    else {
      const hidden = Object.assign(document.createElement("input"), { type: "hidden", name, value });
      form.append(hidden);
      hasGrown = true;
    }
  }
  const grow = refill && form.querySelector<HTMLButtonElement>(`button[value="${refill}"]`);
  if (hasGrown && grow) form.requestSubmit(grow);
  else form.dispatchEvent(new Event("input", { bubbles: true }));
}

/** Null where nothing is stored, or storage is disabled. */
function recall(store: string): Fields | null {
  try {
    return JSON.parse(sessionStorage.getItem(store) ?? "null");
  } catch {
    return null;
  }
}

function remember(store: string, fields: Fields | null): void {
  try {
    if (fields) sessionStorage.setItem(store, JSON.stringify(fields));
    else sessionStorage.removeItem(store);
  } catch {
    // Storage is disabled or full.
  }
}
