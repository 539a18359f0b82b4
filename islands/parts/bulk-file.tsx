// Sends the form's file ahead and puts its lines where numbers are typed. Without this it goes with the form.
import { type RefObject, useEffect, useRef, useState } from "react";
import { fieldOf, listen } from "./form.ts";

type Props = { place: RefObject<Element | null>; onLines: (text: string) => void };

export function BulkFile({ place, onLines }: Props) {
  const [words, setWords] = useState("");
  const latest = useRef(onLines);
  latest.current = onLines;
  useEffect(() => {
    const field = fieldOf(place.current?.closest("form") ?? null, "file") as HTMLInputElement | null;
    const read = async () => {
      const file = field!.files?.[0];
      if (!file) return;
      setWords("Reading the file …");
      const { lines, problem } = await ask(file);
      if (lines !== undefined) latest.current(lines);
      // A file that was refused, or read, is not sent again with the form.
      if (problem !== OFFLINE) field!.value = "";
      setWords(problem ?? "");
    };
    return listen([[field, "change", read]]);
  }, [place]);
  const isProblem = words !== "" && !words.endsWith("…");
  return (
    <p className={isProblem ? "error" : "live"} role="alert">
      {words}
    </p>
  );
}

const OFFLINE = "The file did not arrive. It goes with the form when you press the button.";

async function ask(file: File): Promise<{ lines?: string; problem?: string }> {
  const body = new FormData();
  body.set("file", file);
  try {
    return await (await fetch("/bulk/read", { method: "POST", body })).json();
  } catch {
    return { problem: OFFLINE };
  }
}
