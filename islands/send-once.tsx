// Protection against double submission: a form is sent once, and its button says so ("Paying…") until the next page
// loads. Offline, nothing is sent, and it says so, where AppShell does not; while a required amount is missing, the
// button is disabled.
import { useEffect, useRef, useState } from "react";
import { GIVE_UP_MS, listen, showSending } from "./parts/form.ts";

/** `needs`: the fields one of which must hold an amount above zero before the form can be sent. */
type Props = { needs?: string[] };

export function SendOnce({ needs }: Props) {
  const place = useRef<HTMLSpanElement>(null);
  const [isOffline, setOffline] = useState(false);
  useEffect(() => {
    const form = place.current!.closest("form")!;
    // Of two in one form, such as its key's and its own, the first acts.
    const isFirst = form.dataset.once === undefined;
    if (isFirst) form.dataset.once = "";
    let restore: (() => void) | null = null;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const end = () => {
      clearTimeout(timer);
      restore?.();
      restore = null;
    };
    const send = (event: Event) => {
      setOffline(!navigator.onLine && !document.querySelector("is-land[ready] > .outbox"));
      if (restore || !navigator.onLine) return event.preventDefault();
      restore = showSending((event as SubmitEvent).submitter);
      timer = setTimeout(end, GIVE_UP_MS);
    };
    // The server validates the amount; here any digit above zero is enough.
    const hasAmount = (name: string) => /[1-9]/.test(String(new FormData(form).get(name)));
    const checkAmount = () => needs && allow(form, needs.some(hasAmount));
    checkAmount();
    const stop = listen([
      [isFirst ? form : null, "submit", send],
      [form, "input", checkAmount],
      // A script could not send it.
      [form, "unsent", end],
      // After a return through the browser's history, which restores the page as it was left.
      [window, "pageshow", end],
    ]);
    return () => {
      stop();
      if (isFirst) delete form.dataset.once;
    };
  }, [needs]);
  return (
    <span ref={place} className="live warn" role="alert">
      {isOffline && "Network error. Please check your connection and try again. Nothing was sent."}
    </span>
  );
}

function allow(form: HTMLFormElement, isAllowed: boolean): void {
  for (const button of form.querySelectorAll<HTMLButtonElement>("button[type=submit]")) button.disabled = !isAllowed;
}
