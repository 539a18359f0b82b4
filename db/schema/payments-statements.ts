// The shop's mobile money statement: its imports, its lines, and transfers that the network took back.
import { sql } from "drizzle-orm";
import { check, index, integer, jsonb, pgTable, text, unique } from "drizzle-orm/pg-core";
import { NETWORKS, type Network } from "../../src/shared/domain.ts";
import { id, identity, instant, oneOf, pesewas } from "./columns.ts";
import { deposits } from "./payments.ts";

/** Where the lines of an import come from. */
export const STATEMENT_SOURCES = ["file", "messages", "api"] as const;
export type StatementSource = (typeof STATEMENT_SOURCES)[number];

/** Money that came in, went out, or came in and was taken back by the network. */
export const LINE_DIRECTIONS = ["in", "out", "reversal"] as const;
export type LineDirection = (typeof LINE_DIRECTIONS)[number];

/** An import of the statement by somebody: a draft while its columns are checked, then done. */
export const statementImports = pgTable(
  "statement_imports",
  {
    id: identity(),
    network: text().$type<Network>().notNull(),
    source: text().$type<StatementSource>().notNull(),
    /** The file's name. */
    name: text(),
    /** The rows of a draft, deleted with the import. */
    cells: jsonb().$type<string[][]>(),
    byUserId: id().notNull(),
    createdAt: instant().notNull().defaultNow(),
    importedAt: instant(),
    /** How many lines were new. */
    linesCount: integer().notNull().default(0),
    /** How many were known from an earlier import. */
    knownCount: integer().notNull().default(0),
  },
  (t) => [
    index("statement_imports_drafts").on(t.createdAt).where(sql`${t.importedAt} is null`),
    check("statement_imports_network_known", sql`${t.network} in (${oneOf(Object.keys(NETWORKS))})`),
    check("statement_imports_source_known", sql`${t.source} in (${oneOf(STATEMENT_SOURCES)})`),
    check("statement_imports_cells_of_drafts", sql`(${t.cells} is not null) = (${t.importedAt} is null)`),
    check("statement_imports_name_length", sql`length(${t.name}) <= 100`),
  ],
);

/** One movement of the shop's mobile money account. Append-only. */
export const statementLines = pgTable(
  "statement_lines",
  {
    id: identity(),
    importId: id()
      .notNull()
      .references(() => statementImports.id),
    network: text().$type<Network>().notNull(),
    direction: text().$type<LineDirection>().notNull(),
    /** The network's id of the transaction: digits, without zeros in front. */
    transactionId: text().notNull(),
    /** Of a reversal: the id of the transaction that it takes back. */
    originalId: text(),
    amountPesewas: pesewas().notNull(),
    senderName: text(),
    senderMsisdn: text(),
    /** When the money moved; null where the text does not say. */
    at: instant(),
    createdAt: instant().notNull().defaultNow(),
  },
  (t) => [
    // A reversal may carry the id of what it takes back.
    unique("statement_lines_once").on(t.network, t.transactionId, t.direction),
    index("statement_lines_transaction").on(t.transactionId),
    index("statement_lines_original").on(t.originalId).where(sql`${t.originalId} is not null`),
    index("statement_lines_import").on(t.importId, t.id),
    check("statement_lines_network_known", sql`${t.network} in (${oneOf(Object.keys(NETWORKS))})`),
    check("statement_lines_direction_known", sql`${t.direction} in (${oneOf(LINE_DIRECTIONS)})`),
    check("statement_lines_amount_above_zero", sql`${t.amountPesewas} > 0`),
    check("statement_lines_id_form", sql`${t.transactionId} ~ '^[0-9]{6,20}$'`),
    check("statement_lines_original_of_reversal", sql`(${t.direction} = 'reversal') = (${t.originalId} is not null)`),
    check("statement_lines_sender_length", sql`length(${t.senderName}) <= 100 and length(${t.senderMsisdn}) <= 20`),
  ],
);

/** A credited deposit that the network took back: its money is held until somebody decides. */
export const depositReversals = pgTable(
  "deposit_reversals",
  {
    id: identity(),
    depositId: id()
      .notNull()
      .references(() => deposits.id),
    userId: id().notNull(),
    lineId: id()
      .notNull()
      .references(() => statementLines.id)
      .unique("deposit_reversals_once"),
    amountPesewas: pesewas().notNull(),
    /** The part of an open one that is held in the wallet. */
    heldPesewas: pesewas().notNull().default(0),
    state: text().$type<"open" | "booked" | "dismissed">().notNull().default("open"),
    reason: text(),
    decidedByUserId: id(),
    decidedAt: instant(),
    createdAt: instant().notNull().defaultNow(),
  },
  (t) => [
    index("deposit_reversals_deposit").on(t.depositId),
    index("deposit_reversals_user").on(t.userId).where(sql`${t.state} = 'open'`),
    index("deposit_reversals_open").on(t.id).where(sql`${t.state} = 'open'`),
    check("deposit_reversals_state_known", sql`${t.state} in ('open', 'booked', 'dismissed')`),
    check("deposit_reversals_amount_above_zero", sql`${t.amountPesewas} > 0`),
    check("deposit_reversals_held_while_open", sql`${t.heldPesewas} = 0 or ${t.state} = 'open'`),
    check("deposit_reversals_held_within_amount", sql`${t.heldPesewas} between 0 and ${t.amountPesewas}`),
    check("deposit_reversals_decided_by_somebody", sql`(${t.state} = 'open') = (${t.decidedByUserId} is null)`),
  ],
);
