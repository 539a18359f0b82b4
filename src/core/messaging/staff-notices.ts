// Notices to staff by e-mail, each to whoever has the right to do something about it, queued in the commit of the
// change that it reports.
import { and, eq, ne } from "drizzle-orm";
import type { Tx } from "../../../db/connect.ts";
import { users } from "../../../db/schema/identity.ts";
import type { Right } from "../../shared/rights.ts";
import * as rateLimits from "../platform/budgets/rate-limits.ts";
import { isActiveWith } from "../platform/colleagues/staff.ts";
import * as messages from "./messages.ts";
import * as gatewayTexts from "./texts/gateway-texts.ts";
import * as switchTexts from "./texts/switch-texts.ts";
import * as texts from "./texts/texts.ts";

/** E-mail to whoever sees messages that SMS are being dropped: once a day for each step. */
export async function smsBudgetUsed(tx: Tx, { share, perDay }: { share: number; perDay: number }): Promise<void> {
  const bucket = `SMS budget notice: ${share}`;
  if (!(await rateLimits.isWithin(tx, { bucket, countMax: 1, windowSeconds: 86_400 }))) return;
  await mailStaff(tx, "messages.see", (username) => texts.smsBudgetUsed(username, share, perDay));
}

/** E-mail to the same that numbers without an account get no more replies by SMS: once a day. */
export async function strangersBoundReached(tx: Tx, perDay: number): Promise<void> {
  const bucket = "SMS to strangers notice";
  if (!(await rateLimits.isWithin(tx, { bucket, countMax: 1, windowSeconds: 86_400 }))) return;
  await mailStaff(tx, "messages.see", (username) => gatewayTexts.strangersBoundReached(username, perDay));
}

/** E-mail to the same about a gateway whose requests or SMS fail: once an hour for each trouble. */
export async function gatewayFails(tx: Tx, trouble: gatewayTexts.GatewayTrouble): Promise<void> {
  const bucket = `gateway notice: ${trouble.channel} ${trouble.name} ${trouble.kind}`;
  if (!(await rateLimits.isWithin(tx, { bucket, countMax: 1, windowSeconds: 3600 }))) return;
  await mailStaff(tx, "messages.see", (username) => gatewayTexts.gatewayFails(username, trouble));
}

const VENDOR_PAUSE_SECONDS = 3 * 3600;

/** E-mail to whoever manages delivery about a paused vendor: at most every three hours, because sending is retried. */
export async function vendorPaused(
  tx: Tx,
  { code, name }: { code: string; name: string },
  reason: texts.PauseReason,
  vendorMessage: string | null,
): Promise<void> {
  const bucket = `vendor pause notice: ${code} ${reason}`;
  if (!(await rateLimits.isWithin(tx, { bucket, countMax: 1, windowSeconds: VENDOR_PAUSE_SECONDS }))) return;
  await mailStaff(tx, "delivery.manage", (username) => texts.vendorPaused(username, name, reason, vendorMessage));
}

/** E-mail to whoever decides payments about a chargeback and the deadline for evidence. */
export async function chargebackOpened(
  tx: Tx,
  payment: { userId: number; reference: string },
  chargeback: { id: number; amountPesewas: number; dueAt: Date | null },
): Promise<void> {
  const [owner] = await tx.select().from(users).where(eq(users.id, payment.userId));
  const agent = owner?.username ?? `account ${payment.userId}`;
  await mailStaff(tx, "payments.decide", (username) =>
    texts.chargebackOpened(username, { ...payment, ...chargeback, agent }),
  );
}

/** E-mail to whoever keeps the books about a fee that cannot be right; its payment is credited. */
export async function feeNotBooked(tx: Tx, fee: texts.Fee): Promise<void> {
  await mailStaff(tx, "books.see", (username) => texts.feeNotBooked(username, fee));
}

/** E-mail to the other owners about a switch that somebody has closed or opened. */
export async function switchThrown(tx: Tx, byUserId: number, thrown: switchTexts.Thrown): Promise<void> {
  const [person] = await tx.select().from(users).where(eq(users.id, byUserId));
  const by = person?.username ?? `account ${byUserId}`;
  // Only owners may change settings.
  const textFor = (username: string) => switchTexts.switchThrown(username, by, thrown);
  await mailStaff(tx, "settings.change", textFor, { butUserId: byUserId });
}

/** E-mail to those who run the shop and have this right, but one of them. */
export async function mailStaff(
  tx: Tx,
  right: Right,
  textFor: (username: string) => texts.Mail,
  { butUserId }: { butUserId?: number } = {},
): Promise<void> {
  const others = butUserId === undefined ? undefined : ne(users.id, butUserId);
  const staff = await tx
    .select()
    .from(users)
    .where(and(isActiveWith(right), others))
    .orderBy(users.id);
  await messages.queueAll(
    tx,
    staff.flatMap((person) => messages.mailTo(person, textFor(person.username))),
  );
}
