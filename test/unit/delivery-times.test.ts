// Tests of delivery times as text: never rounded down, and never with needless precision.
import { expect, test } from "bun:test";
import { durationText } from "../../src/core/fulfilment/delivery-times.ts";

test.each([
  [0, "1 second"],
  [0.4, "1 second"],
  [1.2, "2 seconds"],
  [89.9, "90 seconds"],
  [90, "2 minutes"],
  [121, "3 minutes"],
  [5399, "90 minutes"],
  [5400, "2 hours"],
  [7200, "2 hours"],
  [7201, "3 hours"],
])("%p seconds are %p", (seconds, text) => {
  expect(durationText(seconds)).toBe(text);
});
