// Top-ups and payments, by forms alone: on the payment page, by a prompt on the phone, for an order, and by hand.
import { afterAll, describe, expect, test } from "bun:test";
import { eq, sql } from "drizzle-orm";
import { phones } from "../../db/schema/identity.ts";
import { payments as paymentsTable } from "../../db/schema/payments.ts";
import { supportRequests } from "../../db/schema/support.ts";
import { RIGHT_OTP, startPaystack } from "../../dev/simulators/paystack/paystack.ts";
import * as orders from "../../src/core/buying/buy.ts";
import * as auditRuns from "../../src/core/ledger/audit-runs.ts";
import * as ledger from "../../src/core/ledger/ledger.ts";
import * as orderQueries from "../../src/core/orders/queries.ts";
import * as statusChanges from "../../src/core/orders/status-changes.ts";
import * as payments from "../../src/core/payments/payments.ts";
import * as payouts from "../../src/core/payments/payouts.ts";
import { syncRefunds } from "../../src/core/payments/refunds.ts";
import * as reversals from "../../src/core/payments/reversals.ts";
import * as settings from "../../src/core/platform/settings/settings.ts";
import { createPaystack } from "../../src/gateways/paystack.ts";
import { lineFor } from "../support/asking.ts";
import { longTest } from "../support/long.ts";
import { openApp, openWorld, type Person } from "../support/world.ts";
import { filledIn, type Seen, visitorAs } from "./visitor.ts";

const world = await openWorld();
const paystack = await startPaystack({ otpForTelecel: true, approveSeconds: 1000 });
afterAll(() => paystack.stop());
const client = openApp(world, paystack);
const bundle = await world.product("MTN", "1GB", "3.90");
const PAGE = "Card or bank";
const PHONE = "Send prompt to my phone";

let people = 0;
async function agent(balance?: string) {
  const person = await world.person(`payer${++people}`, balance);
  return { person, visit: await visitorAs(client, person) };
}
async function lastPayment(person: Person) {
  const [payment] = await payments.list(world.db, person.id, { limit: 1 });
  return payment!;
}
const errorOf = (seen: Seen, field: string) => seen.document.getElementById(`top-up-${field}-error`)?.textContent;

describe("a top-up on the payment page", () => {
  test("starts from the dashboard, returns there, and is credited once", async () => {
    const { person, visit } = await agent();
    const away = await visit.press(await visit.open("/dashboard"), PAGE, { amount: "20" });
    expect(away.path).toStartWith(`${paystack.url}/`);
    const { reference } = await lastPayment(person);
    await paystack.pay(reference);
    for (const back of [`?trxref=${reference}&reference=${reference}`, `?reference=${reference}`]) {
      const seen = await visit.open(`/payments/return${back}`);
      expect([seen.path, seen.text]).toEqual([
        "/dashboard",
        expect.stringContaining("Wallet top-up completed successfully!"),
      ]);
    }
    expect(await world.balanceOf(person)).toBe(2000);
    const entry = (await visit.open("/wallet")).text;
    expect(entry).toContain("mobile money or card +GH₵ 20.00 Balance 20.00");
  });

  test("is allowed as a form's target only on the pages that pay", async () => {
    const { visit } = await agent();
    const policyOf = async (path: string) => (await visit.open(path)).headers.get("content-security-policy")!;
    expect(await policyOf("/wallet/top-up")).toContain(`form-action 'self' ${paystack.url};`);
    expect(await policyOf("/mtn-data")).toContain("form-action 'self';");
  });

  test("counts only once Paystack confirms it: 'wallet=success' shows a pending payment", async () => {
    const { person, visit } = await agent();
    await visit.press(await visit.open("/wallet/top-up"), PAGE, { amount: "20" });
    const { reference } = await lastPayment(person);
    const seen = await visit.open(`/dashboard?wallet=success&reference=${reference}`);
    expect(seen.path).toBe(`/payments/${reference}`);
    expect(seen.text).toContain("Waiting");
    expect(seen.headers.get("refresh")).toBe(`5; url=/payments/${reference}?live=1`);
    expect(await world.balanceOf(person)).toBe(0);
    await paystack.pay(reference);
    expect((await visit.press(seen, "Check now")).text).toContain("Wallet top-up completed successfully!");
    expect(await world.balanceOf(person)).toBe(2000);
  });

  longTest("that was started from a purchase leads back to it once, also by way of the pending page", async () => {
    const { person, visit } = await agent();
    const refused = await visit.press(await visit.open("/mtn-data"), "Pay with Wallet", {
      productId: `${bundle.id}@390`,
      msisdn: "0541234567",
      quantity: "4",
    });
    const link = [...refused.document.querySelectorAll("main a")].find((a) => a.textContent === "Top up GH₵ 15.60")!;
    await visit.press(await visit.open(link.getAttribute("href")!), PAGE);
    const { reference, amountPesewas } = await lastPayment(person);
    expect(amountPesewas).toBe(1560);
    await paystack.pay(reference);
    const back = await visit.open(`/payments/return?reference=${reference}`);
    expect([back.path, back.text]).toEqual([
      expect.stringMatching(/^\/mtn-data\?kept=/),
      expect.stringContaining("Wallet top-up completed successfully!"),
    ]);
    const list = await visit.press(back, "Pay with Wallet");
    expect([list.path, await world.balanceOf(person)]).toEqual([expect.stringMatching(/^\/orders\/\d+$/), 0]);
    expect((await visit.open(`/payments/return?reference=${reference}`)).path).toBe("/dashboard");
  });

  test("that nobody paid leaves the wallet's page after a day, and is in the history once it is paid", async () => {
    const { person, visit } = await agent();
    await visit.press(await visit.open("/wallet/top-up"), PAGE, { amount: "11" });
    const { reference } = await lastPayment(person);
    expect((await visit.open("/wallet")).html).toContain(reference);
    await world.db
      .update(paymentsTable)
      .set({ createdAt: sql`now() - interval '25 hours'` })
      .where(eq(paymentsTable.reference, reference));
    expect((await visit.open("/wallet")).html).not.toContain(reference);
    await paystack.pay(reference);
    await visit.open(`/payments/return?reference=${reference}`);
    expect((await visit.open("/wallet")).html).toContain(reference);
  });

  test("is filled in with the payer's confirmed phone and the network of its number", async () => {
    const { person, visit } = await agent();
    await world.db.insert(phones).values({ userId: person.id, msisdn: "233201234567" });
    for (const path of ["/wallet/top-up", "/dashboard"]) {
      const seen = await visit.open(path);
      const fields = new URLSearchParams(filledIn(seen, PHONE).body);
      // The network is read from whatever number is sent.
      expect([fields.get("phone"), fields.get("network")]).toEqual(["0201234567", ""]);
      expect(seen.text).toContain("Your confirmed phone, Telecel Cash");
    }
  });

  test("that failed shows the reason, and can be started again with the same amount", async () => {
    const { person, visit } = await agent();
    await visit.press(await visit.open("/wallet/top-up"), PAGE, { amount: "12.50" });
    const { reference } = await lastPayment(person);
    paystack.fail(reference, "Insufficient funds");
    const seen = await visit.open(`/payments/return?reference=${reference}`);
    expect(seen.text).toContain("Insufficient funds");
    const again = seen.document.querySelector("main a.button")!.getAttribute("href")!;
    const form = await visit.open(again);
    expect(form.document.getElementById("top-up-amount")?.getAttribute("value")).toBe("12.50");
  });

  test("that is sent twice, or ten times at once, opens one payment", async () => {
    const { person, visit } = await agent();
    const opened = () =>
      paystack.requests().filter((request) => request.route === "POST /transaction/initialize").length;
    const before = opened();
    const page = await visit.open("/wallet/top-up");
    const seen = await Promise.all(Array.from({ length: 10 }, () => visit.press(page, PAGE, { amount: "20" })));
    for (const one of seen) expect(one.path).toStartWith(`${paystack.url}/`);
    expect(new Set(seen.map((one) => one.path)).size).toBe(1);
    expect(opened() - before).toBe(1);
    const started = (await payments.list(world.db, person.id, { limit: 50 })).filter(
      (payment) => payment.supersedesId === null,
    );
    expect(started.length).toBe(1);
  });

  for (const [label, amount, message] of [
    ["nothing", "", "Please enter a valid amount"],
    ["no number", "twenty", "Please enter a valid amount"],
    ["zero", "0", "Please enter a valid amount"],
    ["less than nothing", "-5", "Please enter a valid amount"],
    ["parts of a pesewa", "5.001", "Please enter a valid amount"],
    ["less than the minimum", "4.99", "The minimum top-up is GH₵ 5.00"],
  ] as const) {
    test(`of ${label} is refused beside the field`, async () => {
      const { person, visit } = await agent();
      const seen = await visit.press(await visit.open("/wallet/top-up"), PAGE, { amount });
      expect([seen.path, seen.status, errorOf(seen, "amount")]).toEqual(["/wallet/top-up", 422, message]);
      expect(await payments.list(world.db, person.id, { limit: 5 })).toEqual([]);
    });
  }

  test("says when Paystack is down, charges nothing, and works when it is back", async () => {
    const { person, visit } = await agent();
    const page = await visit.open("/wallet/top-up");
    paystack.fault("POST /transaction/initialize", { kind: "html502" });
    const seen = await visit.press(page, PAGE, { amount: "20" });
    expect(seen.status).toBe(503);
    expect(seen.text).toContain("nothing was charged");
    // Browsers apply the policy to redirects after this page's form, too.
    expect(seen.headers.get("content-security-policy")).toContain(`form-action 'self' ${paystack.url};`);
    const away = await visit.press(seen, "Send it again");
    expect(away.path).toStartWith(`${paystack.url}/`);
    expect(await world.balanceOf(person)).toBe(0);
  });

  test("of somebody else is not found", async () => {
    const owner = await agent();
    const other = await agent();
    await owner.visit.press(await owner.visit.open("/wallet/top-up"), PAGE, { amount: "20" });
    const { reference } = await lastPayment(owner.person);
    await paystack.pay(reference);
    for (const path of [`/payments/${reference}`, `/payments/return?reference=${reference}`])
      expect((await other.visit.open(path)).status).toBe(404);
    expect(await world.balanceOf(other.person)).toBe(0);
    await owner.visit.open(`/payments/return?reference=${reference}`);
    expect(await world.balanceOf(owner.person)).toBe(2000);
  });
});

describe("a top-up by a prompt on the phone", () => {
  const ask = { amount: "15", network: "mtn", phone: "0541234567" };
  test("waits for the payer, and succeeds when they approve", async () => {
    const { person, visit } = await agent();
    const waits = await visit.press(await visit.open("/wallet/top-up"), PHONE, ask);
    expect(waits.text).toContain("Please complete authorization process on your mobile phone");
    expect(waits.headers.get("refresh")).toMatch(/^5; url=\/payments\/[\w-]+\?live=1$/);
    await paystack.approve((await lastPayment(person)).reference);
    const done = await visit.press(waits, "Check now");
    expect([done.path, done.text]).toEqual(["/dashboard", expect.stringContaining("completed successfully")]);
    expect(await world.balanceOf(person)).toBe(1500);
  });

  test("sends one prompt, however often the form is sent", async () => {
    const { visit } = await agent();
    const before = paystack.requests().filter((request) => request.route === "POST /charge").length;
    const page = await visit.open("/wallet/top-up");
    const seen = await Promise.all(Array.from({ length: 5 }, () => visit.press(page, PHONE, ask)));
    expect(new Set(seen.map((one) => one.path)).size).toBe(1);
    const after = paystack.requests().filter((request) => request.route === "POST /charge").length;
    expect(after - before).toBe(1);
  });

  test("asks for the voucher code where the network sends one", async () => {
    const { person, visit } = await agent();
    const asks = await visit.press(await visit.open("/wallet/top-up"), PHONE, { ...ask, network: "vod" });
    expect(asks.headers.get("refresh")).toBeNull();
    const unreadable = await visit.press(asks, "Send the code", { code: "abc" });
    expect(unreadable.text).toContain("Enter the code, digits only");
    const waits = await visit.press(unreadable, "Send the code", { code: RIGHT_OTP });
    expect(waits.text).toContain("Waiting");
    await paystack.approve((await lastPayment(person)).reference);
    expect((await visit.press(waits, "Check now")).text).toContain("completed successfully");
    expect(await world.balanceOf(person)).toBe(1500);
  });

  test("that is declined or not answered ends with the reason and a way to start again", async () => {
    for (const end of ["refuse", "timeOut"] as const) {
      const { person, visit } = await agent();
      const waits = await visit.press(await visit.open("/wallet/top-up"), PHONE, ask);
      paystack[end]((await lastPayment(person)).reference);
      const ended = await visit.press(waits, "Check now");
      expect(ended.text).toContain("Failed");
      expect(ended.text).toContain("Start again");
      expect(await world.balanceOf(person)).toBe(0);
    }
  });

  test("needs a Ghanaian number", async () => {
    const { visit } = await agent();
    const seen = await visit.press(await visit.open("/wallet/top-up"), PHONE, { ...ask, phone: "12345" });
    expect(errorOf(seen, "phone")).toMatch(/number/);
  });
});

describe("an order that is paid through Paystack", () => {
  const number = () => `024${String(1_000_000 + ++people)}`;
  const order = async (visit: Awaited<ReturnType<typeof agent>>["visit"]) => {
    const changes = { productId: `${bundle.id}@390`, msisdn: number() };
    return visit.press(await visit.open("/mtn-data"), "Pay with MoMo", changes);
  };

  test("goes from the buying page through the checkout to an order that is on its way", async () => {
    const { person, visit } = await agent();
    const checkout = await order(visit);
    const [placed] = await orderQueries.list(world.db, { userId: person.id }, { limit: 1 });
    expect(checkout.path).toBe(`/checkout?order=${placed!.id}`);
    expect(checkout.text).toContain("GH₵ 3.90");
    await visit.press(checkout, PAGE);
    await paystack.pay((await lastPayment(person)).reference);
    const seen = await visit.open(`/checkout?reference=${(await lastPayment(person)).reference}`);
    expect([seen.path, seen.text]).toEqual([
      `/orders/${placed!.id}`,
      expect.stringContaining(`Payment received. Order #${placed!.id} is paid and on its way.`),
    ]);
    expect(await world.balanceOf(person)).toBe(0);
    expect((await visit.open(checkout.path)).path).toBe(`/orders/${placed!.id}`);
  });

  test("that was cancelled in the meantime leaves the money in the wallet, and its owner reads so", async () => {
    const { person, visit } = await agent();
    const checkout = await order(visit);
    await visit.press(checkout, PAGE);
    const { reference, orderId } = await lastPayment(person);
    await visit.press(await visit.open(`/orders/${orderId}`), "Cancel");
    await paystack.pay(reference);
    const seen = await visit.open(`/payments/return?reference=${reference}`);
    expect(seen.path).toBe(`/orders/${orderId}`);
    expect(seen.text).toContain("The money is in the wallet");
    expect(await world.balanceOf(person)).toBe(390);
  });

  test("needs an e-mail address, and cannot be paid by anybody else", async () => {
    const { visit } = await agent();
    const checkout = await order(visit);
    const seen = await visit.press(checkout, PAGE, { email: "" });
    expect(seen.text).toContain("User email is required for payment processing");
    expect((await (await agent()).visit.open(checkout.path)).status).toBe(404);
  });
});

describe("a manual deposit", () => {
  const FILE = "Report deposit";
  test("is reported, found by an admin, and credited once", async () => {
    const by = world.yaw.by("admin");
    await settings.change(world.db, { by, values: { manual_payment_number: "024 000 0000" } });
    const { person, visit } = await agent();
    const manual = await visit.open("/wallet/manual");
    for (const text of ["024 000 0000", `Reference${person.username}`, "GH₵ 10.00"])
      expect(manual.text).toContain(text);
    for (const path of ["/wallet", "/wallet/top-up"])
      expect((await visit.open(path)).document.querySelectorAll("a[href='/wallet/manual']")).toHaveLength(1);
    const sent = await visit.press(await visit.open("/wallet/claims"), FILE, {
      transactionId: "40 1255 66778",
      amount: "50",
    });
    expect(sent.text).toContain("Thank you");
    expect((await visit.open("/wallet")).text).toContain("Sent by hand 40125566778");
    const admin = await visitorAs(client, world.yaw);
    const list = await admin.open("/admin/claims");
    expect(list.text).toContain("40125566778");
    await admin.press(list, "Approve GH₵ 50.00");
    const again = await admin.press(list, "Approve GH₵ 50.00");
    expect(again.path).toBe("/admin/claims");
    expect(await world.balanceOf(person)).toBe(5000);
    expect((await visit.open("/wallet/manual")).text).toContain("In your wallet");
    const after = await visit.open("/wallet");
    expect(after.text).toContain("Mobile money 40125566778");
    expect(after.text).not.toContain("Not in your wallet");
  });

  test("can be refused with a reason that the agent reads", async () => {
    const { visit } = await agent();
    await visit.press(await visit.open("/wallet/claims"), FILE, {
      transactionId: "50125566778",
      amount: "50",
    });
    const admin = await visitorAs(client, world.yaw);
    const list = await admin.open("/admin/claims");
    expect((await admin.press(list, "Refuse", { reason: "" })).text).toContain("Say why");
    await admin.press(list, "Refuse", { reason: "Not in our statement" });
    expect((await visit.open("/wallet")).text).toContain("Not in our statement");
  });

  test("below the minimum, or without a transaction id, is refused beside the field", async () => {
    const { visit } = await agent();
    const page = await visit.open("/wallet/claims");
    const low = await visit.press(page, FILE, { transactionId: "60125566778", amount: "9.99" });
    expect(low.text).toContain("The minimum deposit is GH₵ 10.00");
    const none = await visit.press(page, FILE, { transactionId: "abc", amount: "50" });
    expect(none.text).toContain("Enter the transaction ID");
  });

  test("can be reported as delayed, which reaches support with the deposit", async () => {
    const { person, visit } = await agent();
    const wallet = await visit.press(await visit.open("/wallet/claims"), FILE, {
      transactionId: "70125566778",
      amount: "50",
    });
    const link = [...wallet.document.querySelectorAll("a")].find((a) => a.textContent === "Report a delay")!;
    const form = await visit.open(link.getAttribute("href")!);
    await visit.press(form, "Send to support", { message: "Sent this morning" });
    const [request] = await world.db.select().from(supportRequests).where(eq(supportRequests.userId, person.id));
    expect(request).toMatchObject({ subjectType: "claim", message: "Sent this morning", state: "open" });
    expect((await (await agent()).visit.open(link.getAttribute("href")!)).status).toBe(404);
  });
});

test("an admin compares the books with Paystack's list, sees what is missing, and settles it", async () => {
  const { person, visit } = await agent();
  await visit.press(await visit.open("/wallet/top-up"), PAGE, { amount: "33" });
  const { reference } = await lastPayment(person);
  await paystack.pay(reference);
  const admin = await visitorAs(client, world.yaw);
  const today = new Date().toISOString().slice(0, 10);
  const seen = await admin.open(`/admin/reconciliation?from=${today}&to=${today}`);
  expect(seen.text).toContain("Paid at Paystack, but still waiting here");
  expect(seen.text).toContain(reference);
  const settled = await admin.press(seen, "Settle what Paystack confirms");
  expect(settled.text).not.toContain(reference);
  expect(await world.balanceOf(person)).toBe(3300);
});

test("the page that the menu counts differences for shows them, what to do, and how to close one", async () => {
  const reference = "payment-link-0417";
  const pages = { callbackUrl: "http://localhost/", cancelUrl: "http://localhost/" };
  const gateway = createPaystack({ baseUrl: paystack.url, secretKey: paystack.secretKey });
  await gateway.initialize({ reference, amountPesewas: 5_000, email: "kwesi@example.com", ...pages });
  await paystack.pay(reference);
  const admin = await visitorAs(client, world.yaw);
  const today = new Date().toISOString().slice(0, 10);
  const compared = await admin.open(`/admin/reconciliation?from=${today}&to=${today}`);
  expect(compared.text).toContain("Somebody paid by a link or page that was made at Paystack");
  const page = await admin.open("/admin/reconciliation");
  expect(page.text).toContain("Differences that wait (1)");
  expect(page.text).toContain(`Paid at Paystack, and not a payment of this shopGH₵ 50.00`);
  expect(page.text).toContain("A refund there ends the difference.");
  const link = [...page.document.querySelectorAll("a")].find((a) => a.textContent === "Compare its days")!;
  expect((await admin.open(link.getAttribute("href")!)).text).toContain(reference);
  const refused = await admin.press(page, "Close", { reason: "" });
  expect(refused.text).toContain("Say why");
  const closed = await admin.press(refused, "Close", { reason: "Refunded on the dashboard" });
  expect(closed.text).toContain("Closed, with your reason.");
  expect(closed.text).not.toContain("Differences that wait");
  expect((await admin.open("/admin/audit")).text).toContain("Closed the difference about payment payment-link-0417");
});

longTest(
  "an admin sees what Paystack kept: on the payment's page, in the reconciliation and in the books",
  async () => {
    const { person, visit } = await agent();
    await visit.press(await visit.open("/wallet/top-up"), PAGE, { amount: "20" });
    const { id, reference } = await lastPayment(person);
    paystack.steer(reference, { amount: 2030, requestedAmount: 2000, fees: null });
    await paystack.pay(reference);
    await visit.open(`/payments/return?reference=${reference}`);
    const admin = await visitorAs(client, world.yaw);
    expect((await admin.open(`/admin/payments/${id}`)).text).not.toContain("Fee kept by Paystack");
    paystack.steer(reference, { fees: 40 });
    const today = new Date().toISOString().slice(0, 10);
    const seen = await admin.open(`/admin/reconciliation?from=${today}&to=${today}`);
    expect(seen.text).toContain("Paystack kept a fee of GH₵ 0.10, which is not booked here");
    const settled = await admin.press(seen, "Settle what Paystack confirms");
    expect(settled.text).not.toContain("not booked here");
    expect(settled.text).toMatch(/FeesGH₵ \d+\.\d\dkept by Paystack, the shop's cost/);
    const page = await admin.open(`/admin/payments/${id}`);
    expect(page.text).toContain("Fee kept by PaystackGH₵ 0.40, of which the payer paid GH₵ 0.30 on top");
    await admin.press(await admin.open("/admin/books"), "Check everything");
    await auditRuns.runOpen(world.db);
    const books = await admin.open("/admin/books");
    expect(books.text).toMatch(/Fees kept by Paystack−GH₵ (\d+\.\d\d)In GH₵ 0\.00Out GH₵ \1/);
  },
);

test("an admin ends the review of a payment on its page, once, with a reason", async () => {
  const { person, visit } = await agent();
  await visit.press(await visit.open("/wallet/top-up"), PAGE, { amount: "50" });
  const { id, reference } = await lastPayment(person);
  paystack.steer(reference, { amount: 4000 });
  await paystack.pay(reference);
  await visit.open(`/payments/return?reference=${reference}`);
  const admin = await visitorAs(client, world.yaw);
  const way = (await admin.open("/admin")).document.querySelector('.waits a[href$="#payments_in_review"]')!;
  expect(way.textContent).toContain("1 payment to check");
  const list = await admin.open(way.getAttribute("href")!);
  expect(list.text).toContain("paid GH₵ 40.00 of GH₵ 50.00");
  const link = [...list.document.querySelectorAll("a")].find((a) => a.textContent === reference)!;
  const page = await admin.open(link.getAttribute("href")!);
  const label = "Credit the GH₵ 50.00 requested: the shop loses GH₵ 10.00";
  expect(page.text).toContain(label);
  const silent = await admin.press(page, "Credit the GH₵ 40.00 paid");
  expect(silent.text).toContain("Say why");
  const done = await admin.press(page, "Credit the GH₵ 40.00 paid", { reason: "The payer agrees" });
  expect(done.text).toContain("Decided: GH₵ 40.00 credited.");
  expect(done.text).toContain("The amount paid was credited.");
  expect(await world.balanceOf(person)).toBe(4000);
  const log = await admin.open("/admin/audit");
  expect(log.text).toContain("The payer agrees");
  expect((await admin.open(`/admin/payments/${id}`)).text).not.toContain("Credit the");
});

longTest("an open chargeback is shown first to admins, and its agent sees what is held", async () => {
  const { person, visit } = await agent();
  await visit.press(await visit.open("/wallet/top-up"), PAGE, { amount: "20" });
  const { reference } = await lastPayment(person);
  await paystack.pay(reference);
  await visit.open(`/payments/return?reference=${reference}`);
  await orders.buy(world.db, { by: person.by(), key: null, line: lineFor(bundle) });
  const payment = await lastPayment(person);
  const report = { id: "78", amountPesewas: 2000, dueAt: new Date(Date.now() + 86_400_000) };
  const sendDispute = (state: "open" | "lost", note: string) =>
    world.db.transaction(async (tx) => {
      await ledger.lockWallets(tx, [person.id]);
      await reversals.applyChargeback(tx, payment, { ...report, state, note });
    });
  await sendDispute("open", "awaiting-merchant-feedback");
  for (const path of ["/dashboard", "/wallet", "/wallet/top-up", "/mtn-data"])
    expect((await visit.open(path)).text).toContain(
      "Available: GH₵ 0.00. GH₵ 20.00 is held until the bank or the network decides.",
    );
  const refused = await client.call(person, "POST", "/api/v1/orders", {
    productId: bundle.id,
    msisdn: "0541234599",
    pay: "wallet",
  });
  expect(refused.body.message).toContain("GH₵ 20.00 is held");
  expect((await client.call(person, "GET", "/api/v1/wallet/balance")).body).toEqual({
    balance: 16.1,
    held: 20,
    owed: 0,
    available: 0,
  });
  const admin = await visitorAs(client, world.yaw);
  const list = await admin.open("/admin/reversals");
  expect(list.text).toContain("Open disputes (1)");
  expect(list.text).toContain("Waiting for our evidence");
  const link = [...list.document.querySelectorAll("a")].find((a) => a.textContent === "What to send")!;
  expect((await admin.open(link.getAttribute("href")!)).text).toContain(reference);
  const row = list.document.querySelector("tbody tr")!;
  expect(row.textContent).toMatch(/\d{4}, \d\d:\d\d.*GH₵ 20\.00Held GH₵ 20\.00/);
  expect(row.textContent).not.toContain("Overdue");
  await world.db.execute(sql`update payment_reversals set due_at = now() - interval '1 hour'`);
  expect((await admin.open("/admin/reversals")).document.querySelector("tbody tr")!.textContent).toContain("Overdue");
  const counted = (await admin.open("/admin")).document.querySelector('.waits a[href="/admin/reversals#disputes"]')!;
  expect(counted.textContent).toContain("1 dispute to answer");
  const held = (await admin.open(`/admin/users/${person.id}`)).document.querySelector("#wallet .facts")!;
  expect(held.textContent).toBe("AvailableGH₵ 0.00Held for a disputeGH₵ 20.00");
  expect((await admin.open(held.querySelector("a")!.getAttribute("href")!)).text).toContain(reference);
  await sendDispute("lost", "merchant-accepted");
  expect((await visit.open("/wallet")).text).toContain("You owe GH₵ 3.90: your next top-up pays it first.");
  const ended = await admin.open("/admin/reversals");
  expect(ended.text).toContain("Lost: accepted by us");
  expect(ended.text).not.toContain("awaiting-merchant-feedback");
  expect(ended.text).not.toContain("Open disputes");
  expect((await admin.open("/admin")).text).not.toContain("open chargeback");
});

test("a payout's page says what was kept back for whom, and what to do about money that is not ours", async () => {
  const gateway = createPaystack({ baseUrl: paystack.url, secretKey: paystack.secretKey });
  const { person, visit } = await agent();
  await visit.press(await visit.open("/wallet/top-up"), PAGE, { amount: "40" });
  const { reference } = await lastPayment(person);
  await paystack.pay(reference);
  await visit.open(`/payments/return?reference=${reference}`);
  const pages = { callbackUrl: "http://localhost/", cancelUrl: "http://localhost/" };
  await gateway.initialize({ reference: "link-9", amountPesewas: 5_000, email: "kwesi@example.com", ...pages });
  await paystack.pay("link-9");
  await fetch(`${paystack.url}/refund`, {
    method: "POST",
    headers: { authorization: `Bearer ${paystack.secretKey}`, "content-type": "application/json" },
    body: JSON.stringify({ transaction: reference, amount: 1_500 }),
  });
  await paystack.moveRefund(paystack.refunds().at(-1)!.id, "processed");
  await syncRefunds(world.db, gateway, reference);
  paystack.settle();
  await payouts.sync(world.db, gateway);
  const admin = await visitorAs(client, world.yaw);
  const [latest] = await payouts.list(world.db, { limit: 1 });
  const page = await admin.open(`/admin/payouts/${latest!.id}`);
  expect(page.text).toContain("Kept back: GH₵ 15.00");
  expect(page.text).toMatch(/For what was given back since the payout before:|GH₵ 20.00 less than was given back/);
  expect(page.text).toContain(`${person.username}GH₵ 15.00Refund`);
  expect(page.text).toContain("no wallet was credited");
  const link = [...page.document.querySelectorAll("a")].find((a) => a.textContent?.startsWith("Compare these days"))!;
  expect((await admin.open(link.getAttribute("href")!)).text).toContain("link-9");
});

test("a dispute's page says where to answer it, with the evidence as text, and what became of the money", async () => {
  const { person, visit } = await agent();
  await visit.press(await visit.open("/wallet/top-up"), PAGE, { amount: "20" });
  const { reference } = await lastPayment(person);
  await paystack.pay(reference);
  await visit.open(`/payments/return?reference=${reference}`);
  const { order } = (await orders.buy(world.db, { by: person.by(), key: null, line: lineFor(bundle) })).answer;
  const payment = await lastPayment(person);
  const dispute = (state: "open" | "lost") =>
    world.db.transaction(async (tx) => {
      await ledger.lockWallets(tx, [person.id]);
      const report = { id: "79", amountPesewas: 2000, dueAt: new Date(Date.now() + 86_400_000), note: null };
      await reversals.applyChargeback(tx, payment, { ...report, state });
    });
  await dispute("open");
  const admin = await visitorAs(client, world.yaw);
  const list = await admin.open("/admin/reversals");
  const row = [...list.document.querySelectorAll("tbody tr")].find((one) =>
    one.textContent!.includes(person.username),
  )!;
  const path = row.querySelector('a[href^="/admin/chargebacks/"]')!.getAttribute("href")!;
  expect((await admin.open(path)).text).toContain("nothing speaks against it.");
  await statusChanges.moveOne(world.db, { by: world.yaw.by("admin"), key: null, orderId: order.id, to: "COMPLETED" });
  const page = await admin.open(path);
  expect(page.text).toContain("Answer on Paystack's dashboard, under Disputes, by ");
  const text = page.document.querySelector("textarea")!.textContent!;
  expect(text.split("\n")[0]).toContain(`Payment ${reference} of GH₵ 20.00, paid `);
  expect(text.split("\n")[1]).toMatch(new RegExp(`^Order ${order.id}: MTN 1GB for 054 .*, GH₵ 3.90, delivered `));
  await dispute("lost");
  const ended = await admin.open(path);
  expect(ended.text).toContain("The money went back to the payer.");
  expect(ended.text).not.toContain("Held in the wallet");
});
