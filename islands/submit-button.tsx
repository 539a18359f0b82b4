// A submit button that shows that the form is being sent, and sends it only once.
import { useEffect, useRef, useState } from "react";
import { GIVE_UP_MS, listen } from "./parts/form.ts";

type Props = { label: string; sending: string };

export function SubmitButton({ label, sending }: Props) {
  const button = useRef<HTMLButtonElement>(null);
  const [isSending, setSending] = useState(false);
  useEffect(() => {
    let isInProgress = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const become = (now: boolean) => {
      isInProgress = now;
      setSending(now);
      clearTimeout(timer);
      if (now) timer = setTimeout(() => become(false), GIVE_UP_MS);
    };
    return listen([
      [
        button.current!.form,
        "submit",
        (event) => {
          if (isInProgress) event.preventDefault();
          else become(true);
        },
      ],
      // After a return through the browser's history, which restores the page as it was left.
      [window, "pageshow", () => become(false)],
    ]);
  }, []);
  // Not `disabled`, which would take the focus away from the button.
  return (
    <button ref={button} type="submit" className="wide" aria-disabled={isSending}>
      {isSending ? sending : label}
    </button>
  );
}
