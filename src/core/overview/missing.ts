// What a shop lacks so that it cannot sell, be paid, send or be reached: a shop that lacks it has nothing waiting, and
// is not well. Today shows it, and the start's output names it.
import { sql } from "drizzle-orm";
import type { Reads } from "../../../db/connect.ts";
import type { KeyMode } from "../../shared/api-keys.ts";
import * as products from "../catalog/products.ts";
import type { PaymentGateway } from "../payments/gateway.ts";
import * as settings from "../platform/settings.ts";
import * as support from "../support/requests.ts";

/** A lack: what it is, what does not work because of it, and the page that mends it; null where the environment does. */
export type Missing = { what: string; so: string; to: string | null };

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
      what: "No bundle is on sale",
      so: "Nobody can buy anything.",
      to: "/admin/products",
    },
    key === "refused" && {
      what: "Paystack refuses the key",
      so: "Nobody can pay by mobile money or card. Set PAYSTACK_SECRET_KEY.",
      to: null,
    },
    key === "unknown" && {
      what: "Paystack has not answered yet",
      so: "Whether anybody can pay by mobile money or card is not known.",
      to: null,
    },
    vendors.length === 0 &&
      !desk!.was_used && {
        what: "No vendor is connected, and nobody has taken a batch",
        so: "Paid orders wait at the desk until somebody sends them.",
        to: "/admin/desk",
      },
    ![email, phone, whatsApp].some(Boolean) && {
      what: "No support contact",
      so: "Agents and customers cannot reach you.",
      to: "/admin/settings#set-support_email",
    },
    !channels.email &&
      !isForTests && {
        what: "No e-mail",
        so: "Passwords cannot be reset by e-mail, and you hear of nothing. Set SMTP_URL and MAIL_FROM.",
        to: null,
      },
    !channels.sms &&
      !isForTests && {
        what: "No SMS",
        so: "Phones cannot be confirmed. Set the keys of an SMS gateway (.env.example).",
        to: null,
      },
  ];
  return found.filter((one) => one !== false);
}
