// The margin guard in every channel: what costs more than its price is not sold there, not even from a page, a screen
// or a list that was opened before, for whichever reason this buyer's price is too low; and nothing is charged.
import { beforeEach, describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { STANDARD_TIER_ID } from "../../db/schema/catalog.ts";
import * as costs from "../../src/core/catalog/costs.ts";
import * as prices from "../../src/core/catalog/prices.ts";
import * as products from "../../src/core/catalog/products.ts";
import * as tiers from "../../src/core/catalog/tiers.ts";
import { transact } from "../../src/core/platform/transactions.ts";
import { count, freshNumber, times } from "../support/asking.ts";
import { openApp, openWorld, type Person } from "../support/world.ts";
import { visitorAs } from "../web/visitor.ts";
import { equipPhone, openLine } from "./dialling.ts";

const world = await openWorld();
const { db, yaw } = world;
const by = yaw.by("admin");
const client = openApp(world);
const line = openLine(world);
const PIN = "830241";
const COST = 400;
/** What everybody pays who has no price of their own, and what is too low. */
const [SOUND, LOW] = [500, 390];
const sound = await world.product("MTN", "99GB", "9.00");
await products.ensureAfa(db);
const { answer: gold } = await tiers.add(db, { by, name: "Gold" });

type Buyer = { person: Person; phone: ReturnType<typeof line.phone> };
type Bundle = { id: number; size: string; ussdNumber: number | null };
/** Whose price is too low. */
const WHOSE = ["everybody's", "a tier's", "an account's own"] as const;
let made = 0;

/** A bundle and its buyer, who pays LOW for it. */
async function lowPriced(whose: (typeof WHOSE)[number], product?: Bundle): Promise<{ buyer: Buyer; bundle: Bundle }> {
  made += 1;
  const person = await world.person(`buyer${made}`, "GH₵ 500.00");
  const msisdn = `233541840${String(made).padStart(3, "0")}`;
  await equipPhone(world, person, msisdn, PIN);
  if (whose === "a tier's") await db.execute(sql`update users set tier_id = ${gold.id} where id = ${person.id}`);
  const { id, size, ussdNumber } = product ?? (await world.product("MTN", `${made}GB`, "5.00"));
  const owner = {
    "everybody's": { tierId: STANDARD_TIER_ID },
    "a tier's": { tierId: gold.id },
    "an account's own": { userId: person.id },
  }[whose];
  const { since } = await transact(db, async (tx) => {
    await costs.lock(tx);
    const set = { productId: id, pricePesewas: LOW, ...owner };
    return prices.insert(tx, [set], { byUserId: by.userId, since: null });
  });
  await prices.begun(db, since);
  return { buyer: { person, phone: line.phone(msisdn) }, bundle: { id, size, ussdNumber } };
}

const takes = ({ id: productId }: Bundle, costPesewas: number) =>
  costs.set(db, { by, costs: [{ productId, vendor: "desk", costPesewas }], vendors: [] });
const allow = ({ id: productId }: Bundle, reason: string | null) =>
  reason === null ? costs.endAllowance(db, { by, productId }) : costs.allow(db, { by, productId, reason });

const post = async (person: Person, path: string, body: object) => {
  const reply = await client.call(person, "POST", path, body);
  return reply.status < 300 ? reply.body : reply.body.code;
};

/** Comes to the last step of a purchase, and returns what takes it: its outcome is "sold", or how it was refused. */
type Way = (buyer: Buyer, bundle: Bundle) => Promise<() => Promise<unknown>>;
const answered = (answer: unknown) => (typeof answer === "string" ? answer : "sold");
const WAYS: Record<string, { way: Way; refusal: unknown }> = {
  "the web's form": {
    refusal: 409,
    way: async ({ person }, { id }) => {
      const visit = await visitorAs(client, person);
      const page = await visit.open("/mtn-data");
      return async () => {
        const seen = await visit.press(page, "Pay", { productId: `${id}@${LOW}`, msisdn: freshNumber() });
        return seen.status === 200 ? "sold" : seen.status;
      };
    },
  },
  "the API": {
    refusal: "product.paused",
    way: async ({ person }, { id: productId }) => {
      const order = { productId, msisdn: freshNumber(), pay: "wallet", amount: LOW / 100 };
      return async () => answered(await post(person, "/api/v1/orders", order));
    },
  },
  "the API in bulk": {
    refusal: "bulk.lines_refused",
    way: async ({ person }, { id }) => {
      const orders = [sound.id, id].map((productId) => ({ productId, msisdn: freshNumber() }));
      return async () => answered(await post(person, "/api/v1/orders/bulk", { orders }));
    },
  },
  "an order that is paid later": {
    refusal: "product.paused",
    way: async ({ person }, { id: productId }) => {
      const { id: orderId } = await post(person, "/api/v1/orders", { productId, msisdn: freshNumber() });
      return async () => answered(await post(person, "/api/v1/wallet/spend", { orderId }));
    },
  },
  "an order that an admin takes cash for": {
    refusal: "order.below_cost",
    way: async ({ person }, { id: productId }) => {
      const { id } = await post(person, "/api/v1/orders", { productId, msisdn: freshNumber() });
      return async () => {
        const change = { status: "PROCESSING", paidInCash: true };
        const { status, body } = await client.call(yaw, "PATCH", `/api/v1/admin/orders/${id}/status`, change);
        return status === 200 ? "sold" : body.code;
      };
    },
  },
  "a checked bulk list": {
    refusal: "refused",
    way: async ({ person }, { id }) => {
      const visit = await visitorAs(client, person);
      const list = { productId: `${id}@${LOW}`, lines: freshNumber() };
      const checked = await visit.press(await visit.open("/bulk?operator=MTN"), "Check list", list);
      return async () => {
        const seen = await visit.press(checked, "Place Bulk Orders (1)");
        return seen.text.includes("Created 1 order") ? "sold" : "refused";
      };
    },
  },
  USSD: {
    refusal: "not_on_sale",
    way: async ({ phone }, { ussdNumber }) => {
      await phone.dial(`1*1*${ussdNumber}*${freshNumber()}`);
      return async () => {
        await phone.reply(PIN);
        return line.last() === "not_on_sale" ? line.last() : "sold";
      };
    },
  },
  SMS: {
    refusal: "product.paused",
    way: async ({ phone, person }, { size }) => {
      return async () => {
        await phone.sendSms(`BUY MTN ${size} ${freshNumber()} ${PIN}`);
        const [sms] = await db.execute<{ outcome: string }>(sql`
          select i.outcome from inbound_sms i join phones p on p.msisdn = i.msisdn where p.user_id = ${person.id}
          order by i.handled_at desc limit 1`);
        return sms!.outcome === "product.paused" ? sms!.outcome : "sold";
      };
    },
  },
};

/** What a buyer has paid, and for how many orders. */
const paidBy = async ({ person }: Buyer) => [
  50_000 - (await world.balanceOf(person)),
  await count(db, sql`from orders where user_id = ${person.id} and paid_at is not null`),
];

beforeEach(async () => {
  await db.execute(sql`delete from rate_limits`);
  await db.execute(sql`update ussd_sessions set started_at = started_at - interval '2 days'`);
});

describe.each(Object.keys(WAYS))("by %s", (name) => {
  const { way, refusal } = WAYS[name]!;

  test.each(WHOSE)(
    "nothing is sold below its cost when %s price is too low, also with the page open",
    async (whose) => {
      const { buyer, bundle } = await lowPriced(whose);
      const press = await way(buyer, bundle);
      await takes(bundle, COST);
      expect(await press()).toEqual(refusal);
      expect(await paidBy(buyer)).toEqual([0, 0]);
      if (whose !== "everybody's") expect(await (await otherPays(bundle))()).toBe("sold");
    },
  );

  test("it is sold while an admin allows it by name, and no more when that ends with the page open", async () => {
    const { buyer, bundle } = await lowPriced("everybody's");
    const first = await way(buyer, bundle);
    await takes(bundle, COST);
    await allow(bundle, "Brings new agents");
    expect(await first()).toBe("sold");
    const [, ordersBefore] = await paidBy(buyer);
    const second = await way(buyer, bundle);
    await allow(bundle, null);
    expect(await second()).toEqual(refusal);
    expect((await paidBy(buyer))[1]).toBe(ordersBefore);
  });
});

/** Somebody without a price of their own, by the API. */
async function otherPays({ id: productId }: Bundle) {
  const person = await world.person(`other${++made}`, "GH₵ 500.00");
  const order = { productId, msisdn: freshNumber(), pay: "wallet", amount: SOUND / 100 };
  return async () => answered(await post(person, "/api/v1/orders", order));
}

test("an AFA registration is not sold below its cost, and sold while that is allowed", async () => {
  const product = await products.afa(db);
  const bundle = { id: product.id, size: "", ussdNumber: null };
  await takes(bundle, product.pricePesewas + 1);
  const person = await world.person("akosua", "GH₵ 500.00");
  const body = () => {
    const ghCardId = `GHA-${123_456_000 + ++made}-1`;
    return { people: [{ fullName: "Akosua Mensah", phone: freshNumber(), ghCardId, location: "Kumasi" }] };
  };
  const buyer = { person } as Buyer;
  expect(await post(person, "/api/v1/afa", body())).toBe("product.paused");
  expect(await paidBy(buyer)).toEqual([0, 0]);
  await allow(bundle, "Everybody needs it");
  expect(await post(person, "/api/v1/afa", body())).toBeObject();
  await allow(bundle, null);
  expect(await post(person, "/api/v1/afa", body())).toBe("product.paused");
  await takes(bundle, product.pricePesewas);
  expect(await post(person, "/api/v1/afa", body())).toBeObject();
});

test("of purchases while a cost rises, each that is sold was sold before: none sees both prices", async () => {
  const { buyer, bundle } = await lowPriced("everybody's");
  const buy = async () => {
    const order = { productId: bundle.id, msisdn: freshNumber(), pay: "wallet" };
    return answered(await post(buyer.person, "/api/v1/orders", order));
  };
  const before = times(12, buy);
  const rise = takes(bundle, COST);
  const after = rise.then(() => Promise.all(times(6, buy)));
  const outcomes = await Promise.all(before);
  expect(outcomes.every((one) => one === "sold" || one === "product.paused")).toBe(true);
  expect(new Set(await after)).toEqual(new Set(["product.paused"]));
  const sold = outcomes.filter((one) => one === "sold").length;
  expect(await paidBy(buyer)).toEqual([sold * LOW, sold]);
  // Those were sold before the cost was known.
  expect(await count(db, sql`from orders where product_id = ${bundle.id} and cost_pesewas is not null`)).toBe(0);
});
