// A wallet's statement as lines of a file for a spreadsheet: the same columns whichever door it leaves by.
import type { Db } from "../../db/connect.ts";
import { toCsv } from "../shared/csv.ts";
import { decimal } from "../shared/money.ts";
import * as wallet from "./wallet.ts";

type Line = (string | number | null)[];

/** A whole statement that has been read already. */
export function csvOf({ from, to, openingPesewas, closingPesewas, entries }: wallet.Statement): string {
  return toCsv([TITLES, opening(from, openingPesewas), ...entries.map(lineOf), closing(to, closingPesewas)]);
}

/** A statement of any length, piece by piece as it is read. */
export async function* csvPieces(db: Db, userId: number, range: wallet.Range): AsyncGenerator<string> {
  let balancePesewas = await wallet.balanceBefore(db, userId, range.from);
  yield toCsv([TITLES, opening(range.from, balancePesewas)]);
  for await (const batch of wallet.inBatches(db, userId, range)) {
    yield toCsv(batch.map(lineOf));
    balancePesewas = batch.at(-1)!.balanceAfterPesewas;
  }
  yield toCsv([closing(range.to, balancePesewas)]);
}

const TITLES = ["Date", "Type", "Description", "Order ID", "Amount", "Balance"];

function opening(from: Date, balancePesewas: number): Line {
  return [from.toISOString(), "OPENING", "Opening balance", null, null, decimal(balancePesewas)];
}

function lineOf(entry: wallet.WalletEntry): Line {
  const { createdAt, type, description, orderId, changePesewas, balanceAfterPesewas } = entry;
  const amounts = [decimal(changePesewas), decimal(balanceAfterPesewas)];
  return [createdAt.toISOString(), type, description, orderId, ...amounts];
}

function closing(to: Date, balancePesewas: number): Line {
  return [to.toISOString(), "CLOSING", "Closing balance", null, null, decimal(balancePesewas)];
}
