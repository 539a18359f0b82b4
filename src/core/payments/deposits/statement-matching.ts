// Matching of waiting deposits with the statement: what agrees is credited to the account that the money came from,
// within limits. It counts as approved by whoever imported the line, because a file, too, can be written by hand.
// Everything else waits for a person.
import { and, asc, eq, isNull, sql } from "drizzle-orm";
import type { Db, Reads, Tx } from "../../../../db/connect.ts";
import { users } from "../../../../db/schema/identity.ts";
import { deposits, type HeldBack } from "../../../../db/schema/payments.ts";
import { statementImports } from "../../../../db/schema/payments-statements.ts";
import type { ByUser } from "../../../shared/domain.ts";
import { hasRight } from "../../../shared/rights.ts";
import * as ledger from "../../ledger/ledger.ts";
import * as notices from "../../messaging/deposit-notices.ts";
import * as secondPerson from "../../platform/colleagues/second-person.ts";
import * as settings from "../../platform/settings/settings.ts";
import { isAmong, isAnyOf } from "../../platform/sql.ts";
import { credit } from "./deposit-crediting.ts";
import { type Finding, findingsFor } from "./deposit-findings.ts";
import type { Deposit } from "./deposits.ts";

export type Matched = { credited: Deposit[]; heldBack: number };

/**
 * Credits the open deposits of these transaction ids that the statement confirms, within the limits; notes why the
 * others that it shows wait. The caller holds the lock "statement".
 */
export async function match(tx: Tx, transactionIds: string[]): Promise<Matched> {
  const isWaiting = and(eq(deposits.state, "open"), isAnyOf(deposits.transactionId, transactionIds));
  const waiting = await tx.select().from(deposits).where(isWaiting).orderBy(asc(deposits.id));
  const matched: Matched = { credited: [], heldBack: 0 };
  if (waiting.length === 0) return matched;
  await ledger.lockWallets(
    tx,
    waiting.map(({ userId }) => userId),
  );
  const open = await tx.select().from(deposits).where(isWaiting).orderBy(asc(deposits.id)).for("update");
  const findings = await findingsFor(tx, open);
  const limits = await settings.all(tx);
  for (const deposit of open) {
    const finding = findings.get(deposit.id)!;
    const reason = await reasonToHold(tx, deposit, finding, limits);
    if (reason === null) {
      const by = await importerOf(tx, finding.line!.importId);
      matched.credited.push(await credit(tx, by, deposit, { line: finding.line, isAutomatic: true }));
    } else if (reason !== "not_found") {
      matched.heldBack += 1;
      await tx.update(deposits).set({ heldBack: reason }).where(eq(deposits.id, deposit.id));
    }
  }
  return matched;
}

/** Why a person has to decide; null when the deposit may be credited, which is counted then for its importer. */
async function reasonToHold(
  tx: Tx,
  deposit: Deposit,
  { kind, line, sender }: Finding,
  limits: settings.Settings,
): Promise<HeldBack | "not_found" | null> {
  if (kind !== "found") return kind;
  const { amountPesewas, userId } = deposit;
  if (line!.senderMsisdn !== null && sender?.userId !== userId) return "other_sender";
  const importer = await importerOf(tx, line!.importId);
  // Nobody acts on their own account, and whoever imported it may have lost the right since.
  if (importer.userId === userId) return "own_account";
  if (!importer.isActive || !hasRight(importer, "payments.decide")) return "importer";
  const [owner] = await tx
    .select({
      status: users.status,
      isYoung: sql<boolean>`${users.createdAt} > now() - make_interval(days => ${limits.statement_account_days})`,
    })
    .from(users)
    .where(eq(users.id, userId));
  if (owner?.status !== "ACTIVE") return "inactive";
  if (owner.isYoung) return "young_account";
  if (amountPesewas > limits.statement_deposit_max_pesewas) return "deposit_limit";
  const before = await creditedBefore(tx, line!.importId, importer.userId);
  if (before.ofImport + amountPesewas > limits.statement_import_max_pesewas) return "import_limit";
  if (before.today + amountPesewas > limits.statement_day_max_pesewas) return "day_limit";
  const counts = [{ limit: "alone_deposits_pesewas", userId, pesewas: amountPesewas }] as const;
  const isCounted = await secondPerson.countAlone(tx, importer, { kind: "deposit.approve", counts });
  return isCounted ? null : "alone_limit";
}

/** Whoever imported a line, with the roles of now. */
async function importerOf(tx: Reads, importId: number): Promise<ByUser & { isActive: boolean }> {
  const [row] = await tx
    .select({ userId: users.id, roles: users.roles, status: users.status })
    .from(statementImports)
    .innerJoin(users, eq(users.id, statementImports.byUserId))
    .where(eq(statementImports.id, importId));
  return { userId: row!.userId, roles: row!.roles, channel: "admin", isActive: row!.status === "ACTIVE" };
}

/** What the lines of an import, and all that one person imported, have credited by themselves; the second today. */
async function creditedBefore(
  tx: Reads,
  importId: number,
  importerId: number,
): Promise<{ ofImport: number; today: number }> {
  const [row] = await tx.execute<{ ofImport: number; today: number }>(sql`
    select coalesce(sum(c.amount_pesewas) filter (where l.import_id = ${importId}), 0)::bigint as "ofImport",
           coalesce(sum(c.amount_pesewas) filter (
             where c.decided_at >= date_trunc('day', now(), 'Africa/Accra')), 0)::bigint as today
    from deposits c join statement_lines l on l.id = c.line_id
    where c.is_automatic and c.decided_by_user_id = ${importerId}
      and (l.import_id = ${importId} or c.decided_at >= date_trunc('day', now(), 'Africa/Accra'))`);
  return row!;
}

const NOTIFY_AFTER_HOURS = 24;
const NOTIFIED_AT_ONCE = 50;

/**
 * Notifies the agents of deposits that waited a day and are not in the statement, once; returns how many. Only where a
 * statement of that network was imported since: before that nobody has looked.
 */
export async function notifyNotFound(db: Db): Promise<number> {
  return db.transaction(async (tx) => {
    const due = await tx
      .select()
      .from(deposits)
      .where(
        and(
          eq(deposits.state, "open"),
          isNull(deposits.notifiedAt),
          sql`${deposits.createdAt} < now() - make_interval(hours => ${NOTIFY_AFTER_HOURS})`,
          sql`exists (select from statement_imports i
                      where i.imported_at > ${deposits.createdAt} + make_interval(hours => ${NOTIFY_AFTER_HOURS})
                        and i.network = coalesce(${deposits.network}, i.network))`,
          sql`not exists (select from statement_lines l
                          where ${deposits.transactionId} in (l.transaction_id, l.original_id)
                            and l.network = coalesce(${deposits.network}, l.network))`,
        ),
      )
      .orderBy(asc(deposits.id))
      .limit(NOTIFIED_AT_ONCE)
      .for("update", { skipLocked: true });
    for (const deposit of due) await notices.notFound(tx, deposit);
    await tx
      .update(deposits)
      .set({ notifiedAt: sql`now()` })
      .where(
        isAmong(
          deposits.id,
          due.map(({ id }) => id),
        ),
      );
    return due.length;
  });
}
