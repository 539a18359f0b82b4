// Two shops that differ in nothing but the number of their orders, for what must not become slower with more of them.
import { connect, type Db, disconnect } from "../../db/connect.ts";
import { seedBig } from "../../dev/seed/big.ts";
import * as users from "../../src/core/identity/users.ts";
import * as ledgerAudit from "../../src/core/ledger/audit.ts";
import { openApp, type Person } from "../support/world.ts";
import { median } from "./numbers.ts";
import { addProducts, type BenchServer, fillWallets } from "./world.ts";

export type BigShops = { small: BigShop; large: BigShop; close: () => Promise<void> };
export type BigShop = {
  db: Db;
  orders: number;
  /** How long the answer to an address takes an admin, in milliseconds. */
  ask: (path: string) => Promise<number>;
  close: () => Promise<void>;
};

export type Ratio = { label: string; smallMs: number; largeMs: number; ratio: number };

/** Fills a shop of `small` and one of `large` orders. */
export async function openBigShops(
  server: BenchServer,
  sizes: { small: number; large: number },
  progress: (line: string) => void,
): Promise<BigShops> {
  const small = await openBigShop(await server.database("bench_small"), sizes.small, progress);
  const large = await openBigShop(await server.database("bench_large"), sizes.large, progress);
  const close = async () => {
    await small.close();
    await large.close();
  };
  return { small, large, close };
}

/** The first ones fill the caches. */
const WARM_UPS = 3;

/** Asks both shops in turns, `rounds` times; `pathIn` gives the address in a shop for each round. */
export async function compare(
  { small, large }: BigShops,
  label: string,
  pathIn: (shop: BigShop, round: number) => string,
  rounds: number,
): Promise<Ratio> {
  const times = { small: [] as number[], large: [] as number[] };
  for (let n = 0; n < WARM_UPS + rounds; n++) {
    const [smallMs, largeMs] = [await small.ask(pathIn(small, n)), await large.ask(pathIn(large, n))];
    if (n < WARM_UPS) continue;
    times.small.push(smallMs);
    times.large.push(largeMs);
  }
  const [smallMs, largeMs] = [median(times.small), median(times.large)];
  return { label, smallMs, largeMs, ratio: largeMs / smallMs };
}

async function openBigShop(url: string, orders: number, progress: (line: string) => void): Promise<BigShop> {
  const startedAt = performance.now();
  // What the search asks of its indexes at the same time, and purchases beside it.
  const db = connect(url, { max: 16, statementTimeoutMs: 600_000 });
  await addProducts(db);
  await seedBig(db, orders, (done) => {
    if (done % 1_000_000 === 0 && done < orders) progress(`  ${done.toLocaleString("en")} orders`);
  });
  await addReferences(db);
  const password = "correct horse battery";
  const owner = await users.ensureAdmin(db, { email: "yaw@example.com", password });
  const owners = await addOwners(db, owner!, password);
  await db.$client`insert into users (username, email, password_hash) values ('buyer', 'buyer@example.com', '')`;
  await fillWallets(db);
  await db.$client`vacuum analyze`;
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  progress(`  ${orders.toLocaleString("en")} orders seeded in ${seconds} s`);
  const client = openApp({ db, url } as Parameters<typeof openApp>[0]);
  let requestsCount = 0;
  return {
    ...{ db, orders },
    ask: async (path) => {
      const person = owners[requestsCount++ % owners.length]!;
      const startedAt = performance.now();
      const response = await client.browse(person, path);
      await response.arrayBuffer();
      const tookMs = performance.now() - startedAt;
      if (response.status !== 200) throw new Error(`${path} answered ${response.status}`);
      return tookMs;
    },
    close: async () => {
      const { findings } = await ledgerAudit.audit(db);
      await disconnect(db);
      if (findings.length > 0) throw new Error(`the books do not balance: ${JSON.stringify(findings.slice(0, 3))}`);
    },
  };
}

/** The first owner with so many others that together they may search as often as this measures. */
async function addOwners(db: Db, owner: users.User, password: string): Promise<Person[]> {
  const others = await db.$client<{ id: number; username: string; email: string }[]>`
    insert into users (username, email, password_hash, roles)
    select 'owner' || n, 'owner' || n || '@example.com', '', array['ADMIN'] from generate_series(2, 12) n
    returning id::int, username, email`;
  return [{ ...owner, email: owner.email! }, ...others.map((other) => ({ ...owner, ...other }))].map((account) => ({
    ...{ ...account, password },
    by: (channel = "admin") => ({ userId: account.id, roles: account.roles, channel }),
  }));
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
