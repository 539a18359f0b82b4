// Tests of top-ups on Paystack's page: our own record sets the amount, and what was paid is credited once.
import { describe, expect, test } from "bun:test";
import { count, eq, sql } from "drizzle-orm";
import { transfers } from "../../db/schema/ledger.ts";
import { payments } from "../../db/schema/payments.ts";
import type { Steering } from "../../dev/simulators/paystack/paystack.ts";
import * as settings from "../../src/core/platform/settings/settings.ts";
import { TIMEOUT_MS } from "../../src/gateways/paystack.ts";
import { longTest } from "../support/long.ts";
import { openTill } from "./paying.ts";

const { world, paystack, call, post, get, record, topUp, paidTopUp, verify, known } = await openTill();
const { db, yaw } = world;
const ama = await world.person("ama");
const kofi = await world.person("kofi");
const creditsOf = async (transactionId: number) => {
  const [row] = await db
    .select({ count: count() })
    .from(transfers)
    .where(sql`${transfers.reason} = 'topup' and ${transfers.subjectId} = ${transactionId}`);
  return row!.count;
};

describe("a top-up", () => {
  test("has a minimum of GH₵ 5.00, which is a setting", async () => {
    const below = await post(ama, "/wallet/topup/init", { amount: 4.99 });
    expect([below.status, below.body.code]).toEqual([422, "payment.below_minimum"]);
    expect(below.body.message).toBe("The minimum top-up is GH₵ 5.00");
    expect(below.body.details.fields.amount).toBe("The minimum top-up is GH₵ 5.00");
    expect((await post(ama, "/wallet/topup/init", { amount: 5 })).body.amount).toBe(5);

    const name = "top_up_minimum_pesewas";
    await settings.change(db, { by: yaw.by("admin"), values: { [name]: 2000 } });
    const raised = await post(ama, "/wallet/topup/init", { amount: 19.99 });
    expect([raised.body.code, raised.body.message]).toEqual([
      "payment.below_minimum",
      "The minimum top-up is GH₵ 20.00",
    ]);
    await settings.change(db, { by: yaw.by("admin"), values: { [name]: 500 } });
    expect((await post(ama, "/wallet/topup/init", { amount: 5 })).status).toBe(201);
  });

  test("without an amount says what to enter", async () => {
    for (const amount of [undefined, null, "", "20", "abc", 0, -5, 5.001, 1e300, [20], {}]) {
      const { status, body } = await post(ama, "/wallet/topup/init", { amount });
      expect([amount, status, JSON.stringify(body).includes("Please enter a valid amount")]).toEqual([
        amount,
        422,
        true,
      ]);
    }
  });
});

describe("Paystack's page", () => {
  test("charges our own record's amount, whatever the client sends", async () => {
    for (const amount of [0.01, 99_999, "1", -20, null, {}, undefined]) {
      const transactionId = await record(ama, 20);
      const { status, body } = await post(ama, "/paystack/init", { transactionId, amount, currency: "NGN" });
      expect([status, body.amount]).toEqual([200, 20]);
      expect(known(body.reference)).toMatchObject({ amount: 2000, currency: "GHS" });
    }
  });

  test("is the same page while it is open", async () => {
    const first = await topUp(ama, 20);
    const again = await post(ama, "/paystack/init", { transactionId: first.transactionId });
    expect(again.body).toMatchObject({
      authorizationUrl: first.authorizationUrl,
      reference: first.reference,
    });
    expect(
      paystack.requests().filter((r) => (r.body as { reference?: string })?.reference === first.reference),
    ).toHaveLength(1);
  });

  longTest("leads back to our own origin, whatever return address the client sends", async () => {
    for (const callbackUrl of [
      "https://evil.example/dashboard",
      "//evil.example",
      "http://localhost.evil.example/",
      "http://localhost@evil.example/",
      "http://localhost:81/",
      "https://localhost/",
      "javascript:alert(1)",
      "not an address",
      "",
    ]) {
      const transactionId = await record(ama, 20);
      const { status, body } = await post(ama, "/paystack/init", { transactionId, callbackUrl });
      expect([callbackUrl, status]).toEqual([callbackUrl, 200]);
      expect(known(body.reference)!.callbackUrl).toBe("http://localhost/dashboard?wallet=success");
    }
    const transactionId = await record(ama, 20);
    const callbackUrl = "http://localhost/wallet?from=top-up";
    const { body } = await post(ama, "/paystack/init", { transactionId, callbackUrl });
    expect(known(body.reference)).toMatchObject({ callbackUrl, cancelUrl: "http://localhost/wallet" });
  });

  test("is refused for somebody else's top-up, without revealing that it exists", async () => {
    const { transactionId, reference } = await topUp(ama, 20);
    const unpaid = await record(ama, 20);
    const requests = paystack.requests().length;
    for (const person of [kofi, yaw]) {
      for (const reply of [
        await post(person, "/paystack/init", { transactionId }),
        await post(person, "/paystack/init", { transactionId: unpaid }),
        await post(person, "/paystack/charge", {
          transactionId: unpaid,
          network: "mtn",
          phone: "0541234567",
        }),
        await verify(person, reference),
        await verify(person, reference, { transactionId }),
        await post(person, "/paystack/otp", { reference, code: "123456" }),
        await get(person, `/payments/${reference}`),
        await verify(person, "tp-nobody-knows"),
        await get(person, "/payments/tp-nobody-knows"),
        await get(person, "/payments/%00%2F"),
      ]) {
        expect([reply.status, reply.body.code]).toEqual([404, "payment.not_found"]);
      }
    }
    expect(paystack.requests()).toHaveLength(requests);
    expect((await get(kofi, "/payments")).body).toEqual([]);
  });

  test("needs an e-mail address that Paystack accepts", async () => {
    const nobody = await world.person("nobody");
    const start = async () => post(nobody, "/paystack/init", { transactionId: await record(nobody, 20) });
    await db.execute(sql`update users set email = '' where id = ${nobody.id}`);
    expect((await start()).body).toMatchObject({
      code: "payment.email_missing",
      message: "User email is required for payment processing",
    });
    await db.execute(sql`update users set email = 'nobody@localhost' where id = ${nobody.id}`);
    const refused = await start();
    expect([refused.status, refused.body.code]).toEqual([422, "payment.refused"]);
    expect(refused.body.message).toBe("Failed to initialize payment");
  });

  longTest("reports within ten seconds that Paystack is down, and loses nothing", async () => {
    const faults = ["dropBefore", "dropAfter", "http500", "html502", "429", "emptyBody", "hang"] as const;
    for (const fault of faults) paystack.fault("POST /transaction/initialize", fault);
    const ids = await Promise.all(faults.map(() => record(ama, 20)));
    const replies = await Promise.all(ids.map((transactionId) => post(ama, "/paystack/init", { transactionId })));
    expect(TIMEOUT_MS).toBeLessThan(10_000);
    for (const { status, body, headers } of replies) {
      expect([status, body.code]).toEqual([503, "payment.gateway_down"]);
      expect(body.message).toBe(
        "Failed to start payment. The payment service is not answering; nothing was charged. Try again later.",
      );
      expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
      expect(JSON.stringify(body)).not.toContain(paystack.secretKey);
    }
    const before = await world.balanceOf(ama);
    for (const transactionId of ids) {
      const { status, body } = await post(ama, "/paystack/init", { transactionId });
      expect([status, body.amount]).toEqual([200, 20]);
      await paystack.pay(body.reference);
      expect((await verify(ama, body.reference)).body.status).toBe("paid");
    }
    expect(await world.balanceOf(ama)).toBe(before + ids.length * 2000);
  });

  test("whose address was lost is replaced by another, and money by either is credited", async () => {
    paystack.fault("POST /transaction/initialize", "dropAfter");
    const transactionId = await record(ama, 20);
    expect((await post(ama, "/paystack/init", { transactionId })).status).toBe(503);
    const lost = paystack.transactions().at(-1)!.reference;
    const { body } = await post(ama, "/paystack/init", { transactionId });
    expect(body.reference).not.toBe(lost);
    // The client may continue to use its first id.
    const again = await post(ama, "/paystack/init", { transactionId });
    expect(again.body).toEqual(body);
    const before = await world.balanceOf(ama);
    for (const reference of [lost, body.reference]) {
      await paystack.pay(reference);
      expect((await verify(ama, reference, { transactionId })).body.status).toBe("paid");
    }
    expect(await world.balanceOf(ama)).toBe(before + 4000);
    expect((await verify(ama, lost, { transactionId: body.transactionId })).body.code).toBe("payment.not_found");
    expect((await post(ama, "/paystack/init", { transactionId })).body.code).toBe("payment.not_payable");
  });
});

describe("a payment", () => {
  test("is paid only when Paystack confirms it: neither an open page nor the return address counts", async () => {
    const { reference, transactionId } = await topUp(kofi, 20);
    const claimed = await get(kofi, `/payments/${reference}?wallet=success&status=success`);
    expect([claimed.status, claimed.body.code]).toEqual([422, "request.invalid"]);
    for (const reply of [
      await verify(kofi, reference, { status: "success", amount: 20, paid: true }),
      await get(kofi, `/payments/${reference}`),
    ]) {
      expect(reply.body).toMatchObject({ status: "pending", amount: 20, balance: 0, orderId: null });
    }
    await paystack.pay(reference);
    expect((await get(kofi, `/payments/${reference}`)).body.status).toBe("pending");
    expect((await verify(kofi, reference, { transactionId })).body).toMatchObject({
      id: transactionId,
      status: "paid",
      message: "Wallet top-up completed successfully!",
      balance: 20,
    });
    expect((await get(kofi, `/payments/${reference}`)).body).toMatchObject({ status: "paid", balance: 20 });
    const ended = await post(kofi, "/paystack/init", { transactionId });
    expect([ended.status, ended.body.code]).toEqual([409, "payment.not_payable"]);
  });

  test("is credited once, with our own amount, when ten requests verify it at the same moment", async () => {
    const before = await world.balanceOf(kofi);
    const { reference, transactionId } = await topUp(kofi, 7.5);
    // The payer bore the fee: more was paid than requested.
    paystack.steer(reference, { amount: 765 });
    await paystack.pay(reference);
    const replies = await Promise.all(Array.from({ length: 10 }, () => verify(kofi, reference)));
    for (const { status, body } of replies)
      expect([status, body.status, body.balance]).toEqual([200, "paid", (before + 750) / 100]);
    expect(await creditsOf(transactionId)).toBe(1);
    expect(await world.balanceOf(kofi)).toBe(before + 750);
  });

  test("of a small amount cannot replace one of a large amount", async () => {
    const before = await world.balanceOf(kofi);
    const cheap = await paidTopUp(kofi, 5);
    const dear = await topUp(kofi, 500);
    for (const more of [
      { transactionId: dear.transactionId },
      { orderId: 1 },
      { transactionId: cheap.transactionId, orderId: 1 },
    ]) {
      const { status, body } = await verify(kofi, cheap.reference, more);
      expect([status, body.code]).toEqual([404, "payment.not_found"]);
    }
    expect(await world.balanceOf(kofi)).toBe(before);
    expect((await verify(kofi, cheap.reference, { transactionId: cheap.transactionId })).status).toBe(200);
    expect((await verify(kofi, dear.reference)).body.status).toBe("pending");
    expect(await world.balanceOf(kofi)).toBe(before + 500);
  });

  test("that differs from our record is held for an admin's review, and not credited", async () => {
    const before = await world.balanceOf(ama);
    const steerings: Steering[] = [
      { currency: "NGN" },
      { domain: "live" },
      { amount: 1999 },
      { requestedAmount: 1 },
      { requestedAmount: 200_000, amount: 200_000 },
    ];
    for (const steering of steerings) {
      const { reference, transactionId } = await topUp(ama, 20);
      paystack.steer(reference, steering);
      await paystack.pay(reference);
      const { body } = await verify(ama, reference);
      expect([steering, body.status]).toEqual([steering, "review"]);
      expect(body.message).toContain("We are checking this payment");
      const list = await get(yaw, "/admin/payments?state=review&limit=1");
      expect(list.body).toMatchObject([{ reference, userId: ama.id, username: "ama", status: "review", amount: 20 }]);
      expect(list.body[0].reason).toContain("expected GH₵ 20.00 in test");
      expect(await creditsOf(transactionId)).toBe(0);
    }
    expect(await world.balanceOf(ama)).toBe(before);
    expect(
      (await get(yaw, "/admin/payments?state=paid")).body.map((row: { status: string }) => row.status),
    ).not.toContain("review");
  });

  test("that failed or expired is credited all the same when the money arrives late", async () => {
    const before = await world.balanceOf(kofi);
    const { reference, transactionId } = await topUp(kofi, 20);
    paystack.decline(reference);
    expect((await verify(kofi, reference)).body.status).toBe("pending");
    paystack.fail(reference, "Declined by the bank");
    expect((await verify(kofi, reference)).body).toMatchObject({
      status: "failed",
      message: "Declined by the bank",
    });
    expect((await post(kofi, "/paystack/init", { transactionId })).body.code).toBe("payment.not_payable");
    await paystack.pay(reference);
    expect((await verify(kofi, reference)).body.status).toBe("paid");
    const forgotten = await topUp(kofi, 20);
    await db
      .update(payments)
      .set({ state: "expired", pollAt: null })
      .where(eq(payments.reference, forgotten.reference));
    await paystack.pay(forgotten.reference);
    expect((await verify(kofi, forgotten.reference)).body.status).toBe("paid");
    expect(await world.balanceOf(kofi)).toBe(before + 4000);
  });

  test("stays unchanged while Paystack cannot be reached, and is credited afterwards", async () => {
    const before = await world.balanceOf(kofi);
    const { reference } = await paidTopUp(kofi, 20);
    const faults = ["dropBefore", "http500", "html502", "429", "emptyBody"] as const;
    for (const fault of faults) {
      paystack.fault("GET /transaction/verify/:reference", fault);
      const { status, body } = await verify(kofi, reference);
      expect([fault, status, body.code]).toEqual([fault, 503, "payment.unverified"]);
    }
    expect(await world.balanceOf(kofi)).toBe(before);
    expect((await verify(kofi, reference)).body.status).toBe("paid");
    expect(await world.balanceOf(kofi)).toBe(before + 2000);
  });
});

test("agents list their own payments, newest first, in pages; admins list everybody's", async () => {
  const esi = await world.person("esi");
  const references: string[] = [];
  for (let i = 0; i < 5; i++) references.unshift((await topUp(esi, 20)).reference);
  await record(esi, 20);
  const first = await get(esi, "/payments?limit=3");
  const next = /^<([^>]+)>; rel="next"$/.exec(first.headers.get("link") ?? "")![1]!;
  const { body: rest } = await call(esi, "GET", next);
  const namesOf = (rows: { reference: string }[]) => rows.map((row) => row.reference);
  expect([...namesOf(first.body), ...namesOf(rest)]).toEqual(references);
  const all = await get(yaw, "/admin/payments?state=pending&limit=5");
  expect(namesOf(all.body)).toEqual(references);
  for (const path of ["/admin/payments", "/admin/payments?state=review"]) {
    expect((await get(esi, path)).body.code).toBe("auth.forbidden");
    expect((await get(null, path)).status).toBe(401);
  }
});
