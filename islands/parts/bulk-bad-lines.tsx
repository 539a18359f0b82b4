// The lines that cannot be placed as they stand, each in a field of its own.
import { type KeyboardEvent, useEffect, useRef } from "react";
import type { ErrorCode } from "../../src/shared/errors.ts";
import type { BadLine } from "./bulk-text.ts";

/** More fields than anybody mends by hand would only slow the page down. */
const SHOWN = 100;

type Props = {
  bad: BadLine[];
  words: Partial<Record<ErrorCode, string>>;
  onMend: (place: number, line: string) => void;
  onRemove: (places: number[]) => void;
};

export function BulkBadLines({ bad, words, onMend, onRemove }: Props) {
  const list = useRef<HTMLUListElement>(null);
  const next = useRef<number | null>(null);
  const shown = bad.slice(0, SHOWN);
  // Enter leads on: a mended line leaves the list, and the next one stands where it stood.
  useEffect(() => {
    if (next.current === null) return;
    list.current?.querySelectorAll("input")[next.current]?.focus();
    next.current = null;
  });
  const mend = (line: BadLine, now: string) => now !== line.text && onMend(line.place, now);
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>, index: number) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    const { value } = event.currentTarget;
    const inputs = list.current!.querySelectorAll("input");
    if (value === shown[index]!.text) return inputs[index + 1]?.focus();
    next.current = index;
    mend(shown[index]!, value);
  };
  if (bad.length === 0) return null;
  return (
    <section>
      <div className="head">
        <h3>Lines to mend</h3>
        <button className="quiet tiny" type="button" onClick={() => onRemove(bad.map(({ place }) => place))}>
          Remove all {bad.length.toLocaleString("en")}
        </button>
      </div>
      <ul className="rows lines" ref={list}>
        {shown.map((line, index) => {
          const id = `bulk-line-${line.place}`;
          return (
            <li key={`${line.place} ${line.text}`}>
              <label htmlFor={id}>Line {line.place}</label>
              <input
                id={id}
                defaultValue={line.text}
                autoComplete="off"
                aria-invalid
                aria-describedby={`${id}-why`}
                onBlur={(event) => mend(line, event.currentTarget.value)}
                onKeyDown={(event) => onKeyDown(event, index)}
              />
              <button
                className="quiet tiny"
                type="button"
                aria-label={`Remove line ${line.place}`}
                onClick={() => onRemove([line.place])}
              >
                Remove
              </button>
              <span className="error" id={`${id}-why`}>
                {words[line.problem]}
              </span>
            </li>
          );
        })}
      </ul>
      {bad.length > SHOWN && (
        <p className="hint">{(bad.length - SHOWN).toLocaleString("en")} more follow when these are mended.</p>
      )}
    </section>
  );
}
