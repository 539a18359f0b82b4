// SMS to the customers of agents who chose that: their data is delivered. Queued in the commit of the delivery. They go
// to people who never gave us their number, so the outbox must not send this kind, `customer_delivered`, to a number
// that has stopped SMS.
import { and, eq } from "drizzle-orm";
import type { Tx } from "../../../db/connect.ts";
import { phones, users } from "../../../db/schema/identity.ts";
import type { orders } from "../../../db/schema/orders.ts";
import { AFA_SIZE, type OrderStatus } from "../../shared/domain.ts";
import { shownShopName } from "../../shared/shop-name.ts";
import * as budgets from "../platform/budgets/budgets.ts";
import { isAmong } from "../platform/sql.ts";
import { translatorOf } from "./languages/translate.ts";
import * as messages from "./messages.ts";
import * as smsTexts from "./texts/sms-texts.ts";
import * as wordings from "./texts/wordings.ts";

type Order = typeof orders.$inferSelect;

/**
 * Queues one SMS for each customer whose data has arrived just now, of agents who chose that, within their daily
 * budgets; none to an agent's own number, and none about AFA registrations. `fromOf` has the orders' statuses before.
 */
export async function ordersMoved(tx: Tx, moved: Order[], fromOf: ReadonlyMap<number, OrderStatus>): Promise<void> {
  const isServed = ({ id, status, productSize }: Order) =>
    (status === "DELIVERED" || (status === "COMPLETED" && fromOf.get(id) !== "DELIVERED")) && productSize !== AFA_SIZE;
  const bundles = moved.filter(isServed);
  if (bundles.length === 0) return;
  const owners = [...new Set(bundles.map(({ userId }) => userId))];
  const { shopName, notifyCustomers, msisdn } = phones;
  const agents = await tx
    .select({ userId: users.id, username: users.username, language: users.language, shopName, own: msisdn })
    .from(phones)
    .innerJoin(users, eq(users.id, phones.userId))
    .where(and(isAmong(phones.userId, owners), eq(notifyCustomers, true), eq(users.status, "ACTIVE")));
  if (agents.length === 0) return;
  const current = await wordings.current(tx);
  const served = agents.map((agent) => {
    const sold = bundles.filter(({ userId, msisdn }) => userId === agent.userId && msisdn !== agent.own);
    return { ...agent, byCustomer: [...Map.groupBy(sold, (order) => order.msisdn)] };
  });
  const units = served.map(({ userId, byCustomer }) => [userId, byCustomer.length] as const);
  const granted = await budgets.trySpendSome(tx, "sms.customers", new Map(units));
  await messages.queueAll(
    tx,
    served.flatMap(({ userId, username, language, shopName, byCustomer }) => {
      const t = translatorOf(current, language ?? "en");
      const name = shownShopName(shopName, username) ?? t("part.your_seller");
      return byCustomer.slice(0, granted.get(userId)).map(([recipient, orders]) => ({
        ...{ userId, kind: "customer_delivered", channel: "sms" as const, recipient, subject: "" },
        body: smsTexts.customerServed(t, name, orders),
      }));
    }),
  );
}
