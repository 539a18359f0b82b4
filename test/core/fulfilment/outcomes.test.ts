// What a hand-over becomes, whatever is heard of it and in whatever order: tried on the function that decides.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  type DeliveryReport,
  next,
  type Situation,
  type Step,
} from "../../../src/core/fulfilment/attempt-states.ts";
import type { Capabilities, DeliveryState, NotTaken } from "../../../src/core/fulfilment/vendor.ts";
import { ATTEMPT_STATES, type AttemptState, type OrderStatus } from "../../../src/shared/domain.ts";

const can: Capabilities = {
  lines: ["MTN"],
  batchMax: 50,
  callsPerMinute: 150,
  canCheckStatus: true,
  settlesWithinSeconds: 60,
  statusChecksPerMinute: 60,
  statusCheckEverySeconds: 5,
  holdsForHours: 72,
};
const vendor = { name: "The vendor", can };

const attempt = (state: AttemptState, more: Partial<Situation> = {}): Situation => ({
  state,
  sends: state === "queued" || state === "withdrawn" ? 0 : 1,
  sentSecondsAgo: state === "queued" || state === "withdrawn" ? null : 0,
  endedAt: ["delivered", "failed", "refunded", "withdrawn"].includes(state) ? new Date() : null,
  statusChecks: 0,
  sentTogether: 1,
  seenByVendor: false,
  vendorMessage: null,
  vendorReference: null,
  ...more,
});
const says = (state: DeliveryState, words: string | null = null): DeliveryReport => ({
  kind: "state",
  state,
  vendorReference: null,
  message: words,
});
const refuses = (why: NotTaken, words: string | null = null): DeliveryReport => ({
  kind: "not_taken",
  reason: why,
  retryAfterSeconds: null,
  message: words,
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
    expect(next(attempt("sending"), "PENDING", { kind: "unclear", message: null }, vendor)).toMatchObject({
      state: "unknown",
      to: "PROCESSING",
      goesOn: false,
    });
  });
  test("nor does it undo what is known, or tell twice that it is unknown", () => {
    const unclear: DeliveryReport = { kind: "unclear", message: "502 Bad Gateway" };
    const nothing = { to: null, note: null, goesOn: false };
    for (const state of ["unknown", "accepted", "processing", "held"] as const)
      expect(next(attempt(state), "PROCESSING", unclear, vendor)).toMatchObject({ state, ...nothing });
  });
  test("news of what was never handed over are about something else", () => {
    for (const state of ["queued", "withdrawn"] as const)
      expect(next(attempt(state), "PENDING", says("delivered"), vendor)).toBeNull();
  });
  test("“not found” counts only when the vendor has had time to find it", () => {
    for (const [state, sentSecondsAgo] of [
      ["unknown", 0],
      ["sending", 59],
    ] as const) {
      const early = next(attempt(state, { sentSecondsAgo }), "PENDING", { kind: "not_found" }, vendor);
      expect(early).toMatchObject({ state: "unknown", to: "PROCESSING", goesOn: false });
    }
    const later = next(
      attempt("unknown", { sentSecondsAgo: 60 }),
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
      concern: "Delivered after the refund",
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

describe("what goes on", () => {
  const step = (from: Situation, heard: DeliveryReport, status: OrderStatus = "PROCESSING") =>
    next(from, status, heard, vendor)!;
  const numbered = (vendorReference: string | null): DeliveryReport => ({
    kind: "state",
    state: "accepted",
    vendorReference,
    message: "Order received",
  });

  test("the first that is heard of it is that it was sent, with the vendor's number and words", () => {
    for (const state of ["sending", "unknown"] as const) {
      expect(step(attempt(state), numbered("DM-77"))).toMatchObject({
        ...{ state: "accepted", to: "PROCESSING", goesOn: false, isUnsent: false, hasArrivedLate: false },
        note: "Sent to The vendor, their reference DM-77 (“Order received”)",
      });
    }
    expect(step(attempt("sending"), numbered(null)).note).toBe("Sent to The vendor (“Order received”)");
    const known = attempt("unknown", { vendorReference: "DM-5" });
    expect(step(known, numbered(null)).note).toBe(
      "Sent to The vendor, their reference DM-5 (“Order received”)",
    );
    // A parcel that is to be sent again turns out to be there.
    const again = attempt("queued", { sends: 1, sentSecondsAgo: 90 });
    expect(step(again, says("accepted"))).toMatchObject({ state: "accepted", note: "Sent to The vendor" });
  });

  test("being at work is told once, and an older “accepted” leads nowhere back", () => {
    const atWork = { state: "processing", to: "PROCESSING", note: "The vendor is processing it" };
    expect(step(attempt("accepted"), says("processing"))).toMatchObject(atWork);
    const nothing = { to: null, note: null };
    expect(step(attempt("accepted"), says("accepted"))).toMatchObject({ state: "accepted", ...nothing });
    expect(step(attempt("processing"), says("processing"))).toMatchObject({
      state: "processing",
      ...nothing,
    });
    expect(step(attempt("processing"), says("accepted"))).toMatchObject({ state: "processing", ...nothing });
    expect(step(attempt("held"), says("accepted"))).toMatchObject({ state: "held", ...nothing });
    expect(step(attempt("held"), says("processing"))).toMatchObject(atWork);
  });

  test("being held back is told once", () => {
    expect(step(attempt("accepted"), says("held", "Under review"))).toMatchObject({
      ...{ state: "held", to: "PROCESSING", goesOn: false },
      note: "The vendor is holding it (“Under review”)",
    });
    expect(step(attempt("held"), says("held"))).toMatchObject({ state: "held", to: null, note: null });
  });

  test("words that are only the name of a state are not repeated", () => {
    expect(step(attempt("processing"), says("failed", "FAILED_PERMANENTLY")).note).toBe(
      "The vendor could not deliver it",
    );
    expect(step(attempt("processing"), says("failed", null)).note).toBe("The vendor could not deliver it");
  });

  test("a vendor's own refund on the way hands the order on like a failure", () => {
    expect(step(attempt("accepted"), says("refunded"))).toMatchObject({
      ...{ state: "refunded", goesOn: true, to: null, concern: null },
    });
  });
});

describe("what was not taken", () => {
  const refused = (why: NotTaken, retryAfterSeconds: number | null = null) =>
    next(
      attempt("sending"),
      "PENDING",
      { kind: "not_taken", reason: why, retryAfterSeconds, message: null },
      vendor,
    )!;

  test("does not count as sent, and waits as long as its reason asks for, or the vendor says", () => {
    const waits = { float_empty: 0, key_refused: 0, rate_limited: 60, number_cooling: 300, network_down: 60 };
    for (const [why, seconds] of Object.entries(waits))
      expect(refused(why as keyof typeof waits)).toMatchObject({ dueInSeconds: seconds, isUnsent: true });
    expect(refused("rate_limited", 7)).toMatchObject({ dueInSeconds: 7, isUnsent: true });
    expect(refused("not_servable")).toMatchObject({ isUnsent: false });
  });

  test("is withdrawn when somebody has ended the order meanwhile, and shown where it was marked as delivered", () => {
    const withdrawn = (status: OrderStatus) =>
      next(attempt("sending"), status, refuses("float_empty"), vendor);
    expect(withdrawn("FAILED")).toMatchObject({ state: "withdrawn", goesOn: false, concern: null });
    for (const status of ["DELIVERED", "COMPLETED"] as const) {
      expect(withdrawn(status)).toMatchObject({
        state: "withdrawn",
        goesOn: false,
        concern: `Marked as ${status}, but The vendor rejected it`,
      });
    }
  });

  test("and was never received is not sent again once the order is over", () => {
    const lost = attempt("unknown", { sentSecondsAgo: 120 });
    const step = (status: OrderStatus) => next(lost, status, { kind: "not_found" }, vendor);
    expect(step("COMPLETED")).toMatchObject({
      ...{ state: "failed", goesOn: false, note: "The vendor never received it" },
      concern: "Marked as COMPLETED, but The vendor never received it",
    });
    expect(step("FAILED")).toMatchObject({ state: "failed", goesOn: false, concern: null });
  });
});

describe("after the end", () => {
  const afterwards = (state: AttemptState, heard: DeliveryState) =>
    next(attempt(state), "PROCESSING", says(heard), vendor);

  test("only a contradiction is news", () => {
    for (const heard of ["accepted", "processing", "held", "delivered"] as const)
      expect(afterwards("delivered", heard)).toBeNull();
    for (const heard of ["accepted", "processing", "held", "failed", "refunded"] as const)
      expect([afterwards("failed", heard), afterwards("refunded", heard)]).toEqual([null, null]);
    expect(afterwards("delivered", "failed")).toMatchObject({
      ...{ state: "delivered", to: null, goesOn: false },
      concern: "The vendor reported it as delivered, then as failed",
    });
  });

  test("what arrives late need not be sent by the next one, unless the vendor had given the money back", () => {
    expect(afterwards("failed", "delivered")).toMatchObject({ state: "failed", hasArrivedLate: true });
    expect(afterwards("refunded", "delivered")).toMatchObject({ state: "refunded", hasArrivedLate: false });
  });

  test("a failure is a doubt only where the order was marked as delivered", () => {
    const concernAt = (status: OrderStatus) =>
      next(attempt("processing"), status, says("failed"), vendor)!.concern;
    expect(concernAt("PROCESSING")).toBeNull();
    expect(concernAt("DELIVERED")).toBe("Marked as DELIVERED, but The vendor could not deliver it");
  });
});

test("questions come further and further apart, never more often than the vendor bears, and rarely when it is over", () => {
  const pause = (statusChecks: number, status: OrderStatus = "PROCESSING", everySeconds = 5) =>
    next(attempt("processing", { statusChecks }), status, says("processing"), {
      ...vendor,
      can: { ...can, statusCheckEverySeconds: everySeconds },
    })!.dueInSeconds;
  expect([0, 1, 3, 6, 7, 100].map((statusChecks) => pause(statusChecks))).toEqual([5, 10, 40, 320, 600, 600]);
  expect([pause(0, "PROCESSING", 30), pause(100, "PROCESSING", 900)]).toEqual([30, 900]);
  expect([pause(0, "COMPLETED"), pause(0, "FAILED", 90_000)]).toEqual([6 * 3600, 90_000]);
});

test("a wait is told once, however often it is tried", () => {
  const first = next(attempt("sending"), "PENDING", refuses("network_down", "MTN is off"), vendor);
  expect(first?.note).toBe("Waiting for The vendor (“MTN is off”)");
  const again = next(
    attempt("sending", { vendorMessage: "MTN is off" }),
    "PENDING",
    refuses("network_down", "MTN is off"),
    vendor,
  );
  expect(again?.note).toBeNull();
  const wordless = next(attempt("sending"), "PENDING", refuses("network_down"), vendor);
  expect(wordless?.note).toBe("Waiting for The vendor");
});

describe("whatever is heard, in whatever order,", () => {
  const states: DeliveryState[] = ["accepted", "processing", "held", "delivered", "failed", "refunded"];
  const news: fc.Arbitrary<DeliveryReport> = fc.oneof(
    fc.constantFrom(...states).map((state) => says(state)),
    fc
      .constantFrom<NotTaken>("float_empty", "rate_limited", "out_of_stock", "not_servable", "number_cooling")
      .map((why) => refuses(why)),
    fc.constant<DeliveryReport>({ kind: "unclear", message: null }),
    fc.constant<DeliveryReport>({ kind: "not_found" }),
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
