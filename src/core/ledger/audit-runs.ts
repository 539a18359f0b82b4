// Audit runs: requested nightly, by a page or by the API, carried out by a worker one at a time, and stored with their
// findings. A run blocks nothing: each rule is a statement of its own, on one connection, with a time limit and a
// snapshot released at its end, so that a long run does not hold back vacuum.
import { and, desc, eq, isNotNull, isNull, sql } from "drizzle-orm";
import type { Db, Reads } from "../../../db/connect.ts";
import { type AuditKind, auditRuns as table } from "../../../db/schema/ledger.ts";
import type { ByUser } from "../../shared/domain.ts";
import { requireRight } from "../../shared/rights.ts";
import { whileRenewing } from "../platform/jobs.ts";
import { SETTLED_MINUTES } from "../platform/transactions.ts";
import * as balances from "./accounts.ts";
import * as ledgerAudit from "./audit.ts";
import { type Checkpoint, type Flow, isTouched, SCOPES } from "./audit-scopes.ts";

/** A stored result: `checked` counts the rows examined, `accounts` are the books at that moment. */
export type AuditRun = {
  id: number;
  kind: AuditKind;
  startedAt: Date;
  endedAt: Date;
  accounts: balances.Account[];
} & ledgerAudit.Audit;

export type { AuditKind };

export type AuditState = {
  /** The newest completed run; null before the first. */
  last: AuditRun | null;
  /** The run that is waiting or under way; null when there is none. */
  open: { id: number; kind: AuditKind; requestedAt: Date; startedAt: Date | null } | null;
  /** Why the newest run failed; null when it did not. */
  error: string | null;
};

/** Renewed by `whileRenewing`; the run of a killed worker goes to another after it. */
const LEASE_SECONDS = 45;
/** A run that was started this often and never finished is abandoned. */
const STARTS_MAX = 3;
/** Statement timeout of one rule. */
const RULE_SECONDS = 600;
const FINDINGS_MAX = 20;
/** Accra is on UTC, and this is its quietest hour. */
const NIGHT_HOUR = 2;
const FULL_EVERY_DAYS = 7;
const KEPT_DAYS = 400;

/** The last result, and the run that is open, if any. */
export async function state(tx: Reads): Promise<AuditState> {
  const [last] = await tx.select().from(table).where(isNotNull(table.ok)).orderBy(desc(table.id)).limit(1);
  const [newest] = await tx.select().from(table).orderBy(desc(table.id)).limit(1);
  const isOpen = newest && newest.endedAt === null;
  return {
    last: last ? (last as unknown as AuditRun) : null,
    open: isOpen ? newest : null,
    error: newest?.error ?? null,
  };
}

/** Requests a run, or joins the one that is open. Throws auth.forbidden. */
export async function request(db: Db, { by, kind }: { by: ByUser; kind: AuditKind }): Promise<AuditState> {
  requireRight(by, "books.see");
  await db.insert(table).values({ kind, requestedByUserId: by.userId }).onConflictDoNothing();
  return state(db);
}

/** Requests the nightly run when it is due; once a week it is a full one. */
export async function requestNightly(db: Db): Promise<void> {
  await db.execute(sql`
    insert into audit_runs (kind)
    select case when exists (
      select from audit_runs
      where kind = 'full' and ok and started_at > now() - make_interval(days => ${FULL_EVERY_DAYS}))
      then 'new' else 'full' end
    where not exists (
      select from audit_runs
      where requested_at >= date_trunc('day', now() - make_interval(hours => ${NIGHT_HOUR}), 'UTC')
        + make_interval(hours => ${NIGHT_HOUR}))
    on conflict do nothing`);
  await db.execute(sql`delete from audit_runs where ended_at < now() - make_interval(days => ${KEPT_DAYS})`);
}

/** Carries out the open run unless another worker has it; returns its result, or null. */
export async function runOpen(db: Db): Promise<AuditRun | null> {
  const run = await begin(db);
  return (
    run &&
    whileRenewing(
      () => renew(db, run),
      () => carryOut(db, run),
    )
  );
}

/** A full run at once in this process, for `bun run audit`; its result is stored as well. */
export async function runNow(db: Db): Promise<AuditRun> {
  const result = await applyRules(db, null);
  const [stored] = await db
    .insert(table)
    .values({ begun: 1, ...result })
    .returning();
  return stored as unknown as AuditRun;
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
    .where(isOwned(run));
}

/** No other worker has taken the run over. */
const isOwned = ({ id, begun }: Run) => and(eq(table.id, id), eq(table.begun, begun), isNull(table.endedAt));

async function carryOut(db: Db, run: Run): Promise<AuditRun | null> {
  const end = async (values: Partial<Run>) => {
    const [ended] = await db
      .update(table)
      .set({ leaseUntil: null, ...values })
      .where(isOwned(run))
      .returning();
    return ended && (ended as unknown as AuditRun);
  };
  try {
    if (run.begun > STARTS_MAX) throw new Error(`started ${STARTS_MAX} times and never finished`);
    const since = run.kind === "new" ? await lastCheckpoint(db) : null;
    const { startedAt: _, ...result } = await applyRules(db, since);
    return (await end(result)) ?? null;
  } catch (error) {
    await end({ endedAt: new Date(), error: reasonOf(error).slice(0, 500) });
    throw error;
  }
}

/** The database's own message, without the query around it. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return "fault";
  return error.cause ? reasonOf(error.cause) : error.message;
}

async function lastCheckpoint(db: Db): Promise<Checkpoint | null> {
  const [run] = await db
    .select({ checkpoint: table.checkpoint })
    .from(table)
    // Not after a run with findings: the next would skip their rows and report nothing.
    .where(eq(table.ok, true))
    .orderBy(desc(table.id))
    .limit(1);
  return (run?.checkpoint as Checkpoint | undefined) ?? null;
}

/** Applies every rule, to all rows or to those since a checkpoint. */
async function applyRules(db: Db, since: Checkpoint | null) {
  const startedAt = new Date();
  const checkpoint = await newCheckpoint(db, since);
  const findings: ledgerAudit.AuditFinding[] = [];
  for (const [rule, full] of Object.entries(ledgerAudit.RULES)) {
    const query = since && SCOPES[rule] ? SCOPES[rule](full, since) : full;
    if (query === null) continue;
    const rows = await readOnly<{ subject: unknown; detail: unknown }>(db, sql`${query} limit ${FINDINGS_MAX}`);
    findings.push(...rows.map((row) => ledgerAudit.findingOf(rule, row)));
  }
  const [checked] = await readOnly<Record<string, number>>(
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

/** Runs one statement in a read-only transaction, with a timeout set inside it, which a pooler cannot lose. */
function readOnly<Row extends Record<string, unknown>>(db: Db, query: ReturnType<typeof sql>): Promise<Row[]> {
  return db.transaction(
    async (tx) => {
      await tx.execute(sql.raw(`set local statement_timeout = '${RULE_SECONDS}s'`));
      return [...(await tx.execute(query))] as unknown as Row[];
    },
    { accessMode: "read only" },
  );
}

/** The newest rows that are certainly committed, and the flows between accounts up to there, continued from `since`. */
async function newCheckpoint(db: Db, since: Checkpoint | null): Promise<Checkpoint> {
  const newest = (name: string) => sql`
    coalesce((select id from ${sql.identifier(name)}
              where created_at < now() - make_interval(mins => ${SETTLED_MINUTES}) order by id desc limit 1), 0)`;
  const [to] = await readOnly<{ transfers: number; orders: number; events: number; at: string }>(
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
  return readOnly<Flow>(
    db,
    sql`
    select debit, credit, sum(amount_pesewas)::bigint as pesewas from transfers
    where id > ${after} ${upTo === null ? sql`` : sql`and id <= ${upTo}`}
    group by debit, credit order by debit, credit`,
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

async function accountsOf(db: Db, { transferId, flows }: Checkpoint): Promise<balances.Account[]> {
  const now = merge(flows, await flowsIn(db, transferId, null));
  return balances.accountsOf(db, now);
}
