// An admin's lists in a small and a big shop: more orders must not make them slower. And the one search of staff.
import { connect, type Db, disconnect } from "../../db/connect.ts";
import { seedBig } from "../../db/seed/big.ts";
import * as users from "../../src/core/identity/users.ts";
import * as ledger from "../../src/core/ledger/ledger.ts";
import { type Client, openApp, type Person } from "../support/world.ts";
import { median, percentile } from "./numbers.ts";
import { addProducts, type BenchServer } from "./world.ts";

export type ListRow = { label: string; smallMs: number; largeMs: number; ratio: number };
/** Of the search over everything, in the big shop. */
export type FindRow = { label: string; medianMs: number; p95Ms: number };
export type ListFigures = {
  small: number;
  large: number;
  rows: ListRow[];
  finds: FindRow[];
  /** Of all finds together. */
  findP95Ms: number;
};

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
    for (const label of Object.keys(small.paths).filter((label) => !small.finds.includes(label))) {
      const times = { small: [] as number[], large: [] as number[] };
      // The first ones fill the caches of both.
      for (let n = -3; n < rounds; n++) {
        const [smallMs, largeMs] = [await small.ask(label), await large.ask(label)];
        if (n < 0) continue;
        times.small.push(smallMs);
        times.large.push(largeMs);
      }
      const [smallMs, largeMs] = [median(times.small), median(times.large)];
      rows.push({ label, smallMs, largeMs, ratio: largeMs / smallMs });
    }
    return { ...sizes, rows, ...(await measureFinds(large, rounds)) };
  } finally {
    await small.close();
    await large.close();
  }
}

/** Each find in turns, as different people type them. */
async function measureFinds(
  { finds, ask }: Seeded,
  rounds: number,
): Promise<Pick<ListFigures, "finds" | "findP95Ms">> {
  const times = new Map(finds.map((label) => [label, [] as number[]]));
  for (let n = -1; n < rounds; n++)
    for (const label of finds) {
      const tookMs = await ask(label);
      if (n >= 0) times.get(label)!.push(tookMs);
    }
  return {
    finds: [...times].map(([label, own]) => ({
      label,
      medianMs: median(own),
      p95Ms: percentile(own, 95),
    })),
    findP95Ms: percentile([...times.values()].flat(), 95),
  };
}

type Seeded = {
  /** The labels of the finds among the paths. */
  finds: string[];
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
  await addReferences(db);
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
  const finds = await findsIn(db);
  const paths = { ...(await pathsIn(db)), ...finds };
  return {
    finds: Object.keys(finds),
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

/** A payment that was never made for each twentieth order, and the vendor's reference of each delivery. */
async function addReferences(db: Db): Promise<void> {
  await db.$client`insert into vendors (code) values ('datamart') on conflict do nothing`;
  await db.$client`
    insert into payments (user_id, amount_pesewas, state, reference, domain, provider_id, payer_msisdn)
    select user_id, amount_pesewas, 'expired', 'tp-' || gen_random_uuid(), 'live', (4000000000 + id)::text, msisdn
    from orders where id % 20 = 0`;
  await db.$client`update attempts set vendor_reference = 'TRX-' || upper(to_hex(id * 7919))`;
}

/** What staff type into the search, each about something in the middle of the shop. */
async function findsIn(db: Db): Promise<Record<string, string>> {
  const [order] = await db.$client<{ id: number; msisdn: string }[]>`
    select id, msisdn from orders where id >= (select max(id) / 2 from orders) order by id limit 1`;
  const [payment] = await db.$client<{ reference: string; transaction: string; payer: string }[]>`
    select reference, provider_id as transaction, payer_msisdn as payer from payments
    where id >= (select max(id) / 2 from payments) order by id limit 1`;
  const [attempt] = await db.$client<{ reference: string }[]>`
    select vendor_reference as reference from attempts
    where id >= (select max(id) / 2 from attempts) order by id limit 1`;
  const typed = {
    "an order's id": String(order!.id),
    "a whole number": `0${order!.msisdn.slice(3)}`,
    "its last four digits": order!.msisdn.slice(-4),
    "its last six digits": order!.msisdn.slice(-6),
    "an agent's name": "agent-4321",
    "part of many agents' names": "agent",
    "a payment's reference": payment!.reference,
    "the end of it": payment!.reference.slice(-4),
    "Paystack's transaction id": payment!.transaction,
    "a payer's number": `0${payment!.payer.slice(3)}`,
    "an amount": "GH₵ 39.00",
    "a vendor's reference": attempt!.reference,
    "a bundle": "mtn 5gb",
    "what is nowhere": "nobody at all",
  };
  const paths = Object.entries(typed).map(([label, text]) => [
    `find ${label}`,
    `/api/v1/admin/find?q=${encodeURIComponent(text)}`,
  ]);
  return Object.fromEntries(paths);
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
