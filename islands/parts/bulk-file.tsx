// Takes the lines out of a file on the phone or computer; the file itself is not sent anywhere.
import { type ChangeEvent, useState } from "react";
import { limits } from "../../src/shared/domain.ts";
import { linesOfFile } from "./bulk-text.ts";

type Props = { isReady: boolean; onLines: (text: string) => void };

export function BulkFile({ isReady, onLines }: Props) {
  const [problem, setProblem] = useState("");
  async function read(event: ChangeEvent<HTMLInputElement>) {
    const input = event.currentTarget;
    const file = input.files?.[0];
    if (!file) return;
    const words = await take(file, onLines);
    setProblem(words);
    // So that the same file can be chosen once more after it was changed.
    input.value = "";
  }
  return (
    <div className={isReady ? undefined : "pending"}>
      <label className="button quiet file">
        Read numbers from a file
        <input className="sr" type="file" accept=".csv,.txt,text/csv,text/plain" onChange={read} />
      </label>
      <p className="hint">A CSV or text file, read here on your device.</p>
      {problem && (
        <p className="error" role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}

/** Hands the file's lines over; returns what is wrong with the file, or nothing. */
async function take(file: File, onLines: (text: string) => void): Promise<string> {
  if (file.size > limits.bulkBodyBytes) return "This file is too large: up to 2 MB can be read.";
  try {
    const bytes = new Uint8Array(await file.arrayBuffer());
    // A spreadsheet's own format is a ZIP archive.
    if (bytes[0] === 0x50 && bytes[1] === 0x4b)
      return "Save the spreadsheet as CSV first, then choose that file.";
    const text = linesOfFile(bytes);
    if (text === "") return "There are no lines in this file.";
    onLines(text);
    return "";
  } catch {
    return "This file could not be read. Try again, or paste its lines.";
  }
}
