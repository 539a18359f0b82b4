// Rules for the PIN that approves spending by USSD. A string throughout: 0123 is not 123.

/** Keypad patterns that a thief tries first, besides those that the rules below find. */
const COMMON = new Set(["2580", "0852", "1379", "1397"]);

/** Whether the text has the form of a PIN: 4 to 6 digits. */
export function isPin(text: string): boolean {
  return /^[0-9]{4,6}$/.test(text);
}

/**
 * Whether the owner of this number (233541234567) may choose this PIN: 4 to 6 digits, and not one that a thief would
 * try in three guesses: a repeated digit, a run up or down, repeated or doubled groups, a year, the ends of the own
 * number.
 */
export function isAllowedPin(pin: string, msisdn: string): boolean {
  return isPin(pin) && !isRun(pin) && !isPattern(pin) && !isOfNumber(pin, msisdn) && !COMMON.has(pin);
}

/** 1111, 1234, 7890, 4321, 2468: the same step from each digit to the next, modulo ten. */
function isRun(pin: string): boolean {
  const steps = [...pin].slice(1).map((digit, i) => (Number(digit) - Number(pin[i]) + 10) % 10);
  return new Set(steps).size === 1 && [0, 1, 2, 8, 9].includes(steps[0]!);
}

/** 1212, 123123, 1122, 112233, and the years that people were born or married in. */
function isPattern(pin: string): boolean {
  return /^(\d{2,3})\1+$/.test(pin) || /^(?:(\d)\1)+$/.test(pin) || /^(?:19|20)\d\d$/.test(pin);
}

/** The start or the end of the number, in any form in which it is written. */
function isOfNumber(pin: string, msisdn: string): boolean {
  const subscriber = msisdn.slice(3);
  return [msisdn, `0${subscriber}`, subscriber].some((form) => form.startsWith(pin) || form.endsWith(pin));
}
