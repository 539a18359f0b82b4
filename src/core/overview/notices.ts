// Notices of what waits, by e-mail or SMS, to staff who chose them: when a kind begins to wait, and once more when it
// goes on. A person gets one message in ten minutes at most, with everything that is due by then.
import { eq, sql } from "drizzle-orm";
import { z } from "zod";
import type { Db, Tx } from "../../../db/connect.ts";
import { phones, users } from "../../../db/schema/identity.ts";
import { waitingChoices, waitingKinds, waitingNotices } from "../../../db/schema/overview.ts";
import { accraShort, ageText } from "../../shared/accra.ts";
import type { By, ByUser, Role } from "../../shared/domain.ts";
import { plain } from "../../shared/money.ts";
import { hasRight, isOwner, requireRight } from "../../shared/rights.ts";
import * as messages from "../messaging/messages.ts";
import { letter } from "../messaging/texts/texts.ts";
import { tryLock } from "../platform/advisory-locks.ts";
import * as rateLimits from "../platform/budgets/rate-limits.ts";
import { isActiveWith } from "../platform/colleagues/staff.ts";
import { command } from "../platform/commands.ts";
import * as settings from "../platform/settings/settings.ts";
import { WAITING, type WaitingKind, type WaitingName } from "./kinds.ts";
import { countText, labelOf, seenBy, type Waiting, waiting } from "./waiting.ts";

export type NoticeChannel = (typeof waitingChoices.$inferSelect)["channel"];
export const CHANNELS = ["none", "email", "sms"] as const satisfies readonly NoticeChannel[];
export type Choice = { kind: WaitingName; label: string; channel: NoticeChannel };

const PAUSE_SECONDS = 600;
const SMS_CHARS = 160;

/** How somebody of the staff is notified of each kind that they have the right to see. Throws auth.forbidden. */
export async function choicesOf(db: Db, by: ByUser): Promise<Choice[]> {
  requireRight(by, "shop.see");
  const rows = await db.select().from(waitingChoices).where(eq(waitingChoices.userId, by.userId));
  const chosen = new Map(rows.map(({ kind, channel }) => [kind, channel]));
  return kinds
    .filter(([, { right }]) => hasRight(by, right))
    .map(([kind, { many }]) => ({ kind, label: many, channel: chosen.get(kind) ?? defaultFor(by, kind) }));
}

/** Sets how the caller is notified; kinds that they may not see stay as they are. */
export const choose = command({
  name: "notice.choose",
  right: "shop.see",
  about: "Choose how you are notified of what waits",
  subject: "user",
  input: { channels: z.record(z.string(), z.enum(CHANNELS)) },
  errors: [],
  run: async ({ tx, by }, { channels }) => {
    const values = kinds.flatMap(([kind, { right }]) => {
      const channel = channels[kind];
      return channel && hasRight(by, right) ? [{ userId: by.userId, kind, channel }] : [];
    });
    if (values.length === 0) return;
    await tx
      .insert(waitingChoices)
      .values(values)
      .onConflictDoUpdate({
        target: [waitingChoices.userId, waitingChoices.kind],
        set: { channel: sql`excluded.channel`, chosenAt: sql`now()` },
      });
  },
});

/** Records which kinds wait now and queues the messages that are due; returns how many. One worker at a time. */
export async function notifyDue(db: Db): Promise<number> {
  const all = await waiting(db);
  return db.transaction(async (tx) => {
    if (!(await tryLock(tx, "waiting"))) return 0;
    await recordKinds(tx, all);
    const againMinutes = await settings.get(tx, "waiting_again_minutes");
    let count = 0;
    for (const person of await staffIn(tx)) {
      const due = await dueFor(tx, person, all, againMinutes);
      if (due.length > 0 && (await mayBeNotified(tx, person))) {
        await notify(tx, person, due);
        count++;
      }
    }
    return count;
  });
}

type Person = {
  id: number;
  username: string;
  email: string | null;
  roles: Role[];
  msisdn: string | null;
  chosen: Map<string, NoticeChannel>;
};

const kinds = Object.entries(WAITING) as [WaitingName, WaitingKind][];

/** Owners get an e-mail about what costs money or trust by the hour, unless they chose otherwise. */
function defaultFor(by: Pick<By, "roles">, kind: WaitingName): NoticeChannel {
  return isOwner(by) && WAITING[kind].urgency === 0 ? "email" : "none";
}

/** A kind that ended and begins again is a new one. */
async function recordKinds(tx: Tx, all: readonly Waiting[]): Promise<void> {
  const names = sql.param(all.map(({ kind }) => kind));
  await tx.execute(sql`delete from waiting_kinds where kind <> all(${names}::text[])`);
  await tx.execute(sql`
    insert into waiting_kinds (kind) select unnest(${names}::text[]) on conflict (kind) do nothing`);
}

async function staffIn(tx: Tx): Promise<Person[]> {
  const people = await tx
    .select({
      id: users.id,
      username: users.username,
      email: users.email,
      roles: users.roles,
      msisdn: phones.msisdn,
    })
    .from(users)
    .leftJoin(phones, eq(phones.userId, users.id))
    .where(isActiveWith("shop.see"))
    .orderBy(users.id);
  const choices = await tx.select().from(waitingChoices);
  return people.map((person) => ({
    ...person,
    chosen: new Map(choices.filter(({ userId }) => userId === person.id).map(({ kind, channel }) => [kind, channel])),
  }));
}

function channelFor(person: Person, kind: WaitingName): NoticeChannel {
  return person.chosen.get(kind) ?? defaultFor(person, kind);
}

/** What somebody should be notified of now: what they have not heard of, or heard of once and long ago. */
async function dueFor(tx: Tx, person: Person, all: readonly Waiting[], againMinutes: number): Promise<Waiting[]> {
  const wanted = seenBy(person, all).filter(({ kind }) => channelFor(person, kind) !== "none");
  if (wanted.length === 0) return [];
  const isLongAgo = sql<boolean>`
    coalesce(${waitingNotices.sentAt}, ${waitingKinds.beganAt}) <= now() - make_interval(mins => ${againMinutes})`;
  const rows = await tx
    .select({ kind: waitingKinds.kind, times: waitingNotices.times, isLongAgo })
    .from(waitingKinds)
    .leftJoin(
      waitingNotices,
      sql`${waitingNotices.kind} = ${waitingKinds.kind} and ${waitingNotices.userId} = ${person.id}`,
    );
  return wanted.filter(({ kind }) => {
    const row = rows.find((one) => one.kind === kind);
    const times = row?.times ?? (hasHeard(person, kind) ? 1 : 0);
    return row !== undefined && (times === 0 || (times === 1 && row.isLongAgo));
  });
}

/** Owners have had an e-mail about each of these as it began. */
function hasHeard(person: Person, kind: WaitingName): boolean {
  const { hasOwnMail }: WaitingKind = WAITING[kind];
  return hasOwnMail === true && isOwner(person) && channelFor(person, kind) === "email";
}

function mayBeNotified(tx: Tx, { id }: Person): Promise<boolean> {
  return rateLimits.isWithin(tx, {
    bucket: `waiting notice: ${id}`,
    countMax: 1,
    windowSeconds: PAUSE_SECONDS,
  });
}

/** One message with all of it: an SMS if any of it is wanted so and the phone is known, else an e-mail. */
async function notify(tx: Tx, person: Person, due: Waiting[]): Promise<void> {
  const wantsSms = due.some(({ kind }) => channelFor(person, kind) === "sms");
  if (wantsSms && person.msisdn !== null) {
    const body = smsAbout(due);
    const to = { userId: person.id, kind: "waiting", recipient: person.msisdn };
    await messages.queue(tx, { ...to, channel: "sms", subject: "", body });
  } else {
    await messages.queueMail(tx, person, mailAbout(person.username, due));
  }
  const values = due.map(({ kind }) => ({
    userId: person.id,
    kind,
    times: hasHeard(person, kind) ? 2 : 1,
    sentAt: sql`now()`,
  }));
  await tx
    .insert(waitingNotices)
    .values(values)
    .onConflictDoUpdate({
      target: [waitingNotices.userId, waitingNotices.kind],
      set: { times: 2, sentAt: sql`now()` },
    });
}

const itemText = (one: Waiting) => `${countText(one)} ${labelOf(one)}`;

/** As many of them as one SMS holds, and how many more there are. */
function smsAbout(due: Waiting[]): string {
  const textOf = (shown: number) => {
    const left = due.length - shown;
    return `DataFie: ${due.slice(0, shown).map(itemText).join(", ")}${left ? `, and ${left} more` : ""}. Open Today.`;
  };
  let shown = due.length;
  while (shown > 1 && textOf(shown).length > SMS_CHARS) shown--;
  return textOf(shown);
}

function mailAbout(username: string, due: Waiting[]) {
  const now = new Date();
  const lines = due.map((one) => {
    const { since, pesewas, deadline } = one;
    const facts = [
      since && `oldest ${ageText(since, now)}`,
      pesewas !== null && pesewas > 0 && plain(pesewas),
      deadline && (deadline <= now ? "overdue" : `by ${accraShort(deadline, now)}`),
    ].filter(Boolean);
    return `    ${itemText(one)}${facts.length > 0 ? ` (${facts.join(", ")})` : ""}`;
  });
  const [first] = due;
  return {
    kind: "waiting",
    subject: due.length === 1 ? itemText(first!) : `${itemText(first!)}, and ${due.length - 1} more`,
    mail: letter(
      username,
      "This waits in the shop:",
      lines.join("\n"),
      "Log in and open Today: each line leads to the work. Which notices you get is in your profile.",
    ),
  };
}
