// Tests of support through the API: requests, replies, and disputes, from both sides.
import { describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import * as statusChanges from "../../src/core/orders/status-changes.ts";
import { lineFor, times } from "../support/asking.ts";
import { openApp, openWorld, type Person } from "../support/world.ts";
import { checkedCalls } from "./calls.ts";

const world = await openWorld();
const call = checkedCalls(openApp(world));
const { db, yaw } = world;
const bundle = await world.product("MTN", "1GB", "3.90");
const ama = await world.person("ama", "GH₵ 90.00");
const kofi = await world.person("kofi", "GH₵ 90.00");

const post = (person: Person | null, path: string, body?: unknown, headers?: Record<string, string>) =>
  call(person, "POST", `/api/v1${path}`, body, headers);
const get = (person: Person | null, path: string) => call(person, "GET", `/api/v1${path}`);
const drop = (person: Person, path: string) => call(person, "DELETE", `/api/v1${path}`);

async function delivered(person = ama): Promise<number> {
  const { body } = await post(person, "/orders", { ...lineFor(bundle), pay: "wallet" });
  for (const to of ["PROCESSING", "DELIVERED"] as const)
    await statusChanges.move(db, { by: yaw.by("admin"), key: null, ids: [body.id], to });
  return body.id;
}
const letter = { subject: "The wrong bundle", message: "1GB instead of 2GB" };
const refused = ({ status, body }: { status: number; body: { code?: string } }) => [status, body.code];

describe("a request", () => {
  test("is filed, answered and continued; its owner sees that support answered, but not which admin", async () => {
    const orderId = await delivered();
    const { status, body } = await post(ama, "/support", { ...letter, orderId });
    expect([status, body]).toMatchObject([201, { kind: "request", status: "open", orderId, ...letter }]);
    const answer = await post(yaw, `/admin/support/${body.id}/replies`, { message: "We look" });
    expect(answer.body).toMatchObject({ status: "answered", userId: ama.id, username: "ama" });
    const more = await post(ama, `/support/${body.id}/replies`, { message: "Thank you" });
    expect(more.body.status).toBe("open");
    const own = await get(ama, `/support/${body.id}/replies`);
    expect(own.body).toMatchObject([
      { from: "support", message: "We look" },
      { from: "user", message: "Thank you" },
    ]);
    expect(own.body[0].username).toBeUndefined();
    const all = await get(yaw, `/admin/support/${body.id}/replies`);
    expect(all.body.map((one: { username: string }) => one.username)).toEqual(["admin", "ama"]);
    await post(yaw, `/admin/support/${body.id}/close`);
    expect((await get(ama, `/support/${body.id}`)).body.status).toBe("closed");
  });

  test("is visible to its owner only, and can only be about their own orders", async () => {
    const { body } = await post(ama, "/support", letter);
    expect(refused(await get(kofi, `/support/${body.id}`))).toEqual([404, "support.not_found"]);
    expect(refused(await get(kofi, `/support/${body.id}/replies`))).toEqual([404, "support.not_found"]);
    const reply = await post(kofi, `/support/${body.id}/replies`, { message: "Mine" });
    expect(refused(reply)).toEqual([404, "support.not_found"]);
    const foreign = await post(kofi, "/support", { ...letter, orderId: await delivered() });
    expect(refused(foreign)).toEqual([404, "order.not_found"]);
  });

  test("with a key is filed once, and gets the same answer again", async () => {
    const key = { "idempotency-key": "support-1" };
    const [first, second] = [await post(ama, "/support", letter, key), await post(ama, "/support", letter, key)];
    expect(second.body).toEqual(first.body);
    expect(second.headers.get("idempotency-replayed")).toBe("true");
    const other = await post(ama, "/support", { ...letter, message: "Another" }, key);
    expect(refused(other)).toEqual([422, "request.key_reused"]);
  });

  test("has a text, of limited length", async () => {
    const { body } = await post(kofi, "/support", letter);
    for (const message of ["", "  ", "x".repeat(2_001), "\u0000", "\ud800", 5, null]) {
      expect((await post(kofi, `/support/${body.id}/replies`, { message })).status).toBe(422);
      expect((await post(kofi, "/support", { ...letter, message })).status).toBe(422);
      expect((await post(yaw, `/admin/support/${body.id}/replies`, { message })).status).toBe(422);
    }
    expect((await get(kofi, `/support/${body.id}/replies`)).body).toEqual([]);
  });

  test("is listed in pages by key, and can be filtered by state", async () => {
    const ids = [];
    for (const message of times(3, String)) ids.unshift((await post(kofi, "/support", { ...letter, message })).body.id);
    await post(yaw, `/admin/support/${ids[1]}/replies`, { message: "Done" });
    const first = await get(kofi, "/support?limit=2");
    expect(first.body.map(({ id }: { id: number }) => id)).toEqual(ids.slice(0, 2));
    const next = /<([^>]+)>; rel="next"/.exec(first.headers.get("link")!)![1]!;
    expect((await get(kofi, next.replace("/api/v1", ""))).body[0].id).toBe(ids[2]);
    const answered = await get(yaw, "/admin/support?state=answered&search=kofi");
    expect(answered.body.map(({ id }: { id: number }) => id)).toEqual([ids[1]]);
    expect((await get(kofi, "/support?state=lost")).status).toBe(422);
  });
});

describe("an order that is reported as not received", () => {
  test("is reported once by its owner, with a deadline, and can be withdrawn", async () => {
    const id = await delivered();
    expect(refused(await post(kofi, `/orders/${id}/not-received`, {}))).toEqual([404, "order.not_found"]);
    const { status, body } = await post(ama, `/orders/${id}/not-received`, {});
    expect([status, body]).toMatchObject([201, { kind: "not_received", orderId: id, status: "open" }]);
    expect(new Date(body.dueAt).getTime() - new Date(body.createdAt).getTime()).toBe(86_400_000);
    expect(refused(await post(ama, `/orders/${id}/not-received`, {}))).toEqual([409, "case.filed_already"]);
    expect(refused(await drop(kofi, `/orders/${id}/not-received`))).toEqual([404, "order.not_found"]);
    expect((await drop(ama, `/orders/${id}/not-received`)).status).toBe(200);
    expect((await get(ama, `/support/${body.id}`)).body).toMatchObject({ outcome: "withdrawn" });
    expect((await drop(ama, `/orders/${id}/not-received`)).status).toBe(200);
  });

  test("can be refunded by an admin, which returns the money", async () => {
    const id = await delivered();
    const before = await world.balanceOf(ama);
    const { body } = await post(ama, `/orders/${id}/not-received`, { message: "Nothing" });
    const path = `/admin/support/${body.id}`;
    expect(refused(await post(yaw, `${path}/close`))).toEqual([409, "support.is_case"]);
    const verdict = await post(yaw, `${path}/decide`, { outcome: "refunded" });
    expect(verdict.body).toMatchObject({ status: "closed", outcome: "refunded", proof: null });
    expect(await world.balanceOf(ama)).toBe(before + bundle.pricePesewas);
    expect((await get(ama, `/orders/${id}`)).body.status).toBe("FAILED");
    expect(refused(await drop(ama, `/orders/${id}/not-received`))).toEqual([409, "case.decided"]);
    const again = await post(yaw, `${path}/decide`, { outcome: "refunded" });
    expect(refused(again)).toEqual([409, "case.decided"]);
    const more = await post(ama, `/support/${body.id}/replies`, { message: "Thank you" });
    expect(refused(more)).toEqual([409, "case.decided"]);
  });

  test("can be decided as delivered, with proof that the agent reads", async () => {
    const id = await delivered();
    const { body } = await post(ama, `/orders/${id}/not-received`, {});
    const path = `/admin/support/${body.id}/decide`;
    for (const verdict of [{ outcome: "delivered" }, { outcome: "delivered", proof: " " }])
      expect(refused(await post(yaw, path, verdict))).toEqual([422, "case.proof_missing"]);
    expect(refused(await post(yaw, path, { outcome: "lost" }))).toEqual([422, "request.invalid"]);
    const key = { "idempotency-key": "verdict-1" };
    const verdict = { outcome: "delivered", proof: "MTN confirmed it, number 88120" };
    const [first, second] = [await post(yaw, path, verdict, key), await post(yaw, path, verdict, key)];
    expect(first.body).toMatchObject({ ...verdict, status: "closed" });
    expect(second.body).toEqual(first.body);
    const { body: order } = await get(ama, `/orders/${id}`);
    expect(order.timeline.at(-1).note).toBe(`Delivered, with proof: ${verdict.proof}`);
  });

  test("has been delivered, within the last days", async () => {
    const { body } = await post(ama, "/orders", { ...lineFor(bundle), pay: "wallet" });
    const early = await post(ama, `/orders/${body.id}/not-received`, {});
    expect(refused(early)).toEqual([409, "case.not_delivered"]);
    const id = await delivered();
    await db.execute(sql`
      update order_events set created_at = now() - interval '7 days' where order_id = ${id}`);
    expect(refused(await post(ama, `/orders/${id}/not-received`, {}))).toEqual([409, "case.too_late"]);
    expect(refused(await drop(ama, `/orders/${id}/not-received`))).toEqual([404, "case.not_found"]);
  });
});
