// One search for everything that staff work with: orders, numbers, agents, payments, deposits, batches, requests and
// products. Each kind is searched by its indexes, all at the same time, and only for those who may open its page.
import type { Db } from "../../../db/connect.ts";
import type { ByUser } from "../../shared/domain.ts";
import { parseMsisdn } from "../../shared/phones/msisdn.ts";
import { hasRight, type Right, requireRight } from "../../shared/rights.ts";
import * as orderQueries from "../orders/queries.ts";
import * as finders from "./finders.ts";

/** The kinds in the order in which their hits are shown. */
const KINDS = {
  order: { right: "orders.see", noun: /^(?:orders?|#)$/i, ...finders.order },
  number: { right: "orders.see", noun: /^(?:numbers?|recipients?)$/i, ...finders.number },
  agent: { right: "agents.see", noun: /^(?:agents?|users?|customers?)$/i, ...finders.agent },
  payment: { right: "payments.see", noun: /^(?:payments?|top-?ups?|paystack)$/i, ...finders.payment },
  deposit: { right: "payments.see", noun: /^(?:deposits?|momo)$/i, ...finders.deposit },
  request: { right: "support.answer", noun: /^(?:requests?|support|tickets?)$/i, ...finders.request },
  batch: { right: "orders.work", noun: /^(?:batch|batches)$/i, ...finders.batch },
  product: { right: "catalog.manage", noun: /^(?:products?|bundles?)$/i, ...finders.product },
} as const satisfies Record<string, { right: Right; noun: RegExp } & finders.Finder>;

export type Kind = keyof typeof KINDS;
const kinds = Object.keys(KINDS) as Kind[];

/** `id` is that of its page: of a number the number itself (233541234567), or the digits that were typed. */
export type Hit = finders.Found & { kind: Kind };

/** Longer texts name nothing that is searched. */
export const TYPED_CHARS_MAX = 100;
const HITS_MAX = 30;

/**
 * What a text may mean, at most 30 hits, those of one kind together. A kind before it ("batch 12") leaves out the
 * others. Throws auth.forbidden for those who are not staff.
 */
export async function find(db: Db, by: ByUser, typed: string): Promise<Hit[]> {
  requireRight(by, "shop.see");
  const text = typed.replaceAll("\0", "").slice(0, TYPED_CHARS_MAX).replace(/\s+/g, " ").trim();
  const [noun = "", ...rest] = text.split(" ");
  const named = rest.length > 0 ? kinds.find((kind) => KINDS[kind].noun.test(noun)) : undefined;
  const sought = readSought(db, named ? rest.join(" ") : text, named !== undefined);
  const searched = kinds.filter((kind) => hasRight(by, KINDS[kind].right) && (named ?? kind) === kind);
  const found = await Promise.all(
    searched.map(async (kind) => (await KINDS[kind].find(db, sought)).map((hit): Hit => ({ ...hit, kind }))),
  );
  return found.flat().slice(0, HITS_MAX);
}

/** The things with these ids, without those that are gone or that `by` may not see; at most 30. */
export async function named(db: Db, by: ByUser, wanted: readonly { kind: Kind; id: string }[]): Promise<Hit[]> {
  requireRight(by, "shop.see");
  const few = wanted.slice(0, HITS_MAX).filter(({ kind }) => hasRight(by, KINDS[kind].right));
  const byKind = await Promise.all(
    kinds.map(async (kind) => {
      const ids = few.filter((one) => one.kind === kind).map(({ id }) => id);
      return ids.length === 0 ? [] : (await KINDS[kind].named(db, ids)).map((hit): Hit => ({ ...hit, kind }));
    }),
  );
  const hits = byKind.flat();
  return few.flatMap(({ kind, id }) => hits.find((hit) => hit.kind === kind && String(hit.id) === id) ?? []);
}

/** Not a name: it has a figure or a hyphen, or is the end of one in hexadecimal digits. */
const REFERENCE = /[\d_-]|^[a-f]+$/i;

function readSought(db: Db, text: string, isNamed: boolean): finders.Sought {
  const [, id] = /^#?([1-9]\d{0,14})$/.exec(text) ?? [];
  const joined = text.replace(/[\s\-()+]/g, "");
  const digits = /^\d{3,}$/.test(joined) ? joined : null;
  const msisdn = parseMsisdn(text);
  const reference = /^[\w.-]{4,}$/.test(text) && REFERENCE.test(text) ? text : null;
  let reading: Promise<orderQueries.OrderRow[]> | null = null;
  const newestOrders = () => {
    reading ??= digits || msisdn || reference ? readOrders(db, text) : Promise.resolve([]);
    return reading;
  };
  return { text, isNamed, id: id ? Number(id) : null, msisdn, digits, reference, newestOrders };
}

/** A search of orders that takes longer covers the newest ones alone. */
const SEARCH_MS = 400;

async function readOrders(db: Db, search: string): Promise<orderQueries.OrderRow[]> {
  const { rows } = await orderQueries.search(db, { search, isAdmins: true }, { limit: finders.HITS }, SEARCH_MS);
  return rows;
}
