// What a hand-over becomes, whatever is heard of it and in whatever order: tried on the function that decides.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type News, next, type Situation, type Step } from "../../src/core/outcome-rules.ts";
import type { Capabilities, NotTaken, ParcelState } from "../../src/core/vendor.ts";
import { ATTEMPT_STATES, type AttemptState, type OrderStatus } from "../../src/shared/domain.ts";

const can: Capabilities = {
  lines: ["MTN"],
  batchMax: 50,
  callsPerMinute: 150,
  canLookUp: true,
  settlesWithinSeconds: 60,
  lookUpsPerMinute: 60,
  lookUpEverySeconds: 5,
};
const vendor = { name: "The vendor", can };

const attempt = (state: AttemptState, more: Partial<Situation> = {}): Situation => ({
  state,
  sends: state === "queued" || state === "withdrawn" ? 0 : 1,
  sentSecondsAgo: state === "queued" || state === "withdrawn" ? null : 0,
  endedAt: ["delivered", "failed", "refunded", "withdrawn"].includes(state) ? new Date() : null,
  lookUps: 0,
  words: null,
  vendorReference: null,
  ...more,
});
const says = (state: ParcelState, words: string | null = null): News => ({
  kind: "state",
  state,
  vendorReference: null,
  words,
});
const refuses = (why: NotTaken, words: string | null = null): News => ({
  kind: "not_taken",
  why,
  retryAfterSeconds: null,
  words,
});

describe("what is sure", () => {
  test("a delivery moves the order, from wherever it was heard", () => {
    for (const state of ["sending", "unknown", "accepted", "processing", "held"] as const) {
      expect(next(attempt(state), "PROCESSING", says("delivered"), vendor)).toMatchObject({
        state: "delivered",
        to: "DELIVERED",
      });
    }
  });
  test("a failure hands the order on and leaves its status to whoever comes next", () => {
    expect(next(attempt("processing"), "PROCESSING", says("failed", "No such SIM"), vendor)).toMatchObject({
      state: "failed",
      to: null,
      goesOn: true,
      note: "The vendor could not deliver it (“No such SIM”)",
    });
  });
  test("a delivery that is taken back fails the order", () => {
    expect(next(attempt("delivered"), "COMPLETED", says("refunded"), vendor)).toMatchObject({
      state: "refunded",
      to: "FAILED",
      goesOn: false,
    });
  });
  test("what was surely not taken waits and can be sent again", () => {
    for (const why of [
      "float_empty",
      "key_refused",
      "rate_limited",
      "number_cooling",
      "network_down",
    ] as const) {
      expect(next(attempt("sending"), "PENDING", refuses(why), vendor)).toMatchObject({
        state: "queued",
        to: null,
        goesOn: false,
      });
    }
  });
  test("what this vendor can never send goes to the next one", () => {
    for (const why of ["out_of_stock", "not_servable"] as const) {
      expect(next(attempt("sending"), "PENDING", refuses(why), vendor)).toMatchObject({
        state: "failed",
        goesOn: true,
      });
    }
  });
});

describe("what is not sure", () => {
  test("no clear answer is unknown: neither sent again nor given back", () => {
    expect(next(attempt("sending"), "PENDING", { kind: "unclear", words: null }, vendor)).toMatchObject({
      state: "unknown",
      to: "PROCESSING",
      goesOn: false,
    });
  });
  test("“not found” counts only when the vendor has had time to find it", () => {
    const now = next(attempt("unknown"), "PROCESSING", { kind: "not_found" }, vendor);
    expect(now?.state).toBe("unknown");
    const later = next(
      attempt("unknown", { sentSecondsAgo: 120 }),
      "PROCESSING",
      { kind: "not_found" },
      vendor,
    );
    expect(later).toMatchObject({ state: "queued", dueInSeconds: 0 });
  });
  test("what was never received twice is given up", () => {
    const lost = attempt("unknown", { sentSecondsAgo: 120, sends: 2 });
    expect(next(lost, "PROCESSING", { kind: "not_found" }, vendor)).toMatchObject({
      state: "failed",
      goesOn: true,
    });
  });
  test("a vendor that forgets what it accepted changes nothing", () => {
    const step = next(
      attempt("accepted", { sentSecondsAgo: 540 }),
      "PROCESSING",
      { kind: "not_found" },
      vendor,
    );
    expect(step).toMatchObject({ state: "accepted", goesOn: false, to: null });
  });
});

describe("what comes too late is shown to a person", () => {
  test("a delivery after the money went back", () => {
    expect(next(attempt("processing"), "FAILED", says("delivered"), vendor)).toMatchObject({
      state: "delivered",
      to: null,
      concern: "Delivered after the money went back",
    });
  });
  test("a delivery of what was given up", () => {
    const step = next(attempt("failed"), "FAILED", says("delivered"), vendor);
    expect(step).toMatchObject({ state: "failed", goesOn: false });
    expect(step?.concern).toContain("given up");
  });
  test("a failure of what an admin has marked as delivered", () => {
    expect(next(attempt("processing"), "COMPLETED", says("failed"), vendor)?.concern).toContain("COMPLETED");
  });
});

test("a wait is told once, however often it is tried", () => {
  const first = next(attempt("sending"), "PENDING", refuses("network_down", "MTN is off"), vendor);
  expect(first?.note).toBe("Waiting for The vendor (“MTN is off”)");
  const again = next(
    attempt("sending", { words: "MTN is off" }),
    "PENDING",
    refuses("network_down", "MTN is off"),
    vendor,
  );
  expect(again?.note).toBeNull();
});

describe("whatever is heard, in whatever order,", () => {
  const states: ParcelState[] = ["accepted", "processing", "held", "delivered", "failed", "refunded"];
  const news: fc.Arbitrary<News> = fc.oneof(
    fc.constantFrom(...states).map((state) => says(state)),
    fc
      .constantFrom<NotTaken>("float_empty", "rate_limited", "out_of_stock", "not_servable", "number_cooling")
      .map((why) => refuses(why)),
    fc.constant<News>({ kind: "unclear", words: null }),
    fc.constant<News>({ kind: "not_found" }),
  );
  const from = fc.constantFrom(...ATTEMPT_STATES);
  const orderStatus = fc.constantFrom<OrderStatus>(
    "PENDING",
    "PAID",
    "PROCESSING",
    "DELIVERED",
    "COMPLETED",
    "FAILED",
  );

  test("an attempt that is over is only ever taken back, never sent again", () => {
    fc.assert(
      fc.property(from, orderStatus, news, (state, status, heard) => {
        const before = attempt(state);
        if (before.endedAt === null) return;
        const step = next(before, status, heard, vendor);
        expect(step?.goesOn ?? false).toBe(false);
        if (step && step.state !== state) expect([state, step.state]).toEqual(["delivered", "refunded"]);
      }),
    );
  });
  test("only an answer to the call itself, or a vendor that never received it, puts it back in the queue", () => {
    fc.assert(
      fc.property(from, orderStatus, news, (state, status, heard) => {
        const step = next(attempt(state, { sentSecondsAgo: 300, sends: 1 }), status, heard, vendor);
        if (step?.state !== "queued" || state === "queued") return;
        const isAnswer = state === "sending" && heard.kind === "not_taken";
        const isMissing = (state === "sending" || state === "unknown") && heard.kind === "not_found";
        expect(isAnswer || isMissing).toBe(true);
      }),
    );
  });
  test("a run of news ends in one end, and the same news twice change nothing more", () => {
    fc.assert(
      fc.property(fc.array(news, { maxLength: 12 }), (run) => {
        let now = attempt("sending");
        let ends = 0;
        for (const heard of run.flatMap((one) => [one, one])) {
          const step: Step | null = next(now, "PROCESSING", heard, vendor);
          if (!step) continue;
          if (step.goesOn) ends += 1;
          const isEnd = ["delivered", "failed", "refunded"].includes(step.state);
          now = { ...now, state: step.state, endedAt: isEnd ? new Date() : now.endedAt };
          if (step.state === "queued") return;
        }
        expect(ends).toBeLessThanOrEqual(1);
      }),
    );
  });
});
