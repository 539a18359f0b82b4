// The addresses that Paystack and the vendors call: raw bytes in, kept before they are acknowledged.
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
  /** The part of a vendor's address that only the vendor was told. */
  /** What may stand in the address that a vendor calls. */
  vendorTokens: (code: string) => string[];
};

/**
 * Answers 200 only when the event is stored (or was before), 401 when it is not signed by us; anything else would be
 * tried again by Paystack for three days. An event that is signed and cannot be read is acknowledged: trying again
 * would not make it readable.
 */
export function webhooks({ db, gateway, vendors, vendorTokens }: WebhookDeps) {
  const answer = (received: string) =>
    Response.json({ received }, { status: received === "unsigned" ? 401 : 200 });
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
