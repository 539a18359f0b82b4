// Tests of timeouts: a request whose body never arrives, and an answer that takes too long.
import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { connect, disconnect } from "../../db/connect.ts";
import { limits } from "../../src/shared/domain.ts";
import { count, holdWallet } from "../support/asking.ts";
import { startShop } from "../support/shop.ts";
import { openApp, openWorld } from "../support/world.ts";

const world = await openWorld();
const { db } = world;
const { call } = openApp(world);
const bundle = await world.product("MTN", "5GB", "20.90");
const ama = await world.person("ama", "GH₵ 100.00");

test("a body that is announced and never sent is answered with 408, without an error in the log", async () => {
  const shop = await startShop(world.url, { RUN: "server" });
  const { hostname, port } = new URL(shop.url);
  const answered = Promise.withResolvers<string>();
  let received = "";
  await Bun.connect({
    hostname: hostname === "localhost" ? "127.0.0.1" : hostname,
    port: Number(port),
    socket: {
      data: (_, bytes) => {
        received += bytes.toString();
        if (received.includes("requestId")) answered.resolve(received);
      },
      open: (socket) => {
        socket.write(
          "POST /api/v1/auth/login HTTP/1.1\r\nHost: localhost\r\n" +
            "Content-Type: application/json\r\nContent-Length: 50\r\n\r\n{",
        );
      },
    },
  });
  const answer = await answered.promise;
  expect(answer).toStartWith("HTTP/1.1 408");
  expect(answer.toLowerCase()).toContain("connection: close");
  expect(answer).toContain("request.timeout");
  await shop.stop();
  expect(shop.output()).not.toContain("a request failed");
});

// Consecutive ids are odd and even, so the two buy in different partitions.
const kofi = await world.person("kofi", "GH₵ 100.00");
const busyMessage = "We are busy: nothing was placed or charged. Try again in a few seconds.";
const order = () => call(ama, "POST", "/api/v1/orders", { productId: bundle.id, msisdn: "0541000009" });

test("a purchase that waits too long for its wallet is refused in time, and not made afterwards", async () => {
  const { id: orderId } = (await order()).body;
  const buy = (msisdn: string, headers = {}) =>
    call(ama, "POST", "/api/v1/orders", { productId: bundle.id, msisdn, pay: "wallet" }, headers);
  const bulk = { orders: [{ productId: bundle.id, msisdn: "0541000003" }] };
  const held = await holdWallet(db, ama.id);
  const first = buy("0541000001", { "idempotency-key": "once" });
  await held.waiting(1);
  const answers = await Promise.all([
    first,
    buy("0541000002"),
    call(ama, "POST", "/api/v1/orders/bulk", bulk),
    call(ama, "POST", "/api/v1/wallet/spend", { orderId }),
    call(ama, "POST", `/api/v1/orders/${orderId}/cancel`),
  ]);
  for (const { status, body, headers } of answers)
    expect([status, body.code, body.message, headers.get("retry-after")]).toEqual([
      503,
      "service.busy",
      busyMessage,
      "2",
    ]);
  await held.release();
  const balance = await world.balanceOf(ama);
  // A repeated request is answered after all that could still have waited for this wallet.
  const again = await buy("0541000001", { "idempotency-key": "once" });
  expect([again.status, again.headers.get("idempotency-replayed")]).toEqual([201, null]);
  expect(await count(db, sql`from orders where paid_at is not null or status <> 'PENDING'`)).toBe(1);
  expect(await world.balanceOf(ama)).toBe(balance - 2090);
});

test("a purchase that times out says that it may have been made; repeated with its key it is made once", async () => {
  const patient = connect(world.url, { max: 4, statementTimeoutMs: 30_000 });
  const { call } = openApp({ ...world, db: patient });
  const buy = (msisdn: string, key?: string, person = ama) =>
    call(
      person,
      "POST",
      "/api/v1/orders",
      { productId: bundle.id, msisdn, pay: "wallet" },
      key ? { "idempotency-key": key } : {},
    );
  // Whatever still waits for their wallets from before is over, and the prices are read.
  for (const person of [ama, kofi]) expect((await buy("0541000010", undefined, person)).status).toBe(201);
  await db.execute(
    sql.raw(`
    create function dawdle() returns trigger language plpgsql as
      $$ begin perform pg_sleep(${limits.requestTimeoutMs / 1000 + 1}); return null; end $$;
    create trigger dawdle before insert on orders for each statement execute function dawdle()`),
  );
  // The first buyer's next purchase waits behind their statement; the other buyer's has its own.
  const sent = buy("0541000011", "twice");
  while ((await count(db, sql`from pg_stat_activity where wait_event = 'PgSleep'`)) < 1) await Bun.sleep(5);
  const [first, behind, other] = await Promise.all([sent, buy("0541000012"), buy("0541000013", undefined, kofi)]);
  await db.execute(sql`drop function dawdle cascade`);
  expect([first.status, first.body.code, first.body.message]).toEqual([
    503,
    "service.unavailable",
    "This took too long, and we do not know whether it was done. " +
      "Try again with the same Idempotency-Key: it will not be done twice.",
  ]);
  expect([other.status, other.body.message]).toEqual([
    503,
    expect.stringContaining("Check before you try again, and send an Idempotency-Key"),
  ]);
  expect([behind.status, behind.body.message]).toEqual([503, busyMessage]);
  const again = await buy("0541000011", "twice");
  expect(again.status).toBe(201);
  expect(await count(db, sql`from orders where msisdn = '233541000011'`)).toBe(1);
  expect(await count(db, sql`from orders where msisdn = '233541000012'`)).toBe(0);
  await disconnect(patient);
});
