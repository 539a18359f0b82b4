// The agent's dashboard: the first steps of a new account, and the figures of one that sells.
import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { phones, pins } from "../../db/schema/identity.ts";
import { payments } from "../../db/schema/payments.ts";
import * as orders from "../../src/core/buying/buy.ts";
import * as unpaidOrders from "../../src/core/buying/unpaid-orders.ts";
import * as products from "../../src/core/catalog/products.ts";
import * as cancelling from "../../src/core/orders/cancelling.ts";
import * as statusChanges from "../../src/core/orders/status-changes.ts";
import * as sumsRepair from "../../src/core/reports/daily-totals-repair.ts";
import { openApp, openWorld, type Person } from "../support/world.ts";
import { type Seen, visitorAs } from "./visitor.ts";

const world = await openWorld();
const client = openApp(world);
const bundle = await world.product("MTN", "1GB", "3.90");
const { answer: bigTime } = await products.add(world.db, {
  by: world.yaw.by("admin"),
  operator: "AIRTELTIGO",
  family: "AT_BIGTIME",
  name: "AT Big Time",
  size: "15GB",
  pricePesewas: 500,
});

const buy = (person: Person, msisdn: string, quantity = 1, product = bundle) =>
  orders.buy(world.db, { by: person.by(), key: null, line: { productId: product.id, msisdn, quantity } });
const stepsOn = (seen: Seen) =>
  [...seen.document.querySelectorAll(".guide li")].map((step) =>
    [step.className === "done", step.querySelector("a")?.getAttribute("href")].filter(Boolean).join(),
  );

test("a new account sees its first steps, each with a link, and no empty figures", async () => {
  const person = await world.person("new");
  const seen = await (await visitorAs(client, person)).open("/dashboard");
  expect(stepsOn(seen)).toEqual(["/profile/phone", "/wallet/top-up", "/buy", "/profile/pin"]);
  expect(seen.text).toContain("Hide these steps");
  for (const heading of ["Recent orders", "Network usage", "Wallet transactions", "All time", "Sales today"])
    expect(seen.text).not.toContain(heading);
  expect(seen.text).not.toMatch(/NaN|Infinity|%/);
});

test("a bundle to sell at once is called by its network, for those who do not see its badge", async () => {
  const { document } = await (await visitorAs(client, await world.person("esi"))).open("/dashboard");
  const cards = [...document.querySelectorAll(".quick-buy label.bundle")];
  expect(cards.map((card) => card.querySelector(".sr")?.textContent?.trim())).toEqual(["MTN", "AirtelTigo"]);
});

test("a step that is done says so, and when all are done the list is gone", async () => {
  const person = await world.person("stepping", "GH₵ 10.00");
  await world.db.insert(phones).values({ userId: person.id, msisdn: "233541234500" });
  const visit = await visitorAs(client, person);
  expect(stepsOn(await visit.open("/dashboard"))).toEqual(["true", "true", "/buy", "/profile/pin"]);
  await buy(person, "0241234567");
  expect(stepsOn(await visit.open("/dashboard"))).toEqual(["true", "true", "true", "/profile/pin"]);
  await world.db.insert(pins).values({ userId: person.id, msisdn: "233541234500", digest: "$argon2id$" });
  expect((await visit.open("/dashboard")).text).not.toContain("First steps");
});

test("a phone that only paid for a top-up still has to be confirmed", async () => {
  const person = await world.person("payer");
  const prompt = { network: "mtn", payerMsisdn: "233241234501" } as const;
  const paid = { amountPesewas: 500, reference: "tp-payer", state: "paid", paidAt: new Date() } as const;
  await world.db.insert(payments).values({ userId: person.id, ...paid, ...prompt });
  const seen = await (await visitorAs(client, person)).open("/dashboard");
  expect(seen.document.querySelector("#top-up-phone")?.getAttribute("value")).toBe("0241234501");
  expect(stepsOn(seen)[0]).toBe("/profile/phone");
  // Nothing was credited for it, which the audit would object to.
  await world.db.delete(payments);
});

test("the first steps can be hidden, and stay hidden in this browser", async () => {
  const visit = await visitorAs(client, await world.person("hiding"));
  const hidden = await visit.press(await visit.open("/dashboard"), "Hide these steps");
  expect([hidden.path, hidden.text.includes("First steps")]).toEqual(["/dashboard", false]);
  expect(hidden.text).toContain("No orders yet.");
  expect((await visit.open("/dashboard")).text).not.toContain("First steps");
});

test("with an order its figures are the actual ones", async () => {
  const person = await world.person("selling", "GH₵ 10.00");
  await buy(person, "0241234567", 2);
  const seen = await (await visitorAs(client, person)).open("/dashboard");
  expect(seen.text).toContain("Sales todayGH₵ 7.80Orders today1");
  expect(seen.text).toContain("GH₵ 7.80 from 1 order");
  expect(seen.text).toContain("Data sold2 GBThis month2 GBLast month0 GB");
  expect(seen.text).toContain("2 GBsold");
  expect(seen.text).toContain("MTN2 GB (100%)");
  expect(seen.text).toContain("Total spent without failed ordersGH₵ 7.80");
  const bars = [...seen.document.querySelectorAll(".bars li")].map((bar) => bar.textContent);
  expect([bars.length, bars.at(-1), bars[0]!.slice(0, 1)]).toEqual([7, "8Today", "0"]);
});

test("the last order can be repeated as it was, and every row bought again", async () => {
  const person = await world.person("repeating", "GH₵ 50.00");
  await buy(person, "0241234567");
  await buy(person, "0261234567", 2, bigTime);
  const { document } = await (await visitorAs(client, person)).open("/dashboard");
  const repeat = document.querySelector(".repeat")!;
  expect(repeat.textContent).toContain("Repeat last order: 2 × BigTime 15GB to 026 123 4567");
  const bigTimeAgain = `/buy?msisdn=0261234567&product=${bigTime.id}&quantity=2&again=1`;
  expect(repeat.getAttribute("href")).toBe(bigTimeAgain);
  const again = [...document.querySelectorAll(".row-act")].map((act) => [
    act.getAttribute("aria-label"),
    act.getAttribute("href"),
  ]);
  expect(again).toEqual([
    ["Buy BigTime 15GB for 026 123 4567 again", bigTimeAgain],
    ["Buy 1GB for 024 123 4567 again", `/buy?msisdn=0241234567&product=${bundle.id}&again=1`],
  ]);
});

test("a list offers no cancelled, failed or unpaid order to be repeated", async () => {
  const person = await world.person("mistaken", "GH₵ 50.00");
  const visit = await visitorAs(client, person);
  const offered = async () =>
    [...(await visit.open("/dashboard")).document.querySelectorAll(".repeat, .row-act")].map((link) =>
      new URL(link.getAttribute("href")!, "http://localhost").searchParams.get("msisdn"),
    );
  const { answer: cancelled } = await buy(person, "0241239901");
  await cancelling.cancel(world.db, { by: person.by(), key: null, orderId: cancelled.order.id });
  expect(await offered()).toEqual([]);
  await buy(person, "0241239902");
  const { answer: failed } = await buy(person, "0241239903");
  await statusChanges.moveOne(world.db, {
    by: world.yaw.by("admin"),
    key: null,
    orderId: failed.order.id,
    to: "FAILED",
    reason: "Wrong number",
  });
  const line = { productId: bundle.id, msisdn: "0241239904", quantity: 1 };
  await unpaidOrders.create(world.db, { by: person.by(), key: null, line });
  expect(await offered()).toEqual(["0241239902", "0241239902"]);
  const chips = [...(await visit.open("/dashboard")).document.querySelectorAll("[data-order] .chip")];
  expect(chips.map((chip) => [chip.className, chip.textContent])).toEqual([
    ["chip warn", "NOT PAID"],
    ["chip bad", "FAILED"],
    ["chip warn", "PENDING"],
    ["chip", "CANCELLED"],
  ]);
});

test("a wallet that holds less than an average day's sales says so", async () => {
  const person = await world.person("running-low", "GH₵ 49.00");
  // Sold yesterday: GH₵ 39.00, which is 6.50 for each of the six days before today.
  const { answer } = await buy(person, "0241234567", 10);
  await world.db.execute(sql`update orders set paid_at = paid_at - interval '1 day' where id = ${answer.order.id}`);
  await sumsRepair.repair(world.db);
  const home = async () => (await (await visitorAs(client, person)).open("/dashboard")).text;
  expect(await home()).not.toContain("average day");
  await buy(person, "0241234568", 2);
  expect(await home()).toContain("Less than you sell on an average day (GH₵ 6.50)");
});
