// Rules for PINs, which authorize spending by phone. A PIN is always a string: 0123 is not 123.

/** Well-known keypad patterns that the rules below do not cover. */
const FAMOUS = new Set(["2580", "0852", "1379", "1397"]);

/** Whether a text has the form of a PIN: 4 to 6 digits. */
export function isPin(text: string): boolean {
  return /^[0-9]{4,6}$/.test(text);
}

/**
 * Whether the owner of this number (233541234567) may choose this PIN: 4 to 6 digits, but none that a thief would try
 * within three guesses: one digit repeated, runs, repeated or doubled groups, years, either end of the number.
 */
export function isAllowedPin(pin: string, msisdn: string): boolean {
  return isPin(pin) && !isRun(pin) && !isPattern(pin) && !isOfNumber(pin, msisdn) && !FAMOUS.has(pin);
}

/** 1111, 1234, 7890, 4321, 2468: constant steps from digit to digit, modulo ten. */
function isRun(pin: string): boolean {
  const steps = [...pin].slice(1).map((digit, i) => (Number(digit) - Number(pin[i]) + 10) % 10);
  return new Set(steps).size === 1 && [0, 1, 2, 8, 9].includes(steps[0]!);
}

/** 1212, 123123, 1122, 112233, and years such as those of a birth or a wedding. */
function isPattern(pin: string): boolean {
  return /^(\d{2,3})\1+$/.test(pin) || /^(?:(\d)\1)+$/.test(pin) || /^(?:19|20)\d\d$/.test(pin);
}

/** Whether the number begins or ends with the PIN, in any form it is written in. */
function isOfNumber(pin: string, msisdn: string): boolean {
  const subscriber = msisdn.slice(3);
  return [msisdn, `0${subscriber}`, subscriber].some((form) => form.startsWith(pin) || form.endsWith(pin));
}
