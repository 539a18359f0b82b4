// Choice of a span of days for figures that are compared with the span before: tabs up to today, or any two days.
import * as salesHistory from "../../core/reports/sales-history.ts";
import { accraTime } from "../../shared/accra.ts";
import { limits, type Operator } from "../../shared/domain.ts";
import { operatorName, pastOperatorCodes } from "../../shared/operators.ts";
import { dayText } from "./charts.tsx";
import { DayFields } from "./day-fields.tsx";
import { Choice } from "./fields.tsx";
import { Tabs } from "./tabs.tsx";

const RANGES = [
  [7, "7 days"],
  [30, "30 days"],
  [90, "90 days"],
  [365, "1 year"],
] as const;
const RANGE_OTHERWISE = 30;

export type ChosenSpan = salesHistory.DaySpan & {
  /** Days back from today; null for chosen days. */
  range: number | null;
  length: number;
  operator: Operator | undefined;
};

/** Reads the address; invalid parts are left out. */
export function readSpan({ searchParams }: URL): ChosenSpan {
  const get = (name: string) => searchParams.get(name) ?? "";
  const [from, to] = [get("from"), get("to")];
  const operator = pastOperatorCodes().find((value) => value === get("operator"));
  if (salesHistory.isDay(from) && salesHistory.isDay(to)) {
    const length = salesHistory.daysBetween(from, to);
    if (length >= 1 && length <= limits.statementDays) return { first: from, last: to, range: null, length, operator };
  }
  const range = RANGES.find(([days]) => String(days) === get("range"))?.[0] ?? RANGE_OTHERWISE;
  const last = salesHistory.today();
  return { first: salesHistory.addDays(last, 1 - range), last, range, length: range, operator };
}

/** The path of a page with other parameters; null removes one. */
export function pathWith(url: URL, changes: Record<string, string | number | null>): string {
  const query = new URLSearchParams(url.search);
  for (const [name, value] of Object.entries(changes))
    if (value === null) query.delete(name);
    else query.set(name, String(value));
  return query.size === 0 ? url.pathname : `${url.pathname}?${query}`;
}

/** The path of the page's file, in the given format. */
const filePath = (url: URL, format: string | null) =>
  pathWith(new URL(`${url.pathname}/export${url.search}`, url), { format });

/** "day" or "30 days", as in "than in the 30 days before". */
export const daysText = (length: number) => (length === 1 ? "day" : `${length} days`);

type SpanTextProps = {
  span: ChosenSpan;
  /** When the shop began, if the days before are not compared because of it. */
  began?: string | null;
  /** When today, which is among the days, was last counted. */
  countedAt?: Date | null;
};

/** Today alone, so far: beside all of the day before it would always look worse. */
export const isOnlyToday = ({ first, last }: salesHistory.DaySpan) => first === last && last === salesHistory.today();

/** Whether days are set beside those before them. `began`: as in SpanText. */
export const isSpanCompared = (span: salesHistory.DaySpan, began: string | null) => !began && !isOnlyToday(span);

/** The days that are shown and what they are compared with, in a sentence. */
export function SpanText({ span, began = null, countedAt = null }: SpanTextProps) {
  const isAlone = !began && isOnlyToday(span);
  const isCompared = isSpanCompared(span, began);
  return (
    <p className="small soft">
      {`${spanText(span)}, without failed orders`}
      {isCompared && `, compared with the ${daysText(span.length)} before`}.
      {began &&
        ` Nothing to compare with: the first sale was on ${dayText(began).replace(` ${span.last.slice(0, 4)}`, "")}.`}
      {isAlone && " Not compared with the day before, because today is not over."}
      {countedAt && ` Today up to ${accraTime(countedAt)}.`}
      {!countedAt && isCompared && span.last === salesHistory.today() && " Today is not over."}
    </p>
  );
}

/** "1 to 30 Nov 2026", "28 Dec 2025 to 3 Jan 2026", or a single day. */
function spanText({ first, last }: salesHistory.DaySpan): string {
  if (first === last) return dayText(last);
  const [from, to] = [dayText(first).split(" "), dayText(last).split(" ")];
  while (from.at(-1) === to[from.length - 1]) from.pop();
  return `${from.join(" ")} to ${to.join(" ")}`;
}

type ChoiceProps = {
  url: URL;
  span: ChosenSpan;
  /** Other parameters of the page, which its form keeps. */
  kept: Record<string, string>;
};

/** The tabs and the form. */
export function SpanChoice({ url, span, kept }: ChoiceProps) {
  const rangeTabs = RANGES.map(
    ([days, label]) => [pathWith(url, { range: days, from: null, to: null }), label] as const,
  );
  const current = span.range ? { current: pathWith(url, { range: span.range, from: null, to: null }) } : {};
  return (
    <>
      <Tabs label="How long" tabs={rangeTabs} {...current} />
      <details className="card" open={span.range === null || span.operator !== undefined}>
        <summary>Other days, or one network</summary>
        <form method="get" action={url.pathname}>
          {Object.entries(kept).map(([name, value]) => (
            <input key={name} type="hidden" name={name} value={value} />
          ))}
          <div className="row">
            <DayFields first={span.first} last={span.last} />
            <Choice
              name="operator"
              label="Network"
              value={span.operator ?? ""}
              choices={pastOperatorCodes().map((it) => [it, operatorName(it)])}
            />
            <button type="submit">Show</button>
          </div>
          <p className="hint">At most {limits.statementDays} days at a time</p>
        </form>
      </details>
    </>
  );
}

/** The page's figures as files. */
export function FileLinks({ url }: { url: URL }) {
  return (
    <>
      <a className="button quiet" href={filePath(url, null)}>
        Download CSV
      </a>
      <a className="button quiet" href={filePath(url, "xlsx")}>
        Excel
      </a>
    </>
  );
}
