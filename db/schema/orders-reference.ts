// Resellers' own references on orders and bulk orders: columns and checks.
import { type SQL, sql } from "drizzle-orm";
import { boolean, jsonb, type PgColumn, text } from "drizzle-orm/pg-core";
import { type Metadata, REFERENCE_CHARS_MAX } from "../../src/shared/orders/own-reference.ts";

/** The columns of a reference and metadata. */
export const ownReference = () => ({
  reference: text(),
  metadata: jsonb().$type<Metadata>(),
  /** Set by a request that wanted no other order of its account with this reference. */
  isReferenceUnique: boolean(),
});

type OwnReference = Record<"reference" | "metadata" | "isReferenceUnique", PgColumn>;

/** Whether a reference has a size, and one that is to be unique is there. */
export function referenceFits({ reference, isReferenceUnique }: OwnReference): SQL {
  const charsMax = sql.raw(String(REFERENCE_CHARS_MAX));
  return sql`octet_length(${reference}) between 1 and ${charsMax}
    and (${isReferenceUnique} is null or ${reference} is not null)`;
}

/** Ten keys with their values, each character written as long as JSON can. */
export function metadataFits({ metadata }: OwnReference): SQL {
  return sql`jsonb_typeof(${metadata}) = 'object' and octet_length(${metadata}::text) <= 16384`;
}
