// The progress of placing a bulk order. It sends the form itself, in order to show the progress, and only once.
import { useEffect, useRef, useState } from "react";
import { listen } from "./parts/form.ts";

type Props = { lineCount: number };
/** The share of the form that has arrived (1: all of it, and the orders are being placed), or the outcome. */
type Stage = number | "idle" | "placed" | "broken";

export function PlaceProgress({ lineCount }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const [stage, setStage] = useState<Stage>("idle");
  useEffect(() => {
    const form = place.current!.closest("form");
    let isInProgress = false;
    const end = (how: Stage) => {
      isInProgress = how === "placed";
      setStage(how);
    };
    const send = (event: Event) => {
      event.preventDefault();
      if (isInProgress || !form) return;
      isInProgress = true;
      setStage(0);
      const request = new XMLHttpRequest();
      request.open("POST", form.getAttribute("action")!);
      request.setRequestHeader("accept", "application/json");
      request.upload.onprogress = ({ loaded, total }) => setStage(total ? loaded / total : 1);
      request.upload.onload = () => setStage(1);
      request.onerror = () => end("broken");
      request.onload = () => {
        const to = targetOf(request);
        // A refusal or an expired session has a page of its own: the browser sends the same form again, with the same
        // key, and shows it. Whatever became of the first request, the orders are placed once.
        if (to === null) return form.submit();
        end("placed");
        location.assign(to);
      };
      request.send(new FormData(form));
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
      {stage === "placed" && <p>Placed. The result is on its way.</p>}
      {stage === "broken" && (
        <p className="error">
          The connection broke. Press the button again: your orders are placed only once.
        </p>
      )}
    </div>
  );
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
