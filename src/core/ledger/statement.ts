// A wallet's statement as lines of a file, with the same columns in every channel.
import type { Db } from "../../../db/connect.ts";
import { toCsv } from "../../shared/lists/csv.ts";
import { decimal } from "../../shared/money.ts";
import * as wallet from "./wallet.ts";

type Line = (string | number | null)[];

/** The CSV of a statement that is already in memory. */
export function csvOf({ from, to, openingPesewas, closingPesewas, entries }: wallet.Statement): string {
  const lines = lineFormat((at) => at.toISOString());
  return toCsv([
    TITLES,
    lines.opening(from, openingPesewas),
    ...entries.map(lines.entry),
    lines.closing(to, closingPesewas),
  ]);
}

/** The CSV of a statement of any length, piece by piece as it is read; `dateOf` formats its dates. */
export async function* csvPieces(
  db: Db,
  userId: number,
  range: wallet.Range,
  dateOf: (at: Date) => string,
): AsyncGenerator<string> {
  const lines = lineFormat(dateOf);
  let balancePesewas = await wallet.balanceBefore(db, userId, range.from);
  yield toCsv([TITLES, lines.opening(range.from, balancePesewas)]);
  for await (const batch of wallet.inBatches(db, userId, range)) {
    yield toCsv(batch.map(lines.entry));
    balancePesewas = batch.at(-1)!.balanceAfterPesewas;
  }
  yield toCsv([lines.closing(range.to, balancePesewas)]);
}

/** A line of a statement before it is formatted; `at` is a day without a time for the balances around it. */
export type StatementLine = {
  at: Date;
  type: string;
  description: string;
  orderId: number | null;
  changePesewas: number | null;
  balancePesewas: number;
};

/** The lines of a statement of any length, in batches as it is read: both balances and what is between them. */
export async function* lineBatches(
  db: Db,
  userId: number,
  { from, to }: wallet.Range,
): AsyncGenerator<StatementLine[]> {
  const none = { orderId: null, changePesewas: null };
  let balancePesewas = await wallet.balanceBefore(db, userId, from);
  yield [{ at: from, type: "OPENING", description: "Opening balance", ...none, balancePesewas }];
  for await (const batch of wallet.inBatches(db, userId, { from, to })) {
    yield batch.map((entry) => ({
      ...entry,
      at: entry.createdAt,
      balancePesewas: entry.balanceAfterPesewas,
    }));
    balancePesewas = batch.at(-1)!.balanceAfterPesewas;
  }
  yield [{ at: to, type: "CLOSING", description: "Closing balance", ...none, balancePesewas }];
}

const TITLES = ["Date", "Type", "Description", "Order ID", "Amount", "Balance"];

function lineFormat(dateOf: (at: Date) => string) {
  return {
    opening: (from: Date, balancePesewas: number): Line => [
      ...[dateOf(from), "OPENING", "Opening balance"],
      ...[null, null, decimal(balancePesewas)],
    ],
    entry: (entry: wallet.WalletEntry): Line => {
      const { createdAt, type, description, orderId, changePesewas, balanceAfterPesewas } = entry;
      const amounts = [decimal(changePesewas), decimal(balanceAfterPesewas)];
      return [dateOf(createdAt), type, description, orderId, ...amounts];
    },
    closing: (to: Date, balancePesewas: number): Line => [
      ...[dateOf(to), "CLOSING", "Closing balance"],
      ...[null, null, decimal(balancePesewas)],
    ],
  };
}
