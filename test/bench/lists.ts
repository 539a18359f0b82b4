// The lists and figures of staff in a small and a big shop: more orders must not make them slower.
import type { Db } from "../../db/connect.ts";
import { type BigShops, compare, type Ratio } from "./big-shops.ts";

export type ListFigures = { small: number; large: number; rows: Ratio[] };

/** Requests each list `rounds` times in both shops, in turns. */
export async function measureLists(shops: BigShops, rounds: number): Promise<ListFigures> {
  const paths = { small: await pathsIn(shops.small.db), large: await pathsIn(shops.large.db) };
  const rows: Ratio[] = [];
  for (const label of Object.keys(paths.small)) {
    const pathIn = (shop: unknown) => (shop === shops.small ? paths.small : paths.large)[label]!;
    rows.push(await compare(shops, label, pathIn, rounds));
  }
  return { small: shops.small.orders, large: shops.large.orders, rows };
}

/** The same requests in both shops, each about an order in the middle of its own. */
async function pathsIn(db: Db): Promise<Record<string, string>> {
  const [order] = await db.$client<{ id: number; day: string }[]>`
    select id, created_at::date::text as day from orders
    where id >= (select max(id) / 2 from orders) and status = 'COMPLETED' order by id limit 1`;
  const { id, day } = order!;
  return {
    "newest orders": "/api/v1/admin/orders",
    "from the middle on": `/api/v1/admin/orders?cursor=${id}`,
    "failed orders": "/api/v1/admin/orders?status=FAILED",
    "completed on Telecel": "/api/v1/admin/orders?status=COMPLETED&operator=TELECEL",
    "of one day": `/api/v1/admin/orders?from=${day}&to=${day}`,
    "the admin's figures": "/api/v1/admin/stats",
    "the page of today": "/admin",
    "the orders page, unfinished only": "/orders",
    "the orders page, failed on MTN": "/orders?all=1&status=FAILED&operator=MTN",
    "the agents page": "/admin/users",
    "the agents page, banned": "/admin/users?status=BANNED",
    "the payments page": "/admin/payments",
    "the payments page, expired": "/admin/payments?state=expired",
  };
}
