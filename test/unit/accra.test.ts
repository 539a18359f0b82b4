// Moments as lists show them: how long ago within the last hour, then the time, under the heading of their day.
import { expect, test } from "bun:test";
import { accraAgo, accraDayHeading } from "../../src/shared/accra.ts";

const now = new Date("2026-11-23T10:30:00Z");

test.each([
  ["2026-11-23T10:29:31Z", "Just now"],
  ["2026-11-23T10:28:00Z", "2 min ago"],
  ["2026-11-23T09:30:01Z", "59 min ago"],
  ["2026-11-23T09:30:00Z", "09:30"],
  ["2026-11-22T23:05:00Z", "23:05"],
  // A computer whose clock is behind.
  ["2026-11-23T10:31:00Z", "10:31"],
])("%s is %p", (at, text) => expect(accraAgo(new Date(at), now)).toBe(text));

test.each([
  ["2026-11-23T00:00:00Z", "Today"],
  ["2026-11-22T23:59:00Z", "Yesterday"],
  ["2026-11-21T08:00:00Z", "Sat 21 Nov"],
  ["2025-11-21T08:00:00Z", "21 Nov 2025"],
])("%s is under %p", (at, heading) => expect(accraDayHeading(new Date(at), now)).toBe(heading));
