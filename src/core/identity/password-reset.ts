// A forgotten password: a code to the mailbox or the proved phone of the account, and with it a new password. Nothing
// here tells whether there is an account: asking only writes down what was typed, and the worker looks who that is.
import { and, eq, sql } from "drizzle-orm";
import type { Db, Tx } from "../../../db/connect.ts";
import { phones, resetAsks, users } from "../../../db/schema/identity.ts";
import type { By, Channel, MessageChannel } from "../../shared/domain.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import { parseMsisdn } from "../../shared/msisdn.ts";
import * as messages from "../messaging/messages.ts";
import * as texts from "../messaging/texts.ts";
import * as auditLog from "../platform/audit-log.ts";
import * as budgets from "../platform/budgets.ts";
import * as jobs from "../platform/jobs.ts";
import { transact } from "../platform/transactions.ts";
import * as codes from "./codes.ts";
import * as devices from "./devices.ts";
import * as passwords from "./passwords.ts";
import { type Attempt, witnessed } from "./security-events.ts";
import * as sessions from "./sessions.ts";

type Login = { channel: MessageChannel; recipient: string };

/**
 * Asks for a code to the account with this e-mail or proved phone. The answer and the work are the same when there is
 * none. Throws request.rate_limited, code.no_channel where such a message cannot be sent.
 */
export async function ask(
  db: Db,
  means: codes.CodeKeys,
  { login, address, device }: devices.Origin & { login: string },
): Promise<void> {
  const { channel, recipient } = readLogin(login);
  if (!means.channels[channel]) throw new AppError("code.no_channel");
  const known = device ? await ownDevice(db, device, { channel, recipient }) : null;
  if (known) await budgets.spend(db, "forgot.known", known);
  else {
    await budgets.spend(db, "forgot.address", address);
    await budgets.spend(db, "forgot.login", recipient);
  }
  await db.transaction(async (tx) => {
    const row = { channel, recipient, isKnown: known !== null };
    const [kept] = await tx.insert(resetAsks).values(row).returning({ id: resetAsks.id });
    await jobs.enqueue(tx, "answer_reset_ask", kept!.id);
  });
}

/** Sends codes to the accounts that were asked for, up to `countMax`; what was asked for nobody is forgotten. Returns how many asks there were. */
export async function answerAsks(
  db: Db,
  means: Pick<codes.CodeKeys, "key">,
  countMax: number,
): Promise<number> {
  const due = await jobs.claim(db, "answer_reset_ask", countMax);
  for (const job of due) {
    try {
      await answerAsk(db, means, job);
    } catch (error) {
      // One that cannot be answered holds up none of the others.
      await jobs.fail(db, [job.id], error instanceof Error ? error.name : "fault");
    }
  }
  return due.length;
}

async function answerAsk(db: Db, means: Pick<codes.CodeKeys, "key">, job: jobs.Job): Promise<void> {
  const [asked] = await db.select().from(resetAsks).where(eq(resetAsks.id, job.subjectId));
  const user = asked && (await findUser(db, asked));
  // Counted again here, because one account has two names: its mailbox and its phone.
  const isWithinLimit = user && (asked.isKnown || (await budgets.trySpend(db, "forgot.account", user.id)));
  await db.transaction(async (tx) => {
    if (asked && user && isWithinLimit) await sendCode(tx, means, user, asked);
    await tx.delete(resetAsks).where(eq(resetAsks.id, job.subjectId));
    await jobs.finish(tx, [job.id]);
  });
}

/**
 * Sets a new password with the code, ends all sessions, and writes to the account's mailbox that it was done. The same
 * request again does nothing more and is answered the same. Throws code.wrong (also when there is no such account),
 * user.*password_*, request.rate_limited.
 */
export async function reset(
  db: Db,
  means: Pick<codes.CodeKeys, "key">,
  ask: devices.Origin & { login: string; code: string; password: string; channel: Channel },
): Promise<void> {
  const { login, password, address, device } = ask;
  const attempt: Attempt = { proof: "new password by code", userId: null, address };
  return witnessed(attempt, async () => {
    const code = ask.code.replace(/\s/g, "");
    passwords.check(password, [], []);
    const asked = readLogin(login);
    const known = device ? await ownDevice(db, device, asked) : null;
    if (known) await budgets.spend(db, "reset.known", known);
    else {
      await budgets.spend(db, "reset.address", address);
      await budgets.spend(db, "reset.login", asked.recipient);
    }
    // Before anything is known of the account, so that the time it takes says nothing about it.
    const passwordHash = await passwords.hash(password);
    const user = await findUser(db, asked);
    attempt.userId = user?.id ?? null;
    const proof = { userId: user?.id ?? 0, purpose: "reset" as const, recipient: asked.recipient, code };
    const verdict = await codes.tryOut(db, means, { ...proof, isKnown: known !== null });
    if (!user || verdict === "wrong") throw new AppError("code.wrong");
    passwords.check(password, user.roles, [user.username, user.email, user.email.split("@")[0]!]);
    if (verdict === "right" && (await change(db, means, proof, passwordHash, ask.channel))) {
      await sessions.forgetFailures(db, user.email, address);
      return;
    }
    // The code has done its work: this is either the same form again, or somebody else.
    const [now] = await db.select({ hash: users.passwordHash }).from(users).where(eq(users.id, user.id));
    if (!(await passwords.verify(password, now!.hash))) throw new AppError("code.wrong");
  });
}

type Proof = Parameters<typeof codes.spend>[2];

async function change(
  db: Db,
  means: Pick<codes.CodeKeys, "key">,
  proof: Proof,
  passwordHash: string,
  channel: Channel,
): Promise<boolean> {
  return transact(db, async (tx) => {
    // People before codes, as everybody locks.
    await tx.select({ id: users.id }).from(users).where(eq(users.id, proof.userId)).for("update");
    if (!(await codes.spend(tx, means, proof))) return false;
    const [user] = await tx
      .update(users)
      .set({ passwordHash })
      .where(and(eq(users.id, proof.userId), eq(users.status, "ACTIVE")))
      .returning();
    if (!user) throw new AppError("code.wrong");
    await sessions.endAll(tx, user.id);
    await tellPasswordChanged(tx, user);
    const by: By = { userId: user.id, roles: user.roles, channel };
    await auditLog.record(tx, by, [
      { action: "user.password_reset", subjectType: "user", subjectId: user.id },
    ]);
    return true;
  });
}

/** Tells the account's mailbox that its password is another now, in the commit of the change. */
export async function tellPasswordChanged(
  tx: Tx,
  user: { id: number; username: string; email: string },
): Promise<void> {
  const { kind, subject, mail } = texts.passwordChanged(user.username);
  const recipient = user.email;
  await messages.queue(tx, { userId: user.id, kind, channel: "email", recipient, subject, body: mail });
}

type User = typeof users.$inferSelect;

async function findUser(tx: Tx, { channel, recipient }: Login): Promise<User | null> {
  const isMeant =
    channel === "email"
      ? eq(sql`lower(${users.email})`, recipient)
      : sql`${users.id} = (select ${phones.userId} from ${phones} where ${phones.msisdn} = ${recipient})`;
  const [user] = await tx
    .select()
    .from(users)
    .where(and(isMeant, eq(users.status, "ACTIVE")));
  return user ?? null;
}

/**
 * The name of a browser in which the account that is meant has logged in before, or null. Only accounts that the browser's
 * own cookie names are looked at, so that it tells nobody anything about others'.
 */
async function ownDevice(db: Db, device: devices.Device, login: Login): Promise<string | null> {
  const ids = devices.accountsIn(device).filter((userId) => devices.nameOf(device, userId));
  const user = ids.length > 0 ? await findUser(db, login) : null;
  return user && devices.nameOf(device, user.id);
}

async function sendCode(
  tx: Tx,
  means: Pick<codes.CodeKeys, "key">,
  user: User,
  { channel, recipient }: Login,
): Promise<void> {
  const code = await codes.issue(tx, means, { userId: user.id, purpose: "reset", recipient });
  if (code === null) return;
  const { kind, subject, sms, mail } = texts.resetCode(user.username, code);
  await messages.queue(tx, {
    userId: user.id,
    kind,
    channel,
    recipient,
    subject,
    body: channel === "sms" ? sms : mail,
    codeSeconds: codes.CODE_SECONDS,
  });
}

/** A phone number in any form, or else an e-mail address. */
function readLogin(login: string): Login {
  const msisdn = parseMsisdn(login);
  if (msisdn) return { channel: "sms", recipient: msisdn };
  return { channel: "email", recipient: login.trim().toLowerCase() };
}
