// Beside the bulk form: counts its lines as they are pasted, says what they cost, and shows each as it was understood, to
// be mended in place. The textarea stays the form's own; everything here only reads it or writes into it.
import { useEffect, useMemo, useRef, useState } from "react";
import type { Entry } from "../src/shared/bulk-lines.ts";
import { limits, type Operator } from "../src/shared/domain.ts";
import { BulkFile } from "./parts/bulk-file.tsx";
import { BulkTable, type LineWords } from "./parts/bulk-table.tsx";
import { mendLine, removeLines, summarise } from "./parts/bulk-text.ts";
import { Cost, unitPriceOf } from "./parts/cost.tsx";
import { fieldOf, listen, useFields } from "./parts/form.ts";

type Props = {
  operator: Operator;
  balancePesewas: number;
  productId: string;
  words: LineWords;
  /** Whose the lines are. */
  userId: number;
};

/** From this length on, the text is read when the typing pauses, so that no key waits for ten thousand lines. */
const LONG_TEXT = 5_000;
const PAUSE_MS = 200;
const REST_MS = 1_500;

export function BulkCheck({ operator, balancePesewas, productId, words, userId }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const { text, write } = useLines(place, `bulk of ${userId}`);
  const form = useFields(place, { productId, allowDuplicate: "" });
  const known = useKnown(sizeOf(place.current, form.productId));
  const isMeant = form.allowDuplicate !== "";
  const summary = useMemo(() => summarise(text ?? "", isMeant, known), [text, isMeant, known]);
  const unitPesewas = unitPriceOf(form.productId);
  const { lines, goodCount, goodQuantity, bad, repeated, passedOver } = summary;
  return (
    <div ref={place} className="mend">
      <BulkFile place={place} onLines={(more) => write(text?.trim() ? `${text.trimEnd()}\n${more}` : more)} />
      <div role="status">
        {lines.length > 0 && (
          <>
            <p className="counts">
              <Count of={goodCount} words={goodCount === 1 ? "good line" : "good lines"} kind="good" />
              <Count of={bad.length} words="to mend" kind="bad" />
              <Count of={summary.repeatCount} words="repeated" kind="warn" />
              <Count of={passedOver} words="without a number" kind="" />
            </p>
            {lines.length > limits.bulkLines && (
              <p className="error">
                At most {count(limits.bulkLines)} lines at once: take {count(lines.length - limits.bulkLines)}{" "}
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
      {lines.length > 0 && (
        <BulkTable
          {...{ lines, bad, repeated, words, operator, unitPesewas }}
          onMend={(line, now) => write(mendLine(text ?? "", lines, line, now))}
          onRemove={(gone) => write(removeLines(text ?? "", lines, gone))}
        />
      )}
    </div>
  );
}

const count = (n: number) => n.toLocaleString("en");

function Count({ of, words, kind }: { of: number; words: string; kind: string }) {
  if (of === 0 && kind !== "good") return null;
  return (
    <span className={`chip ${kind}`}>
      {count(of)} {words}
    </span>
  );
}

/** The size in the chosen package's option ("5GB – GH₵ 19.50"); null before one is chosen. */
function sizeOf(place: Element | null, productId: string): string | null {
  const select = fieldOf(place?.closest("form") ?? null, "productId");
  if (productId === "" || !(select && "selectedOptions" in select)) return null;
  return select.selectedOptions[0]?.text.split(" – ")[0] ?? null;
}

type Known = { size: string | null; entries: Map<string, Entry[]> };

/** What was read already, by the line's text; with another package's size it is read anew. */
function useKnown(size: string | null): Known {
  return useMemo(() => ({ size, entries: new Map() }), [size]);
}

/**
 * The text of the form's lines, null until it is known, and a way to put another one there. A browser takes a fifth of a
 * second to lay ten thousand lines out, so a long text is put into its field when the hand rests, or when it is needed.
 */
function useLines(place: { current: Element | null }, storageKey: string) {
  const [text, setText] = useState<string | null>(null);
  const owed = useRef<{ text: string; timer: Timer } | null>(null);
  const area = () => fieldOf(place.current?.closest("form") ?? null, "lines");
  const settle = () => {
    if (!owed.current) return;
    clearTimeout(owed.current.timer);
    area()!.value = owed.current.text;
    owed.current = null;
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: the form around this place never changes.
  useEffect(() => {
    let timer: Timer;
    const look = () => setText(area()?.value ?? "");
    const lookSoon = () => {
      clearTimeout(timer);
      if ((area()?.value.length ?? 0) < LONG_TEXT) look();
      else timer = setTimeout(look, PAUSE_MS);
    };
    const send = () => {
      settle();
      keepSent(storageKey, area()!.value);
    };
    const sent = keepSent(storageKey, null);
    if (sent && area()?.value === "") area()!.value = sent;
    look();
    const forget = listen([
      [area(), "input", lookSoon],
      [area(), "focus", settle],
      [place.current!.closest("form"), "submit", send],
      [window, "pagehide", settle],
      [window, "pageshow", look],
    ]);
    return () => {
      clearTimeout(timer);
      settle();
      forget();
    };
  }, []);
  const write = (now: string) => {
    clearTimeout(owed.current?.timer);
    owed.current = { text: now, timer: setTimeout(settle, REST_MS) };
    if (now.length < LONG_TEXT) settle();
    setText(now);
  };
  return { text, write };
}

/**
 * Keeps what is sent until the next form is open, which the shop fills in, unless it asked for a login first: then it
 * stands there again. Gives what was kept before. In this tab alone, and under its owner's name.
 */
function keepSent(key: string, text: string | null): string | null {
  try {
    const before = sessionStorage.getItem(key);
    if (text === null) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, text);
    return before;
  } catch {
    // A browser that keeps nothing, or has no room.
    return null;
  }
}

type Timer = ReturnType<typeof setTimeout> | undefined;
