// The top-up form by forms alone: amounts as buttons, the network read from the number, the same as last time, and
// payments that their payer gives up.
import { afterAll, describe, expect, test } from "bun:test";
import { eq, sql } from "drizzle-orm";
import { phones } from "../../db/schema/identity.ts";
import { payments as paymentsTable } from "../../db/schema/payments.ts";
import { startPaystack } from "../../dev/simulators/paystack/paystack.ts";
import * as payments from "../../src/core/payments/payments.ts";
import * as settlement from "../../src/core/payments/settlement.ts";
import * as settings from "../../src/core/platform/settings/settings.ts";
import { createPaystack } from "../../src/gateways/paystack.ts";
import { count } from "../support/asking.ts";
import { openApp, openWorld, type Person } from "../support/world.ts";
import { filledIn, type Seen, visitorAs } from "./visitor.ts";

const world = await openWorld();
const paystack = await startPaystack({ approveSeconds: 1000 });
afterAll(() => paystack.stop());
const client = openApp(world, paystack);
const gateway = createPaystack({ baseUrl: paystack.url, secretKey: paystack.secretKey });
const bundle = await world.product("MTN", "1GB", "3.90");
const PHONE = "Send prompt to my phone";
const PAGE = "Card or bank";
const LAST = "Same as last time";

let people = 0;
async function agent() {
  const person = await world.person(`topper${++people}`);
  return { person, visit: await visitorAs(client, person) };
}
async function lastPayment({ id }: Person) {
  const [payment] = await payments.list(world.db, id, { limit: 1 });
  return payment!;
}
/** Asks for a prompt, and approves it. */
async function topUpByPrompt({ person, visit }: Awaited<ReturnType<typeof agent>>, amount: string, phone: string) {
  const waits = await visit.press(await visit.open("/wallet/top-up"), PHONE, { amount, phone });
  await paystack.approve((await lastPayment(person)).reference);
  return visit.press(waits, "Check now");
}
const errorOf = (seen: Seen, field: string) => seen.document.getElementById(`top-up-${field}-error`)?.textContent;
const charges = () => paystack.requests().filter(({ route }) => route === "POST /charge").length;

describe("the amount", () => {
  test("is one of the usual ones, or the typed one, which counts when both are there", async () => {
    const { person, visit } = await agent();
    const page = await visit.open("/wallet/top-up");
    const usual = [...page.document.querySelectorAll("input[name=preset]")].map((it) => it.getAttribute("value"));
    expect(usual).toEqual(["20.00", "50.00", "100.00", "200.00"]);
    for (const [changes, pesewas] of [
      [{ preset: "50.00" }, 5_000],
      [{ preset: "50.00", amount: "35" }, 3_500],
    ] as const) {
      await visit.press(await visit.open("/wallet/top-up"), PAGE, changes);
      expect((await lastPayment(person)).amountPesewas).toBe(pesewas);
    }
    const refused = await visit.press(page, PAGE, { preset: "50.00", amount: "twenty" });
    expect(errorOf(refused, "amount")).toBe("Please enter a valid amount");
    expect(refused.document.querySelector("input[name=preset][checked]")?.getAttribute("value")).toBe("50.00");
  });

  test("is never offered below the minimum", async () => {
    const by = world.yaw.by("admin");
    await settings.change(world.db, { by, values: { top_up_minimum_pesewas: 6_000 } });
    const page = await (await agent()).visit.open("/wallet/top-up");
    await settings.change(world.db, { by, values: { top_up_minimum_pesewas: 500 } });
    expect(page.document.querySelectorAll("input[name=preset]")).toHaveLength(2);
  });

  test("in the address is filled in only as far as it can be paid", async () => {
    const { visit } = await agent();
    const filledFor = async (amount: string) => {
      const page = await visit.open(`/wallet/top-up?amount=${encodeURIComponent(amount)}&back=%2Fbuy`);
      expect(page.status).toBe(200);
      return page.document.querySelector("#top-up-amount")!.getAttribute("value") ?? "";
    };
    for (const wrong of ["-5", "0", "1e9", "Infinity", "99999999999", "10000000.01", "x".repeat(5_000), "5\0"])
      expect([wrong, await filledFor(wrong)]).toEqual([wrong, ""]);
    expect(await filledFor("35.5")).toBe("35.50");
  });

  test("and the number are refused together", async () => {
    const { visit } = await agent();
    const seen = await visit.press(await visit.open("/wallet/top-up"), PHONE, { phone: "12" });
    expect([errorOf(seen, "amount"), errorOf(seen, "phone")]).toEqual([
      "Please enter a valid amount",
      expect.stringContaining("number"),
    ]);
    const focused = [...seen.document.querySelectorAll("[autofocus]")].map((it) => it.getAttribute("name"));
    expect(focused).toEqual(["amount"]);
  });
});

describe("the network", () => {
  for (const [phone, network] of [
    ["0541234567", "mtn"],
    ["020 123 4567", "vod"],
    ["+233271234567", "atl"],
  ] as const) {
    test(`of ${phone} is read from the number`, async () => {
      const { person, visit } = await agent();
      await visit.press(await visit.open("/wallet/top-up"), PHONE, { amount: "15", phone });
      expect((await lastPayment(person)).network).toBe(network);
    });
  }

  test("that was chosen counts, because numbers are portable", async () => {
    const { person, visit } = await agent();
    const ported = { amount: "15", phone: "0201234568", network: "mtn" };
    await visit.press(await visit.open("/wallet/top-up"), PHONE, ported);
    expect((await lastPayment(person)).network).toBe("mtn");
  });

  test("of an unassigned prefix has to be chosen, and its field is open", async () => {
    const { visit } = await agent();
    const seen = await visit.press(await visit.open("/wallet/top-up"), PHONE, {
      amount: "15",
      phone: "0281234567",
    });
    expect(errorOf(seen, "network")).toBe("Choose the network of this number");
    expect(seen.document.querySelector("details.ported")?.hasAttribute("open")).toBe(true);
  });
});

describe("the same as last time", () => {
  test("is one press after a top-up by a prompt, and prompts once", async () => {
    const some = await agent();
    const { person, visit } = some;
    await topUpByPrompt(some, "50", "0245550012");
    for (const path of ["/dashboard", "/wallet/top-up"]) {
      const page = await visit.open(path);
      expect(page.text).toContain("Same as last timeGH₵ 50 from 024 555 0012");
      expect(page.document.querySelector("input[name=preset][checked]")?.getAttribute("value")).toBe("50.00");
    }
    const page = await visit.open("/wallet/top-up");
    const before = charges();
    const [waits] = await Promise.all([visit.press(page, LAST), visit.press(page, LAST)]);
    expect(waits.text).toContain("Approve the prompt on 024 555 0012.");
    expect(charges() - before).toBe(1);
    expect(await lastPayment(person)).toMatchObject({
      amountPesewas: 5_000,
      network: "mtn",
      state: "pending",
    });
  });

  test("is not offered where another amount is needed, nor to a new agent", async () => {
    const some = await agent();
    expect((await some.visit.open("/wallet/top-up")).text).not.toContain(LAST);
    await topUpByPrompt(some, "50", "0245550013");
    expect((await some.visit.open("/wallet/top-up?amount=12")).text).not.toContain(LAST);
  });

  test("fills in the number of an account without a confirmed phone, with the network it was ported to", async () => {
    const some = await agent();
    const { visit } = some;
    const ported = { amount: "10", phone: "0205550014", network: "mtn" };
    const waits = await visit.press(await visit.open("/wallet/top-up"), PHONE, ported);
    await paystack.approve((await lastPayment(some.person)).reference);
    await visit.press(waits, "Check now");
    const fields = new URLSearchParams(filledIn(await visit.open("/wallet/top-up"), PHONE).body);
    expect([fields.get("phone"), fields.get("network")]).toEqual(["0205550014", "mtn"]);
    await world.db.insert(phones).values({ userId: some.person.id, msisdn: "233545550015" });
    const own = new URLSearchParams(filledIn(await visit.open("/wallet/top-up"), PHONE).body);
    expect([own.get("phone"), own.get("network")]).toEqual(["0545550015", ""]);
  });
});

test("a prompt that is approved while its page waits leads back to the purchase by itself", async () => {
  const { person, visit } = await agent();
  const refused = await visit.press(await visit.open("/mtn-data"), "Pay with Wallet", {
    productId: `${bundle.id}@390`,
    msisdn: "0541234567",
    quantity: "1",
  });
  const way = [...refused.document.querySelectorAll("main a")].find((a) => a.textContent === "Top up GH₵ 3.90")!;
  const form = await visit.open(way.getAttribute("href")!);
  expect(form.text).toContain("You need GH₵ 3.90; the minimum top-up is GH₵ 5.00.");
  const waits = await visit.press(form, PHONE, { phone: "0541234567" });
  const again = /url=(.+)$/.exec(waits.headers.get("refresh")!)![1]!;
  expect((await visit.open(again)).path).toBe(again);
  const { reference } = await lastPayment(person);
  await paystack.approve(reference);
  await settlement.settle(world.db, gateway, reference);
  const back = await visit.open(again);
  expect([back.path, back.text]).toEqual([
    expect.stringMatching(/^\/mtn-data\?kept=/),
    expect.stringContaining("Wallet top-up completed successfully!"),
  ]);
  expect(new URLSearchParams(filledIn(back, "Pay with Wallet").body).get("msisdn")).toBe("0541234567");
  // Opened later from the wallet, the payment's own page is shown.
  expect((await visit.open(`/payments/${reference}`)).text).toContain("The money is in your wallet");
});

describe("a payment that its payer gives up", () => {
  const GIVE_UP = "I will not pay this";
  const waiting = async () => {
    const some = await agent();
    const page = await some.visit.press(await some.visit.open("/wallet/top-up"), PHONE, {
      amount: "15",
      phone: `05412346${10 + people}`,
    });
    return { ...some, page, reference: (await lastPayment(some.person)).reference };
  };

  test("leaves the wallet's list, and its page says what happens to late money", async () => {
    const { visit, page, reference } = await waiting();
    expect((await visit.open("/wallet")).text).toContain("Not in your wallet");
    const wallet = await visit.press(page, GIVE_UP);
    expect(wallet.text).toContain("Taken off your list.");
    expect(wallet.text).not.toContain("Not in your wallet");
    expect((await visit.open(`/payments/${reference}`)).text).toContain(
      "You gave this payment up. If you did pay, the money will still come into your wallet.",
    );
  });

  test("is credited when it is approved after all, because it is still polled", async () => {
    const { person, visit, page, reference } = await waiting();
    await visit.press(page, GIVE_UP);
    await paystack.approve(reference);
    // Nothing but the time of its next poll is moved: it has to have one.
    for (const _ of [1, 2]) {
      await world.db.execute(sql`
        update payments set poll_at = now() where reference = ${reference} and poll_at is not null`);
      await settlement.pollDue(world.db, gateway, 10);
      expect([await world.balanceOf(person), (await lastPayment(person)).state]).toEqual([1500, "paid"]);
    }
    // Neither a second press nor the provider's late notice changes that.
    await visit.press(page, GIVE_UP);
    await visit.press(page, "Check now");
    expect([await world.balanceOf(person), (await lastPayment(person)).state]).toEqual([1500, "paid"]);
  });

  test("is not given up any more once something has become of it in the same moment", async () => {
    const { person, visit, page, reference } = await waiting();
    const gate = Promise.withResolvers<void>();
    const isHeld = Promise.withResolvers<void>();
    const settling = world.db.transaction(async (tx) => {
      await tx.execute(sql`
        update payments set state = 'failed', reason = 'Declined', poll_at = null where reference = ${reference}`);
      isHeld.resolve();
      await gate.promise;
    });
    await isHeld.promise;
    const givingUp = visit.press(page, GIVE_UP);
    const waiters = sql`from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    while ((await count(world.db, waiters)) < 1) await Bun.sleep(5);
    gate.resolve();
    await settling;
    await givingUp;
    const { state, reason } = await lastPayment(person);
    expect([state, reason]).toEqual(["failed", "Declined"]);
  });

  test("is no longer polled after its time", async () => {
    const { visit, page, reference } = await waiting();
    await visit.press(page, GIVE_UP);
    const { length } = settlement.POLL_AFTER_SECONDS;
    await world.db.execute(
      sql`update payments set poll_at = now(), polls = ${length - 1} where reference = ${reference}`,
    );
    await settlement.pollDue(world.db, gateway, 10);
    const [row] = await world.db.select().from(paymentsTable).where(eq(paymentsTable.reference, reference));
    expect([row!.state, row!.pollAt, row!.reason]).toEqual(["expired", null, "Given up by the payer"]);
  });

  test("goes with all others that wait, and with nobody else's", async () => {
    const [ama, kofi] = [await waiting(), await waiting()];
    await ama.visit.press(await ama.visit.open("/wallet/top-up"), PAGE, { amount: "20" });
    const wallet = await ama.visit.press(await ama.visit.open("/wallet"), "I will not pay what waits here");
    expect(wallet.text).not.toContain("Not in your wallet");
    expect((await kofi.visit.open("/wallet")).text).toContain("Not in your wallet");
    const { action } = Object.fromEntries(new URLSearchParams(filledIn(kofi.page, GIVE_UP).body));
    const answer = await client.browse(ama.person, `/payments/${kofi.reference}`, { action: action! });
    expect(answer.status).toBe(404);
    expect((await lastPayment(kofi.person)).state).toBe("pending");
  });
});
