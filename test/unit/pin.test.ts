// Tests of allowed PINs: none that a thief who knows the phone number would try in three guesses.
import { expect, test } from "bun:test";
import { isAllowedPin } from "../../src/shared/phones/pin.ts";

const MSISDN = "233541839267";
const refused = (...pins: string[]) => pins.filter((pin) => isAllowedPin(pin, MSISDN));

test("four to six digits are a PIN, including leading zeros", () => {
  for (const pin of ["4071", "0391", "50274", "802653", "000427"])
    expect([pin, isAllowedPin(pin, MSISDN)]).toEqual([pin, true]);
  expect(refused("", "407", "4071358", "40 71", "4071 ", "407a", "-407", "4.07", "４０７１", "٤٠٧١")).toEqual([]);
});

test("one repeated digit and runs up or down, also past nine, are refused", () => {
  expect(refused("0000", "77777", "999999", "1234", "0123", "45678", "4321", "987654")).toEqual([]);
  expect(refused("7890", "8901", "0987", "2468", "13579", "9753")).toEqual([]);
});

test("repeated groups, doubled digits and years are refused", () => {
  expect(refused("1212", "6060", "474747", "583583", "1122", "7733", "445566")).toEqual([]);
  expect(refused("1900", "1987", "1999", "2000", "2026", "2580")).toEqual([]);
  // Years have four digits; longer numbers are not years.
  expect(isAllowedPin("19874", MSISDN)).toBe(true);
});

test("the beginning and the end of one's own number are refused, in any notation", () => {
  expect(refused("0541", "05418", "054183", "5418", "54183", "541839", "2335", "233541")).toEqual([]);
  expect(refused("9267", "39267", "839267")).toEqual([]);
  expect(isAllowedPin("9267", "233541839268")).toBe(true);
});
