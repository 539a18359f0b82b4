// Beside the bulk form: counts its lines as they are pasted, says what they cost, and lets the bad ones be mended in
// place. The textarea stays the form's own; everything here only reads it or writes into it.
import { useEffect, useMemo, useRef, useState } from "react";
import { limits } from "../src/shared/domain.ts";
import type { ErrorCode } from "../src/shared/errors.ts";
import { BulkBadLines } from "./parts/bulk-bad-lines.tsx";
import { BulkFile } from "./parts/bulk-file.tsx";
import { BulkRepeats } from "./parts/bulk-repeats.tsx";
import { removeLines, replaceLine, summarise } from "./parts/bulk-text.ts";
import { Cost, unitPriceOf } from "./parts/cost.tsx";
import { fieldOf, listen, useFields } from "./parts/form.ts";

type Props = { balancePesewas: number; productId: string; words: Partial<Record<ErrorCode, string>> };

/** From this length on, the text is read when the typing pauses, so that no key waits for ten thousand lines. */
const LONG_TEXT = 5_000;
const PAUSE_MS = 200;

export function BulkCheck({ balancePesewas, productId, words }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const { text, write } = useLines(place);
  const form = useFields(place, { productId, allowDuplicate: "" });
  const summary = useMemo(
    () => summarise(text ?? "", form.allowDuplicate !== ""),
    [text, form.allowDuplicate],
  );
  const unitPesewas = unitPriceOf(form.productId);
  const { lineCount, goodCount, goodQuantity, bad, repeats, repeatCount } = summary;
  const remove = (places: number[]) => write(removeLines(text ?? "", places));
  return (
    <div ref={place} className="mend">
      <BulkFile isReady={text !== null} onLines={write} />
      <div role="status">
        {lineCount > 0 && (
          <>
            <p className="counts">
              <Count of={goodCount} words={goodCount === 1 ? "good line" : "good lines"} kind="good" />
              {bad.length > 0 && <Count of={bad.length} words="to mend" kind="bad" />}
              {repeatCount > 0 && <Count of={repeatCount} words="repeated" kind="warn" />}
            </p>
            {lineCount > limits.bulkLines && (
              <p className="error">
                At most {count(limits.bulkLines)} lines at once: take {count(lineCount - limits.bulkLines)}{" "}
                out.
              </p>
            )}
            {unitPesewas === null ? (
              <p className="hint">Select a package to see the total.</p>
            ) : (
              <Cost totalPesewas={unitPesewas * goodQuantity} balancePesewas={balancePesewas} />
            )}
          </>
        )}
      </div>
      <BulkBadLines
        bad={bad}
        words={words}
        onMend={(at, line) => write(replaceLine(text ?? "", at, line))}
        onRemove={remove}
      />
      <BulkRepeats repeats={repeats} onRemove={remove} />
    </div>
  );
}

const count = (n: number) => n.toLocaleString("en");

function Count({ of, words, kind }: { of: number; words: string; kind: string }) {
  return (
    <span className={`chip ${kind}`}>
      {count(of)} {words}
    </span>
  );
}

/** The text of the form's lines, null until it is known, and a way to put another one there. */
function useLines(place: { current: Element | null }) {
  const [text, setText] = useState<string | null>(null);
  const area = () => fieldOf(place.current?.closest("form") ?? null, "lines");
  // biome-ignore lint/correctness/useExhaustiveDependencies: the form around this place never changes.
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = () => setText(area()?.value ?? "");
    const lookSoon = () => {
      clearTimeout(timer);
      if ((area()?.value.length ?? 0) < LONG_TEXT) look();
      else timer = setTimeout(look, PAUSE_MS);
    };
    look();
    const forget = listen([
      [area(), "input", lookSoon],
      [window, "pageshow", look],
    ]);
    return () => {
      clearTimeout(timer);
      forget();
    };
  }, []);
  const write = (now: string) => {
    const field = area();
    if (field) field.value = now;
    setText(now);
  };
  return { text, write };
}
