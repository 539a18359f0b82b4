// Decorators that count and time provider calls by outcome.

import type { BundleVendor, Placed } from "../core/fulfilment/vendor.ts";
import type { PushGateway, Sender } from "../core/messaging/sender.ts";
import type { PaymentGateway } from "../core/payments/gateway.ts";
import { dispatches, timed } from "../core/platform/metrics.ts";

/** Decorates the payment gateway. */
export function instrumentedGateway(gateway: PaymentGateway): PaymentGateway {
  const instrumented = <T extends { kind: string }>(call: string, work: () => Promise<T>) =>
    timed({ provider: "paystack", call }, work, ({ kind }) => kind);
  return {
    domain: gateway.domain,
    checkoutOrigin: gateway.checkoutOrigin,
    initialize: (ask) => instrumented("initialize", () => gateway.initialize(ask)),
    verify: (reference) => instrumented("verify", () => gateway.verify(reference)),
    charge: (ask) => instrumented("charge", () => gateway.charge(ask)),
    submitCode: (ask) => instrumented("submit_code", () => gateway.submitCode(ask)),
    list: (ask) => instrumented("list", () => gateway.list(ask)),
    refundsOf: (reference) => instrumented("refunds_of", () => gateway.refundsOf(reference)),
    listRefunds: (ask) => instrumented("list_refunds", () => gateway.listRefunds(ask)),
    listPayouts: (ask) => instrumented("list_payouts", () => gateway.listPayouts(ask)),
    payoutPayments: (ask) => instrumented("payout_payments", () => gateway.payoutPayments(ask)),
    balance: () => instrumented("balance", () => gateway.balance()),
    keyState: () => gateway.keyState(),
    addressFor: (userId) => gateway.addressFor(userId),
    isSigned: (raw, signature) => gateway.isSigned(raw, signature),
  };
}

/** Decorates a vendor, and counts its dispatches by outcome. */
export function instrumentedVendor(vendor: BundleVendor): BundleVendor {
  const { code: provider, name, can } = vendor;
  return {
    ...{ code: provider, name, can },
    serves: (line, volumeMb) => vendor.serves(line, volumeMb),
    place: async (sent) => {
      const placed = await timed({ provider, call: "place" }, () => vendor.place(sent), worstOutcome);
      for (const one of placed) dispatches.inc({ vendor: provider, outcome: outcomeOf(one) });
      return placed;
    },
    checkStatus: (ask) => timed({ provider, call: "look_up" }, () => vendor.checkStatus(ask), kindOf),
    balance: () => timed({ provider, call: "balance" }, () => vendor.balance(), kindOf),
    readWebhook: (ask) => vendor.readWebhook(ask),
  };
}

/** Decorates a sender of messages; `provider` is its metrics label. */
export function instrumentedSender(provider: string, sender: Sender): Sender {
  return { send: (message) => timed({ provider, call: "send" }, () => sender.send(message), kindOf) };
}

/** Decorates the gateway to the push services of browsers. */
export function instrumentedPush(push: PushGateway): PushGateway {
  return {
    publicKey: push.publicKey,
    problemOf: (target) => push.problemOf(target),
    send: (target, content) => timed({ provider: "push", call: "send" }, () => push.send(target, content), kindOf),
  };
}

function kindOf({ kind }: { kind: string }): string {
  return kind;
}

function outcomeOf(placed: Placed): string {
  return placed.kind === "not_taken" ? placed.reason : placed.kind;
}

/** The outcome recorded for a call with many dispatches: the worst of theirs. */
function worstOutcome(placed: Placed[]): string {
  const kinds = placed.map(outcomeOf);
  return kinds.find((kind) => kind === "unclear") ?? kinds.find((kind) => kind !== "taken") ?? "taken";
}
