// The agent's dashboard for a new account: what is still empty, and the next step for it.
import { expect, test } from "bun:test";
import * as orders from "../../src/core/orders/buy.ts";
import { openApp, openWorld } from "../support/world.ts";
import { visitorAs } from "./visitor.ts";

const world = await openWorld();
const client = openApp(world);
const bundle = await world.product("MTN", "1GB", "3.90");

test("without an order each block says that it is empty and links to the next step", async () => {
  const seen = await (await visitorAs(client, await world.person("new"))).open("/dashboard");
  for (const text of [
    "No sales in the last seven days",
    "No data bought yet",
    "No orders yet.",
    "No transactions yet.",
  ])
    expect(seen.text).toContain(text);
  const paths = [...seen.document.querySelectorAll(".empty a")].map((a) => a.getAttribute("href"));
  expect(paths).toEqual(["/mtn-data", "/wallet/top-up"]);
  expect(seen.text).not.toMatch(/NaN|Infinity|%/);
});

test("with an order its figures are the actual ones", async () => {
  const person = await world.person("selling", "GH₵ 10.00");
  const line = { productId: bundle.id, msisdn: "0241234567", quantity: 2 };
  await orders.buy(world.db, { by: person.by(), key: null, line });
  const seen = await (await visitorAs(client, person)).open("/dashboard");
  expect(seen.text).toContain("Data usage2 GBSold this month: 2 GB. The month before: 0 GB");
  expect(seen.text).toContain("MTN2 GB (100%)");
  expect(seen.text).toContain("Total spentGH₵ 7.80");
});
