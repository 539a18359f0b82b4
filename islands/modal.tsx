// While a dialog is open, the page behind it is out of reach, also for the keyboard and for screen readers.
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
      // Before it is closed: then the browser gives the focus back to what opened it, which must not be inert any more.
      [dialog, "beforetoggle", (event) => hold(event, "closed")],
    ]);
  }, [id]);
  return null;
}

/** Everything that stands beside the dialog or beside what it stands in. */
function around(dialog: HTMLElement): HTMLElement[] {
  const beside: HTMLElement[] = [];
  for (
    let inner: HTMLElement = dialog;
    inner.parentElement && inner !== document.body;
    inner = inner.parentElement
  )
    beside.push(...([...inner.parentElement.children] as HTMLElement[]).filter((one) => one !== inner));
  return beside;
}
