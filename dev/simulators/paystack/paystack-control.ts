// The HTTP controls of the Paystack simulator, for tests and people in another process.
import { z } from "zod";
import { type Call, controlReply, FAULTS, type Routes } from "../http.ts";
import type { Json, JsonObject } from "../json.ts";
import type { PaystackSimulator } from "./paystack.ts";

/** The same controls as in process; ids beyond 2^53 travel as text. */
export function controlRoutes(simulator: () => PaystackSimulator): Routes {
  const control: Record<string, (paystack: PaystackSimulator, call: Call) => unknown> = {
    "POST /_control/faults": (paystack, call) => {
      const { route, times, ...fault } = faultSchema.parse(bodyOf(call));
      paystack.fault(route, fault, times);
    },
    "POST /_control/transactions/:reference": async (paystack, call) => {
      const { action, channel, message, ...steering } = transactionSchema.parse(bodyOf(call));
      const reference = call.params.reference!;
      paystack.steer(reference, steering);
      if (action === "pay") await paystack.pay(reference, channel);
      else if (action === "fail") paystack.fail(reference, message);
      else if (action) await paystack[action](reference);
    },
    "POST /_control/deliver": (paystack, call) => {
      const { reference, ...options } = deliverSchema.parse(bodyOf(call));
      if (reference !== undefined) return paystack.deliver(reference, options);
      return paystack.deliverEvent(options.event!, options.data ?? {}, { ...options, data: {} });
    },
    "POST /_control/refunds/:id": (paystack, call) => {
      const { status } = refundSchema.parse(bodyOf(call));
      return paystack.moveRefund(BigInt(call.params.id!), status);
    },
    "POST /_control/settlements": (paystack) => paystack.settle(),
    "POST /_control/disputes/:reference": (paystack, call) => {
      const { step, resolution } = disputeSchema.parse(bodyOf(call));
      return paystack.dispute(call.params.reference!, step, resolution);
    },
    "POST /_control/webhook": (paystack, call) =>
      paystack.sendWebhooksTo(z.object({ url: z.string().nullable() }).parse(bodyOf(call)).url),
    "POST /_control/retry": (paystack) => paystack.retryWebhooksNow(),
    "POST /_control/reset": (paystack) => paystack.reset(),
    "GET /_control/state": (paystack) => ({
      transactions: paystack.transactions(),
      refunds: paystack.refunds(),
      successes: Object.fromEntries(paystack.successes()),
      deliveries: paystack.deliveries(),
      requests: paystack.requests(),
    }),
  };
  const routes = Object.entries(control).map(([route, run]) => [
    route,
    (call: Call) => controlReply(() => run(simulator(), call)),
  ]);
  return Object.fromEntries(routes) as Routes;
}

const idSchema = z
  .string()
  .regex(/^\d{1,20}$/)
  .transform(BigInt);
const jsonSchema = z.json().transform((value) => value as Json);

const deliveryShape = {
  event: z.string().optional(),
  delayMs: z.number().optional(),
  copies: z.int().min(1).max(100).optional(),
  parallel: z.boolean().optional(),
  signature: z.enum(["good", "wrong", "missing", "upperCase", "tampered"]).optional(),
  key: z.string().optional(),
  json: z
    .union([
      z.literal("hostile"),
      z.strictObject({
        slashes: z.boolean().optional(),
        unicode: z.boolean().optional(),
        pretty: z.boolean().optional(),
        order: z.enum(["reversed", "sorted"]).optional(),
        decimals: z.boolean().optional(),
      }),
    ])
    .optional(),
  data: z
    .record(z.string(), z.json())
    .transform((value) => value as JsonObject)
    .optional(),
  retry: z.boolean().optional(),
};

const deliverSchema = z
  .strictObject({ reference: z.string().optional(), ...deliveryShape })
  .refine((body) => body.reference !== undefined || body.event !== undefined, "reference or event");

const transactionSchema = z.strictObject({
  action: z.enum(["pay", "decline", "fail", "approve", "refuse", "timeOut"]).optional(),
  channel: z.enum(["card", "mobile_money"]).optional(),
  message: z.string().optional(),
  amount: z.int().optional(),
  requestedAmount: z.int().nullable().optional(),
  currency: z.string().optional(),
  domain: z.enum(["test", "live"]).optional(),
  status: z.string().optional(),
  id: idSchema.optional(),
  metadata: jsonSchema.optional(),
  fees: z.int().nullable().optional(),
  webhook: z.enum(["auto", "beforeReply", "lost"]).optional(),
  delivery: z.strictObject(deliveryShape).optional(),
  payAtOnce: z.boolean().optional(),
});

const faultSchema = z.strictObject({
  route: z.string(),
  kind: z.enum(FAULTS),
  times: z.int().min(1).default(1),
  ms: z.number().optional(),
  resetSeconds: z.int().optional(),
});

const refundSchema = z.strictObject({
  status: z.enum(["pending", "processing", "processed", "failed", "needs-attention"]),
});

const disputeSchema = z.strictObject({
  step: z.enum(["create", "remind", "resolve"]),
  resolution: z.enum(["merchant-accepted", "declined"]).optional(),
});

function bodyOf(call: Call): unknown {
  return JSON.parse(call.text || "{}");
}
