// The confirmed phone of an account: a number whose holder has entered the code sent to it. One per account, and one
// account per number. That a number belongs to another account is revealed only to somebody who has confirmed it.
import { and, eq, ne, sql } from "drizzle-orm";
import { type Db, databaseError, type Reads, type Tx } from "../../../../db/connect.ts";
import { type Phone, phones, pins, users as usersTable } from "../../../../db/schema/identity.ts";
import { wallets } from "../../../../db/schema/ledger.ts";
import type { ByUser, Language, UserStatus } from "../../../shared/domain.ts";
import { AppError } from "../../../shared/errors/app-error.ts";
import { Id } from "../../../shared/inputs.ts";
import { parseMsisdn } from "../../../shared/phones/msisdn.ts";
import { requireRightOver } from "../../../shared/rights.ts";
import * as freezing from "../../ledger/freezing.ts";
import * as waits from "../../ledger/waits.ts";
import * as messages from "../../messaging/messages.ts";
import * as texts from "../../messaging/texts/texts.ts";
import * as wordings from "../../messaging/texts/wordings.ts";
import * as auditLog from "../../platform/audit-log.ts";
import * as budgets from "../../platform/budgets/budgets.ts";
import { command } from "../../platform/commands.ts";
import { transact } from "../../platform/transactions.ts";
import * as codes from "../logins/codes.ts";
import { checkOwnPassword } from "../profile.ts";
import * as users from "../users.ts";
import * as notices from "./phone-notices.ts";
import * as phoneWaits from "./phone-waits.ts";

export type PhoneState = {
  phone: Phone | null;
  /** The number that waits for its code. */
  pendingMsisdn: string | null;
};

/** The account's phone, and the number being confirmed. */
export async function stateOf(tx: Reads, userId: number): Promise<PhoneState> {
  const [phone] = await tx.select().from(phones).where(eq(phones.userId, userId));
  return { phone: phone ?? null, pendingMsisdn: await codes.pending(tx, userId, "phone") };
}

/** The account whose phone has this number (233541234567), or null. */
export async function ownerOf(
  tx: Reads,
  msisdn: string,
): Promise<{ userId: number; status: UserStatus; language: Language | null } | null> {
  const [owner] = await tx
    .select({ userId: phones.userId, status: usersTable.status, language: usersTable.language })
    .from(phones)
    .innerJoin(usersTable, eq(usersTable.id, phones.userId))
    .where(eq(phones.msisdn, msisdn));
  return owner ?? null;
}

/**
 * Sends a code to a number, for the account's owner to enter. Throws msisdn.invalid, user.current_password_wrong,
 * code.no_channel, request.rate_limited.
 */
export async function sendCode(
  db: Db,
  keys: codes.CodeKeys,
  command: { by: ByUser; msisdn: string; currentPassword: string; address: string },
): Promise<void> {
  const userId = command.by.userId;
  const msisdn = parseMsisdn(command.msisdn);
  if (!msisdn) throw new AppError("msisdn.invalid");
  if (!keys.channels.sms) throw new AppError("code.no_channel");
  await checkOwnPassword(db, command.by, command.currentPassword);
  await budgets.spend(db, "phone.account", userId);
  if (!(await stateOf(db, userId)).phone) {
    await budgets.spend(db, "phone.new", userId);
    await budgets.spend(db, "phone.new_address", command.address);
  }
  await budgets.spend(db, "phone.number", msisdn);
  await transact(db, async (tx) => {
    const code = await codes.issue(tx, keys, { userId, purpose: "phone", recipient: msisdn });
    if (code === null) return;
    await messages.queue(tx, {
      userId,
      kind: "phone_code",
      channel: "sms",
      recipient: msisdn,
      subject: "",
      body: (await wordings.translateFor(tx, userId))("sms.phone_code", { code }),
      codeSeconds: codes.CODE_SECONDS,
    });
  });
}

/**
 * Confirms the number that the code was sent to as the account's phone, replacing any other. One that is not the
 * account's first waits before it spends. Throws account.frozen, account.waits, code.wrong, phone.taken.
 */
export async function confirm(
  db: Db,
  keys: Pick<codes.CodeKeys, "key">,
  { by, code: typed }: { by: ByUser; code: string },
): Promise<Phone> {
  const userId = by.userId;
  await freezing.refuse(db, userId);
  await waits.refuseChange(db, userId);
  const before = await stateOf(db, userId);
  const recipient = before.pendingMsisdn ?? before.phone?.msisdn ?? "";
  const proof = { userId, purpose: "phone" as const, recipient, code: typed.replace(/\s/g, "") };
  const verdict = await codes.check(db, keys, proof);
  if (verdict === "wrong") throw new AppError("code.wrong");
  await refuseTaken(() =>
    transact(db, async (tx) => {
      // The PIN is deleted with the old number; setting one meanwhile waits for this lock.
      const [old] = await tx.select().from(phones).where(eq(phones.userId, userId)).for("update");
      // Already spent: the form was submitted twice, and the first one has done it.
      if (verdict === "spent" || !(await codes.spend(tx, keys, proof))) return;
      const isOther = old ? old.msisdn !== recipient : await phoneWaits.hadPhone(tx, userId);
      await tx.delete(pins).where(and(eq(pins.userId, userId), ne(pins.msisdn, recipient)));
      await tx
        .insert(phones)
        .values({ userId, msisdn: recipient })
        .onConflictDoUpdate({
          target: phones.userId,
          set: { msisdn: recipient, provedAt: new Date(), codeAwaitedSince: null },
        });
      const until = isOther ? await phoneWaits.begin(tx, await users.get(tx, userId), "phone") : null;
      if (until) await notices.replaced(tx, userId, { before: old?.msisdn ?? null, after: recipient, until });
      await record(tx, by, userId, { action: "user.phone", before: old, msisdn: recipient, until });
    }),
  );
  const { phone } = await stateOf(db, userId);
  if (phone?.msisdn !== recipient) throw new AppError("code.wrong");
  return phone;
}

/** Removes the phone from the user's own account. Throws user.current_password_wrong, request.rate_limited. */
export async function remove(db: Db, { by, currentPassword }: { by: ByUser; currentPassword: string }): Promise<void> {
  await checkOwnPassword(db, by, currentPassword);
  await transact(db, (tx) => removePhone(tx, by, by.userId, "user.phone_remove"));
}

/** Removes the phone from an account, when it was lost or reassigned. */
export const unbind = command({
  name: "user.phone_unbind",
  right: "agents.manage",
  about: "Remove the phone of an account, and its PIN",
  subject: "user",
  input: { userId: Id },
  errors: ["user.not_found"],
  run: async ({ tx, by }, { userId }) => {
    requireRightOver(by, await users.get(tx, userId), "agents.manage");
    await removePhone(tx, by, userId, "user.phone_unbind");
    return { userId };
  },
});

/**
 * Which notices an agent and the agent's customers get by SMS. Those about purchases are off by default, because each
 * SMS costs money.
 */
export type Choice = Pick<Phone, "wantsRefunds" | "wantsTopUps" | "wantsDeliveries"> &
  Pick<Phone, "notifyCustomers" | "shopName"> &
  PurchaseChoice;
type PurchaseChoice = Pick<typeof wallets.$inferSelect, "notifyPurchases" | "lowBalancePesewas">;

/** An agent's choice of notices about purchases. */
export async function purchaseChoice(tx: Reads, userId: number): Promise<PurchaseChoice> {
  const { notifyPurchases, lowBalancePesewas } = wallets;
  const [chosen] = await tx
    .select({ notifyPurchases, lowBalancePesewas })
    .from(wallets)
    .where(eq(wallets.userId, userId));
  return chosen ?? NO_PURCHASE_NOTICES;
}

/** Changes the choice of notices; fields left out stay, and without a phone nothing changes. */
export async function chooseNotices(db: Db, { by, ...choice }: { by: ByUser } & Partial<Choice>): Promise<void> {
  const { notifyPurchases, lowBalancePesewas, ...wants } = choice;
  const userId = by.userId;
  await transact(db, async (tx) => {
    // Wallets before phones: the lock order of the core.
    if (notifyPurchases !== undefined || lowBalancePesewas !== undefined)
      await tx
        .update(wallets)
        .set({ notifyPurchases, lowBalancePesewas })
        .where(and(eq(wallets.userId, userId), sql`exists (select 1 from phones where user_id = ${userId})`));
    if (Object.keys(wants).length > 0) await tx.update(phones).set(wants).where(eq(phones.userId, userId));
  });
}

/** Whether USSD asks for the PIN before it shows this account's balance or orders. */
export async function choosePin(db: Db, { by, requiresPin }: { by: ByUser; requiresPin: boolean }): Promise<void> {
  await db.update(phones).set({ requiresPin }).where(eq(phones.userId, by.userId));
}

const NO_PURCHASE_NOTICES: PurchaseChoice = { notifyPurchases: false, lowBalancePesewas: null };

type RemovalAction = "user.phone_remove" | "user.phone_unbind";

async function removePhone(tx: Tx, by: ByUser, userId: number, action: RemovalAction): Promise<void> {
  const user = await users.get(tx, userId);
  await tx.update(wallets).set(NO_PURCHASE_NOTICES).where(eq(wallets.userId, userId));
  // The PIN is deleted with it.
  const [removed] = await tx.delete(phones).where(eq(phones.userId, userId)).returning();
  await codes.discard(tx, userId, "phone");
  if (!removed) return;
  // It stands for the removed phone as well: the next one is not the account's first.
  await phoneWaits.begin(tx, user, "phone");
  // A number that support takes off an account may be a stranger's by now.
  if (action === "user.phone_remove") await notices.removed(tx, userId, removed.msisdn);
  // A password reset code sent to this phone no longer works: it finds no account.
  await record(tx, by, userId, { action, before: removed, msisdn: null, until: null });
}

type Change = {
  action: "user.phone" | RemovalAction;
  before: Phone | undefined;
  msisdn: string | null;
  /** When the wait ends that the change began; null without one. */
  until: Date | null;
};

async function record(tx: Tx, by: ByUser, userId: number, { action, before, msisdn, until }: Change): Promise<void> {
  const user = await users.get(tx, userId);
  await messages.queueMail(tx, user, texts.phoneChanged(user.username, msisdn, until));
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
