// The lines of a list as they are read: their counts, their cost, and each as a row, to be fixed in place. With the
// reader of lines it is most of the bulk form's script, and loaded with the first line.
import { useEffect, useMemo, useRef } from "react";
import { BULK_LINES_MAX } from "../../src/shared/domain.ts";
import type { Offer } from "../../src/shared/lists/bulk-bundles.ts";
import type { Entry } from "../../src/shared/lists/bulk-lines.ts";
import { fixLines, removeLines } from "../../src/shared/lists/bulk-text.ts";
import { show } from "../../src/shared/money.ts";
import { BulkTable, type LineMessages } from "./bulk-table.tsx";
import { type Summary, summarize } from "./bulk-text.ts";
import { Cost } from "./cost.tsx";
import { useFields } from "./form.ts";

type Props = {
  /** An element of the form. */
  place: { current: Element | null };
  text: string;
  /** Everything on sale: a line may name another size or network. */
  offers: Offer[];
  balancePesewas: number;
  productId: string;
  messages: LineMessages;
  onText: (text: string) => void;
};

export function CheckedLines({ place, text, offers, balancePesewas, messages, onText, ...props }: Props) {
  const form = useFields(place, { productId: props.productId, allowDuplicate: "" });
  const known = useRef(new Map<string, Entry[]>()).current;
  const allowRepeats = form.allowDuplicate !== "";
  const productId = Number.parseInt(form.productId, 10) || null;
  const operator = offers.find(({ id }) => id === productId)?.operator ?? null;
  const summary = useMemo(() => {
    const choices = { operator, productId, figures: null, otherNetworks: null };
    return summarize(text, allowRepeats, { offers, choices }, known);
  }, [text, allowRepeats, productId, operator, offers, known]);
  const { lines, goodCount, totalPesewas, bad, repeated } = summary;
  useSumInBar(
    place,
    lines.length > 0 && `${count(goodCount)} of ${count(lines.length)} lines good · ${show(totalPesewas)}`,
  );
  return (
    <>
      <div role="status">
        {lines.length > 0 && (
          <>
            <Counts {...summary} />
            {summary.needsPackage ? (
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
          onFix={(line, now) => onText(fixLines(text, lines, new Map([[line, now]])))}
          onRemove={(gone) => onText(removeLines(text, lines, gone))}
        />
      )}
    </>
  );
}

function Counts({ lines, goodCount, bad, repeated, questionCount, skippedCount }: Summary) {
  return (
    <>
      <p className="counts">
        <Count of={goodCount} label={goodCount === 1 ? "good line" : "good lines"} kind="good" />
        <Count of={bad.length} label="to fix" kind="bad" />
        <Count of={repeated.length} label="repeated" kind="warn" />
        <Count of={questionCount} label="to ask you about" kind="warn" />
        <Count of={skippedCount} label="without a number" kind="" />
      </p>
      {lines.length > BULK_LINES_MAX && (
        <p className="error">
          At most {count(BULK_LINES_MAX)} lines at once: take {count(lines.length - BULK_LINES_MAX)} out.
        </p>
      )}
    </>
  );
}

/** Shows the sum in the bar of the form, whose own text returns when there is none. */
function useSumInBar(place: { current: Element | null }, sum: string | false): void {
  const own = useRef("");
  useEffect(() => {
    const line = place.current!.closest("form")?.querySelector(".pay-bar > p");
    if (!line) return;
    own.current ||= line.textContent ?? "";
    line.className = sum ? "counted" : "small soft";
    line.textContent = sum || own.current;
  }, [place, sum]);
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
