// Formatting of dates and times for people in Ghana.

const FORMAT = new Intl.DateTimeFormat("en-GB", {
  timeZone: "Africa/Accra",
  day: "2-digit",
  month: "short",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
});

/** "21 Nov 2026, 15:04". */
export function accraMoment(at: Date): string {
  const { day, month, year, time } = partsOf(at);
  return `${day} ${month} ${year}, ${time}`;
}

/** "21 Nov". */
export function accraDay(at: Date): string {
  const { day, month } = partsOf(at);
  return `${day} ${month}`;
}

/** "21 Nov 15:04". */
export function accraDayTime(at: Date): string {
  const { day, month, time } = partsOf(at);
  return `${day} ${month} ${time}`;
}

/** "15:04". */
export function accraTime(at: Date): string {
  return partsOf(at).time;
}

/** "21/11/2026 15:04", which a spreadsheet in Ghana recognizes as a date. Ghana is on UTC all year. */
export function accraSheetMoment(at: Date): string {
  const [, year, month, day, time] = /^(\d+)-(\d\d)-(\d\d)T(\d\d:\d\d)/.exec(at.toISOString())!;
  return `${day}/${month}/${year} ${time}`;
}

/** Whether both are on one day in Accra. */
export function isSameDay(one: Date, other: Date): boolean {
  const [a, b] = [partsOf(one), partsOf(other)];
  return a.day === b.day && a.month === b.month && a.year === b.year;
}

function partsOf(at: Date) {
  const parts = Object.fromEntries(FORMAT.formatToParts(at).map(({ type, value }) => [type, value]));
  const { day, month, year, hour, minute } = parts as Record<string, string>;
  return { day: String(Number(day)), month: month!, year: year!, time: `${hour}:${minute}` };
}
