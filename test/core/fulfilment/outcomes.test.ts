// The states of an attempt after reports of any kind in any order, tested on the pure function that decides.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type DeliveryReport, next, type Situation, type Step } from "../../../src/core/fulfilment/attempt-states.ts";
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
const vendor = { name: "The supplier", can };

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
const stateReport = (state: DeliveryState, message: string | null = null): DeliveryReport => ({
  kind: "state",
  state,
  vendorReference: null,
  message: message,
});
const refusalReport = (reason: NotTaken, message: string | null = null): DeliveryReport => ({
  kind: "not_taken",
  reason: reason,
  retryAfterSeconds: null,
  message: message,
});

describe("a certain result", () => {
  test("delivered moves the order to DELIVERED, whatever the source", () => {
    for (const state of ["sending", "unknown", "accepted", "processing", "held"] as const) {
      expect(next(attempt(state), "PROCESSING", stateReport("delivered"), vendor)).toMatchObject({
        state: "delivered",
        to: "DELIVERED",
      });
    }
  });
  test("failed passes the order on, and leaves its status to the next sender", () => {
    expect(next(attempt("processing"), "PROCESSING", stateReport("failed", "No such SIM"), vendor)).toMatchObject({
      state: "failed",
      to: null,
      goesOn: true,
      note: "The supplier could not deliver it (“No such SIM”)",
    });
  });
  test("refunded after a delivery fails the order", () => {
    expect(next(attempt("delivered"), "COMPLETED", stateReport("refunded"), vendor)).toMatchObject({
      state: "refunded",
      to: "FAILED",
      goesOn: false,
    });
  });
  test("not accepted waits, and can be sent again", () => {
    for (const reason of ["float_empty", "key_refused", "rate_limited", "number_cooling", "network_down"] as const) {
      expect(next(attempt("sending"), "PENDING", refusalReport(reason), vendor)).toMatchObject({
        state: "queued",
        to: null,
        goesOn: false,
      });
    }
  });
  test("impossible for this vendor passes it to the next one", () => {
    for (const reason of ["out_of_stock", "not_servable"] as const) {
      expect(next(attempt("sending"), "PENDING", refusalReport(reason), vendor)).toMatchObject({
        state: "failed",
        goesOn: true,
      });
    }
  });
});

describe("an uncertain result", () => {
  test("no clear answer is unknown: neither sent again nor refunded", () => {
    expect(next(attempt("sending"), "PENDING", { kind: "unclear", message: null }, vendor)).toMatchObject({
      state: "unknown",
      to: "PROCESSING",
      goesOn: false,
    });
  });
  test("does not undo a known state, or add a second note", () => {
    const unclear: DeliveryReport = { kind: "unclear", message: "502 Bad Gateway" };
    const nothing = { to: null, note: null, goesOn: false };
    for (const state of ["unknown", "accepted", "processing", "held"] as const)
      expect(next(attempt(state), "PROCESSING", unclear, vendor)).toMatchObject({ state, ...nothing });
  });
  test("reports about an attempt that was never sent belong to something else", () => {
    for (const state of ["queued", "withdrawn"] as const)
      expect(next(attempt(state), "PENDING", stateReport("delivered"), vendor)).toBeNull();
  });
  test("“not found” counts only after the vendor has had time to register it", () => {
    for (const [state, sentSecondsAgo] of [
      ["unknown", 0],
      ["sending", 59],
    ] as const) {
      const early = next(attempt(state, { sentSecondsAgo }), "PENDING", { kind: "not_found" }, vendor);
      expect(early).toMatchObject({ state: "unknown", to: "PROCESSING", goesOn: false });
    }
    const later = next(attempt("unknown", { sentSecondsAgo: 60 }), "PROCESSING", { kind: "not_found" }, vendor);
    expect(later).toMatchObject({ state: "queued", dueInSeconds: 0 });
  });
  test("never received twice is failed", () => {
    const lost = attempt("unknown", { sentSecondsAgo: 120, sends: 2 });
    expect(next(lost, "PROCESSING", { kind: "not_found" }, vendor)).toMatchObject({
      state: "failed",
      goesOn: true,
    });
  });
  test("“not found” after the vendor has accepted it changes nothing", () => {
    const step = next(attempt("accepted", { sentSecondsAgo: 540 }), "PROCESSING", { kind: "not_found" }, vendor);
    expect(step).toMatchObject({ state: "accepted", goesOn: false, to: null });
  });
});

describe("a late report is shown to an admin", () => {
  test("of a delivery after the refund", () => {
    expect(next(attempt("processing"), "FAILED", stateReport("delivered"), vendor)).toMatchObject({
      state: "delivered",
      to: null,
      concern: "Delivered after the refund",
    });
  });
  test("of a delivery after a failure", () => {
    const step = next(attempt("failed"), "FAILED", stateReport("delivered"), vendor);
    expect(step).toMatchObject({ state: "failed", goesOn: false });
    expect(step?.concern).toContain("after it had failed");
  });
  test("of a failure after an admin has marked it as delivered", () => {
    expect(next(attempt("processing"), "COMPLETED", stateReport("failed"), vendor)?.concern).toContain("COMPLETED");
  });
});

describe("progress", () => {
  const step = (from: Situation, heard: DeliveryReport, status: OrderStatus = "PROCESSING") =>
    next(from, status, heard, vendor)!;
  const numbered = (vendorReference: string | null): DeliveryReport => ({
    kind: "state",
    state: "accepted",
    vendorReference,
    message: "Order received",
  });

  test("starts with a note that it was sent, with the vendor's reference and message", () => {
    for (const state of ["sending", "unknown"] as const) {
      expect(step(attempt(state), numbered("DM-77"))).toMatchObject({
        ...{ state: "accepted", to: "PROCESSING", goesOn: false, isUnsent: false, hasArrivedLate: false },
        note: "Sent to The supplier, their reference DM-77 (“Order received”)",
      });
    }
    expect(step(attempt("sending"), numbered(null)).note).toBe("Sent to The supplier (“Order received”)");
    const known = attempt("unknown", { vendorReference: "DM-5" });
    expect(step(known, numbered(null)).note).toBe("Sent to The supplier, their reference DM-5 (“Order received”)");
    // An order that was to be sent again turns out to be with the vendor.
    const again = attempt("queued", { sends: 1, sentSecondsAgo: 90 });
    expect(step(again, stateReport("accepted"))).toMatchObject({
      state: "accepted",
      note: "Sent to The supplier",
    });
  });

  test("notes “processing” once, and an older “accepted” does not lead back", () => {
    const atWork = { state: "processing", to: "PROCESSING", note: "The supplier is processing it" };
    expect(step(attempt("accepted"), stateReport("processing"))).toMatchObject(atWork);
    const nothing = { to: null, note: null };
    expect(step(attempt("accepted"), stateReport("accepted"))).toMatchObject({
      state: "accepted",
      ...nothing,
    });
    expect(step(attempt("processing"), stateReport("processing"))).toMatchObject({
      state: "processing",
      ...nothing,
    });
    expect(step(attempt("processing"), stateReport("accepted"))).toMatchObject({
      state: "processing",
      ...nothing,
    });
    expect(step(attempt("held"), stateReport("accepted"))).toMatchObject({ state: "held", ...nothing });
    expect(step(attempt("held"), stateReport("processing"))).toMatchObject(atWork);
  });

  test("notes “held” once", () => {
    expect(step(attempt("accepted"), stateReport("held", "Under review"))).toMatchObject({
      ...{ state: "held", to: "PROCESSING", goesOn: false },
      note: "The supplier is holding it (“Under review”)",
    });
    expect(step(attempt("held"), stateReport("held"))).toMatchObject({ state: "held", to: null, note: null });
  });

  test("does not repeat a message that is only the name of a state", () => {
    expect(step(attempt("processing"), stateReport("failed", "FAILED_PERMANENTLY")).note).toBe(
      "The supplier could not deliver it",
    );
    expect(step(attempt("processing"), stateReport("failed", null)).note).toBe("The supplier could not deliver it");
  });

  test("ends with the vendor's own refund as with a failure", () => {
    expect(step(attempt("accepted"), stateReport("refunded"))).toMatchObject({
      ...{ state: "refunded", goesOn: true, to: null, concern: null },
    });
  });
});

describe("an attempt that was not accepted", () => {
  const refused = (reason: NotTaken, retryAfterSeconds: number | null = null) =>
    next(
      attempt("sending"),
      "PENDING",
      { kind: "not_taken", reason: reason, retryAfterSeconds, message: null },
      vendor,
    )!;

  test("does not count as sent, and waits as long as its reason or the vendor demands", () => {
    const waits = { float_empty: 0, key_refused: 0, rate_limited: 60, number_cooling: 300, network_down: 60 };
    for (const [reason, seconds] of Object.entries(waits))
      expect(refused(reason as keyof typeof waits)).toMatchObject({ dueInSeconds: seconds, isUnsent: true });
    expect(refused("rate_limited", 7)).toMatchObject({ dueInSeconds: 7, isUnsent: true });
    expect(refused("not_servable")).toMatchObject({ isUnsent: false });
  });

  test("is withdrawn when its order has ended meanwhile, and shown where that was marked as delivered", () => {
    const withdrawn = (status: OrderStatus) => next(attempt("sending"), status, refusalReport("float_empty"), vendor);
    expect(withdrawn("FAILED")).toMatchObject({ state: "withdrawn", goesOn: false, concern: null });
    for (const status of ["DELIVERED", "COMPLETED"] as const) {
      expect(withdrawn(status)).toMatchObject({
        state: "withdrawn",
        goesOn: false,
        concern: `Marked as ${status}, but The supplier rejected it`,
      });
    }
  });

  test("and was never received is not sent again once the order has ended", () => {
    const lost = attempt("unknown", { sentSecondsAgo: 120 });
    const step = (status: OrderStatus) => next(lost, status, { kind: "not_found" }, vendor);
    expect(step("COMPLETED")).toMatchObject({
      ...{ state: "failed", goesOn: false, note: "The supplier never received it" },
      concern: "Marked as COMPLETED, but The supplier never received it",
    });
    expect(step("FAILED")).toMatchObject({ state: "failed", goesOn: false, concern: null });
  });
});

describe("after the end", () => {
  const afterwards = (state: AttemptState, heard: DeliveryState) =>
    next(attempt(state), "PROCESSING", stateReport(heard), vendor);

  test("only a contradiction has an effect", () => {
    for (const heard of ["accepted", "processing", "held", "delivered"] as const)
      expect(afterwards("delivered", heard)).toBeNull();
    for (const heard of ["accepted", "processing", "held", "failed", "refunded"] as const)
      expect([afterwards("failed", heard), afterwards("refunded", heard)]).toEqual([null, null]);
    expect(afterwards("delivered", "failed")).toMatchObject({
      ...{ state: "delivered", to: null, goesOn: false },
      concern: "The supplier reported it as delivered, then as failed",
    });
  });

  test("a late delivery spares the next vendor, unless the first had refunded it", () => {
    expect(afterwards("failed", "delivered")).toMatchObject({ state: "failed", hasArrivedLate: true });
    expect(afterwards("refunded", "delivered")).toMatchObject({ state: "refunded", hasArrivedLate: false });
  });

  test("a failure is a concern only where the order was marked as delivered", () => {
    const concernAt = (status: OrderStatus) =>
      next(attempt("processing"), status, stateReport("failed"), vendor)!.concern;
    expect(concernAt("PROCESSING")).toBeNull();
    expect(concernAt("DELIVERED")).toBe("Marked as DELIVERED, but The supplier could not deliver it");
  });
});

test("status checks become rarer, never more often than the vendor allows, and rare after the end", () => {
  const pause = (statusChecks: number, status: OrderStatus = "PROCESSING", everySeconds = 5) =>
    next(attempt("processing", { statusChecks }), status, stateReport("processing"), {
      ...vendor,
      can: { ...can, statusCheckEverySeconds: everySeconds },
    })!.dueInSeconds;
  expect([0, 1, 3, 6, 7, 100].map((statusChecks) => pause(statusChecks))).toEqual([5, 10, 40, 320, 600, 600]);
  expect([pause(0, "PROCESSING", 30), pause(100, "PROCESSING", 900)]).toEqual([30, 900]);
  expect([pause(0, "COMPLETED"), pause(0, "FAILED", 90_000)]).toEqual([6 * 3600, 90_000]);
});

test("a wait is noted once, however often it is retried", () => {
  const first = next(attempt("sending"), "PENDING", refusalReport("network_down", "MTN is off"), vendor);
  expect(first?.note).toBe("Waiting for The supplier (“MTN is off”)");
  const again = next(
    attempt("sending", { vendorMessage: "MTN is off" }),
    "PENDING",
    refusalReport("network_down", "MTN is off"),
    vendor,
  );
  expect(again?.note).toBeNull();
  const wordless = next(attempt("sending"), "PENDING", refusalReport("network_down"), vendor);
  expect(wordless?.note).toBe("Waiting for The supplier");
});

describe("with any reports in any order,", () => {
  const states: DeliveryState[] = ["accepted", "processing", "held", "delivered", "failed", "refunded"];
  const report: fc.Arbitrary<DeliveryReport> = fc.oneof(
    fc.constantFrom(...states).map((state) => stateReport(state)),
    fc
      .constantFrom<NotTaken>("float_empty", "rate_limited", "out_of_stock", "not_servable", "number_cooling")
      .map((reason) => refusalReport(reason)),
    fc.constant<DeliveryReport>({ kind: "unclear", message: null }),
    fc.constant<DeliveryReport>({ kind: "not_found" }),
  );
  const from = fc.constantFrom(...ATTEMPT_STATES);
  const orderStatus = fc.constantFrom<OrderStatus>("PENDING", "PAID", "PROCESSING", "DELIVERED", "COMPLETED", "FAILED");

  test("a finished attempt can only be reversed, never sent again", () => {
    fc.assert(
      fc.property(from, orderStatus, report, (state, status, heard) => {
        const before = attempt(state);
        if (before.endedAt === null) return;
        const step = next(before, status, heard, vendor);
        expect(step?.goesOn ?? false).toBe(false);
        if (step && step.state !== state) expect([state, step.state]).toEqual(["delivered", "refunded"]);
      }),
    );
  });
  test("only the answer to the call, or a vendor that never received it, returns it to the queue", () => {
    fc.assert(
      fc.property(from, orderStatus, report, (state, status, heard) => {
        const step = next(attempt(state, { sentSecondsAgo: 300, sends: 1 }), status, heard, vendor);
        if (step?.state !== "queued" || state === "queued") return;
        const isAnswer = state === "sending" && heard.kind === "not_taken";
        const isMissing = (state === "sending" || state === "unknown") && heard.kind === "not_found";
        expect(isAnswer || isMissing).toBe(true);
      }),
    );
  });
  test("a sequence of reports has one result, and repeating it changes nothing", () => {
    fc.assert(
      fc.property(fc.array(report, { maxLength: 12 }), (run) => {
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
