// Parts shared by the pages of the log of requests: whose log it is, the names of the keys, and cells.
import * as queries from "../../../../core/requests/queries.ts";
import type { ByUser } from "../../../../shared/domain.ts";
import type { Context } from "../../../page.tsx";
import { DEVELOPERS, keeperOf } from "./key-parts.tsx";

export const REQUESTS = `${DEVELOPERS}/requests`;
/** The sandbox has a database of its own, with its own numbers. */
export const SANDBOX_REQUESTS = `${DEVELOPERS}/sandbox-requests`;

/** The names of an account's keys by their numbers. */
export type KeyNames = ReadonlyMap<number, string>;

/** The log that a page is about, by its address; null for that of a sandbox that is not set up. */
export function sourceOf(context: Context) {
  const { db, url, otherLog } = context;
  const isOther = url.pathname.startsWith(SANDBOX_REQUESTS);
  const log = isOther ? otherLog : queries.logOf(db);
  if (!log) return null;
  const keysOf = async (by: ByUser): Promise<KeyNames> =>
    new Map((await keeperOf(context, isOther).list(by)).map(({ id, name }) => [id, name]));
  return { log, path: isOther ? SANDBOX_REQUESTS : REQUESTS, keysOf, isOther };
}

/** A key's name; one that has ended longer ago than the log goes back has only its number. */
export function keyName(keys: KeyNames, keyId: number): string {
  return keys.get(keyId) ?? `Key ${keyId}`;
}

type Row = queries.LoggedRequest;

/** The status of an answer, coloured by its class. */
export function StatusChip({ row: { status, isReplayed } }: { row: Pick<Row, "status" | "isReplayed"> }) {
  const tone = status >= 500 ? "bad" : status >= 400 ? "warn" : "good";
  return (
    <>
      <span className={`chip ${tone}`}>{status}</span>
      {isReplayed && <span className="chip">Repeated</span>}
    </>
  );
}

type OrderProps = { row: Row; isOther: boolean };

/** A link to what the request was about. A refused one may have named an order that is not the account's. */
export function OrderLink({ row: { orderId, bulkOrderId, status }, isOther }: OrderProps) {
  if (status >= 400) return null;
  // The orders of the sandbox have no pages here.
  if (isOther) return (orderId ?? bulkOrderId) && <>#{orderId ?? bulkOrderId}</>;
  if (orderId) return <a href={`/orders/${orderId}`}>#{orderId}</a>;
  if (bulkOrderId) return <a href={`/bulk/${bulkOrderId}`}>Bulk #{bulkOrderId}</a>;
  return null;
}
