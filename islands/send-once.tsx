// Holds a form to one sending, and lets the button that was pressed say so ("Paying…") until the next page is there. With
// no connection nothing is sent, and it says that; without a needed amount there is nothing to press.
import { useEffect, useRef, useState } from "react";
import { fieldOf, GIVE_UP_MS, listen } from "./parts/form.ts";

/** `needs`: the field of an amount above zero, without which the form cannot be sent. */
type Props = { needs?: string };

export function SendOnce({ needs }: Props) {
  const place = useRef<HTMLSpanElement>(null);
  const [isOffline, setOffline] = useState(false);
  useEffect(() => {
    const form = place.current!.closest("form")!;
    let restore: (() => void) | null = null;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const end = () => {
      clearTimeout(timer);
      restore?.();
      restore = null;
    };
    const send = (event: Event) => {
      setOffline(!navigator.onLine);
      if (restore || !navigator.onLine) return event.preventDefault();
      restore = show((event as SubmitEvent).submitter);
      timer = setTimeout(end, GIVE_UP_MS);
    };
    // Whether it is an amount is the server's to say; here it is enough that something above zero stands there.
    const look = () => needs && allow(form, /[1-9]/.test(fieldOf(form, needs)?.value ?? ""));
    look();
    return listen([
      [form, "submit", send],
      [form, "input", look],
      // Back again by the browser's history, which keeps the page as it was left.
      [window, "pageshow", end],
    ]);
  }, [needs]);
  return (
    <span ref={place} className="live warn" role="alert">
      {isOffline && "Network error. Please check your connection and try again. Nothing was sent."}
    </span>
  );
}

function allow(form: HTMLFormElement, isAllowed: boolean): void {
  for (const button of form.querySelectorAll<HTMLButtonElement>("button[type=submit]"))
    button.disabled = !isAllowed;
}

/** Not `disabled`: the button's own name and value would not be sent. */
function show(button: HTMLElement | null): () => void {
  const words = button?.textContent ?? "";
  const sending = button?.dataset.sending;
  button?.setAttribute("aria-disabled", "true");
  if (button && sending) button.textContent = sending;
  return () => {
    button?.removeAttribute("aria-disabled");
    if (button && sending) button.textContent = words;
  };
}
