// What comes too late: a request whose body never arrives, and an answer that nobody could wait for.
import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { count, holdWallet } from "../core/asking.ts";
import { startShop } from "../support/shop.ts";
import { openApp, openWorld } from "../support/world.ts";

const world = await openWorld();
const { db } = world;
const { call } = openApp(world);
const bundle = await world.product("MTN", "5GB", "20.90");
const ama = await world.person("ama", "GH₵ 100.00");

test("a body that is announced and never sent is answered with 408, and no error is logged", async () => {
  const shop = await startShop(world.url, { RUN: "server" });
  const { hostname, port } = new URL(shop.url);
  const answered = Promise.withResolvers<string>();
  let heard = "";
  await Bun.connect({
    hostname: hostname === "localhost" ? "127.0.0.1" : hostname,
    port: Number(port),
    socket: {
      data: (_, bytes) => {
        heard += bytes.toString();
        if (heard.includes("requestId")) answered.resolve(heard);
      },
      open: (socket) => {
        socket.write(
          "POST /api/v1/auth/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{",
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

test("a purchase that nobody could wait for says that it may have been made, and with its key it is made once", async () => {
  const buy = (msisdn: string, key?: string) =>
    call(
      ama,
      "POST",
      "/api/v1/orders",
      { productId: bundle.id, msisdn, pay: "wallet" },
      key ? { "idempotency-key": key } : {},
    );
  await call(ama, "GET", "/api/v1/auth/me");
  const held = await holdWallet(db, ama.id);
  const keyed = buy("0541000001", "once");
  await held.waiting(1);
  const unkeyed = buy("0541000002");
  const [first, second] = [await keyed, await unkeyed];
  expect([first.status, first.body.code, first.body.message]).toEqual([
    503,
    "service.unavailable",
    "We could not tell in time whether this was done. Ask again with the same Idempotency-Key: it is done once at most.",
  ]);
  expect([second.status, second.body.message]).toEqual([
    503,
    expect.stringContaining("Look before you ask again, and send an Idempotency-Key"),
  ]);
  await held.release();
  const again = await buy("0541000001", "once");
  expect(again.status).toBe(201);
  expect(await count(db, sql`from orders where msisdn = '233541000001'`)).toBe(1);
});
