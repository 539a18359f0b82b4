// Access to the plain form around an island. The form is rendered by the server and works without islands.
import { type RefObject, useEffect, useState } from "react";

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** The form's field of this name; null when there is none. */
export function fieldOf(form: HTMLFormElement | null, name: string): Control | null {
  return (form?.elements.namedItem(name) ?? null) as Control | null;
}

/**
 * The values of fields of the form around an element, kept current. `initially` holds the values that the server
 * sent.
 */
export function useFields<T extends Record<string, string>>(place: RefObject<Element | null>, initially: T): T {
  const [values, setValues] = useState(initially);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the names and the form around the element never change.
  useEffect(() => {
    const form = place.current?.closest("form") ?? null;
    const names = Object.keys(initially);
    const update = () =>
      setValues((before) => {
        const now = Object.fromEntries(names.map((name) => [name, contentOf(fieldOf(form, name))])) as T;
        return names.every((name) => now[name] === before[name]) ? before : now;
      });
    // The user or the browser may have changed fields before this script loaded.
    update();
    return listen([
      [form, "input", update],
      [form, "change", update],
      [form, "reset", () => setTimeout(update)],
      [window, "pageshow", update],
    ]);
  }, []);
  return values;
}

/** After this long a form can be sent again, in case loading was stopped; the server would have answered by then. */
export const GIVE_UP_MS = 15_000;

/**
 * Shows on a button that its form is being sent, by its `data-sending` or "One moment…"; returns a function that ends
 * it. Not by `disabled`, which would omit the button's own name and value.
 */
export function showSending(button: HTMLElement | null): () => void {
  const markup = [...(button?.childNodes ?? [])];
  button?.setAttribute("aria-disabled", "true");
  button?.replaceChildren(button.dataset.sending ?? "One moment…");
  return () => {
    button?.removeAttribute("aria-disabled");
    button?.replaceChildren(...markup);
  };
}

/** Adds event listeners; returns a function that removes them. */
export function listen(listeners: [EventTarget | null, string, (event: Event) => void][]): () => void {
  for (const [target, type, listener] of listeners) target?.addEventListener(type, listener);
  return () => {
    for (const [target, type, listener] of listeners) target?.removeEventListener(type, listener);
  };
}

function contentOf(field: Control | null): string {
  if (!field) return "";
  return field.type === "checkbox" && !(field as HTMLInputElement).checked ? "" : field.value;
}
