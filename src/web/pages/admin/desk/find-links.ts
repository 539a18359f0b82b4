// The pages of what the search finds, and what a page's address is about.
import type { Hit, Kind } from "../../../../core/finding/find.ts";
import { localMsisdn } from "../../../../shared/phones/msisdn.ts";

const PATHS: Record<Kind, (id: string) => string> = {
  order: (id) => `/orders/${id}`,
  // A search of the list covers all orders.
  number: (id) => `/orders?search=${id.length === 12 ? localMsisdn(id) : id}`,
  agent: (id) => `/admin/users/${id}`,
  payment: (id) => `/admin/payments/${id}`,
  deposit: (id) => `/admin/claims?all=1&search=${id}`,
  request: (id) => `/admin/support/${id}`,
  batch: (id) => `/admin/desk/${id}`,
  product: (id) => `/admin/products/${id}`,
};

export function pathOf({ kind, id }: Pick<Hit, "kind" | "id">): string {
  return PATHS[kind](String(id));
}

/** What a path is about that was made by `pathOf`; null for other paths, and for those with a query. */
export function subjectAt(path: string): { kind: Kind; id: string } | null {
  const [id] = /\d+$/.exec(path) ?? [];
  const kind = (Object.keys(PATHS) as Kind[]).find((one) => id && PATHS[one](id) === path);
  return id && kind && !path.includes("?") ? { kind, id } : null;
}

/** The headings of the kinds, in the order in which they are shown. */
export const HEADINGS: Record<Kind, string> = {
  order: "Orders",
  number: "Numbers",
  agent: "Agents",
  payment: "Payments",
  deposit: "Deposits",
  request: "Support requests",
  batch: "Batches",
  product: "Products",
};
