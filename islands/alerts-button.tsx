// The button that turns on alerts in this browser: in the profile, and once under the first order that has arrived. The
// browser asks only after it was pressed.
import { useEffect, useState } from "react";
import type { AlertsOf } from "./parts/alerts.ts";

/** `isOffer`: it can be dismissed for good, and is silent where it can do nothing. */
type Props = { of: AlertsOf; isOn: boolean; isOffer: boolean };
type State = "unknown" | "none" | "off" | "blocked" | "working" | "on" | "failed" | "away";

/** That somebody has answered the offer. */
const ANSWERED = "alerts offered";

export function AlertsButton({ of, isOn, isOffer }: Props) {
  const [state, setState] = useState<State>("unknown");
  useEffect(() => {
    if (!hasPush()) return setState("none");
    if (Notification.permission === "denied") return setState("blocked");
    const isAnswered = isOffer && (Notification.permission === "granted" || localStorage.getItem(ANSWERED) !== null);
    setState(isAnswered ? "away" : isOn ? "on" : "off");
  }, [isOn, isOffer]);
  const answer = async (isYes: boolean) => {
    localStorage.setItem(ANSWERED, "yes");
    if (!isYes) return setState("away");
    setState("working");
    const isDone = await turnOn(of).catch(() => false);
    setState(isDone ? "on" : Notification.permission === "denied" ? "blocked" : "failed");
  };
  if (state === "unknown" || state === "away" || (isOffer && (state === "none" || state === "blocked"))) return null;
  if (state === "none" || state === "blocked") return <p className="soft">{WHY_NOT[state]}</p>;
  if (state === "on")
    return (
      <p className="note good" role="status">
        Alerts are on. This phone shows when orders arrive.
      </p>
    );
  return (
    <div className="fields">
      {state === "failed" && (
        <p className="note bad" role="alert">
          Alerts could not be turned on. Check your connection and try again.
        </p>
      )}
      <button type="button" aria-disabled={state === "working"} onClick={() => answer(true)}>
        {state === "working" ? "One moment…" : "Tell me on this phone when orders arrive"}
      </button>
      {isOffer && (
        <button className="quiet" type="button" onClick={() => answer(false)}>
          Not now
        </button>
      )}
    </div>
  );
}

function hasPush(): boolean {
  return "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;
}

/** Asks for permission, as only a press may, and subscribes; false when the person or the browser refuses. */
async function turnOn(of: AlertsOf): Promise<boolean> {
  if ((await Notification.requestPermission()) !== "granted") return false;
  const { register } = await import("./parts/alerts.ts");
  return register(of);
}

const WHY_NOT = {
  none: "This browser cannot show alerts. On an iPhone, add DataFie to the home screen first.",
  blocked:
    "Alerts are blocked for this site. Allow notifications in your browser's settings, then open this page again.",
};
