// Closed months: their files are made once by the worker and kept, so that what the accountant has does not change. A
// month is closed when it is over, and after the one before it.
import { and, asc, desc, eq, isNull, sql } from "drizzle-orm";
import type { Db, Reads, Tx } from "../../../db/connect.ts";
import { accountingMonths, monthFileParts } from "../../../db/schema/accounting.ts";
import { users } from "../../../db/schema/identity.ts";
import type { ByUser } from "../../shared/domain.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import { requireRight } from "../../shared/rights.ts";
import * as auditLog from "../platform/audit-log.ts";
import { MONTH_FILES, type MonthFile, type MonthSums, monthFile, type Span, sumsOf } from "./files.ts";

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

/**
 * Asks the worker to close a month. A month that is closed or being closed stays as it is. Throws auth.forbidden,
 * month.not_over, month.earlier_open.
 */
export async function close(db: Db, { by, month }: { by: ByUser; month: string }): Promise<void> {
  requireRight(by, "books.close");
  const all = await list(db);
  const found = all.find((one) => one.month === month);
  if (!found || month === all[0]!.month) throw new AppError("month.not_over");
  if (found.state !== "open") return;
  const earlier = all.findLast(({ state }) => state === "open")!;
  if (earlier.month !== month) {
    const message = `Close ${earlier.month} first: months are closed in order.`;
    throw new AppError("month.earlier_open", { month: earlier.month }, message);
  }
  await db.transaction(async (tx) => {
    const begun = await tx
      .insert(accountingMonths)
      .values({ month, requestedByUserId: by.userId })
      .onConflictDoNothing()
      .returning({ month: accountingMonths.month });
    if (begun.length === 0) return;
    await auditLog.record(tx, by, [{ action: "month.close", subjectType: "setting", subjectId: month }]);
  });
}

/** Makes the files of a month that is to be closed; returns how many months that were. For the worker. */
export async function closeDue(db: Db): Promise<number> {
  return db.transaction(async (tx) => {
    const [due] = await tx
      .select({ month: accountingMonths.month })
      .from(accountingMonths)
      .where(isNull(accountingMonths.closedAt))
      .orderBy(asc(accountingMonths.month))
      .limit(1)
      .for("update", { skipLocked: true });
    if (!due) return 0;
    // All of a month's files, or none: one that was interrupted is made anew.
    for (const name of Object.keys(MONTH_FILES) as MonthFile[]) await store(tx, due.month, name);
    await tx
      .update(accountingMonths)
      .set({ closedAt: sql`now()`, sums: await sumsOf(tx, spanOf(due.month)) })
      .where(eq(accountingMonths.month, due.month));
    return 1;
  });
}

/** About so much text goes into a row. */
const PART_CHARS = 1_000_000;

async function store(tx: Tx, month: string, file: MonthFile): Promise<void> {
  let [text, part] = ["", 0];
  const flush = async () => {
    if (text === "") return;
    await tx
      .insert(monthFileParts)
      .values({ month, file, part, bytes: Buffer.from(Bun.gzipSync(Buffer.from(text))) });
    [text, part] = ["", part + 1];
  };
  for await (const piece of monthFile(tx, file, spanOf(month))) {
    text += piece;
    if (text.length >= PART_CHARS) await flush();
  }
  await flush();
}

/** The text of a month's file: as it was kept when the month was closed, else as it stands now. */
export async function* read(db: Db, month: string, file: MonthFile): AsyncGenerator<string> {
  const [closed] = await db
    .select({ closedAt: accountingMonths.closedAt })
    .from(accountingMonths)
    .where(eq(accountingMonths.month, month));
  if (!closed?.closedAt) {
    yield* monthFile(db, file, spanOf(month));
    return;
  }
  for (let part = 0; ; part++) {
    const [found] = await db
      .select({ bytes: monthFileParts.bytes })
      .from(monthFileParts)
      .where(
        and(eq(monthFileParts.month, month), eq(monthFileParts.file, file), eq(monthFileParts.part, part)),
      );
    if (!found) return;
    yield new TextDecoder().decode(Bun.gunzipSync(new Uint8Array(found.bytes)));
  }
}

/** The month after one. */
function after(month: string): string {
  const [year, number] = month.split("-").map(Number) as [number, number];
  return number === 12 ? `${year + 1}-01` : `${year}-${String(number + 1).padStart(2, "0")}`;
}
