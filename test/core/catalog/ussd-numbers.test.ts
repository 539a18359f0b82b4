// The numbers that agents type for bundles: given once, changed by admins, and not given to another bundle too soon.
import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { databaseError } from "../../../db/connect.ts";
import * as products from "../../../src/core/catalog/products.ts";
import * as auditLog from "../../../src/core/platform/audit-log.ts";
import { outcome } from "../../support/asking.ts";
import { openWorld } from "../../support/world.ts";

const world = await openWorld();
const { db, yaw } = world;
const by = yaw.by("admin");
const renumber = (productId: number, ussdNumber: number) =>
  outcome(products.edit(db, { by, productId, ussdNumber }));
const monthsPass = () => db.execute(sql`update ussd_numbers set freed_at = freed_at - interval '90 days'`);

test("a bundle gets the smallest number that its network never gave, but not 9 or 99", async () => {
  const made = [];
  for (let n = 1; n <= 10; n++) made.push(await world.product("TELECEL", `${n}GB`, "9.00"));
  expect(made.map(({ ussdNumber }) => ussdNumber)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 10, 11]);
  await db.execute(sql`
    insert into ussd_numbers (operator, number, product_id, freed_at)
    select 'TELECEL', n, 0, now() - interval '2 years' from generate_series(12, 98) n`);
  expect((await world.product("TELECEL", "11GB", "9.00")).ussdNumber).toBe(100);
  const write = db.execute(sql`update products set ussd_number = 99 where id = ${made[0]!.id}`);
  expect(await write.then(String, databaseError)).toMatchObject({
    constraint: "products_ussd_number_is_free_to_type",
  });
});

test("an admin's change is checked, and logged with the number before", async () => {
  const [one, two] = [await world.product("MTN", "1GB", "3.90"), await world.product("MTN", "2GB", "8.40")];
  for (const number of [0, 9, 99, 10_000, -1, 1.5])
    expect([number, await renumber(one.id, number)]).toEqual([number, "product.ussd_number_invalid"]);
  expect(await renumber(one.id, 2)).toBe("product.ussd_number_taken");
  expect(await renumber(one.id, 50)).toBe("done");
  const [entry] = await auditLog.list(db, { subjectType: "product", subjectId: one.id }, { limit: 1 });
  expect(entry).toMatchObject({
    action: "product.edit",
    before: { ussdNumber: 1 },
    after: { ussdNumber: 50 },
  });
  expect((await products.bundlesOf(db, "MTN", yaw.id)).map(({ id, number }) => [id, number])).toEqual([
    [two.id, 2],
    [one.id, 50],
  ]);
  const ama = await world.person("ama");
  expect(await outcome(products.edit(db, { by: ama.by(), productId: one.id, ussdNumber: 3 }))).toBe(
    "auth.forbidden",
  );
  await products.ensureAfa(db);
  const afa = await products.afa(db);
  expect(await renumber(afa.id, 3)).toBe("product.fixed");
});

test("a number rests for 90 days after its bundle left it, but its bundle may have it back", async () => {
  const [old, young] = [
    await world.product("AIRTELTIGO", "1GB", "4.00"),
    await world.product("AIRTELTIGO", "2GB", "8.00"),
  ];
  expect(await renumber(old.id, 7)).toBe("done");
  expect(await renumber(young.id, 1)).toBe("product.ussd_number_taken");
  expect(await renumber(old.id, 1)).toBe("done");
  await products.retire(db, { by, productId: old.id });
  expect(await renumber(young.id, 1)).toBe("product.ussd_number_taken");
  expect(await renumber(young.id, 7)).toBe("product.ussd_number_taken");
  await monthsPass();
  expect(await renumber(young.id, 1)).toBe("done");
  // A new bundle gets none of those, however long ago it was.
  await monthsPass();
  expect((await world.product("AIRTELTIGO", "3GB", "9.00")).ussdNumber).toBe(3);
});
