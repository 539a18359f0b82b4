// Tests of Paystack's webhooks: accepted only with a valid signature, stored before they are acknowledged, processed
// once.
import { afterAll, describe, expect, test } from "bun:test";
import { asc, sql } from "drizzle-orm";
import { connect, disconnect } from "../../db/connect.ts";
import { webhookEvents } from "../../db/schema/payments.ts";
import { type Delivery, type DeliveryOptions, sign } from "../../dev/simulators/paystack/paystack.ts";
import { processWebhooks } from "../../src/app/worker.ts";
import { createPaystack } from "../../src/gateways/paystack.ts";
import { limits } from "../../src/shared/domain.ts";
import { createLog } from "../../src/telemetry/log.ts";
import { longTest } from "../support/long.ts";
import { openApp } from "../support/world.ts";
import { openTill } from "./paying.ts";

const { world, paystack, client, get, topUp, paidTopUp, verify } = await openTill();
const { db, yaw } = world;
const ama = await world.person("ama");
const gateway = createPaystack({ baseUrl: paystack.url, secretKey: paystack.secretKey });
const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: client.app.fetch });
afterAll(() => server.stop(true));
paystack.sendWebhooksTo(`http://127.0.0.1:${server.port}/webhooks/paystack`);

const stored = () => db.select().from(webhookEvents).orderBy(asc(webhookEvents.id));
const work = () => processWebhooks(db, gateway, createLog("silent"));
const stateOf = async (reference: string) => (await get(ama, `/payments/${reference}`)).body.status as string;
/** The first answer to each copy. */
const answersTo = (deliveries: Delivery[]) => deliveries.map(({ attempts }) => attempts[0]!.status);
const deliver = async (reference: string, options?: DeliveryOptions) =>
  answersTo(await paystack.deliver(reference, { retry: false, ...options }));
const send = (body: string | Uint8Array<ArrayBuffer>, signature: string | null, app = client.app) =>
  app.fetch(
    new Request("http://localhost/webhooks/paystack", {
      method: "POST",
      headers: {
        "content-type": "application/json",
        ...(signature !== null && { "x-paystack-signature": signature }),
      },
      body,
    }),
  );
const signed = (body: string, app = client.app) => send(body, sign(body, paystack.secretKey), app);
const successOf = (reference: string) => JSON.stringify({ event: "charge.success", data: { reference } });

describe("an event", () => {
  test("is stored before it is acknowledged, and credits the payment when it is processed", async () => {
    const before = await world.balanceOf(ama);
    const { reference } = await paidTopUp(ama, 20);
    expect(await deliver(reference)).toEqual([200]);
    const row = (await stored()).at(-1)!;
    expect(row).toMatchObject({ event: "charge.success", reference, processedAt: null });
    expect(await world.balanceOf(ama)).toBe(before);
    await work();
    expect(await stateOf(reference)).toBe("paid");
    expect(await world.balanceOf(ama)).toBe(before + 2000);
    expect((await stored()).at(-1)!.outcome).toBe("settled: paid");
  });

  test("is not acknowledged before it is stored", async () => {
    const { reference } = await paidTopUp(ama, 20);
    const count = (await stored()).length;
    const locked = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    const lock = db.transaction(async (tx) => {
      await tx.execute(sql`lock table webhook_events in share mode`);
      locked.resolve();
      await release.promise;
    });
    await locked.promise;
    let answer: number | null = null;
    const sending = signed(successOf(reference)).then((response) => {
      answer = response.status;
    });
    // The insert waits for our lock.
    const isWaiting = async () =>
      (await db.execute(sql`select 1 from pg_locks where relation = 'webhook_events'::regclass and not granted`))
        .length > 0;
    while (!(await isWaiting())) expect(answer).toBeNull();
    expect(answer).toBeNull();
    release.resolve();
    await Promise.all([lock, sending]);
    expect(answer as number | null).toBe(200);
    expect(await stored()).toHaveLength(count + 1);
    await work();
  });

  test("is not acknowledged while the database is unavailable", async () => {
    const away = connect("postgres://nobody@127.0.0.1:1/nothing", { max: 1 });
    const { app } = openApp({ ...world, db: away }, paystack);
    const response = await signed(successOf("tp-1"), app);
    expect([response.status, (await response.json()).code]).toEqual([503, "service.unavailable"]);
    await disconnect(away);
  });

  test("is stored without the payer's card, name or address", async () => {
    const { reference } = await paidTopUp(ama, 20);
    const secrets = {
      first_name: "Ama",
      last_name: "Mensah",
      email: "payer@example.com",
      phone: "0551234567",
    };
    const data = {
      customer: { id: 7, ...secrets },
      authorization: { authorization_code: "AUTH_secret", last4: "4081", bin: "408408", exp_year: "2030" },
      ip_address: "41.66.0.9",
      metadata: { note: "mine" },
    };
    expect(await deliver(reference, { data, json: "hostile" })).toEqual([200]);
    const row = (await stored()).at(-1)!;
    expect(row.reference).toBe(reference);
    const text = JSON.stringify(row);
    for (const word of ["Ama", "Mensah", "example.com", "0551234567", "AUTH_", "4081", "2030", "41.66", "mine"])
      expect([word, text.includes(word)]).toEqual([word, false]);
    expect(Object.keys((row.body as { data: object }).data).sort()).toEqual(
      ["amount", "domain", "id", "reference", "status"].sort(),
    );
    await work();
    expect(await stateOf(reference)).toBe("paid");
  });

  test("that is repeated, also at the same moment, is stored and credited once", async () => {
    const before = await world.balanceOf(ama);
    const { reference } = await paidTopUp(ama, 20);
    const count = (await stored()).length;
    expect(await deliver(reference, { copies: 10, parallel: true })).toEqual(Array(10).fill(200));
    expect(await stored()).toHaveLength(count + 1);
    await Promise.all([work(), work(), verify(ama, reference)]);
    expect(await deliver(reference)).toEqual([200]);
    await work();
    expect(await stored()).toHaveLength(count + 1);
    expect(await world.balanceOf(ama)).toBe(before + 2000);
  });

  test("is exact for two payments with ids that a number cannot hold", async () => {
    const two = [await paidTopUp(ama, 20), await paidTopUp(ama, 20)];
    const count = (await stored()).length;
    for (const [i, { reference }] of two.entries())
      expect(await deliver(reference, { data: { id: 9_007_199_254_740_992n + BigInt(i) } })).toEqual([200]);
    expect(await stored()).toHaveLength(count + 2);
    await work();
    for (const { reference } of two) expect(await stateOf(reference)).toBe("paid");
  });

  test("is never trusted about money: it only triggers a status check", async () => {
    const before = await world.balanceOf(ama);
    const { reference } = await topUp(ama, 20);
    const lie = { status: "success", reference, amount: 200_000, currency: "GHS", domain: "test" };
    expect(answersTo(await paystack.deliverEvent("charge.success", lie))).toEqual([200]);
    await work();
    expect(await stateOf(reference)).toBe("pending");
    expect(await world.balanceOf(ama)).toBe(before);
  });

  test("waits when Paystack cannot be reached, and is processed afterwards", async () => {
    const { reference } = await paidTopUp(ama, 20);
    await deliver(reference);
    paystack.fault("GET /transaction/verify/:reference", "html502");
    await work();
    expect(await stateOf(reference)).toBe("pending");
    expect((await stored()).at(-1)!.processedAt).toBeNull();
    // The retry is due later.
    await db.execute(sql`update jobs set run_at = now() where kind = 'process_webhook'`);
    await work();
    expect(await stateOf(reference)).toBe("paid");
  });

  test("about a payment that is not ours, or unreadable, is acknowledged and changes no books", async () => {
    const count = (await stored()).length;
    const foreign = {
      reference: "from-the-dashboard",
      status: "success",
      id: 77,
      domain: "test",
      amount: 500,
    };
    expect(answersTo(await paystack.deliverEvent("charge.success", foreign))).toEqual([200]);
    expect(answersTo(await paystack.deliverEvent("transfer.success", { id: 78 }))).toEqual([200]);
    await work();
    const outcomes = (await stored()).slice(count).map((row) => row.outcome);
    expect(outcomes).toEqual(["unknown reference", "no reference"]);
    for (const body of ["", "{", "null", "[]", '{"event":5}', '{"event":"x\\u0000"}', "\u0000"]) {
      expect([body, (await signed(body)).status]).toEqual([body, 200]);
    }
  });

  test("that is too large is refused, with or without a declared length", async () => {
    const body = JSON.stringify({ event: "x", data: { pad: "x".repeat(limits.bodyBytes * 4) } });
    const count = (await stored()).length;
    expect((await signed(body)).status).toBe(413);
    const url = `http://127.0.0.1:${server.port}/webhooks/paystack`;
    const headers = { "x-paystack-signature": sign(body, paystack.secretKey) };
    const streamed = await fetch(url, { method: "POST", headers, body: new Blob([body]).stream() });
    expect(streamed.status).toBe(413);
    expect(await stored()).toHaveLength(count);
  });
});

describe("a signature", () => {
  test("that is missing, wrong, in capitals, or of other bytes is refused, and nothing is stored", async () => {
    const { reference } = await paidTopUp(ama, 20);
    const count = (await stored()).length;
    for (const signature of ["missing", "wrong", "upperCase", "tampered"] as const)
      expect([signature, await deliver(reference, { signature })]).toEqual([signature, [401]]);
    const body = successOf(reference);
    const good = sign(body, paystack.secretKey);
    for (const bad of ["", good.slice(1), `${good}00`, `sha512=${good}`, "é".repeat(64), "0".repeat(128)])
      expect([bad, (await send(body, encodeURI(bad))).status]).toEqual([bad, 401]);
    // The same JSON spelled differently is another body.
    for (const other of [`${body} `, JSON.stringify(JSON.parse(body), null, 1), `\ufeff${body}`])
      expect((await send(other, good)).status).toBe(401);
    const latin = Buffer.from('{"event":"charge.success","data":{"reference":"é"}}', "latin1");
    expect((await send(latin, sign(latin.toString("utf8"), paystack.secretKey))).status).toBe(401);
    expect(await stored()).toHaveLength(count);
    expect((await db.execute(sql`select 1 from jobs where kind = 'process_webhook'`)).length).toBe(0);
    expect(await stateOf(reference)).toBe("pending");
    // The slashes and characters that Paystack escapes are part of what it signed.
    expect(await deliver(reference, { json: "hostile" })).toEqual([200]);
    await work();
  });

  test("of the previous key is accepted during a replacement, and none older", async () => {
    const { app } = openApp(world, { ...paystack, previousSecretKey: "sk_test_of_last_week" });
    const body = (n: number) => JSON.stringify({ event: "charge.success", data: { reference: `old-${n}` } });
    const statuses: number[] = [];
    for (const [n, key] of ["sk_test_of_last_week", paystack.secretKey, "sk_test_older", ""].entries())
      statuses.push((await send(body(n), sign(body(n), key || "null"), app)).status);
    expect(statuses).toEqual([200, 200, 401, 401]);
    // Without such a key, neither "null" nor "undefined" is one.
    for (const key of ["null", "undefined", "sk_test_of_last_week"])
      expect((await send(body(9), sign(body(9), key))).status).toBe(401);
    await work();
  });
});

describe("money that is returned", () => {
  const refund = async (reference: string, pesewas: number) => {
    const response = await fetch(`${paystack.url}/refund`, {
      method: "POST",
      headers: { authorization: `Bearer ${paystack.secretKey}`, "content-type": "application/json" },
      body: JSON.stringify({ transaction: reference, amount: pesewas }),
    });
    expect(response.status).toBe(200);
    return paystack.refunds().at(-1)!.id;
  };
  const credited = async (amount: number) => {
    const { reference } = await paidTopUp(ama, amount);
    await verify(ama, reference);
    return reference;
  };

  test("leaves the wallet once, in whatever order and however often it is reported", async () => {
    const reference = await credited(20);
    const before = await world.balanceOf(ama);
    const id = await refund(reference, 2000);
    await paystack.moveRefund(id, "processing");
    await paystack.moveRefund(id, "processed");
    for (const event of ["refund.processed", "refund.pending", "refund.processing", "refund.processed"]) {
      expect(await deliver(reference, { event, copies: 2 })).toEqual([200, 200]);
      await work();
    }
    await verify(ama, reference);
    expect(await stateOf(reference)).toBe("reversed");
    expect(await world.balanceOf(ama)).toBe(before - 2000);
    const list = await get(yaw, "/admin/payments?state=reversed");
    expect(list.body).toMatchObject([{ reference, username: "ama" }]);
  });

  test("in part takes that part, and only once it is returned", async () => {
    const reference = await credited(20);
    const before = await world.balanceOf(ama);
    const id = await refund(reference, 500);
    expect(await deliver(reference, { event: "refund.pending" })).toEqual([200]);
    await work();
    await verify(ama, reference);
    expect(await world.balanceOf(ama)).toBe(before);
    await paystack.moveRefund(id, "processed");
    await deliver(reference, { event: "refund.processed", copies: 2 });
    await work();
    // Written differently it is another event to store, but the same refund.
    await deliver(reference, { event: "refund.processed", data: { status: "done" } });
    await work();
    expect((await stored()).at(-1)!.outcome).toBe("refunds: as listed");
    expect([await world.balanceOf(ama), await stateOf(reference)]).toEqual([before - 500, "paid"]);
  });

  test("stays in the wallet when the refund fails", async () => {
    const reference = await credited(20);
    const before = await world.balanceOf(ama);
    const id = await refund(reference, 2000);
    await deliver(reference, { event: "refund.pending" });
    await work();
    await paystack.moveRefund(id, "failed");
    await deliver(reference, { event: "refund.failed" });
    await work();
    expect([await world.balanceOf(ama), await stateOf(reference)]).toEqual([before, "paid"]);
  });

  longTest("by a chargeback leaves the wallet when it is lost, and not when it is won", async () => {
    const [won, lost] = [await credited(20), await credited(20)];
    const before = await world.balanceOf(ama);
    for (const [reference, resolution] of [
      [won, "declined"],
      [lost, "merchant-accepted"],
    ] as const) {
      await paystack.dispute(reference, "create");
      await deliver(reference, { event: "charge.dispute.create" });
      await work();
      expect(await stateOf(reference)).toBe("paid");
      await paystack.dispute(reference, "resolve", resolution);
      await deliver(reference, { event: "charge.dispute.resolve", copies: 2 });
      await work();
    }
    expect([await stateOf(won), await stateOf(lost)]).toEqual(["paid", "reversed"]);
    expect(await world.balanceOf(ama)).toBe(before - 2000);
  });
});
