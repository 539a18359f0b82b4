// The live check of the bulk form: it counts the lines as they are pasted, shows their cost, and lists each as
// parsed, to be fixed in place. The textarea stays part of the plain form; this island only reads and writes it.
import { useEffect, useMemo, useRef, useState } from "react";
import type { Offer } from "../src/shared/bulk-bundles.ts";
import type { Entry } from "../src/shared/bulk-lines.ts";
import { fixLines, removeLines } from "../src/shared/bulk-text.ts";
import { BULK_LINES_MAX, type Operator } from "../src/shared/domain.ts";
import { BulkFile } from "./parts/bulk-file.tsx";
import { BulkTable, type LineMessages } from "./parts/bulk-table.tsx";
import { summarize } from "./parts/bulk-text.ts";
import { Cost } from "./parts/cost.tsx";
import { fieldOf, listen, useFields } from "./parts/form.ts";
import { drop, findUnplaced, type KeptList, keep } from "./parts/kept-list.ts";

type Props = {
  operator: Operator;
  /** Everything on sale: a line may name another size or network. */
  offers: Offer[];
  balancePesewas: number;
  productId: string;
  messages: LineMessages;
  /** The owner of the lines. */
  userId: number;
};

/** From this length on, the text is parsed when typing pauses, so that no keystroke waits for ten thousand lines. */
const LONG_TEXT = 5_000;
const PAUSE_MS = 200;
const REST_MS = 1_500;

export function BulkCheck({ operator, offers, balancePesewas, productId, messages, userId }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const { text, write } = useLines(place, userId);
  const form = useFields(place, { productId, allowDuplicate: "" });
  const known = useRef(new Map<string, Entry[]>()).current;
  const allowRepeats = form.allowDuplicate !== "";
  const summary = useMemo(() => {
    const chosen = Number.parseInt(form.productId, 10) || null;
    const choices = { operator, productId: chosen, figures: null, otherNetworks: null };
    return summarize(text ?? "", allowRepeats, { offers, choices, isChosen: form.productId !== "" }, known);
  }, [text, allowRepeats, form.productId, operator, offers, known]);
  const { lines, goodCount, totalPesewas, bad, repeated, skippedCount } = summary;
  const add = (more: string) => write(text?.trim() ? `${text.trimEnd()}\n${more}` : more);
  return (
    <div ref={place} className="bulk-check">
      <LastList place={place} text={text} userId={userId} onUse={add} />
      <BulkFile place={place} onLines={add} />
      <div role="status">
        {lines.length > 0 && (
          <>
            <p className="counts">
              <Count of={goodCount} label={goodCount === 1 ? "good line" : "good lines"} kind="good" />
              <Count of={bad.length} label="to fix" kind="bad" />
              <Count of={summary.repeatCount} label="repeated" kind="warn" />
              <Count of={summary.questionCount} label="to ask you about" kind="warn" />
              <Count of={skippedCount} label="without a number" kind="" />
            </p>
            {lines.length > BULK_LINES_MAX && (
              <p className="error">
                At most {count(BULK_LINES_MAX)} lines at once: take {count(lines.length - BULK_LINES_MAX)}{" "}
                out.
              </p>
            )}
            {form.productId === "" ? (
              <p className="hint">Select a package to see the total.</p>
            ) : (
              <Cost totalPesewas={totalPesewas} balancePesewas={balancePesewas} />
            )}
          </>
        )}
      </div>
      {lines.length > 0 && (
        <BulkTable
          {...{ lines, bad, repeated, messages, operator }}
          onFix={(line, now) => write(fixLines(text ?? "", lines, new Map([[line, now]])))}
          onRemove={(gone) => write(removeLines(text ?? "", lines, gone))}
        />
      )}
    </div>
  );
}

type LastProps = {
  place: { current: Element | null };
  text: string | null;
  userId: number;
  onUse: (text: string) => void;
};

/** Offers a list that was sent but did not arrive. It is never restored silently, because it may be old. */
function LastList({ place, text, userId, onUse }: LastProps) {
  const [kept, setKept] = useState<KeptList | null>(null);
  useEffect(() => {
    void findUnplaced(userId).then(setKept);
  }, [userId]);
  if (!kept || kept.text.trim() === text?.trim()) return null;
  const end = () => {
    drop(userId);
    setKept(null);
  };
  const use = () => {
    const choice = fieldOf(place.current?.closest("form") ?? null, "productId");
    if (choice && choice.value === "") {
      choice.value = kept.productId;
      choice.dispatchEvent(new Event("change", { bubbles: true }));
    }
    onUse(kept.text);
    end();
  };
  return (
    <div className="note warn" role="alert">
      <p>Your last list is still here. It was not placed.</p>
      <p className="actions">
        <button className="tiny" type="button" onClick={use}>
          Use it
        </button>
        <button className="quiet tiny" type="button" onClick={end}>
          Discard it
        </button>
      </p>
    </div>
  );
}

const count = (n: number) => n.toLocaleString("en");

function Count({ of, label, kind }: { of: number; label: string; kind: string }) {
  if (of === 0 && kind !== "good") return null;
  return (
    <span className={`chip ${kind}`}>
      {count(of)} {label}
    </span>
  );
}

/**
 * The text of the form's lines, null until it is read, and a function to replace it. A browser takes a fifth of a
 * second to lay out ten thousand lines, so a long text is written into its field when typing pauses, or when it is
 * needed.
 */
function useLines(place: { current: Element | null }, userId: number) {
  const [text, setText] = useState<string | null>(null);
  const pending = useRef<{ text: string; timer: Timer } | null>(null);
  const area = () => fieldOf(place.current?.closest("form") ?? null, "lines");
  const flush = () => {
    if (!pending.current) return;
    clearTimeout(pending.current.timer);
    area()!.value = pending.current.text;
    pending.current = null;
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: the form around this element never changes.
  useEffect(() => {
    let timer: Timer;
    const readNow = () => setText(area()?.value ?? "");
    const readSoon = () => {
      clearTimeout(timer);
      if ((area()?.value.length ?? 0) < LONG_TEXT) readNow();
      else timer = setTimeout(readNow, PAUSE_MS);
    };
    const send = () => {
      flush();
      const form = place.current?.closest("form") ?? null;
      const [key, productId] = [fieldOf(form, "key")?.value, fieldOf(form, "productId")?.value ?? ""];
      if (key) keep(userId, { key, productId, text: area()!.value });
    };
    readNow();
    const unlisten = listen([
      [area(), "input", readSoon],
      [area(), "focus", flush],
      [place.current!.closest("form"), "submit", send],
      [window, "pagehide", flush],
      [window, "pageshow", readNow],
    ]);
    return () => {
      clearTimeout(timer);
      flush();
      unlisten();
    };
  }, []);
  const write = (now: string) => {
    clearTimeout(pending.current?.timer);
    pending.current = { text: now, timer: setTimeout(flush, REST_MS) };
    if (now.length < LONG_TEXT) flush();
    setText(now);
  };
  return { text, write };
}

type Timer = ReturnType<typeof setTimeout> | undefined;
