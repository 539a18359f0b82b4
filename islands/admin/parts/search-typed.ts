// The search of a list while somebody types: after each pause its parts of the page are replaced, as by its button.
import { pageAt, replaceParts } from "../../parts/live.ts";

const PAUSE_MS = 250;

/**
 * Starts with what is typed already. `shown` is called whenever the list is another one: its rows get their controls as
 * those before them, from a root of their own.
 */
export function searchTyped(field: HTMLInputElement, shown: (root: Element, rows: Element) => void): void {
  const form = field.form!;
  const note = Object.assign(document.createElement("p"), { className: "sr" });
  note.setAttribute("role", "status");
  form.append(note);
  let timer: ReturnType<typeof setTimeout>;
  let typed = "";
  const search = async () => {
    const query = typed;
    const path = `${location.pathname}?${query}`;
    const fresh = await pageAt(path);
    // What is ticked stays, and what is typed meanwhile is searched for next.
    if (!fresh || query !== typed || document.querySelector("[name=ids]:checked")) return;
    replaceParts(fresh);
    history.replaceState(history.state, "", path);
    const root = document.createElement("div");
    document.body.append(root);
    shown(root, document.querySelector("[data-live=found]")!);
    const count = document.querySelectorAll("[data-rows] > *").length;
    note.textContent = count === 1 ? "1 row" : `${count} rows`;
  };
  const wait = () => {
    clearTimeout(timer);
    typed = new URLSearchParams(new FormData(form) as unknown as Record<string, string>).toString();
    timer = setTimeout(() => void search(), PAUSE_MS);
  };
  field.addEventListener("input", wait);
  wait();
}
