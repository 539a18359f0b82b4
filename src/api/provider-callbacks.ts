// The webhook routes for Paystack and the vendors. The raw bytes are stored before they are acknowledged.
import { Elysia } from "elysia";
import type { Db } from "../../db/connect.ts";
import type { BundleVendor } from "../core/fulfilment/vendor.ts";
import * as vendorEvents from "../core/fulfilment/vendor-webhooks.ts";
import { isAmongSecrets } from "../core/messaging/callbacks.ts";
import type { PaymentGateway } from "../core/payments/gateway.ts";
import { receive } from "../core/payments/paystack-webhooks.ts";
import { readBytes } from "../http/requests.ts";
import { limits } from "../shared/domain.ts";
import { AppError } from "../shared/errors/app-error.ts";

export type WebhookDeps = {
  db: Db;
  gateway: PaymentGateway;
  vendors: readonly BundleVendor[];
  /** The secrets that may authenticate a vendor in the address it calls. */
  vendorTokens: (code: string) => string[];
};

/**
 * The routes. They answer 200 only once the event is stored (or if it was before), and 401 if its signature is not
 * valid; Paystack retries anything else for three days. A signed event that cannot be read is acknowledged, because a
 * retry would not make it readable.
 */
export function webhooks({ db, gateway, vendors, vendorTokens }: WebhookDeps) {
  const answer = (received: string) => Response.json({ received }, { status: received === "unsigned" ? 401 : 200 });
  return new Elysia()
    .post(
      "/webhooks/paystack",
      async ({ request }) => {
        const raw = await readBytes(request, limits.bodyBytes * 4);
        return answer(await receive(db, gateway, raw, request.headers.get("x-paystack-signature")));
      },
      { parse: "none" },
    )
    .post(
      "/webhooks/vendors/:code/:token",
      async ({ request, params }) => {
        const vendor = vendors.find(({ code }) => code === params.code);
        if (!vendor) throw new AppError("request.not_found");
        const raw = await readBytes(request, limits.bodyBytes * 4);
        const hasToken = isAmongSecrets(vendorTokens(vendor.code), params.token);
        return answer(await vendorEvents.receive(db, vendor, { raw, headers: request.headers, hasToken }));
      },
      { parse: "none" },
    );
}
