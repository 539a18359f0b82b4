// Accounts opened from a phone without a browser, by USSD: a name, a PIN twice, and the account exists. The gateway's
// word says whose phone it is; until the owner types a code sent there by SMS, nothing can be spent. It has neither
// e-mail nor password until it is claimed on the web (password-reset.ts).
import { and, eq, isNull, sql } from "drizzle-orm";
import { type Db, databaseError, type Reads, type Tx } from "../../../../db/connect.ts";
import { phones, pins, users } from "../../../../db/schema/identity.ts";
import { wallets } from "../../../../db/schema/ledger.ts";
import type { ByUser } from "../../../shared/domain.ts";
import { AppError } from "../../../shared/errors/app-error.ts";
import { isAllowedPin } from "../../../shared/phones/pin.ts";
import { usernameProblem } from "../../../shared/username.ts";
import * as ledger from "../../ledger/ledger.ts";
import * as messages from "../../messaging/messages.ts";
import * as wordings from "../../messaging/texts/wordings.ts";
import * as auditLog from "../../platform/audit-log.ts";
import * as budgets from "../../platform/budgets/budgets.ts";
import * as settings from "../../platform/settings/settings.ts";
import { transact } from "../../platform/transactions.ts";
import { close } from "../erasure.ts";
import * as codes from "../logins/codes.ts";
import * as phonesOfAccounts from "./phones.ts";
import { digestOf, matches, type PinKeys } from "./pins.ts";

/** Digits alone answer a screen, and a screen has room for this many characters. */
const NAME_CHARS = { min: 3, max: 20 };

/** Whether an unknown phone may open an account now: the shop allows it, and can send the code. */
export async function isOpen(tx: Reads, { channels }: Pick<codes.CodeKeys, "channels">): Promise<boolean> {
  return channels.sms && (await settings.get(tx, "ussd_registration"));
}

export type NameVerdict = "free" | "refused" | { proposal: string };

/** Checks a username by the shop's rules; one that is taken gets a similar one that is free as a proposal. */
export async function checkName(tx: Reads, name: string): Promise<NameVerdict> {
  const { min, max } = NAME_CHARS;
  if (name.length < min || name.length > max || usernameProblem(name) !== null) return "refused";
  const stem = name.slice(0, max - 3);
  const similar = Array.from({ length: 20 }, () => `${stem}${10 + Math.floor(Math.random() * 990)}`);
  const names = [name, ...similar].map((it) => it.toLowerCase());
  const rows = await tx
    .select({ name: sql<string>`lower(${users.username})` })
    .from(users)
    .where(sql`lower(${users.username}) = any(${sql.param(names)}::text[])`);
  const taken = new Set(rows.map((row) => row.name));
  if (!taken.has(names[0]!)) return "free";
  return { proposal: similar.find((it) => !taken.has(it.toLowerCase())) ?? `${stem}999` };
}

/** The PIN of a registration between its screens, in place of the PIN itself; null for one that is easy to guess. */
export async function draftPin(
  { key }: PinKeys,
  { msisdn, pin }: { msisdn: string; pin: string },
): Promise<string | null> {
  return isAllowedPin(pin, msisdn) ? digestOf(key, draftOf(msisdn, pin)) : null;
}

/** Whether this is the PIN that was drafted. */
export function isDrafted(
  { key }: PinKeys,
  { msisdn, pin, digest }: { msisdn: string; pin: string; digest: string },
): Promise<boolean> {
  return matches(key, draftOf(msisdn, pin), digest);
}

export type Registered =
  | { outcome: "registered"; userId: number }
  | { outcome: "name_taken" | "phone_taken" | "limited" };

/**
 * Opens an account with this phone and PIN, and sends the code. Of two at once for one phone, one opens it; the same
 * request again, whose answer may be lost, finds the account that it opened.
 */
export async function register(
  db: Db,
  keys: { pinKeys: PinKeys; codeKeys: codes.CodeKeys },
  wanted: { msisdn: string; username: string; pin: string },
): Promise<Registered> {
  try {
    return { outcome: "registered", userId: await transact(db, (tx) => open(tx, keys, wanted)) };
  } catch (error) {
    if (error instanceof AppError && error.code === "request.rate_limited") return { outcome: "limited" };
    const refusal = TAKEN[databaseError(error)?.constraint ?? ""];
    if (!refusal) throw error;
    const userId = await openedBefore(db, keys.pinKeys, wanted);
    return userId === null ? { outcome: refusal } : { outcome: "registered", userId };
  }
}

const TAKEN: Record<string, "name_taken" | "phone_taken"> = {
  users_username_once: "name_taken",
  phones_msisdn_once: "phone_taken",
};

/**
 * Sends another code to a phone that registered by USSD and has not typed one yet; nothing when one was just sent.
 * Throws code.no_channel, request.rate_limited.
 */
export async function sendCode(
  db: Db,
  keys: codes.CodeKeys,
  { by: { userId }, msisdn }: { by: ByUser; msisdn: string },
): Promise<void> {
  if (!keys.channels.sms) throw new AppError("code.no_channel");
  await transact(db, (tx) => queueCode(tx, keys, { userId, msisdn }));
}

/** Takes the code typed on the phone itself; from then on the account can spend. False for a wrong code. */
export async function confirm(
  db: Db,
  keys: Pick<codes.CodeKeys, "key">,
  command: { by: ByUser; code: string },
): Promise<boolean> {
  try {
    await phonesOfAccounts.confirm(db, keys, command);
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === "code.wrong") return false;
    throw error;
  }
}

async function open(
  tx: Tx,
  { pinKeys, codeKeys }: { pinKeys: PinKeys; codeKeys: codes.CodeKeys },
  { msisdn, username, pin }: { msisdn: string; username: string; pin: string },
): Promise<number> {
  const [user] = await tx.insert(users).values({ username, email: null, passwordHash: "" }).returning({ id: users.id });
  const userId = user!.id;
  await tx.insert(wallets).values({ userId, isCapped: true });
  await tx.insert(phones).values({ userId, msisdn, codeAwaitedSince: sql`now()` });
  await tx.insert(pins).values({ userId, msisdn, digest: await digestOf(pinKeys.key, { userId, pin }) });
  await budgets.spend(tx, "ussd.register", msisdn);
  await queueCode(tx, codeKeys, { userId, msisdn });
  // Last, because everybody who registers waits for its row.
  await budgets.spend(tx, "ussd.register_shop", "all");
  const by: ByUser = { userId, roles: ["USER"], channel: "ussd" };
  const after = { username, phone: msisdn };
  await auditLog.record(tx, by, [{ action: "user.register", subjectType: "user", subjectId: userId, after }]);
  return userId;
}

async function queueCode(
  tx: Tx,
  keys: Pick<codes.CodeKeys, "key">,
  { userId, msisdn }: { userId: number; msisdn: string },
): Promise<void> {
  const code = await codes.issue(tx, keys, { userId, purpose: "phone", recipient: msisdn });
  if (code === null) return;
  await budgets.spend(tx, "ussd.code", msisdn);
  const t = await wordings.translateFor(tx, userId);
  await messages.queue(tx, {
    ...{ userId, kind: "phone_code", channel: "sms", recipient: msisdn, subject: "" },
    body: t("sms.phone_code", { code }),
    codeSeconds: codes.CODE_SECONDS,
  });
  await budgets.spend(tx, "ussd.code_shop", "all");
}

/** The account of this phone if its PIN is the one wanted, and its name; otherwise null. */
async function openedBefore(
  db: Db,
  { key }: PinKeys,
  { msisdn, username, pin }: { msisdn: string; username: string; pin: string },
): Promise<number | null> {
  const [found] = await db
    .select({ userId: pins.userId, digest: pins.digest })
    .from(pins)
    .innerJoin(users, eq(users.id, pins.userId))
    .where(
      and(eq(pins.msisdn, msisdn), sql`lower(${users.username}) = ${username.toLowerCase()}`, isNull(users.email)),
    );
  if (!found) return null;
  const { userId, digest } = found;
  return (await matches(key, { userId, pin }, digest)) ? userId : null;
}

/** No account has the id 0; the number takes its place in the digest. */
function draftOf(msisdn: string, pin: string): { userId: number; pin: string } {
  return { userId: 0, pin: `${msisdn} ${pin}` };
}

/** How long a registration by USSD may wait for the code that was sent to its phone. */
export const UNCONFIRMED_DAYS = 30;

/** Deletes registrations by USSD that nobody confirmed and that hold no money and no order; returns how many. */
export async function forgetUnconfirmed(db: Db): Promise<number> {
  const found = await db.execute<{ id: number }>(sql`
    select u.id::int from users u join phones p on p.user_id = u.id join wallets w on w.user_id = u.id
    where u.status = 'ACTIVE' and u.email is null
      and p.code_awaited_since < now() - make_interval(days => ${UNCONFIRMED_DAYS})
      and w.balance_pesewas = 0 and w.held_pesewas = 0 and w.debt_pesewas = 0
      and not exists (select from orders o where o.user_id = u.id)
    order by u.id limit 500`);
  let removed = 0;
  for (const { id } of found)
    await transact(db, async (tx) => {
      await ledger.lockWallets(tx, [id]);
      const [user] = await tx.select().from(users).where(eq(users.id, id)).for("update");
      if (user?.status !== "ACTIVE" || user.email !== null) return;
      await close(tx, id);
      removed += 1;
    }).catch((error) => {
      // It has got money or an order meanwhile.
      if (!(error instanceof AppError)) throw error;
    });
  return removed;
}
