// Modality of a dialog: while it is open, the page behind it is inert, for keyboards and screen readers too.
import { useEffect } from "react";
import { listen } from "./parts/form.ts";

export function Modal({ id }: { id: string }) {
  useEffect(() => {
    const dialog = document.getElementById(id)!;
    const hold = (event: Event, state: string) => {
      if ((event as ToggleEvent).newState !== state) return;
      for (const element of around(dialog)) element.inert = state === "open";
      if (state === "open") dialog.querySelector<HTMLElement>("input:not([type=hidden])")?.focus();
    };
    return listen([
      [dialog, "toggle", (event) => hold(event, "open")],
      // Before it closes, because the browser then returns the focus to the opener, which must not be inert any more.
      [dialog, "beforetoggle", (event) => hold(event, "closed")],
    ]);
  }, [id]);
  return null;
}

/** The siblings of the dialog and of all its ancestors. */
function around(dialog: HTMLElement): HTMLElement[] {
  const beside: HTMLElement[] = [];
  for (let inner: HTMLElement = dialog; inner.parentElement && inner !== document.body; inner = inner.parentElement)
    beside.push(...([...inner.parentElement.children] as HTMLElement[]).filter((one) => one !== inner));
  return beside;
}
