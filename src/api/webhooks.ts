// The address that Paystack calls: raw bytes in, kept before they are acknowledged.
import { Elysia } from "elysia";
import type { Db } from "../../db/connect.ts";
import type { PaymentGateway } from "../core/gateway.ts";
import { receive } from "../core/webhooks.ts";
import { limits } from "../shared/domain.ts";
import { readBytes } from "../shared/http.ts";

/**
 * Answers 200 only when the event is stored (or was before), 401 when it is not signed by us; anything else would be
 * tried again by Paystack for three days. An event that is signed and cannot be read is acknowledged: trying again
 * would not make it readable.
 */
export function webhooks({ db, gateway }: { db: Db; gateway: PaymentGateway }) {
  return new Elysia().post(
    "/webhooks/paystack",
    async ({ request }) => {
      const raw = await readBytes(request, limits.bodyBytes * 4);
      const received = await receive(db, gateway, raw, request.headers.get("x-paystack-signature"));
      return Response.json({ received }, { status: received === "unsigned" ? 401 : 200 });
    },
    { parse: "none" },
  );
}
