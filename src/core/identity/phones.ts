// The phone of an account: a number whose holder typed in the code that was sent to it. One an account, one account a
// number. Whether a number is somebody else's is told only to whoever proved to hold it.
import { and, eq, ne, sql } from "drizzle-orm";
import { type Db, databaseError, type Tx } from "../../../db/connect.ts";
import { type Phone, phones, pins, users as usersTable } from "../../../db/schema/identity.ts";
import { wallets } from "../../../db/schema/ledger.ts";
import { type By, isAdmin, type UserStatus } from "../../shared/domain.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import { parseMsisdn } from "../../shared/msisdn.ts";
import * as messages from "../messaging/messages.ts";
import * as texts from "../messaging/texts.ts";
import * as auditLog from "../platform/audit-log.ts";
import * as budgets from "../platform/budgets.ts";
import { transact } from "../platform/transactions.ts";
import * as codes from "./codes.ts";
import { checkOwnPassword } from "./profile.ts";
import * as users from "./users.ts";

export type PhoneState = {
  phone: Phone | null;
  /** The number that a code was just sent to. */
  pendingMsisdn: string | null;
};

/** The account's phone, and the one that is being proved. */
export async function stateOf(tx: Tx, userId: number): Promise<PhoneState> {
  const [phone] = await tx.select().from(phones).where(eq(phones.userId, userId));
  return { phone: phone ?? null, pendingMsisdn: await codes.pending(tx, userId, "phone") };
}

/** Whose phone has this number (233541234567), or null. */
export async function ownerOf(
  tx: Tx,
  msisdn: string,
): Promise<{ userId: number; status: UserStatus } | null> {
  const [owner] = await tx
    .select({ userId: phones.userId, status: usersTable.status })
    .from(phones)
    .innerJoin(usersTable, eq(usersTable.id, phones.userId))
    .where(eq(phones.msisdn, msisdn));
  return owner ?? null;
}

/**
 * Sends a code to a number, to be typed in by the account's owner. Throws msisdn.invalid, user.current_password_wrong,
 * code.no_channel, request.rate_limited.
 */
export async function sendCode(
  db: Db,
  means: codes.CodeKeys,
  ask: { by: By; msisdn: string; currentPassword: string; address: string },
): Promise<void> {
  const userId = ask.by.userId!;
  const msisdn = parseMsisdn(ask.msisdn);
  if (!msisdn) throw new AppError("msisdn.invalid");
  if (!means.channels.sms) throw new AppError("code.no_channel");
  const user = await checkOwnPassword(db, ask.by, ask.currentPassword);
  await budgets.spend(db, "phone.account", userId);
  if (!(await stateOf(db, userId)).phone) {
    await budgets.spend(db, "phone.new", userId);
    await budgets.spend(db, "phone.new_address", ask.address);
  }
  await budgets.spend(db, "phone.number", msisdn);
  await transact(db, async (tx) => {
    const code = await codes.issue(tx, means, { userId, purpose: "phone", recipient: msisdn });
    if (code === null) return;
    const { kind, subject, sms } = texts.phoneCode(user.username, code);
    const codeSeconds = codes.CODE_SECONDS;
    await messages.queue(tx, {
      userId,
      kind,
      channel: "sms",
      recipient: msisdn,
      subject,
      body: sms,
      codeSeconds,
    });
  });
}

/** Makes the number that the code was sent to the account's phone, in place of any before it. Throws code.wrong, phone.taken. */
export async function prove(
  db: Db,
  means: Pick<codes.CodeKeys, "key">,
  { by, code: typed }: { by: By; code: string },
): Promise<Phone> {
  const userId = by.userId!;
  const before = await stateOf(db, userId);
  const recipient = before.pendingMsisdn ?? before.phone?.msisdn ?? "";
  const proof = { userId, purpose: "phone" as const, recipient, code: typed.replace(/\s/g, "") };
  const verdict = await codes.tryOut(db, means, proof);
  if (verdict === "wrong") throw new AppError("code.wrong");
  await refuseTaken(() =>
    transact(db, async (tx) => {
      // The PIN goes with the old number: whoever sets one meanwhile waits for this lock.
      await tx.select().from(phones).where(eq(phones.userId, userId)).for("update");
      // Spent already: the same form came twice, and the first one did it.
      if (verdict === "spent" || !(await codes.spend(tx, means, proof))) return;
      await tx.delete(pins).where(and(eq(pins.userId, userId), ne(pins.msisdn, recipient)));
      await tx
        .insert(phones)
        .values({ userId, msisdn: recipient })
        .onConflictDoUpdate({
          target: phones.userId,
          set: { msisdn: recipient, provedAt: new Date() },
        });
      await record(tx, by, userId, "user.phone", before.phone, recipient);
    }),
  );
  const { phone } = await stateOf(db, userId);
  if (phone?.msisdn !== recipient) throw new AppError("code.wrong");
  return phone;
}

/** Takes the phone off one's own account. Throws user.current_password_wrong, request.rate_limited. */
export async function remove(db: Db, ask: { by: By; currentPassword: string }): Promise<void> {
  await checkOwnPassword(db, ask.by, ask.currentPassword);
  await takeOff(db, ask.by, ask.by.userId!, "user.phone_remove");
}

/** Takes the phone off an account, as an admin: its number went to somebody else, or was lost. Throws auth.forbidden, user.not_found. */
export async function unbind(db: Db, ask: { by: By; userId: number }): Promise<void> {
  if (!isAdmin(ask.by)) throw new AppError("auth.forbidden");
  await takeOff(db, ask.by, ask.userId, "user.phone_unbind");
}

/** Which notices go to one's phone. Those about purchases are off until somebody wants them: each SMS costs money. */
export type Choice = Pick<Phone, "wantsRefunds" | "wantsTopUps" | "wantsDeliveries"> & PurchaseChoice;
type PurchaseChoice = Pick<typeof wallets.$inferSelect, "notifyPurchases" | "lowBalancePesewas">;

/** What one chose to hear of purchases. */
export async function purchaseChoice(tx: Tx, userId: number): Promise<PurchaseChoice> {
  const { notifyPurchases, lowBalancePesewas } = wallets;
  const [chosen] = await tx
    .select({ notifyPurchases, lowBalancePesewas })
    .from(wallets)
    .where(eq(wallets.userId, userId));
  return chosen ?? NOTHING_OF_PURCHASES;
}

/** Chooses notices, and leaves those alone of which nothing is said; without a phone it does nothing. */
export async function chooseNotices(db: Db, { by, ...choice }: { by: By } & Partial<Choice>): Promise<void> {
  const { notifyPurchases, lowBalancePesewas, ...wants } = choice;
  const userId = by.userId!;
  await transact(db, async (tx) => {
    // Wallets before phones, as everybody locks them.
    if (notifyPurchases !== undefined || lowBalancePesewas !== undefined)
      await tx
        .update(wallets)
        .set({ notifyPurchases, lowBalancePesewas })
        .where(and(eq(wallets.userId, userId), sql`exists (select 1 from phones where user_id = ${userId})`));
    if (Object.keys(wants).length > 0) await tx.update(phones).set(wants).where(eq(phones.userId, userId));
  });
}

const NOTHING_OF_PURCHASES: PurchaseChoice = { notifyPurchases: false, lowBalancePesewas: null };

async function takeOff(db: Db, by: By, userId: number, action: string): Promise<void> {
  await transact(db, async (tx) => {
    await users.get(tx, userId);
    await tx.update(wallets).set(NOTHING_OF_PURCHASES).where(eq(wallets.userId, userId));
    // Its PIN goes with it.
    const [gone] = await tx.delete(phones).where(eq(phones.userId, userId)).returning();
    await codes.forget(tx, userId, "phone");
    if (!gone) return;
    // A code for a new password that went to this phone is worth nothing now: it finds no account any more.
    await record(tx, by, userId, action, gone, null);
  });
}

async function record(
  tx: Tx,
  by: By,
  userId: number,
  action: string,
  before: Phone | null,
  msisdn: string | null,
): Promise<void> {
  const { username, email } = await users.get(tx, userId);
  const { kind, subject, mail } = texts.phoneChanged(username, msisdn);
  await messages.queue(tx, { userId, kind, channel: "email", recipient: email, subject, body: mail });
  const change = { before: { phone: before?.msisdn ?? null }, after: { phone: msisdn } };
  await auditLog.record(tx, by, [{ action, subjectType: "user", subjectId: userId, ...change }]);
}

async function refuseTaken<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (databaseError(error)?.constraint === "phones_msisdn_once") throw new AppError("phone.taken");
    throw error;
  }
}
