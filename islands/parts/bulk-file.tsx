// Reading of the bulk form's file: the server extracts its lines, which are then added to the text. Without scripts the
// file is sent with the form.
import { type RefObject, useEffect, useRef, useState } from "react";
import { fieldOf, listen } from "./form.ts";

type Props = { place: RefObject<Element | null>; onLines: (text: string) => void };

export function BulkFile({ place, onLines }: Props) {
  const [message, setMessage] = useState("");
  const [note, setNote] = useState("");
  const latest = useRef(onLines);
  latest.current = onLines;
  useEffect(() => {
    const field = fieldOf(place.current?.closest("form") ?? null, "file") as HTMLInputElement | null;
    const read = async () => {
      const file = field!.files?.[0];
      if (!file) return;
      setMessage("Reading the file …");
      const { lines, note, problem } = await readOnServer(file);
      if (lines !== undefined) latest.current(lines);
      // A file that was read or refused must not be sent with the form as well.
      if (problem !== OFFLINE) field!.value = "";
      setMessage(problem ?? "");
      setNote(note ?? "");
    };
    return listen([[field, "change", read]]);
  }, [place]);
  const isProblem = message !== "" && !message.endsWith("…");
  return (
    <>
      <p className={isProblem ? "error" : "live"} role="alert">
        {message}
      </p>
      {note && <p className="note warn">{note}</p>}
    </>
  );
}

const OFFLINE = "The file did not arrive. It is sent with the form when you press the button.";

/** `note` says what of the file was not read. */
type Answer = { lines?: string; note?: string; problem?: string };

async function readOnServer(file: File): Promise<Answer> {
  const body = new FormData();
  body.set("file", file);
  try {
    return await (await fetch("/bulk/read", { method: "POST", body })).json();
  } catch {
    return { problem: OFFLINE };
  }
}
