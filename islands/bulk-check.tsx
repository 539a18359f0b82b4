// The live check of the bulk form: it reads the lines as they are pasted or dropped as a file, and keeps those that
// were sent until they have arrived. The textarea stays part of the plain form; this island only reads and writes it.
import { useEffect, useRef, useState } from "react";
import type { Offer } from "../src/shared/lists/bulk-bundles.ts";
import { BulkFile } from "./parts/bulk-file.tsx";
import type { LineMessages } from "./parts/bulk-table.tsx";
import { fieldOf, listen } from "./parts/form.ts";
import { drop, findUnplaced, type KeptList, keep } from "./parts/kept-list.ts";
import { useLoaded } from "./parts/loaded.ts";

type Props = {
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

export function BulkCheck({ userId, ...props }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const { text, isUsed, write } = useLines(place, userId);
  const reader = useLoaded(isUsed, () => import("./parts/checked-lines.tsx"));
  const add = (more: string) => write(text?.trim() ? `${text.trimEnd()}\n${more}` : more);
  return (
    <div ref={place} className="bulk-check">
      <LastList place={place} text={text} userId={userId} onUse={add} />
      <BulkFile place={place} onLines={add} />
      {reader && <reader.CheckedLines {...props} place={place} text={text ?? ""} onText={write} />}
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

/**
 * The text of the form's lines, null until it is read, whether somebody uses them, and a function to replace the text.
 * A browser takes a fifth of a
 * second to lay out ten thousand lines, so a long text is written into its field when typing pauses, or when it is
 * needed.
 */
function useLines(place: { current: Element | null }, userId: number) {
  const [text, setText] = useState<string | null>(null);
  const [isUsed, setUsed] = useState(false);
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
    const readNow = () => {
      const now = area()?.value ?? "";
      setText(now);
      if (now) setUsed(true);
    };
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
      [area(), "focus", () => setUsed(true)],
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
    setUsed(true);
  };
  return { text, isUsed, write };
}

type Timer = ReturnType<typeof setTimeout> | undefined;
