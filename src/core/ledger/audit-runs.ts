// Runs of the audit: asked for by the night, a page or the API, worked off by a worker, one at a time, and kept with what
// they found. Nothing waits for one: each rule is a statement of its own, on one connection, with a time limit and with
// a snapshot that is given up when it ends, so that a long run does not hold back the vacuum.
import { and, desc, eq, isNotNull, isNull, sql } from "drizzle-orm";
import type { Db, Tx } from "../../../db/connect.ts";
import { type AuditKind, auditRuns as table } from "../../../db/schema/ledger.ts";
import { type By, isAdmin } from "../../shared/domain.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import { whileRenewing } from "../platform/jobs.ts";
import { type Checkpoint, type Flow, isTouched, SCOPES } from "./audit-scopes.ts";
import * as ledger from "./ledger.ts";

/** A result that is kept: `checked` counts what was looked at, `accounts` is what was in the books then. */
export type AuditRun = {
  id: number;
  kind: AuditKind;
  startedAt: Date;
  endedAt: Date;
  accounts: ledger.Account[];
} & ledger.Audit;

export type { AuditKind };

export type AuditState = {
  /** The newest run that came to a result; null before the first. */
  last: AuditRun | null;
  /** The one that waits for a worker, or runs; null when there is none. */
  open: { id: number; kind: AuditKind; askedAt: Date; startedAt: Date | null } | null;
  /** Why the newest run could not be carried out; null when it could. */
  error: string | null;
};

/** Renewed by `whileRenewing`; a run whose worker was killed goes to another after it. */
const LEASE_SECONDS = 45;
/** Whoever begins a run that so many have not ended leaves it. */
const BEGUN_MAX = 3;
/** No transaction of the shop lasts longer: what is older has been committed, or never will be. */
const SETTLED_MINUTES = 15;
/** How long one rule may take. */
const RULE_SECONDS = 600;
const FINDINGS_MAX = 20;
/** Accra has the time of UTC, and sells least at this hour. */
const NIGHT_HOUR = 2;
const FULL_EVERY_DAYS = 7;
const KEPT_DAYS = 400;

/** What the last run found, and whether one is on its way. */
export async function state(tx: Tx): Promise<AuditState> {
  const [last] = await tx.select().from(table).where(isNotNull(table.ok)).orderBy(desc(table.id)).limit(1);
  const [newest] = await tx.select().from(table).orderBy(desc(table.id)).limit(1);
  const isOpen = newest && newest.endedAt === null;
  return {
    last: last ? (last as unknown as AuditRun) : null,
    open: isOpen ? newest : null,
    error: newest?.error ?? null,
  };
}

/** Asks for a run; one that is open already is the answer to everybody who asks meanwhile. Throws auth.forbidden. */
export async function ask(db: Db, { by, kind }: { by: By; kind: AuditKind }): Promise<AuditState> {
  if (!isAdmin(by)) throw new AppError("auth.forbidden");
  await db.insert(table).values({ kind, askedByUserId: by.userId }).onConflictDoNothing();
  return state(db);
}

/** Asks for the run of the night, once it is time for it; once a week it is a full one. */
export async function askNightly(db: Db): Promise<void> {
  await db.execute(sql`
    insert into audit_runs (kind)
    select case when exists (
      select from audit_runs where kind = 'full' and ok and started_at > now() - make_interval(days => ${FULL_EVERY_DAYS}))
      then 'new' else 'full' end
    where not exists (
      select from audit_runs where asked_at >= date_trunc('day', now() - make_interval(hours => ${NIGHT_HOUR}), 'UTC')
        + make_interval(hours => ${NIGHT_HOUR}))
    on conflict do nothing`);
  await db.execute(sql`delete from audit_runs where ended_at < now() - make_interval(days => ${KEPT_DAYS})`);
}

/** Carries the open run out, if there is one that no other worker has; gives its result, or null. */
export async function workOff(db: Db): Promise<AuditRun | null> {
  const run = await begin(db);
  return (
    run &&
    whileRenewing(
      () => renew(db, run),
      () => carryOut(db, run),
    )
  );
}

/** A full run at once, in this process, whatever else is asked for: for `bun run audit`. Its result is kept, too. */
export async function runNow(db: Db): Promise<AuditRun> {
  const result = await look(db, null);
  const [kept] = await db
    .insert(table)
    .values({ begun: 1, ...result })
    .returning();
  return kept as unknown as AuditRun;
}

type Run = typeof table.$inferSelect;

async function begin(db: Db): Promise<Run | null> {
  const [run] = await db
    .update(table)
    .set({
      begun: sql`${table.begun} + 1`,
      startedAt: sql`now()`,
      leaseUntil: sql`now() + make_interval(secs => ${LEASE_SECONDS})`,
    })
    .where(and(isNull(table.endedAt), sql`coalesce(${table.leaseUntil}, '-infinity') < now()`))
    .returning();
  return run ?? null;
}

async function renew(db: Db, run: Run): Promise<void> {
  await db
    .update(table)
    .set({ leaseUntil: sql`now() + make_interval(secs => ${LEASE_SECONDS})` })
    .where(isStillOurs(run));
}

const isStillOurs = ({ id, begun }: Run) =>
  and(eq(table.id, id), eq(table.begun, begun), isNull(table.endedAt));

async function carryOut(db: Db, run: Run): Promise<AuditRun | null> {
  const end = async (values: Partial<Run>) => {
    const [ended] = await db
      .update(table)
      .set({ leaseUntil: null, ...values })
      .where(isStillOurs(run))
      .returning();
    return ended && (ended as unknown as AuditRun);
  };
  try {
    if (run.begun > BEGUN_MAX) throw new Error(`begun ${BEGUN_MAX} times and never ended`);
    const since = run.kind === "new" ? await lastCheckpoint(db) : null;
    const { startedAt: _, ...result } = await look(db, since);
    return (await end(result)) ?? null;
  } catch (error) {
    await end({ endedAt: new Date(), error: reasonOf(error).slice(0, 500) });
    throw error;
  }
}

/** The database's own words, and not the query around them. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return "fault";
  return error.cause ? reasonOf(error.cause) : error.message;
}

async function lastCheckpoint(db: Db): Promise<Checkpoint | null> {
  const [run] = await db
    .select({ checkpoint: table.checkpoint })
    .from(table)
    // What follows a run with findings would not see them again: they are looked at until they are gone.
    .where(eq(table.ok, true))
    .orderBy(desc(table.id))
    .limit(1);
  return (run?.checkpoint as Checkpoint | undefined) ?? null;
}

/** Applies every rule, to everything or to what has come since a checkpoint. */
async function look(db: Db, since: Checkpoint | null) {
  const startedAt = new Date();
  const checkpoint = await newCheckpoint(db, since);
  const findings: ledger.AuditFinding[] = [];
  for (const [rule, full] of Object.entries(ledger.RULES)) {
    const query = since && SCOPES[rule] ? SCOPES[rule](full, since) : full;
    if (query === null) continue;
    const rows = await alone<{ subject: unknown; detail: unknown }>(db, sql`${query} limit ${FINDINGS_MAX}`);
    findings.push(...rows.map((row) => ledger.findingOf(rule, row)));
  }
  const [checked] = await alone<Record<string, number>>(
    db,
    sql`
    select (select count(*) from transfers where id > ${since?.transferId ?? 0}) as transfers,
           (select count(*) from wallets) as wallets,
           (select count(*) from orders where ${since ? isTouched(since) : sql`true`}) as orders`,
  );
  const accounts = await accountsOf(db, checkpoint);
  const ok = findings.length === 0;
  // Without a checkpoint everything is new.
  const kind: AuditKind = since ? "new" : "full";
  return {
    kind,
    startedAt,
    endedAt: new Date(),
    ok,
    findings,
    checked: { ...checked },
    accounts,
    checkpoint,
  };
}

/** One statement on its own: reading only, and with a time limit that a pooler cannot swallow. */
function alone<Row extends Record<string, unknown>>(db: Db, query: ReturnType<typeof sql>): Promise<Row[]> {
  return db.transaction(
    async (tx) => {
      await tx.execute(sql.raw(`set local statement_timeout = '${RULE_SECONDS}s'`));
      return [...(await tx.execute(query))] as unknown as Row[];
    },
    { accessMode: "read only" },
  );
}

/** How far everything is surely there, and what had flowed by then: the flows before it are carried on. */
async function newCheckpoint(db: Db, since: Checkpoint | null): Promise<Checkpoint> {
  const newest = (name: string) => sql`
    coalesce((select id from ${sql.identifier(name)}
              where created_at < now() - make_interval(mins => ${SETTLED_MINUTES}) order by id desc limit 1), 0)`;
  const [to] = await alone<{ transfers: number; orders: number; events: number; at: string }>(
    db,
    sql`
    select ${newest("transfers")} as transfers, ${newest("orders")} as orders, ${newest("order_events")} as events,
           (now() - make_interval(mins => ${SETTLED_MINUTES}))::text as at`,
  );
  const { transfers: transferId, orders: orderId, events: eventId, at } = to!;
  const flows = merge(since?.flows ?? [], await flowsIn(db, since?.transferId ?? 0, transferId));
  return { transferId, orderId, eventId, at, flows };
}

function flowsIn(db: Db, after: number, upTo: number | null): Promise<Flow[]> {
  return alone<Flow>(
    db,
    sql`
    select debit, credit, sum(amount_pesewas)::bigint as pesewas from transfers
    where id > ${after} ${upTo === null ? sql`` : sql`and id <= ${upTo}`} group by debit, credit order by debit, credit`,
  );
}

function merge(...all: Flow[][]): Flow[] {
  const sums = new Map<string, Flow>();
  for (const flow of all.flat()) {
    const name = `${flow.debit} ${flow.credit}`;
    sums.set(name, { ...flow, pesewas: flow.pesewas + (sums.get(name)?.pesewas ?? 0) });
  }
  return [...sums.values()];
}

async function accountsOf(db: Db, { transferId, flows }: Checkpoint): Promise<ledger.Account[]> {
  const now = merge(flows, await flowsIn(db, transferId, null));
  return ledger.accountsOf(db, now);
}
