// The list of what a shop lacks to sell, be paid, send or be reached. Such a shop has nothing waiting, and is not well;
// Today shows the list, and the start's output names it.
import { sql } from "drizzle-orm";
import type { Reads } from "../../../db/connect.ts";
import type { KeyMode } from "../../shared/api-keys.ts";
import * as products from "../catalog/products.ts";
import type { PaymentGateway } from "../payments/gateway.ts";
import * as settings from "../platform/settings/settings.ts";
import * as support from "../support/requests.ts";

/** A lack, what does not work because of it, and the page that ends it; null where that is the environment. */
export type Missing = { name: string; effect: string; to: string | null };

/** What the environment has set up. */
export type SetUp = {
  gateway: Pick<PaymentGateway, "keyState">;
  /** The codes of the connected vendors. */
  vendors: readonly { code: string }[];
  channels: { sms: boolean; email: boolean };
  /** Of the shop's data; the one for tests sends no messages. */
  keyMode: KeyMode;
};

/** What is missing now, what stops most first; empty for a shop that can sell. */
export async function missing(tx: Reads, { gateway, vendors, channels, keyMode }: SetUp): Promise<Missing[]> {
  const [bundles, set, [desk]] = await Promise.all([
    products.list(tx),
    settings.all(tx),
    tx.execute<{ was_used: boolean }>(sql`select exists (select from desk_batches) as was_used`),
  ]);
  const { email, phone, whatsApp } = support.contactsIn(set);
  const key = gateway.keyState();
  const isForTests = keyMode === "test";
  const found: (Missing | false)[] = [
    bundles.every(({ paused }) => paused !== null) && {
      name: "No bundle is on sale",
      effect: "Nobody can buy anything.",
      to: "/admin/products",
    },
    key === "refused" && {
      name: "Paystack refuses the key",
      effect: "Nobody can pay by mobile money or card. Set PAYSTACK_SECRET_KEY.",
      to: null,
    },
    key === "unknown" && {
      name: "Paystack has not answered yet",
      effect: "Whether anybody can pay by mobile money or card is not known.",
      to: null,
    },
    vendors.length === 0 &&
      !desk!.was_used && {
        name: "No vendor is connected, and nobody has taken a batch",
        effect: "Paid orders wait at the desk until somebody sends them.",
        to: "/admin/desk",
      },
    ![email, phone, whatsApp].some(Boolean) && {
      name: "No support contact",
      effect: "Agents and customers cannot reach you.",
      to: "/admin/settings#set-support_email",
    },
    !channels.email &&
      !isForTests && {
        name: "No e-mail",
        effect: "Passwords cannot be reset by e-mail, and staff get no notices. Set SMTP_URL and MAIL_FROM.",
        to: null,
      },
    !channels.sms &&
      !isForTests && {
        name: "No SMS",
        effect: "Phones cannot be confirmed. Set the keys of an SMS gateway (.env.example).",
        to: null,
      },
  ];
  return found.filter((one) => one !== false);
}
