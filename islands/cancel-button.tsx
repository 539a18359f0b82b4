// The cancel button of an order, with the seconds for which cancelling is certain to be possible.
import { useEffect, useRef, useState } from "react";
import { ACTION } from "../src/shared/forms.ts";
import { GIVE_UP_MS, listen } from "./parts/form.ts";

type Props = {
  /** Null: there is no countdown. */
  seconds: number | null;
  /** As a tile among the actions of an order's page, instead of a button in a notice. */
  isTile?: boolean;
};

export function CancelButton({ seconds: initially, isTile = false }: Props) {
  const button = useRef<HTMLButtonElement>(null);
  const seconds = useCountdown(initially);
  const [state, setState] = useState<"idle" | "sending" | "offline">("idle");
  useEffect(() => {
    let isSending = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const become = (now: typeof state) => {
      isSending = now === "sending";
      setState(now);
      clearTimeout(timer);
      if (isSending) timer = setTimeout(() => become("idle"), GIVE_UP_MS);
    };
    const send = (event: Event) => {
      if (isSending || !navigator.onLine) event.preventDefault();
      if (!isSending) become(navigator.onLine ? "sending" : "offline");
    };
    return listen([
      [button.current?.form ?? null, "submit", send],
      // After a return through the browser's history, which restores the page as it was left.
      [window, "pageshow", () => become("idle")],
    ]);
  }, []);
  if (seconds !== null && seconds <= 0 && state !== "sending") return isTile ? <BeingSent /> : null;
  const left = seconds === null ? "" : ` (${Math.max(0, seconds)}\u00a0s)`;
  const label = { idle: `Cancel${left}`, sending: "Cancelling…", offline: `No network: try again${left}` }[state];
  return (
    <button ref={button} className={isTile ? "act danger" : "quiet"} name={ACTION} value="cancel" type="submit">
      {isTile && <Sign outline="M6.5 6.5l11 11M17.5 6.5l-11 11" />}
      {label}
    </button>
  );
}

/** Keeps the button's place for a moment, so that no other action moves under somebody's thumb. */
function BeingSent() {
  return (
    <span className="act off">
      <Sign outline="M6 12h.5M12 12h.5M18 12h.5" />
      Being sent
    </span>
  );
}

function Sign({ outline }: { outline: string }) {
  return (
    <svg className="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={outline} />
    </svg>
  );
}

/** The seconds that are left, which end at 0. */
function useCountdown(initially: number | null): number | null {
  const [seconds, setSeconds] = useState(initially);
  useEffect(() => {
    if (initially === null) return;
    const untilMs = Date.now() + initially * 1000;
    const timer = setInterval(() => {
      const left = Math.ceil((untilMs - Date.now()) / 1000);
      setSeconds(left);
      if (left <= 0) clearInterval(timer);
    }, 1000);
    return () => clearInterval(timer);
  }, [initially]);
  return seconds;
}
