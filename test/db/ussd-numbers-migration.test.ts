// The migration that makes bundles' numbers their sizes, over the numbers of the previous version.
import { afterAll, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import postgres from "postgres";
import * as products from "../../src/core/catalog/products.ts";
import { openWorld } from "../support/world.ts";
import { read } from "../unit/source.ts";

const world = await openWorld();
const { db, yaw } = world;
const client = postgres(world.url, { max: 1, onnotice: () => {} });
afterAll(() => client.end());

/** The part that numbers the bundles on sale. */
async function migrateNumbers(): Promise<void> {
  const statements = (await read("db/migrations/0053_ussd.sql")).split("--> statement-breakpoint");
  const first = statements.findIndex((text) => text.includes("DROP TRIGGER products_renumbered"));
  await client.begin(async (tx) => {
    for (const statement of statements.slice(first)) await tx.unsafe(statement);
  });
}

/** Numbers the bundles as the previous version did: in order, without regard to their sizes. */
async function numberInOrder(): Promise<void> {
  await client.begin(async (tx) => {
    await tx`alter table products disable trigger user`;
    await tx`update products set ussd_number = ussd_number + 100000 where line = 'bundle'`;
    await tx`
      update products p set ussd_number = n.place from (
        select id, row_number() over (partition by operator order by id) as place from products
        where line = 'bundle') n
      where n.id = p.id`;
    await tx`delete from ussd_numbers`;
    await tx`
      insert into ussd_numbers (operator, number, product_id, freed_at)
      select operator, ussd_number, id, retired_at from products where line = 'bundle'`;
    await tx`alter table products enable trigger user`;
  });
}

test("numbers the bundles on sale by their sizes, the first kind first, and lets the old numbers rest", async () => {
  const by = yaw.by("admin");
  const add = async (operator: "MTN" | "TELECEL", ...sizes: string[]) => {
    for (const size of sizes) await world.product(operator, size, "9.00");
  };
  await add("TELECEL", "1GB", "2GB", "3GB", "5GB", "10GB", "1.5GB", "9GB");
  const gone = await world.product("MTN", "3GB", "9.00");
  await add("MTN", "500MB", "1GB", "2GB", "60GB");
  await products.retire(db, { by, productId: gone.id });
  const at = { by, operator: "AIRTELTIGO" as const, pricePesewas: 400, confirmPrice: true };
  for (const size of ["1GB", "2GB"]) await products.add(db, { ...at, name: "BigTime", family: "AT_BIGTIME", size });
  for (const size of ["2GB", "1GB"]) await products.add(db, { ...at, name: "iShare", size });
  await numberInOrder();

  await migrateNumbers();
  const listed = async (operator: "MTN" | "TELECEL" | "AIRTELTIGO") =>
    (await products.bundlesOf(db, operator, yaw.id)).map(({ number, name, size }) => [number, name, size]);
  expect((await listed("TELECEL")).map(([number, , size]) => `${number} ${size}`)).toEqual([
    ...["1 1GB", "2 2GB", "3 3GB", "5 5GB", "10 10GB", "51 1.5GB", "52 9GB"],
  ]);
  expect((await listed("MTN")).map(([number, , size]) => `${number} ${size}`)).toEqual([
    ...["1 1GB", "2 2GB", "51 500MB", "60 60GB"],
  ]);
  expect(await listed("AIRTELTIGO")).toEqual([
    ...[
      [1, "iShare", "1GB"],
      [2, "iShare", "2GB"],
    ],
    ...[
      [51, "BigTime", "1GB"],
      [52, "BigTime", "2GB"],
    ],
  ]);

  // Each number in use is its bundle's; those that were left rest from now on.
  const [wrong] = await db.execute<{ count: number }>(sql`
    select count(*)::int as count from products p where line = 'bundle' and retired_at is null and not exists (
      select from ussd_numbers u where u.operator = p.operator and u.number = p.ussd_number
        and u.product_id = p.id and u.freed_at is null)`);
  expect(wrong!.count).toBe(0);
  const resting = await db.execute<{ number: number }>(sql`
    select number from ussd_numbers where operator = 'TELECEL' and freed_at > now() - interval '1 minute'
    order by number`);
  expect(resting.map(({ number }) => number)).toEqual([4, 6, 7]);
  // From here on the trigger keeps them, and a size that comes has its number.
  expect((await world.product("TELECEL", "4GB", "9.00")).ussdNumber).toBe(4);
});
