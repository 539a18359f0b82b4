// An admin's lists in a small and a big shop: more orders must not make them slower.
import { connect, type Db, disconnect } from "../../db/connect.ts";
import { seedBig } from "../../db/seed/big.ts";
import * as users from "../../src/core/identity/users.ts";
import * as ledger from "../../src/core/ledger/ledger.ts";
import { type Client, openApp, type Person } from "../support/world.ts";
import { median } from "./numbers.ts";
import { addProducts, type BenchServer } from "./world.ts";

export type ListRow = {
  label: string;
  /** Whether the budget for the filtered list applies to it. */
  isFiltered: boolean;
  smallMs: number;
  largeMs: number;
  ratio: number;
};
export type ListFigures = { small: number; large: number; rows: ListRow[] };

/** Shown, but outside the budget: part of a number is found in a hundred times as many orders, too. */
const BESIDES = ["search by part of a number", "search by its last four digits"];

/** Requests each page `rounds` times in a shop of `small` and one of `large` orders, in turns. */
export async function measureLists(
  server: BenchServer,
  sizes: { small: number; large: number },
  rounds: number,
  progress: (line: string) => void,
): Promise<ListFigures> {
  const small = await openSeeded(await server.database("bench_small"), sizes.small, progress);
  const large = await openSeeded(await server.database("bench_large"), sizes.large, progress);
  try {
    const rows: ListRow[] = [];
    for (const label of Object.keys(small.paths)) {
      const times = { small: [] as number[], large: [] as number[] };
      // The first ones fill the caches of both.
      for (let n = -3; n < rounds; n++) {
        const [smallMs, largeMs] = [await small.ask(label), await large.ask(label)];
        if (n < 0) continue;
        times.small.push(smallMs);
        times.large.push(largeMs);
      }
      const [smallMs, largeMs] = [median(times.small), median(times.large)];
      const isFiltered = !BESIDES.includes(label);
      rows.push({ label, isFiltered, smallMs, largeMs, ratio: largeMs / smallMs });
    }
    return { ...sizes, rows };
  } finally {
    await small.close();
    await large.close();
  }
}

type Seeded = {
  paths: Record<string, string>;
  /** How long the answer to the named page takes. */
  ask: (label: string) => Promise<number>;
  close: () => Promise<void>;
};

async function openSeeded(url: string, orders: number, progress: (line: string) => void): Promise<Seeded> {
  const startedAt = performance.now();
  const db = connect(url, { max: 4, statementTimeoutMs: 600_000 });
  await addProducts(db);
  await seedBig(db, orders, (done) => {
    if (done % 1_000_000 === 0 && done < orders) progress(`  ${done.toLocaleString("en")} orders`);
  });
  await db.$client`vacuum analyze`;
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  progress(`  ${orders.toLocaleString("en")} orders seeded in ${seconds} s`);
  const password = "correct horse battery";
  const admin = await users.ensureAdmin(db, { email: "yaw@example.com", password });
  const yaw: Person = {
    ...{ ...admin!, email: admin!.email! },
    password,
    by: (channel = "admin") => ({ userId: admin!.id, roles: admin!.roles, channel }),
  };
  const client = openApp({ db, url } as Parameters<typeof openApp>[0]);
  const paths = await pathsIn(db);
  return {
    paths,
    ask: (label) => ask(client, yaw, paths[label]!),
    close: async () => {
      const { findings } = await ledger.audit(db);
      await disconnect(db);
      if (findings.length > 0)
        throw new Error(`the books do not balance: ${JSON.stringify(findings.slice(0, 3))}`);
    },
  };
}

async function ask(client: Client, yaw: Person, path: string): Promise<number> {
  const startedAt = performance.now();
  const response = await client.browse(yaw, path);
  await response.arrayBuffer();
  const tookMs = performance.now() - startedAt;
  if (response.status !== 200) throw new Error(`${path} answered ${response.status}`);
  return tookMs;
}

/** The same requests in both shops, each about an order in the middle of its own. */
async function pathsIn(db: Db): Promise<Record<string, string>> {
  const [order] = await db.$client<{ id: number; msisdn: string; day: string }[]>`
    select id, msisdn, created_at::date::text as day from orders
    where id >= (select max(id) / 2 from orders) and status = 'COMPLETED' order by id limit 1`;
  const { id, msisdn, day } = order!;
  return {
    "newest orders": "/api/v1/admin/orders",
    "from the middle on": `/api/v1/admin/orders?cursor=${id}`,
    "failed orders": "/api/v1/admin/orders?status=FAILED",
    "completed on Telecel": "/api/v1/admin/orders?status=COMPLETED&operator=TELECEL",
    "of one day": `/api/v1/admin/orders?from=${day}&to=${day}`,
    "search by number": `/api/v1/admin/orders?search=0${msisdn.slice(3)}`,
    "search by part of a number": `/api/v1/admin/orders?search=${msisdn.slice(5, 11)}`,
    "search by its last four digits": `/api/v1/admin/orders?search=${msisdn.slice(-4)}`,
    "search by username": "/api/v1/admin/orders?search=agent-4321",
    "the admin's figures": "/api/v1/admin/stats",
    "the dashboard page": "/admin",
    "the orders page, unfinished only": "/orders",
  };
}
