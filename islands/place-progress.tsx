// The progress of placing a bulk order. It sends the form itself, in order to show the progress, and only once. The
// form's other buttons are sent by the browser, once as well.
import { useEffect, useRef, useState } from "react";
import { ACTION } from "../src/shared/forms.ts";
import { GIVE_UP_MS, listen, showSending } from "./parts/form.ts";

const PLACE = "place";

type Props = { lineCount: number };
/** The share of the form that has arrived (1: all of it, and the orders are being placed), or the outcome. */
type Stage = number | "idle" | "placed" | "broken";

export function PlaceProgress({ lineCount }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const [stage, setStage] = useState<Stage>("idle");
  useEffect(() => {
    const form = place.current!.closest("form");
    let restore: (() => void) | null = null;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const end = (how: Stage) => {
      clearTimeout(timer);
      if (how !== "placed") {
        restore?.();
        restore = null;
      }
      setStage(how);
    };
    const send = (event: Event) => {
      const button = (event as SubmitEvent).submitter as HTMLButtonElement | null;
      if (restore || !form) return event.preventDefault();
      restore = showSending(button);
      if (button && button.value !== PLACE) timer = setTimeout(() => end("idle"), GIVE_UP_MS);
      else {
        event.preventDefault();
        sendPlacing(form);
      }
    };
    const sendPlacing = (form: HTMLFormElement) => {
      setStage(0);
      const request = new XMLHttpRequest();
      request.open("POST", form.getAttribute("action")!);
      request.setRequestHeader("accept", "application/json");
      request.upload.onprogress = ({ loaded, total }) => setStage(total ? loaded / total : 1);
      request.upload.onload = () => setStage(1);
      request.onerror = () => {
        end("broken");
        form.dispatchEvent(new Event("unsent"));
      };
      request.onload = () => {
        const to = targetOf(request);
        // A refusal or an expired session has a page of its own: the browser sends the same form again and shows it.
        // Whatever became of the first request, the orders are placed once.
        if (to === null) return sendPlainly(form);
        end("placed");
        location.assign(to);
      };
      const fields = new URLSearchParams(new FormData(form) as unknown as Record<string, string>);
      fields.set(ACTION, PLACE);
      request.send(fields);
    };
    return listen([
      [form, "submit", send],
      [window, "pageshow", () => end("idle")],
    ]);
  }, []);
  return (
    <div ref={place} role="status">
      {typeof stage === "number" && (
        <>
          <label htmlFor="placing">{progressText(stage, lineCount)}</label>
          <progress id="placing" max={1} value={stage < 1 ? stage : undefined} />
        </>
      )}
      {stage === "placed" && <p>Done. The next page is on its way.</p>}
      {stage === "broken" && (
        <p className="error">The connection broke. Press the button again: your orders are placed only once.</p>
      )}
    </div>
  );
}

/** Sends the form as its button would: `submit()` omits the button's name and value. */
function sendPlainly(form: HTMLFormElement): void {
  const field = document.createElement("input");
  Object.assign(field, { type: "hidden", name: ACTION, value: PLACE });
  form.append(field);
  form.submit();
}

function progressText(share: number, lineCount: number): string {
  if (share < 1) return `Sending ${Math.floor(share * 100)} %`;
  return `Placing ${lineCount.toLocaleString("en")} ${lineCount === 1 ? "order" : "orders"} …`;
}

function targetOf({ status, responseText }: XMLHttpRequest): string | null {
  try {
    const { to } = JSON.parse(responseText) as { to?: unknown };
    return status === 200 && typeof to === "string" ? to : null;
  } catch {
    return null;
  }
}
