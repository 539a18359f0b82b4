// The numbers that agents type for bundles: their sizes where they can be, changed by admins, and not given to another
// bundle too soon.
import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { databaseError } from "../../../db/connect.ts";
import * as operatorChanges from "../../../src/core/catalog/operators/operator-changes.ts";
import * as products from "../../../src/core/catalog/products.ts";
import * as auditLog from "../../../src/core/platform/audit-log.ts";
import { outcome } from "../../support/asking.ts";
import { openWorld } from "../../support/world.ts";

const world = await openWorld();
const { db, yaw } = world;
const by = yaw.by("admin");
const renumber = (productId: number, ussdNumber: number) => outcome(products.edit(db, { by, productId, ussdNumber }));
const monthsPass = () => db.execute(sql`update ussd_numbers set freed_at = freed_at - interval '90 days'`);
const numberOf = async (productId: number) => (await products.get(db, productId)).ussdNumber;
const bigTime = async (size: string) => {
  const { answer } = await products.add(db, {
    ...{ by, operator: "AIRTELTIGO" as const, family: "AT_BIGTIME", name: "BigTime", size },
    ...{ pricePesewas: 400, confirmPrice: true },
  });
  return answer;
};

test("a bundle has the number of its size; what is not whole, or 9 or 99, has the next above the sizes", async () => {
  const numbers = [];
  for (const size of ["5GB", "10GB", "1GB", "500MB", "9GB", "1.5GB", "100GB", "99GB", "52GB", "750MB", "50GB"])
    numbers.push([size, (await world.product("TELECEL", size, "9.00")).ussdNumber]);
  expect(numbers).toEqual([
    ...[
      ["5GB", 5],
      ["10GB", 10],
      ["1GB", 1],
      ["500MB", 51],
      ["9GB", 52],
      ["1.5GB", 53],
      ["100GB", 100],
    ],
    // 52 was given before there was a bundle of that size.
    ...[
      ["99GB", 54],
      ["52GB", 55],
      ["750MB", 56],
      ["50GB", 50],
    ],
  ]);
  await world.product("TELECEL", "57GB", "9.00");
  expect((await world.product("TELECEL", "2.5GB", "9.00")).ussdNumber).toBe(58);
});

test("a second kind of the same size has another number, and neither changes the other's", async () => {
  const first = await world.product("AIRTELTIGO", "3GB", "9.00");
  const second = await bigTime("3GB");
  expect([first.ussdNumber, second.ussdNumber]).toEqual([3, 51]);
  // Of the next that come, one is the size: it need not rest, because it means the size.
  await products.retire(db, { by, productId: first.id });
  await products.retire(db, { by, productId: second.id });
  expect((await bigTime("3GB")).ussdNumber).toBe(3);
  expect((await world.product("AIRTELTIGO", "3GB", "9.00")).ussdNumber).toBe(52);
});

test("a bundle that gets another size leaves its number, if that is a size", async () => {
  const four = await world.product("MTN", "4GB", "9.00");
  const half = await world.product("MTN", "500MB", "9.00");
  await products.edit(db, { by, productId: four.id, size: "6GB", ussdNumber: 4 });
  expect(await numberOf(four.id)).toBe(6);
  await products.edit(db, { by, productId: half.id, size: "4GB" });
  expect(await numberOf(half.id)).toBe(51);
  await products.edit(db, { by, productId: four.id, size: "2.5GB" });
  expect(await numberOf(four.id)).toBe(52);
});

test("an admin's change is checked, and logged with the number before", async () => {
  const [one, two] = [await world.product("MTN", "1GB", "3.90"), await world.product("MTN", "2GB", "8.40")];
  for (const number of [0, 9, 99, 10_000, -1, 1.5, 2, 50])
    expect([number, await renumber(one.id, number)]).toEqual([number, "product.ussd_number_invalid"]);
  expect(await renumber(one.id, 60)).toBe("done");
  expect(await renumber(two.id, 60)).toBe("product.ussd_number_taken");
  const [entry] = await auditLog.list(db, { subjectType: "product", subjectId: one.id }, { limit: 1 });
  expect(entry).toMatchObject({
    action: "product.edit",
    before: { ussdNumber: 1 },
    after: { ussdNumber: 60 },
  });
  expect(await renumber(one.id, 1)).toBe("done");
  for (const [number, constraint] of [
    [99, "products_ussd_number_is_free_to_type"],
    [2, "ussd_numbers_rest"],
  ] as const) {
    const write = db.execute(sql`update products set ussd_number = ${number} where id = ${one.id}`);
    expect(await write.then(String, databaseError)).toMatchObject({ constraint });
  }
  const ama = await world.person("ama");
  expect(await outcome(products.edit(db, { by: ama.by(), productId: one.id, ussdNumber: 70 }))).toBe("auth.forbidden");
  await products.ensureAfa(db);
  const afa = await products.afa(db);
  expect(await renumber(afa.id, 60)).toBe("product.fixed");
});

test("a number rests for 90 days after its bundle left it, but its bundle may have it back", async () => {
  const [old, young] = [
    await world.product("AIRTELTIGO", "1GB", "4.00"),
    await world.product("AIRTELTIGO", "2GB", "8.00"),
  ];
  expect(await renumber(old.id, 70)).toBe("done");
  expect(await renumber(old.id, 80)).toBe("done");
  expect(await renumber(young.id, 70)).toBe("product.ussd_number_taken");
  expect(await renumber(old.id, 70)).toBe("done");
  await products.retire(db, { by, productId: old.id });
  expect(await renumber(young.id, 70)).toBe("product.ussd_number_taken");
  expect(await renumber(young.id, 80)).toBe("product.ussd_number_taken");
  await monthsPass();
  expect(await renumber(young.id, 70)).toBe("done");
  // A new bundle gets none of those, however long ago it was.
  await monthsPass();
  expect((await world.product("AIRTELTIGO", "1.5GB", "9.00")).ussdNumber).toBe(53);
});

test("a bundle that comes back has the number of its size, whatever it had before", async () => {
  const five = await bigTime("5GB");
  const which = { by, operator: "AIRTELTIGO" as const, family: "AT_BIGTIME" };
  await operatorChanges.retire(db, which);
  // As it was numbered before numbers were sizes.
  await db.execute(sql`update products set ussd_number = 4 where id = ${five.id}`);
  await operatorChanges.restore(db, which);
  expect(await numberOf(five.id)).toBe(5);
});
