// Password reset by a code to the account's mailbox or confirmed phone. Nothing here reveals whether an account exists:
// a request only stores what was typed, and the worker looks up the account.
import { and, eq, isNull, sql } from "drizzle-orm";
import type { Db, Reads, Tx } from "../../../../db/connect.ts";
import { phones, resetRequests, users as usersTable } from "../../../../db/schema/identity.ts";
import type { ByUser, Channel, CodeChannel } from "../../../shared/domain.ts";
import { AppError } from "../../../shared/errors/app-error.ts";
import { errors } from "../../../shared/errors/codes.ts";
import { parseMsisdn } from "../../../shared/phones/msisdn.ts";
import * as freezing from "../../ledger/freezing.ts";
import { lift } from "../../ledger/new-accounts.ts";
import * as messages from "../../messaging/messages.ts";
import * as texts from "../../messaging/texts/texts.ts";
import * as wordings from "../../messaging/texts/wordings.ts";
import * as auditLog from "../../platform/audit-log.ts";
import * as budgets from "../../platform/budgets/budgets.ts";
import * as jobs from "../../platform/jobs.ts";
import { neighbourhoodOf } from "../../platform/networks.ts";
import { transact } from "../../platform/transactions.ts";
import * as phoneWaits from "../phones/phone-waits.ts";
import * as pins from "../phones/pins.ts";
import * as users from "../users.ts";
import { type Browser, cookieFor, nameOf } from "./asking-browsers.ts";
import * as codes from "./codes.ts";
import * as devices from "./devices.ts";
import { type Guesser, guesserOf } from "./guesses.ts";
import * as passwordNotices from "./password-notices.ts";
import * as passwords from "./passwords.ts";
import * as secondFactor from "./second-factor.ts";
import { type Attempt, published } from "./security-events.ts";
import * as sessions from "./sessions.ts";

type Login = { channel: CodeChannel; recipient: string };

/**
 * Requests a code for the account with this e-mail or confirmed phone. Answer and work are the same when there is none.
 * Throws request.rate_limited, code.no_channel when that channel is not configured.
 */
export async function request(
  db: Db,
  keys: codes.CodeKeys,
  { login, address, device }: devices.Origin & { login: string },
): Promise<void> {
  const { channel, recipient } = readLogin(login);
  if (!keys.channels[channel]) throw new AppError("code.no_channel");
  const known = device ? await ownDevice(db, device, { channel, recipient }) : null;
  if (known) await budgets.spend(db, "forgot.known", known);
  else {
    await budgets.spend(db, "forgot.address", address);
    // In this order, so that requests refused to one network do not use up those of all.
    await budgets.spend(db, "forgot.network", `${recipient} ${neighbourhoodOf(address)}`);
    await budgets.spend(db, "forgot.login", recipient);
  }
  await db.transaction(async (tx) => {
    const row = { channel, recipient, isKnown: known !== null };
    const [kept] = await tx.insert(resetRequests).values(row).returning({ id: resetRequests.id });
    await jobs.enqueue(tx, "answer_reset_ask", kept!.id);
  });
}

/** The cookie for a browser in which a code was just requested for this login, so that its tries count apart. */
export function askerCookie(asking: Browser, login: string): string {
  return cookieFor(asking, readLogin(login).recipient);
}

/**
 * Sends the requested codes, for up to `countMax` requests; those for no account are dropped. Returns how many requests
 * there were.
 */
export async function sendRequestedCodes(db: Db, keys: Pick<codes.CodeKeys, "key">, countMax: number): Promise<number> {
  const due = await jobs.claim(db, "answer_reset_ask", countMax);
  for (const job of due) {
    try {
      await answerAsk(db, keys, job);
    } catch (error) {
      // A failed request must not hold up the others.
      await jobs.fail(db, [job.id], error instanceof Error ? error.name : "fault");
    }
  }
  return due.length;
}

async function answerAsk(db: Db, keys: Pick<codes.CodeKeys, "key">, job: jobs.Job): Promise<void> {
  const [request] = await db.select().from(resetRequests).where(eq(resetRequests.id, job.subjectId));
  const user = request && (await findUser(db, request));
  // Counted again here by account, because it has two logins: its mailbox and its phone.
  const isWithinLimit = user && (request.isKnown || (await budgets.trySpend(db, "forgot.account", user.id)));
  await db.transaction(async (tx) => {
    if (request && user && isWithinLimit) await sendCode(tx, keys, user, request);
    await tx.delete(resetRequests).where(eq(resetRequests.id, job.subjectId));
    await jobs.finish(tx, [job.id]);
  });
}

type NewPassword = devices.Origin & {
  login: string;
  code: string;
  password: string;
  channel: Channel;
  /** The account's PIN for buying by phone, if they know it. */
  pin?: { typed: string; keys: pins.PinKeys } | undefined;
};

/**
 * Gives an account that was opened by USSD its e-mail and password, with the code sent to its phone: it waits as after
 * any password set so, and from then on is like any other, without its daily limit. Throws as `reset`,
 * account.claimed, user.email_taken.
 */
export async function claim(
  db: Db,
  keys: Pick<codes.CodeKeys, "key">,
  ask: NewPassword & { email: string },
): Promise<void> {
  await users.refuseTaken(() => setPassword(db, keys, ask, ask.email.toLowerCase()));
}

/**
 * Sets a new password with the code, ends all sessions, and notifies the account's owner. With a code to the phone and
 * nothing else that a thief of the SIM has not, the account waits before it spends (phone-waits.ts): known devices, a
 * second factor and the PIN spare it that. A repeated request has no further effect and gets the same answer. Throws
 * code.wrong (also when there is no such account), pin.wrong, account.frozen, user.*password_*, request.rate_limited.
 */
export async function reset(db: Db, keys: Pick<codes.CodeKeys, "key">, ask: NewPassword): Promise<void> {
  await setPassword(db, keys, ask, null);
}

/** `email` is that of an account that has none yet; null for an account that has one. */
async function setPassword(
  db: Db,
  keys: Pick<codes.CodeKeys, "key">,
  ask: NewPassword,
  email: string | null,
): Promise<void> {
  const { login, password, address } = ask;
  const attempt: Attempt = { proof: "new password by code", userId: null, address };
  return published(attempt, async () => {
    const code = ask.code.replace(/\s/g, "");
    passwords.check(password, [], []);
    const target = readLogin(login);
    const { known, by } = await countTry(db, ask, target);
    // Before the account is looked up, so that the response time reveals nothing.
    const passwordHash = await passwords.hash(password);
    const user = await findUser(db, target);
    attempt.userId = user?.id ?? null;
    const proof = { userId: user?.id ?? 0, purpose: "reset" as const, recipient: target.recipient, code };
    const verdict = await codes.check(db, keys, { ...proof, by });
    if (!user || verdict === "wrong") throw new AppError("code.wrong");
    // Only to somebody with the right code.
    await freezing.refuse(db, user.id);
    passwords.check(password, user.roles, passwords.namesOf({ ...user, email: user.email ?? email }));
    refuseMailbox(user, email, verdict);
    const change = {
      set: { passwordHash, ...(email !== null && { email }) },
      isByPhoneAlone: verdict === "right" && target.channel === "sms" && !(await isKnownOwner(db, user, ask, known)),
      channels: { code: target.channel, by: ask.channel },
    };
    if (verdict === "right" && (await apply(db, keys, proof, change))) {
      if (user.email) await sessions.forgetFailures(db, user.email, address);
      return;
    }
    // The code is spent: this is either the same form again, or somebody else.
    const [current] = await db
      .select({ hash: usersTable.passwordHash })
      .from(usersTable)
      .where(eq(usersTable.id, user.id));
    if (!(await passwords.verify(password, current!.hash))) throw new AppError("code.wrong");
  });
}

/** Counts a try with a code where it comes from, and returns that. Throws request.rate_limited. */
async function countTry(
  db: Db,
  { address, device, asking }: NewPassword,
  target: Login,
): Promise<{ known: string | null; by: Guesser | "known device" }> {
  const { recipient } = target;
  const known = device ? await ownDevice(db, device, target) : null;
  const browser = asking ? nameOf(asking, recipient) : null;
  if (known) await budgets.spend(db, "reset.known", known);
  else if (browser) await budgets.spend(db, "code.browser", browser);
  else {
    await budgets.spend(db, "reset.address", address);
    await budgets.spend(db, "reset.network", `${recipient} ${neighbourhoodOf(address)}`);
    await budgets.spend(db, "reset.login", recipient);
  }
  return { known, by: known ? "known device" : guesserOf(address, browser) };
}

/** Throws account.claimed and account.unclaimed, to somebody with the right code only. */
function refuseMailbox(user: User, email: string | null, verdict: codes.CodeVerdict): void {
  if (email === null && user.email === null) throw new AppError("account.unclaimed");
  const isRepeat = verdict === "spent" && user.email === email;
  if (email !== null && user.email !== null && !isRepeat) throw new AppError("account.claimed");
}

/**
 * Whether somebody with the right code to the phone has shown something that is not on its SIM. Throws pin.wrong, and
 * counts such a PIN like any other.
 */
async function isKnownOwner(
  db: Db,
  { id: userId }: User,
  { pin }: NewPassword,
  known: string | null,
): Promise<boolean> {
  if (known !== null || (await secondFactor.stateOf(db, userId))) return true;
  if (!pin) return false;
  const verdict = await pins.verify(db, pin.keys, { userId, pin: pin.typed });
  if (verdict === "wrong" || verdict === "locked") throw pinWrong();
  // One that itself waits was set with a code, too. The code of now has confirmed the phone.
  return verdict === "right" || verdict === "unconfirmed";
}

function pinWrong(): AppError {
  return new AppError("pin.wrong", { fields: { pin: errors["pin.wrong"].message } });
}

type Proof = Parameters<typeof codes.spend>[2];
type Change = {
  set: { passwordHash: string; email?: string };
  isByPhoneAlone: boolean;
  channels: { code: CodeChannel; by: Channel };
};

async function apply(
  db: Db,
  keys: Pick<codes.CodeKeys, "key">,
  proof: Proof,
  { set, isByPhoneAlone, channels }: Change,
): Promise<boolean> {
  return transact(db, async (tx) => {
    // Wallets before users, and users before codes: the lock order of the core.
    if (set.email && !isByPhoneAlone) await lift(tx, proof.userId);
    await tx.select({ id: usersTable.id }).from(usersTable).where(eq(usersTable.id, proof.userId)).for("update");
    if (!(await codes.spend(tx, keys, proof))) return false;
    const [user] = await tx
      .update(usersTable)
      .set(set)
      .where(
        and(
          eq(usersTable.id, proof.userId),
          eq(usersTable.status, "ACTIVE"),
          set.email ? isNull(usersTable.email) : undefined,
        ),
      )
      .returning();
    if (!user) throw new AppError("code.wrong");
    // The code has proved the phone, too.
    if (set.email) await tx.update(phones).set({ codeAwaitedSince: null }).where(eq(phones.userId, user.id));
    await notify(tx, user, { isByPhoneAlone, isClaim: set.email !== undefined, code: channels.code });
    await sessions.endAll(tx, user.id);
    const by: ByUser = { userId: user.id, roles: user.roles, channel: channels.by };
    await auditLog.record(tx, by, [
      {
        action: set.email ? "user.claim" : "user.password_reset",
        subjectType: "user",
        subjectId: user.id,
      },
    ]);
    return true;
  });
}

type By = { isByPhoneAlone: boolean; isClaim: boolean; code: CodeChannel };

/** Begins the wait that a new password takes, or ends the one that it makes needless, and notifies its owner. */
async function notify(tx: Tx, user: User, { isByPhoneAlone, isClaim, code }: By): Promise<void> {
  if (code === "email") {
    await phoneWaits.endByMail(tx, user.id);
    await passwordNotices.changed(tx, user);
    return;
  }
  // The mailbox of a claim is that of whoever claims.
  const owner = isClaim ? { ...user, email: null } : user;
  const until = isByPhoneAlone ? await phoneWaits.begin(tx, owner, isClaim ? "claim" : "password") : null;
  await passwordNotices.setByPhone(tx, user, { until, isClaim });
}

type User = typeof usersTable.$inferSelect;

/** No phone opens an account of the staff: a SIM is stolen more easily than a mailbox. */
async function findUser(tx: Reads, { channel, recipient }: Login): Promise<User | null> {
  const matchesLogin =
    channel === "email"
      ? eq(sql`lower(${usersTable.email})`, recipient)
      : sql`${usersTable.roles} = array['USER']
          and ${usersTable.id} = (select ${phones.userId} from ${phones} where ${phones.msisdn} = ${recipient})`;
  const [user] = await tx
    .select()
    .from(usersTable)
    .where(and(matchesLogin, eq(usersTable.status, "ACTIVE")));
  return user ?? null;
}

/**
 * The name of this browser for the account with this login, or null when it has not logged in here. Considers only
 * accounts that the browser's own cookie names, so that it reveals nothing about others.
 */
async function ownDevice(db: Db, device: devices.Device, login: Login): Promise<string | null> {
  const ids = devices.accountsIn(device).filter((userId) => devices.nameOf(device, userId));
  const user = ids.length > 0 ? await findUser(db, login) : null;
  return user && devices.nameOf(device, user.id);
}

async function sendCode(
  tx: Tx,
  keys: Pick<codes.CodeKeys, "key">,
  user: User,
  { channel, recipient }: Login,
): Promise<void> {
  const code = await codes.issue(tx, keys, { userId: user.id, purpose: "reset", recipient });
  if (code === null) return;
  const t = await wordings.translateFor(tx, user.id);
  const { kind, subject, mail } = texts.resetCode(user.username, code);
  await messages.queue(tx, {
    userId: user.id,
    kind,
    channel,
    recipient,
    subject,
    body: channel === "sms" ? t("sms.reset_code", { code }) : mail,
    codeSeconds: codes.CODE_SECONDS,
  });
}

/** A phone number in any form, or else an e-mail address. */
function readLogin(login: string): Login {
  const msisdn = parseMsisdn(login);
  if (msisdn) return { channel: "sms", recipient: msisdn };
  return { channel: "email", recipient: login.trim().toLowerCase() };
}
