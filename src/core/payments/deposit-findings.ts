// What the shop's mobile money statement says about a deposit: found, with another amount, claimed twice, taken back.
import { and, eq, ne, or, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Reads } from "../../../db/connect.ts";
import { deposits, type HeldBack } from "../../../db/schema/payments.ts";
import { statementLines } from "../../../db/schema/payments-statements.ts";
import { isAmong, isAnyOf } from "../platform/sql.ts";
import type { Deposit } from "./deposits.ts";
import type { StatementLine } from "./statements.ts";

export type { HeldBack };

export type Finding = {
  /** "found": id and amount are in the statement, and nobody else has claimed them. */
  kind: "found" | "other_amount" | "twice" | "reversed" | "two_lines" | "not_found";
  /** The line with its transaction id; null where there is none, or more than one. */
  line: StatementLine | null;
  /** Deposits of the same transaction id that are open or credited. */
  others: { id: number; userId: number; state: Deposit["state"] }[];
};

/** The findings about these deposits, by their id. */
export async function findingsFor(tx: Reads, about: readonly Deposit[]): Promise<Map<number, Finding>> {
  if (about.length === 0) return new Map();
  const ids = about.map(({ transactionId }) => transactionId);
  const [lines, others] = await Promise.all([
    tx
      .select()
      .from(statementLines)
      .where(or(isAnyOf(statementLines.transactionId, ids), isAnyOf(statementLines.originalId, ids))),
    sharing(
      tx,
      about.map(({ id }) => id),
    ),
  ]);
  return new Map(about.map((deposit) => [deposit.id, findingOf(deposit, lines, others)]));
}

type Sharing = { depositId: number; id: number; userId: number; state: Deposit["state"] };

/** Other deposits with the transaction ids of these, unless they were refused. */
async function sharing(tx: Reads, depositIds: number[]): Promise<Sharing[]> {
  const other = alias(deposits, "other");
  return tx
    .select({ depositId: deposits.id, id: other.id, userId: other.userId, state: other.state })
    .from(deposits)
    .innerJoin(
      other,
      and(
        eq(other.transactionId, deposits.transactionId),
        ne(other.id, deposits.id),
        ne(other.state, "refused"),
      ),
    )
    .where(isAmong(deposits.id, depositIds))
    .orderBy(sql`${other.id}`);
}

function findingOf(deposit: Deposit, lines: StatementLine[], sharing: Sharing[]): Finding {
  const isOfNetwork = ({ network }: StatementLine) => deposit.network === null || network === deposit.network;
  const own = lines.filter(isOfNetwork);
  const incoming = own.filter(
    ({ direction, transactionId }) => direction === "in" && transactionId === deposit.transactionId,
  );
  const others = sharing
    .filter(({ depositId }) => depositId === deposit.id)
    .map(({ id, userId, state }) => ({ id, userId, state }));
  const line = incoming.length === 1 ? incoming[0]! : null;
  return { kind: kindOf(), line, others };

  function kindOf(): Finding["kind"] {
    if (own.some(({ originalId }) => originalId === deposit.transactionId)) return "reversed";
    if (incoming.length > 1) return "two_lines";
    // Also without a line, so that whoever decides sees the other one.
    if (others.length > 0) return "twice";
    if (!line) return "not_found";
    return line.amountPesewas === deposit.amountPesewas ? "found" : "other_amount";
  }
}
