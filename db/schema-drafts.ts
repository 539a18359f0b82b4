// What people typed and have not sent yet: bulk orders until they are placed, forms until somebody is logged in again.
import { sql } from "drizzle-orm";
import { check, index, integer, pgTable, text, unique } from "drizzle-orm/pg-core";
import { OPERATORS, type Operator } from "../src/shared/domain.ts";
import { id, identity, instant, oneOf } from "./columns.ts";

export const bulkDrafts = pgTable(
  "bulk_drafts",
  {
    id: identity(),
    userId: id().notNull(),
    /** The key of the form that it was first saved from: sent twice, it is one draft. */
    key: text().notNull(),
    operator: text().$type<Operator>().notNull(),
    productId: id(),
    /** The lines as they were typed. */
    lines: text().notNull(),
    lineCount: integer().notNull(),
    createdAt: instant().notNull().defaultNow(),
    updatedAt: instant().notNull().defaultNow(),
  },
  (t) => [
    unique("bulk_drafts_once_per_form").on(t.userId, t.key),
    index("bulk_drafts_user").on(t.userId, t.id),
    check("bulk_drafts_operator_known", sql`${t.operator} in (${oneOf(OPERATORS)})`),
    check("bulk_drafts_lines_above_zero", sql`${t.lineCount} > 0`),
    // Letters of other scripts are up to four bytes; what is typed is held to two million of them.
    check("bulk_drafts_size", sql`octet_length(${t.lines}) <= 8388608`),
  ],
);

/** A form that could not be taken yet. Sealed under its own token, which only the browser that sent it has. */
export const keptForms = pgTable(
  "kept_forms",
  {
    /** The token's digest. */
    id: text().primaryKey(),
    /** Whose it is; null while that is not known, because nobody was logged in. */
    userId: id(),
    sealed: text().notNull(),
    expiresAt: instant().notNull(),
  },
  (t) => [
    index("kept_forms_expiry").on(t.expiresAt),
    check("kept_forms_size", sql`octet_length(${t.sealed}) <= 131072`),
  ],
);
