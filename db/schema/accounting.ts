// The accountant's tables: closed months with their files, and numbered receipts.
import { sql } from "drizzle-orm";
import { bigint, check, customType, integer, jsonb, pgTable, primaryKey, smallint, text } from "drizzle-orm/pg-core";
import { id, instant, pesewas } from "./columns.ts";

const bytea = customType<{ data: Buffer }>({ dataType: () => "bytea" });

type Sums = {
  salesPesewas: number;
  refundsPesewas: number;
  topUpsPesewas: number;
  depositsPesewas: number;
  feesPesewas: number;
  transfers: number;
};

/** Months that are closed, or to be closed by the worker. A trigger keeps closed ones as they are. */
export const accountingMonths = pgTable(
  "accounting_months",
  {
    /** 2026-11. */
    month: text().primaryKey(),
    requestedAt: instant().notNull().defaultNow(),
    requestedByUserId: id().notNull(),
    closedAt: instant(),
    sums: jsonb().$type<Sums>(),
  },
  (t) => [
    check("accounting_months_is_month", sql`${t.month} ~ '^20[0-9]{2}-(0[1-9]|1[0-2])$'`),
    check("accounting_months_closed_with_sums", sql`(${t.closedAt} is null) = (${t.sums} is null)`),
  ],
);

/** The files of closed months, compressed, in parts. */
export const monthFileParts = pgTable(
  "month_file_parts",
  {
    month: text()
      .notNull()
      .references(() => accountingMonths.month),
    file: text().notNull(),
    part: integer().notNull(),
    bytes: bytea().notNull(),
  },
  (t) => [primaryKey({ name: "month_file_parts_pkey", columns: [t.month, t.file, t.part] })],
);

/** Receipts for orders, as they were issued. The numbers have no gaps; a trigger keeps rows as they are. */
export const salesReceipts = pgTable(
  "sales_receipts",
  {
    number: bigint({ mode: "number" }).primaryKey(),
    orderId: id().notNull().unique("sales_receipts_once_per_order"),
    issuedAt: instant().notNull().defaultNow(),
    issuedByUserId: id().notNull(),
    legalName: text().notNull(),
    legalAddress: text().notNull(),
    tin: text().notNull(),
    amountPesewas: pesewas().notNull(),
    /** In hundredths of a per cent; 0: not a VAT invoice. */
    vatRate: smallint().notNull(),
    /** The part of the amount that is VAT. */
    vatPesewas: pesewas().notNull(),
  },
  (t) => [
    check("sales_receipts_numbered_from_one", sql`${t.number} > 0`),
    check("sales_receipts_vat_is_a_part", sql`${t.vatPesewas} >= 0 and ${t.vatPesewas} < ${t.amountPesewas}`),
  ],
);
