// The table of parsed lines, each in a field of its own to be fixed or removed. Only the visible rows are rendered: ten
// thousand rows would be a hundred thousand elements.
import { type KeyboardEvent, useLayoutEffect, useMemo, useRef, useState } from "react";
import type { Operator } from "../../src/shared/domain.ts";
import type { ErrorCode } from "../../src/shared/errors/app-error.ts";
import { type AssignedLine, LIST_QUESTIONS } from "../../src/shared/lists/bulk-bundles.ts";
import { sizeText } from "../../src/shared/lists/bulk-names.ts";
import { show } from "../../src/shared/money.ts";
import { operatorName } from "../../src/shared/operators.ts";
import { spacedMsisdn } from "../../src/shared/phones/msisdn.ts";

export type LineMessages = Partial<Record<ErrorCode, string>>;

type Props = {
  lines: AssignedLine[];
  bad: number[];
  repeated: number[];
  messages: LineMessages;
  /** The list's network; null: each number's own. */
  operator: Operator | null;
  onFix: (index: number, now: string) => void;
  onRemove: (indexes: number[]) => void;
};

type Filter = "all" | "bad" | "repeated";
/** Rows rendered above and below the visible ones, for fast scrolling. */
const SPARE = 4;
/** The assumed height until a row can be measured. */
const ROW_PX = 72;
const VIEW_PX = 400;

export function BulkTable(props: Props) {
  const { lines, bad, repeated, onRemove } = props;
  const [chosen, choose] = useState<Filter | null>(null);
  // Lines to fix are shown first, until the user chooses another filter.
  const wanted = chosen ?? (bad.length > 0 ? "bad" : "all");
  const found = { all: null, bad, repeated }[wanted];
  const filter = found?.length === 0 ? "all" : wanted;
  const rows = filter === "all" ? null : found;
  const total = rows?.length ?? lines.length;
  const tab = (name: Filter, label: string, count: number) =>
    (count > 0 || name === "all") && (
      <button className="quiet tiny" type="button" aria-pressed={filter === name} onClick={() => choose(name)}>
        {label} ({count.toLocaleString("en")})
      </button>
    );
  return (
    <section>
      <div className="actions">
        {tab("all", "All", lines.length)}
        {tab("bad", "To fix", bad.length)}
        {tab("repeated", "Repeated", repeated.length)}
        {filter === "bad" && (
          <button className="quiet tiny" type="button" onClick={() => onRemove(bad)}>
            Remove all {bad.length.toLocaleString("en")}
          </button>
        )}
        {filter === "repeated" && (
          <button className="quiet tiny" type="button" onClick={() => onRemove(repeated)}>
            Keep only the first of each
          </button>
        )}
      </div>
      <Rows key={filter} {...props} total={total} at={(row) => rows?.[row] ?? row} />
    </section>
  );
}

type RowsProps = Props & { total: number; at: (row: number) => number };

function Rows(props: RowsProps) {
  const { total, at, lines, repeated } = props;
  const view = useRef<HTMLDivElement>(null);
  const space = useRef<HTMLDivElement>(null);
  const rowPx = useRef(ROW_PX);
  const next = useRef<number | null>(null);
  const [top, setTop] = useState(0);
  const inView = Math.ceil((view.current?.clientHeight || VIEW_PX) / rowPx.current);
  const from = Math.max(0, Math.min(Math.floor(top / rowPx.current), total - inView) - SPARE);
  const to = Math.min(total, from + inView + 2 * SPARE);
  const repeatSet = useMemo(() => new Set(repeated), [repeated]);
  useLayoutEffect(() => {
    const { style } = space.current!;
    rowPx.current = space.current!.querySelector("tr")?.offsetHeight || ROW_PX;
    style.paddingTop = `${from * rowPx.current}px`;
    style.paddingBottom = `${(total - to) * rowPx.current}px`;
  });
  const focusNext = () => {
    if (next.current === null) return;
    const field = space.current!.querySelector<HTMLInputElement>(`[data-row="${next.current}"] input`);
    if (field) next.current = null;
    field?.focus();
  };
  // In a layout effect, so that it happens before the next keystroke.
  useLayoutEffect(focusNext);
  /** Moves the focus to a row: at once or, after a change, when the list has been rendered again. */
  const go = (row: number, isChanged: boolean) => {
    next.current = Math.max(0, Math.min(row, total - 1));
    const [box, y] = [view.current!, next.current * rowPx.current];
    box.scrollTop = Math.min(y, Math.max(box.scrollTop, y + rowPx.current - box.clientHeight));
    setTop(box.scrollTop);
    if (!isChanged) focusNext();
  };
  /** Saves the focused field first: scrolled out of view, it would be removed with its text. */
  const onScroll = () => {
    const field = view.current!.querySelector<HTMLInputElement>("input:focus");
    const index = at(Number(field?.closest("tr")?.dataset.row));
    if (field && lines[index] && field.value !== lines[index].text) props.onFix(index, field.value);
    setTop(view.current!.scrollTop);
  };
  return (
    <div ref={view} className="window" onScroll={onScroll}>
      <div ref={space}>
        <table aria-label="Lines of your list" aria-rowcount={total}>
          <tbody>
            {Array.from({ length: to - from }, (_, i) => {
              const index = at(from + i);
              const line = lines[index]!;
              return (
                <Row
                  key={`${index} ${line.text}`}
                  {...{ ...props, row: from + i, index, line, go }}
                  isRepeat={repeatSet.has(index)}
                />
              );
            })}
          </tbody>
        </table>
      </div>
    </div>
  );
}

type RowProps = Props & {
  row: number;
  index: number;
  line: AssignedLine;
  isRepeat: boolean;
  go: (row: number, isChanged: boolean) => void;
};

function Row(props: RowProps) {
  const { row, index, line, messages, operator, isRepeat, go, onFix, onRemove } = props;
  const { msisdn, quantity, figure, offer, network, sizeMb, operatorGuess: guess } = line;
  // Questions about the whole list come with its check, and a package may still be chosen.
  const problem = LIST_QUESTIONS.has(line.problem) || !props.bad.includes(index) ? null : line.problem;
  const id = `bulk-line-${index}`;
  const fix = (now: string) => now !== line.text && onFix(index, now);
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    const step = { Enter: 1, ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const { value } = event.currentTarget;
    const isChanged = value !== line.text;
    // A fixed line may leave the filtered list, and the next one then takes its row.
    go(isChanged && problem ? row : row + step, isChanged);
    fix(value);
  };
  const isOther = network === null && guess !== null && operator !== null && guess !== operator;
  return (
    <tr aria-rowindex={row + 1} data-row={row}>
      <td>
        <label htmlFor={id}>Line {line.line}</label>
        <input
          id={id}
          defaultValue={line.text}
          autoComplete="off"
          aria-invalid={problem !== null}
          aria-describedby={`${id}-what`}
          onBlur={(event) => fix(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
      </td>
      <td>
        <button
          className="quiet tiny"
          type="button"
          aria-label={`Remove line ${line.line}`}
          onClick={() => {
            go(row, true);
            onRemove([index]);
          }}
        >
          Remove
        </button>
      </td>
      <td id={`${id}-what`} className="what">
        {problem || msisdn === null ? (
          <span className="error">{messages[problem!]}</span>
        ) : (
          <>
            <span className="money">{spacedMsisdn(msisdn)}</span>
            {guess && !network && (
              <span className={isOther ? "warn-text" : "soft"}>
                {operatorName(guess)}
                {isOther && ", or ported"}
              </span>
            )}
            {network && <span className="soft">{operatorName(network)}</span>}
            {sizeMb !== null && <span className="soft">{sizeText(sizeMb)}</span>}
            <span className="soft">× {quantity}</span>
            {figure !== null && <span className="warn-text">{figure} GB or bundles?</span>}
            {offer && <span className="money">{show(offer.pricePesewas * quantity)}</span>}
            {isRepeat && <span className="chip warn">Repeated</span>}
          </>
        )}
      </td>
    </tr>
  );
}
