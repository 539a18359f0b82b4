// While a dialog is open, the page behind it is out of reach, also for the keyboard and for screen readers.
import { useEffect } from "react";
import { listen } from "./parts/form.ts";

export function Modal({ id }: { id: string }) {
  useEffect(() => {
    const dialog = document.getElementById(id)!;
    return listen([
      [
        dialog,
        "toggle",
        (event) => {
          const isOpen = (event as ToggleEvent).newState === "open";
          for (const element of around(dialog)) element.inert = isOpen;
          if (isOpen) dialog.querySelector<HTMLElement>("input:not([type=hidden])")?.focus();
        },
      ],
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
