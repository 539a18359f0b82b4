// A process that is suspended between marking an attempt and calling its vendor, while another process goes on.
import { afterEach, expect, setSystemTime, test } from "bun:test";
import type { Db } from "../../../db/connect.ts";
import * as dispatch from "../../../src/core/fulfilment/dispatch.ts";
import * as routing from "../../../src/core/fulfilment/routing.ts";
import { openDelivering } from "./delivering.ts";

const shop = await openDelivering();
const { db, simulator } = shop;

const MINUTE = 60;
const PURCHASES = "POST /datamart/api/developer/bulk-purchase";
afterEach(() => void setSystemTime());

/** The database of a process that is suspended once, right after its first commit, for as long as `others` work. */
function suspendedOnce(others: () => Promise<void>): Db {
  let isOver = false;
  const transaction: Db["transaction"] = async (work, config) => {
    const result = await db.transaction(work, config);
    if (isOver) return result;
    isOver = true;
    await others();
    setSystemTime(Date.now() + 5 * MINUTE * 1000);
    return result;
  };
  return new Proxy(db, { get: (whole, name) => (name === "transaction" ? transaction : Reflect.get(whole, name)) });
}
const send = (on: Db) => dispatch.sendDue(on, shop.vendor("datamart"), () => null, shop.vendors);

test("it does not call when the order has gone to another vendor meanwhile", async () => {
  await shop.routeBy("datamart,hubnet");
  const id = await shop.buy();
  await routing.routeDue(db, shop.vendors, 500);
  const others = async () => {
    simulator.fault(PURCHASES, "dropBefore");
    await shop.pass(10 * MINUTE);
    expect((await shop.story(id)).attempts).toEqual(["datamart failed", "hubnet delivered"]);
  };
  expect(await send(suspendedOnce(others))).toBe(0);
  await shop.pass(10 * MINUTE);
  expect(simulator.deliveries().map(({ vendor, count }) => [vendor, count])).toEqual([["hubnet", 1]]);
});

test("it calls when nobody has taken the order over, and the vendor's time to show it begins then", async () => {
  const id = await shop.buy();
  await routing.routeDue(db, shop.vendors, 500);
  expect(await send(suspendedOnce(async () => {}))).toBe(1);
  await shop.pass(MINUTE);
  expect((await shop.story(id)).attempts).toEqual(["datamart delivered"]);
  expect(shop.callsTo("datamart")).toBe(1);
});
