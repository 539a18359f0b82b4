// The shop's mobile money statement: staff import its lines, and deposits that match are credited within limits. A line
// is unique by network, transaction id and direction, so the same file twice changes nothing.
import { and, asc, desc, eq, getTableColumns, isNotNull, isNull, lt, sql } from "drizzle-orm";
import type { Db, Reads, Tx } from "../../../../db/connect.ts";
import { users } from "../../../../db/schema/identity.ts";
import { deposits } from "../../../../db/schema/payments.ts";
import {
  type LineDirection,
  type StatementSource,
  statementImports,
  statementLines,
} from "../../../../db/schema/payments-statements.ts";
import { type ByUser, limits, type Network } from "../../../shared/domain.ts";
import { AppError } from "../../../shared/errors/app-error.ts";
import { MAX_AMOUNT_PESEWAS } from "../../../shared/money.ts";
import { hasRight, requireConfirmed, requireRight } from "../../../shared/rights.ts";
import * as ledger from "../../ledger/ledger.ts";
import { lock } from "../../platform/advisory-locks.ts";
import * as auditLog from "../../platform/audit-log.ts";
import * as budgets from "../../platform/budgets/budgets.ts";
import { type Answered, type Key, once } from "../../platform/idempotency.ts";
import { inParts } from "../../platform/parts.ts";
import { isAnyOf } from "../../platform/sql.ts";
import * as reversals from "./deposit-reversals.ts";
import * as matching from "./statement-matching.ts";

export type { LineDirection, StatementSource };
export type StatementLine = typeof statementLines.$inferSelect;
export type StatementImport = typeof statementImports.$inferSelect;

/** The most lines of one import. */
export const LINES_MAX = 5_000;
const DRAFT_HOURS = 24;

/** A line as a file, a message or a program gives it. */
export type NewLine = {
  direction: LineDirection;
  /** Digits, without zeros in front. */
  transactionId: string;
  /** Of a reversal: the transaction that it takes back. */
  originalId: string | null;
  amountPesewas: number;
  senderName: string | null;
  /** 233541234567, or a number as it was written of which some is hidden (senders.ts); null: none is named. */
  senderMsisdn: string | null;
  at: Date | null;
};

/** What an import did. */
export type Imported = {
  importId: number;
  newLines: number;
  /** Lines that an earlier import brought. */
  knownLines: number;
  /** Ids that are known with another amount; they stay as they are. */
  conflicts: string[];
  /** Deposits credited at once, and their sum in pesewas. */
  credited: number;
  creditedPesewas: number;
  /** Deposits that were found, but wait for a person. */
  heldBack: number;
  /** Credited deposits that the network took back. */
  reversed: number;
};

/**
 * Keeps the rows of a file or of messages for a preview; returns the draft's id. Throws auth.forbidden,
 * statement.too_long, request.rate_limited.
 */
export async function keepDraft(
  db: Db,
  draft: { by: ByUser; network: Network; source: StatementSource; name: string | null; cells: string[][] },
): Promise<number> {
  const { by, network, source, cells } = draft;
  requireRight(by, "payments.decide");
  if (cells.length > LINES_MAX + 50) throw new AppError("statement.too_long");
  await budgets.spend(db, "statement.account", by.userId);
  const name = draft.name?.slice(0, 100) ?? null;
  const [row] = await db
    .insert(statementImports)
    .values({ network, source, name, cells, byUserId: by.userId })
    .returning({ id: statementImports.id });
  return row!.id;
}

/** A draft of the caller's own. Throws auth.forbidden, statement.not_found, also once it is imported. */
export async function draft(db: Db, by: ByUser, id: number): Promise<StatementImport & { cells: string[][] }> {
  requireRight(by, "payments.decide");
  const [row] = await db
    .select()
    .from(statementImports)
    .where(and(eq(statementImports.id, id), eq(statementImports.byUserId, by.userId)));
  if (!row?.cells) throw new AppError("statement.not_found");
  return { ...row, cells: row.cells };
}

/** Deletes drafts that nobody imported. */
export async function forgetDrafts(db: Db): Promise<void> {
  const isOld = lt(statementImports.createdAt, sql`now() - make_interval(hours => ${DRAFT_HOURS})`);
  await db.delete(statementImports).where(and(isNull(statementImports.importedAt), isOld));
}

type Import = {
  by: ByUser;
  key: Key | null;
  network: Network;
  source: StatementSource;
  name?: string | null;
  /** The draft that the lines come from, which ends with it. */
  draftId?: number | null;
  lines: NewLine[];
};

/**
 * Imports lines, all or none, and credits waiting deposits that match within the limits, as an act of the importer.
 * Throws auth.forbidden, auth.confirm_needed, statement.empty, statement.too_long, statement.line_invalid,
 * statement.not_found (a draft that is imported or gone), request.rate_limited.
 */
export async function importLines(db: Db, command: Import): Promise<Answered<Imported>> {
  const { by, key, network, source, draftId = null, lines } = command;
  requireRight(by, "payments.decide");
  requireConfirmed(by);
  if (lines.length === 0) throw new AppError("statement.empty");
  if (lines.length > LINES_MAX) throw new AppError("statement.too_long");
  lines.forEach(checkLine);
  const content = ["statement", network, draftId, lines];
  return once(db, by.userId, key, content, async (tx) => {
    // One at a time, with the filing of deposits: neither misses the other's row, and the limits are exact.
    await lock(tx, "statement");
    if (draftId === null) await budgets.spend(tx, "statement.account", by.userId);
    const importId = await begin(tx, { by, network, source, name: command.name ?? null, draftId });
    const fresh = await insertNew(tx, importId, network, lines);
    const knownLines = lines.length - fresh.length;
    await tx
      .update(statementImports)
      .set({ linesCount: fresh.length, knownCount: knownLines })
      .where(eq(statementImports.id, importId));
    await lockOwners(tx, fresh);
    const reversed = await reversals.findIn(tx, by, fresh);
    const { credited, heldBack } = await matching.match(tx, idsOf(fresh));
    const creditedPesewas = credited.reduce((sum, one) => sum + one.amountPesewas, 0);
    const found = { credited: credited.length, creditedPesewas, heldBack, reversed };
    const conflicts = await conflictsIn(tx, network, lines);
    await auditLog.record(tx, by, [
      {
        action: "statement.import",
        subjectType: "statement",
        subjectId: importId,
        after: { network, source, lines: fresh.length, known: knownLines, ...found },
      },
    ]);
    return { importId, newLines: fresh.length, knownLines, conflicts, ...found };
  });
}

const idsOf = (lines: StatementLine[]) =>
  lines.filter(({ direction }) => direction === "in").map(({ transactionId }) => transactionId);

/** Locks the wallets of all whose deposits these lines are about: at once, because all code locks them in one order. */
async function lockOwners(tx: Tx, lines: StatementLine[]): Promise<void> {
  const ids = lines.map(({ transactionId, originalId }) => originalId ?? transactionId);
  const owners = await tx
    .selectDistinct({ userId: deposits.userId })
    .from(deposits)
    .where(isAnyOf(deposits.transactionId, ids));
  await ledger.lockWallets(
    tx,
    owners.map(({ userId }) => userId),
  );
}

/** Throws statement.line_invalid for a line that no statement can have. */
function checkLine(line: NewLine): void {
  const { transactionId, originalId, amountPesewas, direction } = line;
  const isId = (id: string) => /^[1-9]\d{5,19}$/.test(id);
  const isReversal = direction === "reversal";
  const isGood =
    isId(transactionId) &&
    isReversal === (originalId !== null) &&
    (originalId === null || isId(originalId)) &&
    Number.isSafeInteger(amountPesewas) &&
    amountPesewas > 0 &&
    amountPesewas <= MAX_AMOUNT_PESEWAS;
  if (!isGood) throw new AppError("statement.line_invalid", { transactionId: transactionId.slice(0, 30) });
}

async function begin(
  tx: Tx,
  {
    by,
    draftId,
    network,
    ...from
  }: Pick<Import, "by" | "network" | "source"> & {
    name: string | null;
    draftId: number | null;
  },
): Promise<number> {
  const begun = { cells: null, importedAt: sql`now()` };
  if (draftId === null) {
    const [row] = await tx
      .insert(statementImports)
      .values({ network, byUserId: by.userId, ...from, ...begun })
      .returning({ id: statementImports.id });
    return row!.id;
  }
  const [row] = await tx
    .update(statementImports)
    .set({ ...begun, network })
    .where(
      and(
        eq(statementImports.id, draftId),
        eq(statementImports.byUserId, by.userId),
        isNull(statementImports.importedAt),
      ),
    )
    .returning({ id: statementImports.id });
  if (!row) throw new AppError("statement.not_found");
  return row.id;
}

/** Inserts the lines that are not known yet; returns them. */
async function insertNew(tx: Tx, importId: number, network: Network, lines: NewLine[]): Promise<StatementLine[]> {
  const rows = lines.map((line) => ({
    ...line,
    importId,
    network,
    senderName: line.senderName?.slice(0, 100) ?? null,
  }));
  const inserted: StatementLine[] = [];
  await inParts(rows, async (part) => {
    inserted.push(...(await tx.insert(statementLines).values(part).onConflictDoNothing().returning()));
  });
  return inserted;
}

/** The ids of these lines that are stored with another amount. */
async function conflictsIn(tx: Reads, network: Network, lines: NewLine[]): Promise<string[]> {
  const wanted = new Map(lines.map((line) => [`${line.direction} ${line.transactionId}`, line]));
  const stored = await tx
    .select()
    .from(statementLines)
    .where(
      and(
        eq(statementLines.network, network),
        isAnyOf(
          statementLines.transactionId,
          lines.map(({ transactionId }) => transactionId),
        ),
      ),
    );
  return stored
    .filter((row) => {
      const line = wanted.get(`${row.direction} ${row.transactionId}`);
      return line !== undefined && line.amountPesewas !== row.amountPesewas;
    })
    .map(({ transactionId }) => transactionId);
}

export type LineRow = Omit<StatementLine, "transactionId"> & {
  /** Null for whoever may not read it: whoever reports the ID of money first may get it. */
  transactionId: string | null;
  /** Who imported it. */
  importedBy: string;
  /** The deposit credited against it, with its agent. */
  deposit: { id: number; userId: number; username: string } | null;
};

/**
 * Lines newest first, those before the id `cursor`; optionally only money that no deposit has claimed. Of lines without
 * a credited deposit, IDs and senders are only for those who decide deposits.
 */
export async function list(
  db: Db,
  viewer: Pick<ByUser, "roles">,
  filter: { unclaimedOnly?: boolean | undefined; transactionId?: string | undefined },
  page: { cursor?: number | undefined; limit: number },
): Promise<LineRow[]> {
  const agent = db.select({ id: users.id, agentName: users.username }).from(users).as("agent");
  const rows = await db
    .select({
      line: statementLines,
      importedBy: users.username,
      depositId: deposits.id,
      userId: deposits.userId,
      username: agent.agentName,
    })
    .from(statementLines)
    .innerJoin(statementImports, eq(statementImports.id, statementLines.importId))
    .innerJoin(users, eq(users.id, statementImports.byUserId))
    .leftJoin(deposits, and(eq(deposits.lineId, statementLines.id), eq(deposits.state, "approved")))
    .leftJoin(agent, eq(agent.id, deposits.userId))
    .where(
      and(
        filter.unclaimedOnly ? and(eq(statementLines.direction, "in"), isNull(deposits.id)) : undefined,
        filter.transactionId ? eq(statementLines.transactionId, filter.transactionId) : undefined,
        page.cursor ? lt(statementLines.id, page.cursor) : undefined,
      ),
    )
    .orderBy(desc(statementLines.id))
    .limit(Math.min(page.limit, limits.pageSizeMax));
  const seesAll = hasRight(viewer, "payments.decide");
  return rows.map(({ line, importedBy, depositId, userId, username }) => ({
    ...line,
    ...(depositId === null && !seesAll && HIDDEN),
    importedBy,
    deposit: depositId === null ? null : { id: depositId, userId: userId!, username: username! },
  }));
}

const HIDDEN = { transactionId: null, originalId: null, senderName: null, senderMsisdn: null };

export type ImportRow = Omit<StatementImport, "cells"> & { username: string };

/** The newest imports. */
export async function recentImports(db: Db, countMax: number): Promise<ImportRow[]> {
  const { cells: _, ...columns } = getTableColumns(statementImports);
  return db
    .select({ ...columns, username: users.username })
    .from(statementImports)
    .innerJoin(users, eq(users.id, statementImports.byUserId))
    .where(isNotNull(statementImports.importedAt))
    .orderBy(desc(statementImports.importedAt), asc(statementImports.id))
    .limit(countMax);
}
