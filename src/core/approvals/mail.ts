// E-mail about requests for a second person: to those who may decide, to whoever asked, and to the owners about what
// was done alone.
import type { Db, Tx } from "../../../db/connect.ts";
import type { approvals } from "../../../db/schema/approvals.ts";
import { users } from "../../../db/schema/identity.ts";
import type { ApprovalState } from "../../shared/domain.ts";
import * as messages from "../messaging/messages.ts";
import { mailStaff } from "../messaging/staff-notices.ts";
import * as approvalTexts from "../messaging/texts/approval-texts.ts";
import * as rateLimits from "../platform/budgets/rate-limits.ts";
import { decidersOf } from "../platform/colleagues/deciders.ts";
import { isReported, loudAct } from "../platform/colleagues/lone-acts.ts";
import * as jobs from "../platform/jobs.ts";
import { isAmong } from "../platform/sql.ts";
import { questionOf } from "./queries.ts";

type Request = typeof approvals.$inferSelect;
type Person = { id: number; username: string; email: string | null };

/** At most so many e-mails an hour to the same people about one person's requests; they see the others on the page. */
const MAILS_MAX = 10;

/** Tells those who may decide. */
export async function requested(tx: Tx, request: Request): Promise<void> {
  const bucket = `approval mail: ${request.requestedByUserId}`;
  if (!(await rateLimits.isWithin(tx, { bucket, countMax: MAILS_MAX, windowSeconds: 3600 }))) return;
  const { ids } = await decidersOf(tx, questionOf(request));
  const asker = await personOf(tx, request.requestedByUserId);
  await mailTo(tx, await peopleOf(tx, ids), ({ username }) =>
    approvalTexts.requested(username, { ...request, requestedBy: asker?.username ?? "Somebody" }),
  );
}

/** Tells whoever asked what became of it. */
export async function decided(
  tx: Tx,
  request: Request,
  outcome: { state: ApprovalState; by: number | null; note: string | null },
): Promise<void> {
  const asker = await personOf(tx, request.requestedByUserId);
  if (!asker) return;
  const by = outcome.by === null ? null : ((await personOf(tx, outcome.by))?.username ?? null);
  await mailTo(tx, [asker], ({ username }) => approvalTexts.decided(username, request.summary, { ...outcome, by }));
}

/**
 * Sends every owner what was done above a limit by the only one who could decide, and the others what is only reported;
 * returns how many acts there were.
 */
export async function sendDue(db: Db, countMax: number): Promise<number> {
  const due = await jobs.claim(db, "mail_lone_act", countMax);
  for (const job of due) {
    await db.transaction(async (tx) => {
      if (!(await jobs.take(tx, job.id))) return;
      const act = await loudAct(tx, job.subjectId);
      if (!act) return;
      const textFor = isReported(act) ? approvalTexts.costsLowered : approvalTexts.doneAlone;
      const options = isReported(act) ? { butUserId: act.byUserId } : {};
      await mailStaff(tx, "staff.manage", (username) => textFor(username, act.username, act), options);
    });
  }
  return due.length;
}

async function mailTo(tx: Tx, people: Person[], textFor: (person: Person) => approvalTexts.Mail): Promise<void> {
  await messages.queueAll(
    tx,
    people.flatMap((person) => messages.mailTo(person, textFor(person))),
  );
}

async function personOf(tx: Tx, userId: number): Promise<Person | null> {
  return (await peopleOf(tx, [userId]))[0] ?? null;
}

async function peopleOf(tx: Tx, ids: number[]): Promise<Person[]> {
  return tx.select().from(users).where(isAmong(users.id, ids)).orderBy(users.id);
}
