// What people typed and have not sent yet: bulk lists, kept while they are checked or until somebody goes on with them, and
// forms until somebody is logged in again.
import { sql } from "drizzle-orm";
import { boolean, check, index, integer, pgTable, text, unique } from "drizzle-orm/pg-core";
import {
  FIGURE_MEANINGS,
  type FigureMeaning,
  OTHER_NETWORK_MEANINGS,
  type OtherNetworkMeaning,
} from "../../src/shared/bulk-bundles.ts";
import { OPERATORS, type Operator } from "../../src/shared/domain.ts";
import { id, identity, instant, oneOf } from "../columns.ts";

export const bulkDrafts = pgTable(
  "bulk_drafts",
  {
    id: identity(),
    userId: id().notNull(),
    /** The key of the form that it was first sent from: sent twice, it is one draft. */
    key: text().notNull(),
    /** The key of the form that changed it last. */
    lastKey: text(),
    operator: text().$type<Operator>().notNull(),
    /** The package for lines that name no size. */
    productId: id(),
    /** The lines as they were typed; nothing once they are placed. */
    lines: text().notNull(),
    lineCount: integer().notNull(),
    /** Saved for later, in the list of drafts; otherwise it was only checked, and is soon forgotten. */
    isKept: boolean().notNull().default(true),
    /** Counts its changes, so that what is placed is what was looked at. */
    version: integer().notNull().default(1),
    /** What its bare figures mean, and its numbers that look like another network's; null is not answered yet. */
    figures: text().$type<FigureMeaning>(),
    otherNetworks: text().$type<OtherNetworkMeaning>(),
    allowsRepeats: boolean().notNull().default(false),
    /** The bulk order that it became. */
    bulkOrderId: id(),
    createdAt: instant().notNull().defaultNow(),
    updatedAt: instant().notNull().defaultNow(),
  },
  (t) => [
    unique("bulk_drafts_once_per_form").on(t.userId, t.key),
    index("bulk_drafts_user").on(t.userId, t.id),
    index("bulk_drafts_changed").on(t.updatedAt),
    check("bulk_drafts_operator_known", sql`${t.operator} in (${oneOf(OPERATORS)})`),
    check("bulk_drafts_figures_known", sql`${t.figures} in (${oneOf(FIGURE_MEANINGS)})`),
    check("bulk_drafts_other_networks_known", sql`${t.otherNetworks} in (${oneOf(OTHER_NETWORK_MEANINGS)})`),
    check("bulk_drafts_lines_above_zero", sql`${t.lineCount} > 0`),
    // Letters of other scripts are up to four bytes; what is typed is held to two million of them.
    check("bulk_drafts_size", sql`octet_length(${t.lines}) <= 8388608`),
    check(
      "bulk_drafts_placed_is_empty",
      sql`${t.bulkOrderId} is null or (not ${t.isKept} and ${t.lines} = '')`,
    ),
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
