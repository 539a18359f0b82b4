// Protection against double submission: a form is sent once, and its button says so ("Paying…") until the next page
// loads. Offline, nothing is sent, and it says so; while a required amount is missing, the button is disabled.
import { useEffect, useRef, useState } from "react";
import { fieldOf, GIVE_UP_MS, listen } from "./parts/form.ts";

/** `needs`: the field that must hold an amount above zero before the form can be sent. */
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
    // The server validates the amount; here any digit above zero is enough.
    const checkAmount = () => needs && allow(form, /[1-9]/.test(fieldOf(form, needs)?.value ?? ""));
    checkAmount();
    return listen([
      [form, "submit", send],
      [form, "input", checkAmount],
      // After a return through the browser's history, which restores the page as it was left.
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

/** Shows that the form is being sent. Not by `disabled`, which would omit the button's own name and value. */
function show(button: HTMLElement | null): () => void {
  const label = button?.textContent ?? "";
  const sending = button?.dataset.sending;
  button?.setAttribute("aria-disabled", "true");
  if (button && sending) button.textContent = sending;
  return () => {
    button?.removeAttribute("aria-disabled");
    if (button && sending) button.textContent = label;
  };
}
