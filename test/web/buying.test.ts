// Buying, viewing and cancelling orders in a browser without scripts: forms, notices, and no way to pay twice.
import { describe, expect, test } from "bun:test";
import * as orderQueries from "../../src/core/orders/queries.ts";
import * as settings from "../../src/core/platform/settings/settings.ts";
import { pausedText, pausedTitle } from "../../src/shared/pause.ts";
import { built } from "../../src/web/island.tsx";
import { longTest } from "../support/long.ts";
import { pauseNetwork, pauseProduct } from "../support/pausing.ts";
import { openApp, openWorld, type Person } from "../support/world.ts";
import { filledIn, type Seen, visitorAs } from "./visitor.ts";

const world = await openWorld();
const client = openApp(world);
const small = await world.product("MTN", "1GB", "3.90");
const big = await world.product("MTN", "10GB", "41.00");
const tigo = await world.product("AIRTELTIGO", "1GB", "3.90");

const ordersOf = (person: Person) => orderQueries.list(world.db, { userId: person.id }, { limit: 50 });
const packageOf = (product: typeof small) => `${product.id}@${product.pricePesewas}`;
let people = 0;
const agent = async (balance = "GH₵ 20.00") => {
  const person = await world.person(`agent${++people}`, balance);
  return { person, visit: await visitorAs(client, person) };
};
const BUY = "Pay with Wallet";
/** The page of an order that was just paid. */
const ORDER = /^\/orders\/\d+$/;
/** The radio button of a bundle. */
const cardOf = (seen: Seen, { id }: typeof small) =>
  seen.document.querySelector(`#field-productId input[value^="${id}@"]`)!;
const errorOf = (seen: Seen, field: string) => seen.document.getElementById(`field-${field}-error`)?.textContent;

test("an agent buys a bundle, reads that it is on its way, opens it, and cancels it", async () => {
  const { person, visit } = await agent();
  const page = await visit.open("/mtn-data");
  const one = await visit.press(page, BUY, { productId: packageOf(small), msisdn: "054 123 4567" });
  const [order] = await ordersOf(person);
  expect(one.path).toBe(`/orders/${order!.id}`);
  expect(one.text).toContain(
    `Paid with wallet successfully. Order #${order!.id}, MTN 1GB for 054 123 4567, is on its way.`,
  );
  expect(await world.balanceOf(person)).toBe(1610);
  expect(one.text).toContain("Paid GH₵ 3.90");
  const cancelled = await visit.press(one, "Cancel (");
  expect(cancelled.text).toContain(`Order #${order!.id} is cancelled. GH₵ 3.90 is back in your wallet.`);
  expect(cancelled.text).toContain("CANCELLED");
  expect(await world.balanceOf(person)).toBe(2000);
  expect((await visit.open("/wallet")).text).toContain("Refund");
});

test("the same form sent twice, or ten times at once, is one order", async () => {
  const { person, visit } = await agent();
  const page = await visit.open("/mtn-data");
  const changes = { productId: packageOf(small), msisdn: "0541234567" };
  const seen = await Promise.all(Array.from({ length: 10 }, () => visit.press(page, BUY, changes)));
  const placed = await ordersOf(person);
  expect(placed.length).toBe(1);
  expect(new Set(seen.map((one) => one.path))).toEqual(new Set([`/orders/${placed[0]!.id}`]));
  expect(await world.balanceOf(person)).toBe(1610);
});

test("two pages with the same sale, sent at the same moment, are one order and a question", async () => {
  const { person, visit } = await agent();
  const pages = [await visit.open("/buy"), await visit.open("/mtn-data")];
  const changes = { productId: packageOf(small), msisdn: "0541234567" };
  const seen = await Promise.all(pages.map((page) => visit.press(page, BUY, changes)));
  expect(seen.filter(({ path }) => ORDER.test(path))).toHaveLength(1);
  expect(seen.filter(({ text }) => text.includes("Order it again?"))).toHaveLength(1);
  expect([(await ordersOf(person)).length, await world.balanceOf(person)]).toEqual([1, 1610]);
});

test("of eight sales sent at the same moment, a wallet with money for five pays for five", async () => {
  const { person, visit } = await agent();
  const pages = await Promise.all(Array.from({ length: 8 }, () => visit.open("/buy")));
  const seen = await Promise.all(
    pages.map((page, i) => visit.press(page, BUY, { productId: packageOf(small), msisdn: `054123456${i}` })),
  );
  expect(seen.filter(({ path }) => ORDER.test(path))).toHaveLength(5);
  expect([(await ordersOf(person)).length, await world.balanceOf(person)]).toEqual([5, 50]);
});

test("a form that was already sent with other values is refused, and says where to look", async () => {
  const { person, visit } = await agent();
  const page = await visit.open("/mtn-data");
  await visit.press(page, BUY, { productId: packageOf(small), msisdn: "0541234567" });
  const seen = await visit.press(page, BUY, { productId: packageOf(small), msisdn: "0541234568" });
  expect(seen.status).toBe(422);
  expect(seen.text).toContain("Check My Orders");
  expect((await ordersOf(person)).length).toBe(1);
});

describe("an invalid purchase is refused beside its field, keeps what was typed, and costs nothing", () => {
  const invalid: [label: string, changes: Record<string, string>, field: string, message: RegExp][] = [
    ["nothing chosen", { msisdn: "0541234567" }, "productId", /^Select package and enter number$/],
    [
      "a short number",
      { productId: packageOf(small), msisdn: "054123" },
      "msisdn",
      /^Number is too short \(6 of 10 digits\)$/,
    ],
    ["a short number and no bundle", { msisdn: "23354123" }, "msisdn", /^Number is too short \(8 of 12 digits\)$/],
    ["no number", { productId: packageOf(small) }, "msisdn", /^Select package and enter number$/],
    ["another country's number", { productId: packageOf(small), msisdn: "+447700900123" }, "msisdn", /number/i],
    [
      "a number of ten thousand characters",
      { productId: packageOf(small), msisdn: "0541234567".repeat(1_000) },
      "msisdn",
      /number/i,
    ],
    [
      "a quantity of a thousand digits",
      { productId: packageOf(small), msisdn: "0541234567", quantity: "1".repeat(1_000) },
      "quantity",
      /1 (and|to) 100/,
    ],
    [
      "no bundle of the network that was chosen",
      { productId: packageOf(small), msisdn: "0261234567", operator: "AIRTELTIGO" },
      "productId",
      /another network/,
    ],
    [
      "a bundle that does not exist",
      { productId: "999999@390", msisdn: "0541234567" },
      "productId",
      /^Invalid package selected$/,
    ],
    [
      "a quantity of zero",
      { productId: packageOf(small), msisdn: "0541234567", quantity: "0" },
      "quantity",
      /1 (and|to) 100/,
    ],
    [
      "a fraction",
      { productId: packageOf(small), msisdn: "0541234567", quantity: "1.5" },
      "quantity",
      /1 (and|to) 100/,
    ],
    ["too many", { productId: packageOf(small), msisdn: "0541234567", quantity: "101" }, "quantity", /1 (and|to) 100/],
  ];
  for (const [label, changes, field, message] of invalid) {
    longTest(label, async () => {
      const { person, visit } = await agent();
      const seen = await visit.press(await visit.open("/mtn-data"), BUY, changes);
      expect([seen.path, seen.status >= 400 && seen.status < 500]).toEqual(["/mtn-data", true]);
      expect(errorOf(seen, field)).toMatch(message);
      const form = seen.document.getElementById("field-msisdn")!;
      expect(form.getAttribute("value") ?? "").toBe(changes.msisdn ?? "");
      expect(await ordersOf(person)).toEqual([]);
      expect(await world.balanceOf(person)).toBe(2000);
    });
  }

  test("more than the wallet holds", async () => {
    const { person, visit } = await agent();
    const seen = await visit.press(await visit.open("/mtn-data"), BUY, {
      productId: packageOf(big),
      msisdn: "0541234567",
    });
    expect(seen.text).toContain("Not enough money in your wallet.");
    expect(seen.text).toContain("You need GH₵ 21.00 more.");
    expect(await ordersOf(person)).toEqual([]);
  });

  test("a price that has changed since the page was loaded", async () => {
    const { person, visit } = await agent();
    const seen = await visit.press(await visit.open("/mtn-data"), BUY, {
      productId: `${small.id}@350`,
      msisdn: "0541234567",
    });
    expect(seen.status).toBe(409);
    expect(seen.text).toMatch(/price/i);
    expect(await ordersOf(person)).toEqual([]);
  });
});

test("the same bundle for the same number within ten minutes needs a confirmation, which places it", async () => {
  const { person, visit } = await agent();
  const changes = { productId: packageOf(small), msisdn: "0541234567" };
  await visit.press(await visit.open("/mtn-data"), BUY, changes);
  const confirmation = await visit.press(await visit.open("/mtn-data"), BUY, changes);
  expect(confirmation.text).toContain("Order it again?");
  expect((await ordersOf(person)).length).toBe(1);
  const list = await visit.press(confirmation, "Yes, order it again");
  expect(list.path).toMatch(ORDER);
  expect((await ordersOf(person)).length).toBe(2);
});

describe("a number of another network", () => {
  const changes = { productId: packageOf(small), msisdn: "0201234567", quantity: "2" };

  test("needs a confirmation before anything is paid, and links to that network's page with the number", async () => {
    const { person, visit } = await agent();
    const confirmation = await visit.press(await visit.open("/mtn-data"), BUY, changes);
    expect(confirmation.status).toBe(422);
    expect(confirmation.text).toContain("Is 020 123 4567 on MTN? It looks like Telecel. Nothing has been paid yet.");
    expect(await ordersOf(person)).toEqual([]);
    const over = [...confirmation.document.querySelectorAll("main a")].find((a) =>
      a.textContent?.startsWith("Open Telecel"),
    );
    expect(over!.getAttribute("href")).toBe("/telecel?msisdn=0201234567");
  });

  test("is accepted once the agent confirms that it was ported, however it is paid", async () => {
    const { person, visit } = await agent();
    const confirmation = await visit.press(await visit.open("/mtn-data"), BUY, changes);
    const list = await visit.press(confirmation, "Yes, it was moved to MTN");
    expect([list.path, list.text]).toEqual([
      expect.stringMatching(ORDER),
      expect.stringContaining("Paid with wallet successfully"),
    ]);
    expect((await ordersOf(person)).map(({ msisdn, quantity }) => [msisdn, quantity])).toEqual([["233201234567", 2]]);
    const asksAgain = await visit.press(await visit.open("/mtn-data"), BUY, changes);
    const duplicate = await visit.press(asksAgain, "Yes, it was moved to MTN");
    expect(duplicate.text).toContain("Order it again?");
    expect((await visit.press(duplicate, "Yes, order it again")).path).toMatch(ORDER);
    const momo = await visit.press(await visit.open("/mtn-data"), "Pay with MoMo", {
      ...changes,
      msisdn: "0207654321",
    });
    expect((await visit.press(momo, "Yes, it was moved to MTN")).path).toStartWith("/checkout");
  });
});

describe("the notice after a purchase", () => {
  const changes = { productId: packageOf(small), msisdn: "0541234567" };

  test("cancels the order while that is possible", async () => {
    const { person, visit } = await agent();
    const list = await visit.press(await visit.open("/mtn-data"), BUY, changes);
    const cancelled = await visit.press(list, "Cancel (");
    expect(cancelled.text).toContain("is cancelled. GH₵ 3.90 is back in your wallet.");
    expect(await world.balanceOf(person)).toBe(2000);
    expect((await visit.open("/orders")).text).not.toContain("Cancel (");
  });

  test("cannot cancel where orders are dispatched at once, nor others' orders by a forged cookie", async () => {
    const { person, visit } = await agent();
    await settings.change(world.db, { by: world.yaw.by("admin"), values: { dispatch_hold_seconds: 0 } });
    expect((await visit.press(await visit.open("/mtn-data"), BUY, changes)).text).not.toContain("Cancel (");
    await settings.change(world.db, { by: world.yaw.by("admin"), values: { dispatch_hold_seconds: 45 } });
    const [order] = await ordersOf(person);
    const other = await agent();
    other.visit.cookies.set("notice", encodeURIComponent(`undo order ${order!.id} ${Date.now() + 60_000} Take it`));
    const seen = await other.visit.press(await other.visit.open("/orders"), "Cancel (");
    expect(seen.status).toBe(404);
    expect(await world.balanceOf(person)).toBe(1610);
  });
});

test("a page's address fills in its form, at the current price", async () => {
  const { visit } = await agent();
  const seen = await visit.open(`/mtn-data?msisdn=0541234567&product=${small.id}&quantity=3`);
  const { body } = filledIn(seen, BUY);
  const fields = Object.fromEntries(new URLSearchParams(body));
  expect(fields).toMatchObject({ msisdn: "0541234567", productId: packageOf(small), quantity: "3" });
  const nothing = await visit.open("/mtn-data?product=999999&quantity=");
  const empty = new URLSearchParams(filledIn(nothing, BUY).body);
  expect([empty.get("msisdn"), empty.get("productId"), empty.get("quantity")]).toEqual(["", null, "1"]);
});

describe("a wallet with too little money", () => {
  const changes = { productId: packageOf(big), msisdn: "0541234567", quantity: "2" };

  test("leads to a top-up of what is missing, and from there back to the same purchase", async () => {
    const { visit } = await agent();
    const refused = await visit.press(await visit.open("/mtn-data"), BUY, changes);
    const link = [...refused.document.querySelectorAll("main a")].find((a) => a.textContent === "Top up GH₵ 62.00")!;
    const topUp = await visit.open(link.getAttribute("href")!);
    expect(topUp.text).toContain("After the top-up you return to your purchase");
    const fields = new URLSearchParams(filledIn(topUp, "Card or bank").body);
    expect(fields.get("amount")).toBe("62.00");
    const back = await visit.open(fields.get("back")!);
    expect(back.text).toContain("Nothing has been sent yet. What you typed is still here");
    expect(Object.fromEntries(new URLSearchParams(filledIn(back, BUY).body))).toMatchObject(changes);
  });

  test("suggests the minimum top-up when less is missing, and says why", async () => {
    const { visit } = await agent("GH₵ 1.00");
    const refused = await visit.press(await visit.open("/mtn-data"), BUY, {
      productId: packageOf(small),
      msisdn: "0541234567",
    });
    const link = [...refused.document.querySelectorAll("main a")].find((a) => a.textContent === "Top up GH₵ 2.90")!;
    const topUp = await visit.open(link.getAttribute("href")!);
    expect(topUp.text).toContain("You need GH₵ 2.90; the minimum top-up is GH₵ 5.00.");
    expect(new URLSearchParams(filledIn(topUp, "Card or bank").body).get("amount")).toBe("5.00");
  });

  test("never leads back to another site", async () => {
    const { visit } = await agent();
    const topUp = await visit.open("/wallet/top-up?amount=10&back=https://evil.example/");
    expect(topUp.html).not.toContain("evil.example");
  });
});

test("the price range comes from the products", async () => {
  const { visit } = await agent();
  expect((await visit.open("/mtn-data")).text).toContain("₵3.90 – ₵41.00");
});

test("a paused network shows the reason, and cannot be bought from an old page either", async () => {
  const { person, visit } = await agent();
  const page = await visit.open("/airtel-tigo");
  const by = world.yaw.by("admin");
  await pauseNetwork(world.db, { by, operator: "AIRTELTIGO", message: "Back at noon" });
  const changes = { productId: packageOf(tigo), msisdn: "0261234567" };
  const seen = await visit.press(page, BUY, changes);
  expect(errorOf(seen, "productId")).toBe("This bundle is paused at the moment");
  expect(seen.text).toContain("AirtelTigo bundles are paused");
  expect(seen.text).toContain("Back at noon");
  expect(cardOf(seen, tigo).hasAttribute("disabled")).toBe(true);
  await pauseNetwork(world.db, { by, operator: "AIRTELTIGO", message: null });
  expect((await visit.press(page, BUY, changes)).path).toMatch(ORDER);
  expect((await ordersOf(person)).length).toBe(1);
});

test("a pause with an end shows that time, on the page and in the refusal", async () => {
  const { visit } = await agent();
  const by = world.yaw.by("admin");
  const page = await visit.open("/mtn-data");
  const until = new Date(Math.ceil(Date.now() / 60_000 + 2 * 1440) * 60_000);
  const ask = { by, productId: big.id, message: "10GB is late at MTN" };
  await pauseProduct(world.db, { ...ask, until });
  const paused = pausedText({ until });
  const seen = await visit.press(page, BUY, { productId: packageOf(big), msisdn: "0241234599" });
  expect(errorOf(seen, "productId")).toBe(`This bundle is ${paused}`);
  expect(seen.text).toContain(`Some MTN bundles are ${paused}10GB is late at MTN`);
  const card = cardOf(seen, big);
  expect([card.closest("label")!.textContent, card.hasAttribute("disabled")]).toEqual([
    `10GBGH₵ 41.00${pausedTitle({ until })}`,
    true,
  ]);
  const list = await visit.press(await visit.open("/bulk?operator=MTN"), "Check list", {
    productId: "each",
    lines: "0541234567 10GB\n0541234568 1GB\n",
  });
  expect(list.text).toContain(`This bundle is ${paused}`);
  await pauseProduct(world.db, { ...ask, message: null });
  expect((await visit.open("/mtn-data")).text).not.toContain("paused");
});

describe("an unpaid order", () => {
  const place = async (person: Person) => {
    const body = { productId: small.id, msisdn: "0541234567", quantity: 1 };
    return (await client.call(person, "POST", "/api/v1/orders", body)).body.id as number;
  };
  test("is marked as unpaid, and can be paid from its page once", async () => {
    const { person, visit } = await agent();
    const id = await place(person);
    expect((await visit.open("/orders")).text).toContain("NOT PAID");
    const page = await visit.open(`/orders/${id}`);
    await visit.press(page, BUY);
    const again = await visit.press(page, BUY);
    expect(again.text).toContain(`Order #${id} is on its way.`);
    expect(await world.balanceOf(person)).toBe(1610);
  });
  test("can be cancelled without a refund", async () => {
    const { person, visit } = await agent();
    const id = await place(person);
    const seen = await visit.press(await visit.open(`/orders/${id}`), "Cancel");
    expect(seen.text).toContain(`Order #${id} is cancelled.`);
    expect(await world.balanceOf(person)).toBe(2000);
  });
});

test("somebody else's order is not found", async () => {
  const owner = await agent();
  const other = await agent();
  const page = await owner.visit.open("/mtn-data");
  await owner.visit.press(page, BUY, { productId: packageOf(small), msisdn: "0541234567" });
  const [order] = await ordersOf(owner.person);
  const seen = await other.visit.open(`/orders/${order!.id}`);
  expect(seen.status).toBe(404);
  expect(seen.html).not.toContain("0541234567");
  const sent = await client.browse(other.person, `/orders/${order!.id}`, { action: "cancel", key: "k" });
  expect(sent.status).toBe(404);
  expect(await world.balanceOf(owner.person)).toBe(1610);
});

test("a form from another site is refused without effect", async () => {
  const { person, visit } = await agent();
  const changes = { productId: packageOf(small), msisdn: "0541234567" };
  const { path, body } = filledIn(await visit.open("/mtn-data"), BUY, changes);
  const form = Object.fromEntries(new URLSearchParams(body));
  for (const origin of ["https://evil.example", "null", "http://localhost.evil.example"]) {
    const answer = await client.browse(person, path, form, { origin });
    expect(answer.status).toBe(403);
  }
  expect(await ordersOf(person)).toEqual([]);
});

test("what people type is shown as they typed it, and never becomes markup", async () => {
  const evil = `"><script>alert(1)</script>`;
  const { person, visit } = await agent();
  const pages = [
    await visit.open(`/orders?search=${encodeURIComponent(evil)}`),
    await visit.press(await visit.open("/mtn-data"), BUY, { productId: packageOf(small), msisdn: evil }),
    await visit.press(await visit.open("/bulk?operator=MTN"), "Check list", {
      productId: packageOf(small),
      lines: evil,
    }),
  ];
  for (const page of pages) {
    const scripts = [...page.document.querySelectorAll("script")];
    expect(scripts.map((script) => script.textContent === built.loader)).not.toContain(false);
    expect(page.html).toContain("&lt;script&gt;");
  }
  expect(await ordersOf(person)).toEqual([]);
});
