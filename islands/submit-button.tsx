// A form's button that says what is happening while the form is on its way, and sends it once.
import { useEffect, useRef, useState } from "react";
import { GIVE_UP_MS, listen } from "./parts/form.ts";

type Props = { words: string; sending: string };

export function SubmitButton({ words, sending }: Props) {
  const button = useRef<HTMLButtonElement>(null);
  const [isSending, setSending] = useState(false);
  useEffect(() => {
    let isUnderWay = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const become = (now: boolean) => {
      isUnderWay = now;
      setSending(now);
      clearTimeout(timer);
      if (now) timer = setTimeout(() => become(false), GIVE_UP_MS);
    };
    return listen([
      [
        button.current!.form,
        "submit",
        (event) => {
          if (isUnderWay) event.preventDefault();
          else become(true);
        },
      ],
      // Back again by the browser's history, which keeps the page as it was left.
      [window, "pageshow", () => become(false)],
    ]);
  }, []);
  // Not `disabled`: that would take the focus away from whoever pressed it.
  return (
    <button ref={button} type="submit" className="wide" aria-disabled={isSending}>
      {isSending ? sending : words}
    </button>
  );
}
