// Records of requests for data, and of the deletion of old data.

import { sql } from "drizzle-orm";
import { bigint, check, index, pgTable, smallint, text } from "drizzle-orm/pg-core";
import { guesses, identity, instant, oneOf } from "./columns.ts";

/** The code sent to a number whose holder wants to see what is stored about it; a new one replaces the old. */
export const numberCodes = pgTable(
  "number_codes",
  {
    msisdn: text().primaryKey(),
    /** A keyed digest. */
    digest: text().notNull(),
    tries: smallint().notNull().default(0),
    ...guesses(),
    expiresAt: instant().notNull(),
    createdAt: instant().notNull().defaultNow(),
  },
  (t) => [
    index("number_codes_expiry").on(t.expiresAt),
    check("number_codes_msisdn_is_ghanaian", sql`${t.msisdn} ~ '^233[25][0-9]{8}$'`),
  ],
);

export const PRIVACY_ACTS = ["account copied", "account deleted", "number shown", "number erased"] as const;
export type PrivacyAct = (typeof PRIVACY_ACTS)[number];

/** What was done for people about their data. A number is kept by its last digits only. */
export const privacyRequests = pgTable(
  "privacy_requests",
  {
    id: identity(),
    act: text().$type<PrivacyAct>().notNull(),
    /** "account 12", or "a number that ends in 4567". */
    subject: text().notNull(),
    /** What was removed, in words. */
    result: text().notNull().default(""),
    at: instant().notNull().defaultNow(),
  },
  (t) => [check("privacy_requests_act_known", sql`${t.act} in (${oneOf(PRIVACY_ACTS)})`)],
);

/** The last run of each rule of core/privacy/retention.ts. */
export const retentionRuns = pgTable("retention_runs", {
  rule: text().primaryKey(),
  ranAt: instant().notNull(),
  removed: bigint({ mode: "number" }).notNull(),
  removedInAll: bigint({ mode: "number" }).notNull(),
});
