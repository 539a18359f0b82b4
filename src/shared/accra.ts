// Formatting of dates and times for people in Ghana, which is on UTC all year.

let format: Intl.DateTimeFormat | undefined;

/** Made with the first date: it takes longer than loading many a module. */
const formatter = (): Intl.DateTimeFormat =>
  (format ??= new Intl.DateTimeFormat("en-GB", {
    timeZone: "Africa/Accra",
    weekday: "short",
    day: "2-digit",
    month: "short",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
  }));

/** "21 Nov 2026, 15:04". */
export function accraMoment(at: Date): string {
  const { day, month, year, time } = partsOf(at);
  return `${day} ${month} ${year}, ${time}`;
}

/** "21 Nov 2026, 15:04:07". */
export function accraSecond(at: Date): string {
  const { day, month, year } = partsOf(at);
  return `${day} ${month} ${year}, ${accraClock(at)}`;
}

/** "21 Nov". */
export function accraDay(at: Date): string {
  const { day, month } = partsOf(at);
  return `${day} ${month}`;
}

/** "November". */
export function accraMonth(at: Date): string {
  return at.toLocaleDateString("en-GB", { timeZone: "Africa/Accra", month: "long" });
}

/** "Monday". */
export function accraWeekday(at: Date): string {
  return at.toLocaleDateString("en-GB", { timeZone: "Africa/Accra", weekday: "long" });
}

/** "21 Nov 15:04". */
export function accraDayTime(at: Date): string {
  const { day, month, time } = partsOf(at);
  return `${day} ${month} ${time}`;
}

/** "15:04". */
export function accraTime(at: Date): string {
  return at.toISOString().slice(11, 16);
}

/** "15:04:07", for what happens within seconds. */
export function accraClock(at: Date): string {
  return at.toLocaleTimeString("en-GB", { timeZone: "Africa/Accra" });
}

/** A moment of the last hour as "2 min ago", an older one as "15:04". Belongs under the heading of its day. */
export function accraAgo(at: Date, now: Date): string {
  const minutes = Math.floor((now.getTime() - at.getTime()) / 60_000);
  if (minutes < 0 || minutes >= 60) return accraTime(at);
  return minutes === 0 ? "Just now" : `${minutes} min ago`;
}

/** A moment in a row of a table: today's as "15:04", this year's as "21 Nov 15:04", an older one as "21 Nov 2025". */
export function accraShort(at: Date, now: Date): string {
  const { day, month, year, time } = partsOf(at);
  if (isSameDay(at, now)) return time;
  return year === partsOf(now).year ? `${day} ${month} ${time}` : `${day} ${month} ${year}`;
}

/** How long ago it was, roughly: "under a minute", "35 min", "2 h 10 min", "3 days". */
export function ageText(at: Date, now: Date): string {
  const minutes = Math.floor((now.getTime() - at.getTime()) / 60_000);
  if (minutes < 1) return "under a minute";
  if (minutes < 60) return `${minutes} min`;
  if (minutes < 24 * 60) return `${Math.floor(minutes / 60)} h${minutes % 60 ? ` ${minutes % 60} min` : ""}`;
  const days = Math.floor(minutes / (24 * 60));
  return days === 1 ? "1 day" : `${days} days`;
}

/** The heading of a day: "Today", "Yesterday", "Sat 21 Nov", "21 Nov 2025" in another year. */
export function accraDayHeading(at: Date, now: Date): string {
  if (isSameDay(at, now)) return "Today";
  if (isSameDay(at, new Date(now.getTime() - 86_400_000))) return "Yesterday";
  const { weekday, day, month, year } = partsOf(at);
  return year === partsOf(now).year ? `${weekday} ${day} ${month}` : `${day} ${month} ${year}`;
}

/** "21/11/2026 15:04", which a spreadsheet in Ghana recognizes as a date. */
export function accraSheetMoment(at: Date): string {
  const [, year, month, day, time] = /^(\d+)-(\d\d)-(\d\d)T(\d\d:\d\d)/.exec(at.toISOString())!;
  return `${day}/${month}/${year} ${time}`;
}

/** Whether both are on one day in Accra. */
export function isSameDay(one: Date, other: Date): boolean {
  return dayOf(one) === dayOf(other);
}

const DAY_MS = 24 * 60 * 60_000;
const dayOf = (at: Date) => Math.floor(at.getTime() / DAY_MS);

function partsOf(at: Date) {
  const parts = Object.fromEntries(
    formatter()
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  );
  const { weekday, day, month, year, hour, minute } = parts as Record<string, string>;
  return {
    weekday: weekday!,
    day: String(Number(day)),
    month: month!,
    year: year!,
    time: `${hour}:${minute}`,
  };
}
