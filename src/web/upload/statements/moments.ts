// The dates of a column as programs and people write them. Whether 03/04/2026 is in April or in March is decided by the
// other dates of its column or by a person. A wrong date is worse than none: what is not certain is not read.

/** A moment in Accra's time; null for an empty cell, undefined for a date that cannot be read. */
export type Moment = Date | null | undefined;
/** Which comes first in dates that are all figures; null where nobody said. */
export type DateOrder = "day" | "month" | null;

const DAY_MS = 86_400_000;
const SHEET_EPOCH_DAYS = 25_569;
const CHARS_MAX = 60;

/** Reads the dates of a column, in its order. */
export function momentsIn(texts: readonly string[], order: DateOrder): Moment[] {
  const dates = texts.map((text) => (text.trim() === "" ? null : readDate(text)));
  const decided = order ?? orderIn(dates.filter((date) => date != null));
  return dates.map((date) => {
    if (date == null) return date;
    if (!date.monthFirst || !date.dayFirst) return date.dayFirst ?? date.monthFirst;
    if (date.dayFirst.getTime() === date.monthFirst.getTime()) return date.dayFirst;
    return decided === null ? undefined : decided === "day" ? date.dayFirst : date.monthFirst;
  });
}

/** Both ways to read a date; equal where the order plays no part, null where one gives no date. */
type Written = { dayFirst: Date | null; monthFirst: Date | null };

/**
 * The order of a column: that of its dates which can only be read in one, or the only one that puts all others within
 * a day of the certain dates; null where neither decides.
 */
function orderIn(dates: readonly Written[]): DateOrder {
  const isDayFirst = dates.some(({ monthFirst }) => monthFirst === null);
  const isMonthFirst = dates.some(({ dayFirst }) => dayFirst === null);
  if (isDayFirst !== isMonthFirst) return isDayFirst ? "day" : "month";
  const isOpen = ({ dayFirst, monthFirst }: Written) =>
    dayFirst !== null && monthFirst !== null && dayFirst.getTime() !== monthFirst.getTime();
  const certain = dates.filter((date) => !isOpen(date)).map((date) => (date.dayFirst ?? date.monthFirst)!.getTime());
  if (isDayFirst || certain.length === 0) return null;
  const [from, to] = [Math.min(...certain) - DAY_MS, Math.max(...certain) + DAY_MS];
  const isWithin = (at: Date | null) => at !== null && at.getTime() >= from && at.getTime() <= to;
  const open = dates.filter(isOpen);
  const fitsDay = open.every(({ dayFirst }) => isWithin(dayFirst));
  const fitsMonth = open.every(({ monthFirst }) => isWithin(monthFirst));
  if (fitsDay === fitsMonth) return null;
  return fitsDay ? "day" : "month";
}

const WEEKDAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];
const MONTHS = [
  ...["january", "february", "march", "april", "may", "june", "july", "august", "september", "october"],
  ...["november", "december"],
];
const CLOCK =
  "(?<hour>\\d{1,2})[:.](?<minute>\\d\\d)(?:[:.](?<second>\\d\\d)(?:[.,]\\d{1,9})?)? ?(?<half>[ap]\\.?m\\.?)?";
const ZONE = "(?: ?(?<zone>Z|UTC|GMT|[+-]\\d\\d(?::?\\d\\d)?))?";
const WEEKDAY = "(?:(?<weekday>[a-z]{3,9})[,.]? )?";
const YEAR = "(?<year>\\d{4}|'?\\d\\d)";
const DATES = [
  "(?<year>\\d{4})[-/.](?<month>\\d{1,2}|[a-z]{3,9})[-/.](?<day>\\d{1,2})",
  `(?<first>\\d{1,2})(?<mark>[-/. ])(?<other>\\d{1,2})\\k<mark>${YEAR}`,
  `${WEEKDAY}(?<day>\\d{1,2})(?:st|nd|rd|th)?(?: of)?[-/., ]{0,2}(?<month>[a-z]{3,9})[-/., ]{0,2}${YEAR}`,
  `${WEEKDAY}(?<month>[a-z]{3,9})\\.?[-/ ](?<day>\\d{1,2})(?:st|nd|rd|th)?[-/, ]{1,2}${YEAR}`,
];
const FORMS = DATES.flatMap((date) => [
  new RegExp(`^${date}(?:(?:T|,? at |[, ]{1,2}|-)${CLOCK}${ZONE})?$`, "i"),
  new RegExp(`^${CLOCK}[, ]{1,2}${date}$`, "i"),
]);
const COMPACT =
  /^(?<year>20\d\d)(?<month>\d\d)(?<day>\d\d)(?:[T ]?(?<hour>\d\d)(?<minute>\d\d)(?<second>\d\d)?(?<zone>Z)?)?$/;

function readDate(text: string): Written | undefined {
  const plain = text.replace(/\s+/g, " ").trim();
  if (plain.length > CHARS_MAX) return undefined;
  if (/^\d{5}(?:\.\d{1,17})?$/.test(plain)) return ofSheet(Number(plain));
  for (const form of [...FORMS, COMPACT]) {
    const found = form.exec(plain)?.groups;
    const read = found && readParts(found);
    if (read) return read;
  }
  return undefined;
}

/** A sheet's count of days since 1900, for the years 2000 to 2099. */
function ofSheet(days: number): Written | undefined {
  if (days < 36_526 || days >= 73_051) return undefined;
  const at = new Date(Math.round((days - SHEET_EPOCH_DAYS) * 86_400) * 1000);
  return { dayFirst: at, monthFirst: at };
}

type Groups = Record<string, string | undefined>;

function readParts(parts: Groups): Written | undefined {
  const time = timeIn(parts);
  if (time === null) return undefined;
  const { first, other } = parts;
  const isFigures = first !== undefined && other !== undefined;
  const at = (month: string, day: string) => dateOf(parts, { month, day }, time);
  const dayFirst = isFigures ? at(other, first) : at(parts.month!, parts.day!);
  const monthFirst = isFigures ? at(first, other) : dayFirst;
  return dayFirst || monthFirst ? { dayFirst, monthFirst } : undefined;
}

function dateOf(
  { year: typed, weekday }: Groups,
  { month: named, day }: { month: string; day: string },
  time: number,
): Date | null {
  const digits = typed!.replace("'", "");
  const year = Number(digits.length === 2 ? `20${digits}` : digits);
  const month = /^\d/.test(named) ? Number(named) : monthCalled(named);
  if (year < 2000 || year > 2099) return null;
  const date = new Date(Date.UTC(year, month - 1, Number(day)));
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== Number(day)) return null;
  if (weekday && WEEKDAYS[date.getUTCDay()] !== weekday.slice(0, 3).toLowerCase()) return null;
  return new Date(date.getTime() + time);
}

/** 1 for "Jan" and "January"; 0 for no name of a month. */
function monthCalled(name: string): number {
  const lower = name.toLowerCase();
  const isName = (month: string) => lower === month || lower === month.slice(0, 3) || lower === "sept";
  return MONTHS.findIndex((month) => isName(month) && month.startsWith(lower.slice(0, 3))) + 1;
}

/** The time since midnight of Accra in milliseconds; null where it is no time. */
function timeIn({ hour = "0", minute = "0", second = "0", half, zone }: Groups): number | null {
  const hours = Number(hour);
  if (Number(minute) > 59 || Number(second) > 59 || hours > 23) return null;
  if (half && (hours < 1 || hours > 12)) return null;
  const ofDay = half ? (hours % 12) + (/^p/i.test(half) ? 12 : 0) : hours;
  const [, sign, ahead = "0", more = "0"] = /^([+-])(\d\d):?(\d\d)?$/.exec(zone ?? "") ?? [];
  if (Number(ahead) > 14 || Number(more) > 59) return null;
  const offset = (Number(ahead) * 60 + Number(more)) * (sign === "-" ? -1 : 1);
  return ((ofDay * 60 + Number(minute) - offset) * 60 + Number(second)) * 1000;
}
