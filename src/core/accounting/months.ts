// Closed months: their files are made once by the worker and kept, so that what the accountant has does not change. A
// month is closed when it is over, and after the one before it.
import { and, asc, desc, eq, isNull, sql } from "drizzle-orm";
import { z } from "zod";
import type { Db, Reads, Tx } from "../../../db/connect.ts";
import { accountingMonths, monthFileParts } from "../../../db/schema/accounting.ts";
import { users } from "../../../db/schema/identity.ts";
import { accraTime } from "../../shared/accra.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import { command, type Work } from "../platform/commands.ts";
import { SETTLED_MINUTES, transact } from "../platform/transactions.ts";
import { booked, lateIds, MONTH_FILES, type MonthFile, type MonthSums, monthFile, type Span, sumsOf } from "./files.ts";

/** A month as 2026-11. */
export type Month = {
  month: string;
  state: "open" | "closing" | "closed";
  closedAt: Date | null;
  closedBy: string | null;
  sums: MonthSums | null;
};

/** Whether a text is a month, as 2026-11. */
export function isMonth(text: string): boolean {
  return /^20\d\d-(0[1-9]|1[0-2])$/.test(text);
}

/** The moments of a month. Ghana is on UTC all year. */
export function spanOf(month: string): Span {
  return { from: new Date(`${month}-01T00:00:00Z`), until: new Date(`${after(month)}-01T00:00:00Z`) };
}

/** The moment from which a month can be closed: what began before its end has been committed by then. */
function closesAt(month: string): Date {
  return new Date(spanOf(month).until.getTime() + SETTLED_MINUTES * 60_000);
}

/** The months from the shop's first transfer to now, the newest first. */
export async function list(tx: Reads): Promise<Month[]> {
  const [first] = await tx.execute<{ month: string | null; now: string }>(sql`
    select (select to_char(created_at, 'YYYY-MM') from transfers order by id limit 1) as month,
      to_char(now(), 'YYYY-MM') as now`);
  const rows = await tx
    .select({ month: accountingMonths, closedBy: users.username })
    .from(accountingMonths)
    .leftJoin(users, eq(users.id, accountingMonths.requestedByUserId))
    .orderBy(desc(accountingMonths.month));
  const known = new Map(rows.map((row) => [row.month.month, row]));
  const months: Month[] = [];
  for (let month = first!.month ?? first!.now; month <= first!.now; month = after(month)) {
    const row = known.get(month);
    months.unshift({
      month,
      state: row ? (row.month.closedAt ? "closed" : "closing") : "open",
      closedAt: row?.month.closedAt ?? null,
      closedBy: row?.closedBy ?? null,
      sums: row?.month.sums ?? null,
    });
  }
  return months;
}

/** The sums of an open month as they stand now. */
export const openSums = (tx: Reads, month: string): Promise<MonthSums> => sumsOf(tx, spanOf(month));

/** Asks the worker to close a month, at the moment `now`. A month that is closed or being closed stays as it is. */
export const close = command({
  name: "month.close",
  right: "books.close",
  about: "Close a month: its files are kept as they are, and nothing is entered in it any more",
  subject: "setting",
  input: { month: z.string().refine(isMonth, "must be a month, such as 2026-11") },
  errors: ["month.not_over", "month.earlier_open"],
  run: async ({ tx, by, audit, now = new Date() }: Work & { now?: Date }, { month }) => {
    const all = await list(tx);
    const found = all.find((one) => one.month === month);
    if (!found || now < spanOf(month).until) throw new AppError("month.not_over");
    if (now < closesAt(month)) {
      const from = accraTime(closesAt(month));
      const message = `What began before midnight may still be under way. Close this month from ${from} on.`;
      throw new AppError("month.not_over", {}, message);
    }
    if (found.state !== "open") return;
    const earlier = all.findLast(({ state }) => state === "open")!;
    if (earlier.month !== month) {
      const message = `Close ${earlier.month} first: months are closed in order.`;
      throw new AppError("month.earlier_open", { month: earlier.month }, message);
    }
    const begun = await tx
      .insert(accountingMonths)
      .values({ month, requestedByUserId: by.userId })
      .onConflictDoNothing()
      .returning({ month: accountingMonths.month });
    if (begun.length > 0) await audit(month);
  },
});

/**
 * Makes the files of a month that is to be closed, all as of one moment; returns how many months that were. Fails, and
 * keeps nothing, when the ledger that was written down is not the books'. For the worker.
 */
export async function closeDue(db: Db): Promise<number> {
  const close = async (tx: Tx) => {
    const [due] = await tx
      .select({ month: accountingMonths.month })
      .from(accountingMonths)
      .where(isNull(accountingMonths.closedAt))
      .orderBy(asc(accountingMonths.month))
      .limit(1)
      .for("update", { skipLocked: true });
    if (!due) return 0;
    // All of a month's files, or none: one that was interrupted is made anew.
    const span = await wholeSpan(tx, due.month);
    for (const name of Object.keys(MONTH_FILES) as MonthFile[]) await store(tx, due.month, name, span);
    const sums = await sumsOf(tx, span);
    await compare(tx, due.month, span, sums);
    await tx.update(accountingMonths).set({ closedAt: sql`now()`, sums }).where(eq(accountingMonths.month, due.month));
    return 1;
  };
  return transact(db, close, { isolationLevel: "repeatable read" });
}

/** A month's span with what came too late for the month before, so that each transfer is in one month's files. */
async function wholeSpan(tx: Reads, month: string): Promise<Span> {
  const span = spanOf(month);
  const previous = monthOf(new Date(span.from.getTime() - 1));
  if (!(await isClosed(tx, previous))) return span;
  const kept = new Set<number>();
  for await (const { id } of keptLedger(tx, previous)) kept.add(id);
  return { ...span, lateIds: await lateIds(tx, spanOf(previous), kept) };
}

/** Throws when the ledger that was kept has not the transfers that the books have. */
async function compare(tx: Tx, month: string, span: Span, sums: MonthSums): Promise<void> {
  const kept = { transfers: 0, pesewas: 0 };
  for await (const { pesewas } of keptLedger(tx, month)) {
    kept.transfers += 1;
    kept.pesewas += pesewas;
  }
  const books = await booked(tx, span);
  const isSame = kept.transfers === books.transfers && kept.pesewas === books.pesewas;
  if (!isSame || sums.transfers !== books.transfers)
    throw new Error(
      `The files of ${month} are not the books: ${JSON.stringify({ kept, books, counted: sums.transfers })}`,
    );
}

/** The lines of the ledger that was kept for a month: "No." and "GHS". */
async function* keptLedger(tx: Reads, month: string): AsyncGenerator<{ id: number; pesewas: number }> {
  let isFirst = true;
  // A part ends with a whole line.
  for await (const text of readKept(tx, month, "ledger"))
    for (const line of text
      .trim()
      .split("\r\n")
      .slice(isFirst ? 1 : 0)) {
      isFirst = false;
      const cells = line.split(",");
      yield { id: Number(cells[0]), pesewas: Math.round(Number(cells[4]) * 100) };
    }
}

/** About so much text goes into a row. */
const PART_CHARS = 1_000_000;

async function store(tx: Tx, month: string, file: MonthFile, span: Span): Promise<void> {
  let [text, part] = ["", 0];
  const flush = async () => {
    if (text === "") return;
    await tx.insert(monthFileParts).values({ month, file, part, bytes: Buffer.from(Bun.gzipSync(Buffer.from(text))) });
    [text, part] = ["", part + 1];
  };
  for await (const piece of monthFile(tx, file, span)) {
    text += piece;
    if (text.length >= PART_CHARS) await flush();
  }
  await flush();
}

/** The text of a month's file: as it was kept when the month was closed, else as it stands now. */
export async function* read(db: Db, month: string, file: MonthFile): AsyncGenerator<string> {
  if (await isClosed(db, month)) yield* readKept(db, month, file);
  else yield* monthFile(db, file, await wholeSpan(db, month));
}

async function isClosed(tx: Reads, month: string): Promise<boolean> {
  const [found] = await tx
    .select({ closedAt: accountingMonths.closedAt })
    .from(accountingMonths)
    .where(eq(accountingMonths.month, month));
  return found?.closedAt != null;
}

async function* readKept(tx: Reads, month: string, file: MonthFile): AsyncGenerator<string> {
  for (let part = 0; ; part++) {
    const [found] = await tx
      .select({ bytes: monthFileParts.bytes })
      .from(monthFileParts)
      .where(and(eq(monthFileParts.month, month), eq(monthFileParts.file, file), eq(monthFileParts.part, part)));
    if (!found) return;
    yield new TextDecoder().decode(Bun.gunzipSync(new Uint8Array(found.bytes)));
  }
}

function monthOf(moment: Date): string {
  return moment.toISOString().slice(0, 7);
}

/** The month after one. */
function after(month: string): string {
  const [year, number] = month.split("-").map(Number) as [number, number];
  return number === 12 ? `${year + 1}-01` : `${year}-${String(number + 1).padStart(2, "0")}`;
}
