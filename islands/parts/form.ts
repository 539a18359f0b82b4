// Islands stand inside of plain forms and read their fields: the form is the server's and works without them.
import { type RefObject, useEffect, useState } from "react";

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** The form's field of this name; null when there is none. */
export function fieldOf(form: HTMLFormElement | null, name: string): Control | null {
  return (form?.elements.namedItem(name) ?? null) as Control | null;
}

/** What stands in these fields of the form around a place, now and whenever it changes. `initially` is what the server knew. */
export function useFields<T extends Record<string, string>>(
  place: RefObject<Element | null>,
  initially: T,
): T {
  const [values, setValues] = useState(initially);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the names and the form around the place never change.
  useEffect(() => {
    const form = place.current?.closest("form") ?? null;
    const names = Object.keys(initially);
    const look = () =>
      setValues((before) => {
        const now = Object.fromEntries(names.map((name) => [name, contentOf(fieldOf(form, name))])) as T;
        return names.every((name) => now[name] === before[name]) ? before : now;
      });
    // Something may have been typed, filled in or restored before this script came.
    look();
    return listen([
      [form, "input", look],
      [form, "change", look],
      [form, "reset", () => setTimeout(look)],
      [window, "pageshow", look],
    ]);
  }, []);
  return values;
}

/** Somebody who stopped the browser may send a form again after this long; the server would have answered by then. */
export const GIVE_UP_MS = 15_000;

/** Adds listeners; returns what takes them away again. */
export function listen(wanted: [EventTarget | null, string, (event: Event) => void][]): () => void {
  for (const [target, type, listener] of wanted) target?.addEventListener(type, listener);
  return () => {
    for (const [target, type, listener] of wanted) target?.removeEventListener(type, listener);
  };
}

function contentOf(field: Control | null): string {
  if (!field) return "";
  return field.type === "checkbox" && !(field as HTMLInputElement).checked ? "" : field.value;
}
