// Beside the bulk form: counts its lines as they are pasted, says what they cost, and shows each as it was understood, to
// be fixed in place. The textarea stays the form's own; everything here only reads it or writes into it.
import { useEffect, useMemo, useRef, useState } from "react";
import type { Offer } from "../src/shared/bulk-bundles.ts";
import type { Entry } from "../src/shared/bulk-lines.ts";
import { fixLines, removeLines } from "../src/shared/bulk-text.ts";
import { BULK_LINES_MAX, type Operator } from "../src/shared/domain.ts";
import { BulkFile } from "./parts/bulk-file.tsx";
import { BulkTable, type LineWords } from "./parts/bulk-table.tsx";
import { summarise } from "./parts/bulk-text.ts";
import { Cost } from "./parts/cost.tsx";
import { fieldOf, listen, useFields } from "./parts/form.ts";
import { drop, findKept, type KeptList, keep } from "./parts/kept-list.ts";

type Props = {
  operator: Operator;
  /** Everything on sale: a line may name another size or network. */
  offers: Offer[];
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

export function BulkCheck({ operator, offers, balancePesewas, productId, words, userId }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const { text, write } = useLines(place, userId);
  const form = useFields(place, { productId, allowDuplicate: "" });
  const known = useRef(new Map<string, Entry[]>()).current;
  const isMeant = form.allowDuplicate !== "";
  const summary = useMemo(() => {
    const chosen = Number.parseInt(form.productId, 10) || null;
    const choices = { operator, productId: chosen, figures: null, otherNetworks: null };
    return summarise(text ?? "", isMeant, { offers, choices, isChosen: form.productId !== "" }, known);
  }, [text, isMeant, form.productId, operator, offers, known]);
  const { lines, goodCount, totalPesewas, bad, repeated, passedOver } = summary;
  const add = (more: string) => write(text?.trim() ? `${text.trimEnd()}\n${more}` : more);
  return (
    <div ref={place} className="mend">
      <LastList place={place} text={text} userId={userId} onUse={add} />
      <BulkFile place={place} onLines={add} />
      <div role="status">
        {lines.length > 0 && (
          <>
            <p className="counts">
              <Count of={goodCount} words={goodCount === 1 ? "good line" : "good lines"} kind="good" />
              <Count of={bad.length} words="to fix" kind="bad" />
              <Count of={summary.repeatCount} words="repeated" kind="warn" />
              <Count of={summary.askedCount} words="to ask you about" kind="warn" />
              <Count of={passedOver} words="without a number" kind="" />
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
          {...{ lines, bad, repeated, words, operator }}
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

/** Asks about a list that was sent and did not arrive. It is never put back silently: it may be one of yesterday. */
function LastList({ place, text, userId, onUse }: LastProps) {
  const [kept, setKept] = useState<KeptList | null>(null);
  useEffect(() => {
    void findKept(userId).then(setKept);
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

function Count({ of, words, kind }: { of: number; words: string; kind: string }) {
  if (of === 0 && kind !== "good") return null;
  return (
    <span className={`chip ${kind}`}>
      {count(of)} {words}
    </span>
  );
}

/**
 * The text of the form's lines, null until it is known, and a way to put another one there. A browser takes a fifth of a
 * second to lay ten thousand lines out, so a long text is put into its field when the hand rests, or when it is needed.
 */
function useLines(place: { current: Element | null }, userId: number) {
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
      const form = place.current?.closest("form") ?? null;
      const [key, productId] = [fieldOf(form, "key")?.value, fieldOf(form, "productId")?.value ?? ""];
      if (key) keep(userId, { key, productId, text: area()!.value });
    };
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

type Timer = ReturnType<typeof setTimeout> | undefined;
