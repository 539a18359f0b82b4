// Moments as screens and SMS say them, in Accra.

/** "21 Nov 15:04". */
export function accraTime(moment: Date): string {
  return DAY_AND_TIME.format(moment).replace(",", "");
}

/** "15:04", of a moment that is near. */
export function accraClock(moment: Date): string {
  return TIME.format(moment);
}

const time = { hour: "2-digit", minute: "2-digit", timeZone: "Africa/Accra" } as const;
const TIME = new Intl.DateTimeFormat("en-GB", time);
const DAY_AND_TIME = new Intl.DateTimeFormat("en-GB", { ...time, day: "numeric", month: "short" });
