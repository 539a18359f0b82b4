// Findings of the shop's mobile money statement about a deposit: found, with another amount, claimed twice, taken back.
import { and, eq, isNull, ne, or, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Reads } from "../../../../db/connect.ts";
import { phones, users } from "../../../../db/schema/identity.ts";
import { deposits, type HeldBack } from "../../../../db/schema/payments.ts";
import { statementLines } from "../../../../db/schema/payments-statements.ts";
import type { By } from "../../../shared/domain.ts";
import { hasRight } from "../../../shared/rights.ts";
import { isAmong, isAnyOf } from "../../platform/sql.ts";
import type { Deposit } from "./deposits.ts";
import type { StatementLine } from "./statements.ts";

export type { HeldBack };

export type Finding = {
  /**
   * "found": id and amount are in the statement, and the transfer is this agent's by their own phone, or nobody else
   * has reported it and no other agent sent it.
   */
  kind: "found" | "other_amount" | "twice" | "other_sender" | "reversed" | "two_lines" | "not_found";
  /** The line with its transaction id; null where there is none, or more than one. */
  line: StatementLine | null;
  /** The account whose confirmed phone sent the money; null where it is nobody's, or not known. */
  sender: Sender | null;
  /** Deposits of the same transaction id: others' of whatever state, and the agent's own that were not refused. */
  others: { id: number; userId: number; state: Deposit["state"] }[];
};

export type Sender = { userId: number; username: string };

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
  const senders = await sendersOf(tx, lines);
  return new Map(about.map((deposit) => [deposit.id, findingOf(deposit, { lines, others, senders })]));
}

/** A finding as somebody may read it: who sent money that is not credited is for those who decide. */
export function shownTo(by: Pick<By, "roles">, { state }: Deposit, finding: Finding): Finding {
  if (state === "approved" || hasRight(by, "payments.decide")) return finding;
  const { line } = finding;
  return { ...finding, sender: null, line: line && { ...line, senderName: null, senderMsisdn: null } };
}

/** The owners of the confirmed phones that these lines came from, by the number. */
async function sendersOf(tx: Reads, lines: readonly StatementLine[]): Promise<Map<string, Sender>> {
  const numbers = lines.flatMap(({ senderMsisdn }) => senderMsisdn ?? []);
  if (numbers.length === 0) return new Map();
  const rows = await tx
    .select({ msisdn: phones.msisdn, userId: phones.userId, username: users.username })
    .from(phones)
    .innerJoin(users, eq(users.id, phones.userId))
    .where(and(isAnyOf(phones.msisdn, numbers), isNull(phones.codeAwaitedSince)));
  return new Map(rows.map(({ msisdn, ...sender }) => [msisdn, sender]));
}

type Sharing = { depositId: number; id: number; userId: number; state: Deposit["state"] };

/**
 * Other deposits with the transaction ids of these. One of somebody else that was refused counts as well: its id has
 * been read by others since.
 */
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
        or(ne(other.state, "refused"), ne(other.userId, deposits.userId)),
      ),
    )
    .where(isAmong(deposits.id, depositIds))
    .orderBy(sql`${other.id}`);
}

type Found = { lines: StatementLine[]; others: Sharing[]; senders: Map<string, Sender> };

function findingOf(deposit: Deposit, { lines, others: sharing, senders }: Found): Finding {
  const isOfNetwork = ({ network }: StatementLine) => deposit.network === null || network === deposit.network;
  const own = lines.filter(isOfNetwork);
  const incoming = own.filter(
    ({ direction, transactionId }) => direction === "in" && transactionId === deposit.transactionId,
  );
  const others = sharing
    .filter(({ depositId }) => depositId === deposit.id)
    .map(({ id, userId, state }) => ({ id, userId, state }));
  const line = incoming.length === 1 ? incoming[0]! : null;
  const sender = senders.get(line?.senderMsisdn ?? "") ?? null;
  const isOwn = sender?.userId === deposit.userId;
  return { kind: kindOf(), line, sender, others };

  function kindOf(): Finding["kind"] {
    if (own.some(({ originalId }) => originalId === deposit.transactionId)) return "reversed";
    if (incoming.length > 1) return "two_lines";
    // Also without a line, so that whoever decides sees the other one. Nobody keeps the sender from their money by
    // reporting it first.
    if (others.some(({ state }) => state === "approved" || !isOwn)) return "twice";
    if (!line) return "not_found";
    if (line.amountPesewas !== deposit.amountPesewas) return "other_amount";
    return sender === null || isOwn ? "found" : "other_sender";
  }
}
