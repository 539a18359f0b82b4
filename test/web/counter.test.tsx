// The buying page in a browser without scripts: what it opens with, who was sold to before, networks, and repetitions.
import { describe, expect, test } from "bun:test";
import { renderToString } from "react-dom/server";
import * as orders from "../../src/core/buying/buy.ts";
import { habits } from "../../src/core/buying/recipients.ts";
import * as products from "../../src/core/catalog/products.ts";
import * as contacts from "../../src/core/identity/contacts.ts";
import * as orderQueries from "../../src/core/orders/queries.ts";
import { QuickBuy } from "../../src/web/ui/orders/quick-buy.tsx";
import { pauseProduct } from "../support/pausing.ts";
import { openApp, openWorld, type Person } from "../support/world.ts";
import { filledIn, type Seen, seenOf, visitorAs } from "./visitor.ts";

const world = await openWorld();
const client = openApp(world);
const oneGb = await world.product("MTN", "1GB", "3.90");
const twoGb = await world.product("MTN", "2GB", "8.40");
const telecel = await world.product("TELECEL", "2GB", "9.50");
const { answer: big } = await products.add(world.db, {
  by: world.yaw.by("admin"),
  operator: "AIRTELTIGO",
  family: "AT_BIGTIME",
  name: "AT Big Time",
  size: "15GB",
  pricePesewas: 5630,
});
const small = await world.product("AIRTELTIGO", "1GB", "3.90");
const BUY = "Pay with Wallet";
const ORDER = /^\/orders\/\d+$/;

let people = 0;
const agent = async (balance = "GH₵ 100.00") => {
  const person = await world.person(`agent${++people}`, balance);
  return { person, visit: await visitorAs(client, person) };
};
const optionOf = ({ id, pricePesewas }: products.Product) => `${id}@${pricePesewas}`;
const sell = (person: Person, product: products.Product, msisdn: string) => {
  const line = { productId: product.id, msisdn, quantity: 1 };
  return orders.buy(world.db, { by: person.by(), key: null, line });
};
const soldBy = async (person: Person) =>
  (await orderQueries.list(world.db, { userId: person.id }, { limit: 50 })).map(({ msisdn, productId, quantity }) => [
    msisdn,
    productId,
    quantity,
  ]);
const sentBy = (seen: Seen) => Object.fromEntries(new URLSearchParams(filledIn(seen, BUY).body));
/** The texts of the cards of a network, in their order. */
const cardsOf = (seen: Seen, operator: string) =>
  [...seen.document.querySelectorAll(`.offer.${operator} .bundle`)].map((card) => card.textContent);
const pills = (seen: Seen) =>
  [...seen.document.querySelectorAll(".recents a")].map((link) => [link.textContent, link.getAttribute("href")]);

describe("the buying page", () => {
  test("asks for the number first, then the network, and shows every network's bundles with their prices", async () => {
    const { visit } = await agent();
    const seen = await visit.open("/buy");
    const names = [...seen.document.querySelectorAll("form.counter input:not([type=hidden])")].map((it) =>
      it.getAttribute("name"),
    );
    expect([...new Set(names)]).toEqual(["msisdn", "operator", "productId", "quantity"]);
    expect(seen.document.getElementById("field-msisdn")!.hasAttribute("autofocus")).toBe(true);
    expect(cardsOf(seen, "MTN")).toEqual(["1GBGH₵ 3.90", "2GBGH₵ 8.40"]);
    expect(seen.document.querySelector(".offer.MTN")!.textContent).toContain("₵3.90 – ₵8.40");
    const families = [...seen.document.querySelectorAll(".offer.AIRTELTIGO h3")].map((it) => it.textContent);
    expect(families).toEqual(["AT iShare", "AT BigTime"]);
  });

  test("opens with the network of its address, of the number, or of the last sale", async () => {
    const { person, visit } = await agent();
    const networkAt = async (path: string) => sentBy(await visit.open(path)).operator;
    expect(await networkAt("/buy")).toBe("MTN");
    expect(await networkAt("/airtel-tigo")).toBe("AIRTELTIGO");
    expect(await networkAt("/airtel-tigo?msisdn=0201234567")).toBe("AIRTELTIGO");
    expect(await networkAt("/buy?msisdn=0201234567")).toBe("TELECEL");
    expect(await networkAt(`/buy?msisdn=0201234567&product=${oneGb.id}`)).toBe("MTN");
    await sell(person, telecel, "0201234567");
    expect(await networkAt("/buy")).toBe("TELECEL");
  });

  test("says that the bundle of its address is paused or gone, and fills in the rest", async () => {
    const { visit } = await agent();
    const by = world.yaw.by("admin");
    await pauseProduct(world.db, { by, productId: twoGb.id, message: "Late today" });
    const paused = await visit.open(`/buy?msisdn=0541234567&product=${twoGb.id}&quantity=2`);
    await pauseProduct(world.db, { by, productId: twoGb.id, message: null });
    expect(paused.text).toContain("MTN 2GB is paused. Choose another bundle.");
    expect(sentBy(paused)).toMatchObject({ msisdn: "0541234567", quantity: "2" });
    expect(sentBy(paused).productId).toBeUndefined();
    const gone = await visit.open("/buy?msisdn=0541234567&product=999999");
    expect(gone.text).toContain("That bundle is no longer on sale. Choose another one.");
  });
});

describe("recent recipients", () => {
  test("lead to the sale that each usually takes, the newest first, six at most", async () => {
    const { person, visit } = await agent();
    for (let n = 1; n <= 7; n++) await sell(person, oneGb, `024555000${n}`);
    await sell(person, telecel, "0201234567");
    await world.db.$client`update orders set created_at = now() - interval '1 hour' where user_id = ${person.id}`;
    const seen = await visit.open("/buy");
    expect(pills(seen).length).toBe(6);
    expect(pills(seen)[0]).toEqual(["T020 123 4567 · 2GB", `/buy?msisdn=0201234567&product=${telecel.id}`]);
    const known = [...seen.document.querySelectorAll("#known-numbers option")];
    expect(known.map((it) => it.getAttribute("value"))).toContain("0245550001");
    const sale = await visit.open(pills(seen)[0]![1]!);
    expect((await visit.press(sale, BUY)).path).toMatch(ORDER);
    expect((await soldBy(person))[0]).toEqual(["233201234567", telecel.id, 1]);
  });

  test("have the names of the agent's own customers, which the number's fields offer as well", async () => {
    const { person, visit } = await agent();
    for (const one of [person, (await agent()).person])
      await contacts.save(world.db, {
        by: one.by(),
        msisdn: "0541234567",
        name: `Efua of ${one.username}`,
        note: "",
      });
    for (const msisdn of ["0241234567", "0541234567"]) await sell(person, oneGb, msisdn);
    const name = `Efua of ${person.username}`;
    expect(pills(await visit.open("/buy")).map(([text]) => text)).toEqual([
      `M${name} 054 123 4567 · 1GB`,
      "M024 123 4567 · 1GB",
    ]);
    for (const [path, list] of [
      ["/buy", "#known-numbers"],
      ["/dashboard", "#quick-numbers"],
    ] as const) {
      const { document } = await visit.open(path);
      const offered = [...document.querySelectorAll(`${list} option`)].map((it) => it.textContent);
      expect([path, offered]).toEqual([path, [`${name}, 1GB, MTN`, "1GB, MTN"]]);
    }
  });

  test("are no other agent's, and lead only to bundles on sale", async () => {
    const { person, visit } = await agent();
    const retired = await world.product("MTN", "7GB", "27.00");
    await sell(person, retired, "0541234567");
    await products.retire(world.db, { by: world.yaw.by("admin"), productId: retired.id });
    expect(pills(await visit.open("/buy"))).toEqual([["M054 123 4567", "/buy?msisdn=0541234567"]]);
    expect(pills(await (await agent()).visit.open("/buy"))).toEqual([]);
  });
});

test("the bundle bought last stands first, of this agent or of the recipient in the address", async () => {
  const { person, visit } = await agent();
  await sell(person, oneGb, "0541234567");
  await sell(person, twoGb, "0541234568");
  await sell(person, big, "0271234567");
  const seen = await visit.open("/buy");
  expect(cardsOf(seen, "MTN")).toEqual(["Last bought2GBGH₵ 8.40", "1GBGH₵ 3.90"]);
  expect(cardsOf(seen, "AIRTELTIGO")[0]).toBe("Last bought15GBGH₵ 56.30");
  const known = await visit.open("/buy?msisdn=0541234567");
  expect(cardsOf(known, "MTN")).toEqual(["Last bought1GBGH₵ 3.90", "2GBGH₵ 8.40"]);
});

describe("the network", () => {
  test("of the bundle is asked about when the number looks like another, with the same sale over there", async () => {
    const { person, visit } = await agent();
    const sale = { productId: optionOf(twoGb), msisdn: "0201234567", quantity: "3" };
    const question = await visit.press(await visit.open("/buy"), BUY, sale);
    expect(question.text).toContain("Is 020 123 4567 on MTN? It looks like Telecel. Nothing has been paid yet.");
    const over = question.document.querySelector("main .note a")!;
    expect(over.textContent).toBe("Sell 3 x Telecel 2GB instead, GH₵ 28.50");
    await visit.press(await visit.open(over.getAttribute("href")!), BUY);
    expect(await soldBy(person)).toEqual([["233201234567", telecel.id, 3]]);
    const ported = await visit.press(question, "Yes, it was moved to MTN");
    expect(ported.path).toMatch(ORDER);
    expect((await soldBy(person))[0]).toEqual(["233201234567", twoGb.id, 3]);
  });

  test("that does not sell the size is opened with the number", async () => {
    const { visit } = await agent();
    const sale = { productId: optionOf(oneGb), msisdn: "0201234567" };
    const question = await visit.press(await visit.open("/buy"), BUY, sale);
    const over = question.document.querySelector("main .note a")!;
    expect([over.textContent, over.getAttribute("href")]).toEqual([
      "Open Telecel with this number",
      "/telecel?msisdn=0201234567",
    ]);
  });

  test("that was chosen after the bundle is never sold the bundle of another", async () => {
    const { person, visit } = await agent();
    const sale = { productId: optionOf(oneGb), msisdn: "0261234567", operator: "AIRTELTIGO" };
    const refused = await visit.press(await visit.open("/buy"), BUY, sale);
    expect(refused.document.getElementById("field-productId-error")!.textContent).toMatch(/another network/);
    expect(sentBy(refused).operator).toBe("AIRTELTIGO");
    expect(await soldBy(person)).toEqual([]);
  });

  test("that was chosen is asked about, too, when the number looks like another", async () => {
    const { person, visit } = await agent();
    const sale = { productId: optionOf(telecel), msisdn: "0541234567", operator: "TELECEL" };
    const question = await visit.press(await visit.open("/mtn-data"), BUY, sale);
    expect(question.text).toContain("Is 054 123 4567 on Telecel? It looks like MTN.");
    const { productId, msisdn } = sale;
    const old = await client.browse(person, "/telecel", {
      productId,
      msisdn,
      quantity: "1",
      pay: "wallet",
      key: "old",
    });
    expect([old.status, (await old.text()).replaceAll("<!-- -->", "")]).toEqual([
      422,
      expect.stringContaining("It looks like MTN. Nothing has been paid yet."),
    ]);
    expect(await soldBy(person)).toEqual([]);
  });

  test("that was confirmed sells no bundle of another network", async () => {
    const { person, visit } = await agent();
    const sale = { productId: optionOf(oneGb), msisdn: "0541234567", operator: "TELECEL" };
    const { path, body } = filledIn(await visit.open("/mtn-data"), BUY, sale);
    const form = { ...Object.fromEntries(new URLSearchParams(body)), allowNetwork: "yes" };
    const refused = await client.browse(person, path, form);
    expect([refused.status, await refused.text()]).toEqual([422, expect.stringContaining("another network")]);
    expect(await soldBy(person)).toEqual([]);
  });

  test("is the bundle's where the choice was left alone, as in a browser that shows all bundles at once", async () => {
    const { person, visit } = await agent();
    const page = await visit.open("/mtn-data");
    const sale = { productId: optionOf(small), msisdn: "0261234567" };
    expect((await visit.press(page, BUY, sale)).path).toMatch(ORDER);
    expect(await soldBy(person)).toEqual([["233261234567", small.id, 1]]);
  });

  test("of an address refuses the bundles of another from forms that know nothing of the choice", async () => {
    const { person } = await agent();
    const form = {
      productId: optionOf(small),
      msisdn: "0541234567",
      quantity: "1",
      pay: "wallet",
      key: "old",
    };
    const origin = { origin: "http://localhost" };
    const response = await client.browse(person, "/mtn-data", form, origin);
    expect([response.status, await response.text()]).toEqual([422, expect.stringContaining("another network")]);
    const own = { ...form, productId: optionOf(oneGb) };
    const sold = await client.browse(person, "/mtn-data", own, origin);
    expect([sold.status, sold.headers.get("location")]).toEqual([303, expect.stringMatching(ORDER)]);
  });
});

describe("a sale that is wanted again", () => {
  const again = `/buy?msisdn=0541234567&product=${oneGb.id}&again=1`;

  test("says when it was made, and is repeated without a question", async () => {
    const { person, visit } = await agent();
    await sell(person, oneGb, "0541234567");
    await world.db.$client`
      update orders set created_at = now() - interval '4 minutes 5 seconds' where user_id = ${person.id}`;
    const seen = await visit.open(again);
    expect(seen.text).toContain("You sold this 4 minutes ago. Pay to sell it once more.");
    expect((await visit.press(seen, BUY)).path).toMatch(ORDER);
    expect((await soldBy(person)).length).toBe(2);
  });

  test("confirms only this sale: another repetition from the same page is asked about", async () => {
    const { person, visit } = await agent();
    await sell(person, oneGb, "0541234567");
    await sell(person, twoGb, "0541234567");
    await sell(person, oneGb, "0541234568");
    const seen = await visit.open(again);
    for (const changes of [{ productId: optionOf(twoGb) }, { msisdn: "0541234568" }] as Record<string, string>[]) {
      const question = await visit.press(seen, BUY, changes);
      expect(question.text).toContain("Order it again?");
    }
    expect((await soldBy(person)).length).toBe(3);
  });

  test("keeps no yes of a form that was refused for something else: it was for that sale alone", async () => {
    const { person, visit } = await agent("GH₵ 5.00");
    await sell(person, oneGb, "0541234567");
    const sale = { productId: optionOf(oneGb), msisdn: "0541234567", quantity: "1" };
    const question = await visit.press(await visit.open("/buy"), BUY, sale);
    const short = await visit.press(question, "Yes, order it again");
    expect(short.text).toContain("Not enough");
    expect(sentBy(short)).not.toHaveProperty("allowDuplicate");
  });

  test("that was not made a moment ago is an ordinary one", async () => {
    const { visit } = await agent();
    const seen = await visit.open(again);
    expect(seen.text).not.toContain("You sold this");
    expect(sentBy(seen).allowDuplicate).toBeUndefined();
  });
});

test("the form comes back from a top-up as it was, also with its network and repetition", async () => {
  const { person, visit } = await agent("GH₵ 4.00");
  await sell(person, oneGb, "0541234567");
  const sale = { productId: optionOf(telecel), msisdn: "0201234567", operator: "TELECEL", quantity: "2" };
  const refused = await visit.press(await visit.open("/buy"), BUY, sale);
  const link = [...refused.document.querySelectorAll("main .note a")].find((a) =>
    a.textContent?.startsWith("Top up GH₵ 18.90"),
  )!;
  const back = new URL(link.getAttribute("href")!, "http://localhost").searchParams.get("back")!;
  expect(back).toStartWith("/buy?kept=");
  expect(sentBy(await visit.open(back))).toMatchObject(sale);
});

describe("the small form of the dashboard", () => {
  const quickBuyOf = async ({ id }: Person) => {
    const sold = await habits(world.db, id, 6);
    const props = { bundles: await products.list(world.db), habits: sold, names: new Map<string, string>() };
    const markup = `<main>${renderToString(<QuickBuy {...props} />)}</main>`;
    return seenOf("/dashboard", new Response(markup));
  };

  test("offers what this agent sells most, filled up with the cheapest of each network", async () => {
    const { person } = await agent();
    // As somebody hears it who does not see the badges of the networks.
    const offered = async () => {
      const { document } = await quickBuyOf(person);
      for (const badge of document.querySelectorAll(".bundle .badge")) badge.remove();
      return [...document.querySelectorAll(".bundle")].map((it) => it.textContent);
    };
    const cheapest = ["AirtelTigo 1GBGH₵ 3.90", "MTN 1GBGH₵ 3.90", "Telecel 2GBGH₵ 9.50", "MTN 2GBGH₵ 8.40"];
    expect(await offered()).toEqual(cheapest);
    await sell(person, twoGb, "0541234567");
    expect((await offered())[0]).toBe("MTN 2GBGH₵ 8.40");
  });

  test("sells at once, and asks on the buying page what there is to ask", async () => {
    const { person, visit } = await agent();
    const form = await quickBuyOf(person);
    const asked = await visit.press(form, BUY, { productId: optionOf(oneGb), msisdn: "0201234567" });
    expect([asked.path, asked.text]).toEqual(["/buy", expect.stringContaining("Is 020 123 4567 on MTN?")]);
    const sold = await visit.press(form, BUY, { productId: optionOf(oneGb), msisdn: "0541234567" });
    expect(sold.path).toMatch(ORDER);
  });

  test("leads to all bundles with the number and the bundle", async () => {
    const { person, visit } = await agent();
    const sale = { productId: optionOf(oneGb), msisdn: "0541234567" };
    const { path, body } = filledIn(await quickBuyOf(person), "All bundles", sale);
    expect(sentBy(await visit.open(`${path}?${body}`))).toMatchObject(sale);
  });
});
