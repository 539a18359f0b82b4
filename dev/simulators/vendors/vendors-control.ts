// The HTTP controls of the vendors' simulator, for tests and people in another process.
import { z } from "zod";
import { VENDOR_CODES } from "../../../src/gateways/vendors/index.ts";
import { type Call, controlReply, FAULTS, type Routes } from "../http.ts";
import type { VendorSimulator } from "./vendors.ts";
import { LINES, STATUSES } from "./vendors-types.ts";

/** The same controls as in process. */
export function controlRoutes(simulator: () => VendorSimulator): Routes {
  const control: Record<string, (vendors: VendorSimulator, call: Call) => unknown> = {
    "GET /_control": (vendors) => vendors.switches(),
    "GET /_control/settings": (vendors) => vendors.settings,
    "POST /_control": (vendors, call) => {
      vendors.switch(switchesSchema.parse(bodyOf(call)));
      return vendors.switches();
    },
    "POST /_control/advance": async (vendors, call) => {
      await vendors.advance(advanceSchema.parse(bodyOf(call)).seconds);
      return { now: vendors.switches().now };
    },
    "POST /_control/pass": (vendors, call) => {
      const { references, seconds } = passSchema.parse(bodyOf(call));
      vendors.letPass(references, seconds);
    },
    "GET /_control/deliveries": (vendors) => vendors.deliveries(),
    "GET /_control/state": (vendors) => ({
      orders: vendors.orders(),
      webhooks: vendors.webhooks(),
      requests: vendors.requests(),
    }),
    "POST /_control/orders/:reference": (vendors, call) => {
      const { status, delivers } = orderSchema.parse(bodyOf(call));
      return vendors.move(call.params.reference!, status, delivers);
    },
    "POST /_control/tell": (vendors, call) => {
      const { reference, news: reported, ...options } = reportSchema.parse(bodyOf(call));
      return vendors.notify(reference, reported, options);
    },
    "POST /_control/faults": (vendors, call) => {
      const { route, times, ...fault } = faultSchema.parse(bodyOf(call));
      vendors.fault(route, fault, times);
    },
    "POST /_control/reset": (vendors) => vendors.reset(),
  };
  const routes = Object.entries(control).map(([route, run]) => [
    route,
    (call: Call) => controlReply(() => run(simulator(), call)),
  ]);
  return Object.fromEntries(routes) as Routes;
}

const vendor = z.enum(VENDOR_CODES);

export const switchesSchema = z
  .strictObject({
    speed: z.union([z.literal(0), z.literal(1), z.literal(60), z.literal(600)]),
    floatEmpty: z.boolean(),
    floats: z.partialRecord(vendor, z.int()),
    rate: z.int().min(0).nullable(),
    down: z.array(z.enum(LINES)),
    callFaults: z.boolean(),
    coolDownSeconds: z.number().min(0),
    webhooks: z.boolean(),
    webhookUrls: z.partialRecord(vendor, z.url().nullable()),
    refundedEvents: z.boolean(),
    holdDelivery: z.boolean(),
    priceDrift: z.number().min(-99).max(1000),
  })
  .partial();

const advanceSchema = z.strictObject({ seconds: z.number().min(0) });
const passSchema = z.strictObject({ references: z.array(z.string()), seconds: z.number().min(0) });
const orderSchema = z.strictObject({ status: z.enum(STATUSES), delivers: z.boolean().optional() });
const reportSchema = z.strictObject({
  reference: z.string().min(1),
  news: z.enum(["created", ...STATUSES]),
  /** For an order that nobody placed. */
  vendor: vendor.optional(),
  url: z.url().optional(),
  signature: z.enum(["good", "wrong", "missing", "tampered"]).optional(),
  copies: z.int().min(1).max(100).optional(),
});
const faultSchema = z.strictObject({
  route: z.string(),
  kind: z.enum(FAULTS),
  times: z.int().min(1).default(1),
  ms: z.number().optional(),
  resetSeconds: z.int().optional(),
});

function bodyOf(call: Call): unknown {
  return JSON.parse(call.text || "{}");
}
