// The shell of every agent's page: it registers the service worker, keeps a form that could not be sent, and asks about
// the purchase in the outbox once there is a connection.
import { useEffect, useState } from "react";
import { listen } from "./parts/form.ts";
import * as outbox from "./parts/outbox.ts";

type Props = {
  userId: number;
  /** Differs with every login. */
  session: string;
  /** Null: push messages are off. */
  pushKey: string | null;
};

type Sent = { form: HTMLFormElement; fields: outbox.Kept["fields"]; path: string };

export function AppShell({ userId, session, pushKey }: Props) {
  const [waiting, setWaiting] = useState<outbox.Kept[]>([]);
  const [isOnline, setOnline] = useState(true);
  const [note, setNote] = useState("");
  useEffect(() => {
    let sent: Sent | null = null;
    const look = () => {
      setWaiting(outbox.readAll(userId));
      setOnline(navigator.onLine);
    };
    const fail = ({ form, fields }: Sent, isSure: boolean) => {
      const purchase = outbox.purchaseIn(form, fields, isSure);
      if (purchase) outbox.keep(userId, purchase);
      setNote(purchase ? "" : isSure ? NOT_SENT : UNCLEAR);
      look();
      form.dispatchEvent(new CustomEvent("unsent", { bubbles: true, detail: purchase }));
    };
    const submit = (event: Event) => {
      const form = event.target as HTMLFormElement;
      if (form.method !== "post") return;
      setNote("");
      if (form.getAttribute("action") === "/logout") outbox.dropOthers(null);
      const sending = read(form, (event as SubmitEvent).submitter);
      if (!navigator.onLine) {
        event.preventDefault();
        fail(sending, true);
      } else if (!event.defaultPrevented) {
        sent = sending;
        if (form.closest(".outbox")) outbox.drop(userId, outbox.keyOf(sending));
      }
    };
    const unsent = ({ data, ports }: MessageEvent) => {
      if (!sent || !data?.unsent || new URL(data.unsent).pathname !== sent.path) return;
      ports[0]?.postMessage(true);
      fail(sent, data.isSure);
    };
    outbox.dropOthers(userId);
    look();
    void startWorker({ userId, session, pushKey });
    return listen([
      [document, "submit", submit],
      [navigator.serviceWorker ?? null, "message", unsent as (event: Event) => void],
      [window, "online", look],
      [window, "offline", look],
      // A purchase becomes too old while the page stays open.
      [document, "visibilitychange", look],
    ]);
  }, [userId, session, pushKey]);
  const [first] = waiting;
  const discard = () => {
    if (first) outbox.drop(userId, outbox.keyOf(first));
    setWaiting(outbox.readAll(userId));
  };
  return (
    <div className="outbox" role="status">
      {note && <p className="note warn">{note}</p>}
      {first && (
        <Question
          key={outbox.keyOf(first)}
          kept={first}
          othersCount={waiting.length - 1}
          isOnline={isOnline}
          onDiscard={discard}
        />
      )}
    </div>
  );
}

/** Without a connection, or where the browser refuses, the page is as it is without a service worker. */
async function startWorker(of: Props): Promise<void> {
  try {
    await navigator.serviceWorker?.register(scriptUrl("/sw.js") as string);
    if (!("Notification" in window) || Notification.permission !== "granted") return;
    const { renewAlerts } = await import("./parts/alerts.ts");
    await renewAlerts(of);
  } catch {
    // The next page tries again.
  }
}

const NOT_SENT =
  "Network error. Please check your connection and try again. Nothing was sent, and what you typed is still here.";
const UNCLEAR = "The connection broke. Perhaps it was sent already: check first. What you typed is still here.";

type QuestionProps = {
  kept: outbox.Kept;
  /** How many wait behind it. */
  othersCount: number;
  isOnline: boolean;
  onDiscard: () => void;
};

/** Nothing is sent before somebody says yes; with its first key, so that it cannot be paid twice. */
function Question({ kept, othersCount, isOnline, onDiscard }: QuestionProps) {
  const { path, fields, label, isSure } = kept;
  // What may have been sent must not be changed: it would be another sale.
  const change = isSure && outbox.changePath(kept);
  const state = `${isSure ? "Not sent yet" : "Perhaps sent already"}${isOnline ? "" : ", no connection"}:`;
  return (
    <form className="note warn" method="post" data-outbox={label} data-unclear={isSure ? undefined : ""}>
      {fields.map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <p>
        <strong>{state}</strong> {label}.{!isSure && " Sending it again is safe."}
        {othersCount > 0 && ` ${othersCount} more behind it.`}
      </p>
      <div className="actions">
        {isOnline && (
          <button type="submit" formAction={path}>
            Send now
          </button>
        )}
        {isOnline && change && (
          <a className="button quiet" href={change} onClick={onDiscard}>
            Change
          </a>
        )}
        <button className="quiet" type="button" onClick={onDiscard}>
          Discard
        </button>
      </div>
    </form>
  );
}

/** What a form sends, as it was when it was sent. */
function read(form: HTMLFormElement, submitter: HTMLElement | null): Sent {
  const button = submitter as HTMLButtonElement | null;
  const data = [...new FormData(form)].filter((field): field is [string, string] => typeof field[1] === "string");
  const fields: Sent["fields"] = button?.name ? [...data, [button.name, button.value]] : data;
  const action = button?.getAttribute("formaction") ?? form.getAttribute("action") ?? location.pathname;
  return { form, fields, path: new URL(action, location.href).pathname };
}

/** The page demands trusted types for addresses of scripts. */
function scriptUrl(path: string): unknown {
  type Types = { createPolicy(name: string, rules: object): { createScriptURL(path: string): unknown } };
  const { trustedTypes } = window as { trustedTypes?: Types };
  const policy = trustedTypes?.createPolicy("service-worker", { createScriptURL: () => path });
  return policy ? policy.createScriptURL(path) : path;
}
