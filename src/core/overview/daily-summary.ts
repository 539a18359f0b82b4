// The summary of a day, which owners get at closing time: what was sold and earned, and what still waits.
import { inArray, sql } from "drizzle-orm";
import type { Db } from "../../../db/connect.ts";
import { phones, users } from "../../../db/schema/identity.ts";
import * as messages from "../messaging/messages.ts";
import { type DaySummary, summaryMail, summarySms } from "../messaging/texts/summary-texts.ts";
import * as rateLimits from "../platform/budgets/rate-limits.ts";
import { isActiveWith } from "../platform/colleagues/staff.ts";
import * as settings from "../platform/settings/settings.ts";
import { transact } from "../platform/transactions.ts";
import { measureToday } from "./today.ts";
import { countText, labelOf, waiting } from "./waiting.ts";

/** A bucket of two days: the day's name is in it, so that it counts once. */
const KEPT_SECONDS = 2 * 86_400;

/** Queues the summary of today for each owner, once, from the closing hour on; nothing of a day without orders. */
export async function sendDue(db: Db): Promise<void> {
  const { summary_by: channel, summary_hour: closingHour } = await settings.all(db);
  if (channel === "") return;
  const [now] = await db.execute<{ day: string; hour: number }>(sql`
    select to_char(now() at time zone 'Africa/Accra', 'YYYY-MM-DD') as day,
           extract(hour from now() at time zone 'Africa/Accra')::int as hour`);
  const bucket = `summary of ${now!.day}`;
  // Every sweep looks until midnight: only the one that may send it counts the day.
  if (now!.hour < closingHour || (await rateLimits.isBegun(db, bucket))) return;
  const summary = await summaryOf(db);
  if (summary.orders === 0) return;
  await transact(db, async (tx) => {
    if (!(await rateLimits.isWithin(tx, { bucket, countMax: 1, windowSeconds: KEPT_SECONDS }))) return;
    // Whoever may change settings owns the shop.
    const owners = await tx.select().from(users).where(isActiveWith("settings.change")).orderBy(users.id);
    if (channel === "email") {
      const mails = owners.flatMap((owner) => messages.mailTo(owner, summaryMail(owner.username, summary)));
      await messages.queueAll(tx, mails);
      return;
    }
    const ids = owners.map(({ id }) => id);
    const numbers = await tx.select().from(phones).where(inArray(phones.userId, ids)).orderBy(phones.userId);
    await messages.queueAll(
      tx,
      numbers.map(({ userId, msisdn }) => ({
        ...{ userId, ...summarySms(summary), channel: "sms" as const, recipient: msisdn, subject: "" },
      })),
    );
  });
}

async function summaryOf(db: Db): Promise<DaySummary> {
  const [{ today: sold, yesterday }, waits] = await Promise.all([measureToday(db), waiting(db)]);
  return {
    ...sold,
    salesBeforePesewas: yesterday.salesPesewas,
    waiting: waits.map((one) => `${countText(one)} ${labelOf(one)}`),
  };
}
