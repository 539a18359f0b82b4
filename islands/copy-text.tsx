// A button that copies a text. Where it cannot, there is the text itself, to be selected.
import { useEffect, useRef, useState } from "react";

type Props = {
  text: string;
  /** What it is called: "number", "the payment number". */
  label: string;
  /** The text as people read it, for a button in a row of actions; without it the text stands beside the button. */
  shown?: string;
  /** A sign alone, where a table has no room for the word. */
  isSign?: boolean;
};

const DONE_MS = 2_500;

export function CopyText({ text, label, shown, isSign = false }: Props) {
  const [state, setState] = useState<"none" | "ready" | "copied">("none");
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => setState("ready"), []);
  useEffect(() => {
    const timer = state === "copied" ? setTimeout(() => setState("ready"), DONE_MS) : undefined;
    return () => clearTimeout(timer);
  }, [state]);
  const isCopied = state === "copied";
  const sign = (shown || isSign) && (
    <svg className="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={isCopied ? "M5 12.5l4.5 4.5L19 7" : "M9 9h11v11H9ZM15 9V4H4v11h5"} />
    </svg>
  );
  if (state === "none")
    return shown ? (
      <span className="act">
        {sign}
        <span className="whole">{shown}</span>
      </span>
    ) : null;
  return (
    <>
      <button
        ref={button}
        className={shown ? "act" : "quiet tiny"}
        type="button"
        aria-label={shown ? undefined : `Copy ${label}`}
        onClick={async () => setState((await hasCopied(text, button.current!)) ? "copied" : "none")}
      >
        {sign}
        {isSign ? null : isCopied ? "Copied" : shown ? `Copy ${label}` : "Copy"}
      </button>
      <span className="sr" role="status">
        {isCopied && `Copied: ${shown ?? text}`}
      </span>
    </>
  );
}

/** Browsers have a clipboard only on https; others copy what is selected. */
async function hasCopied(text: string, button: HTMLButtonElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return hasCopiedSelection(text, button);
  }
}

function hasCopiedSelection(text: string, button: HTMLButtonElement): boolean {
  const field = document.createElement("textarea");
  field.value = text;
  field.className = "sr";
  button.after(field);
  field.select();
  try {
    return document.execCommand("copy");
  } catch {
    return false;
  } finally {
    field.remove();
    button.focus();
  }
}
