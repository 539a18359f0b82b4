// Tests of manual deposits: an agent reports a transaction, an admin finds it, and it is credited once, whoever
// reports it.
import { describe, expect, test } from "bun:test";
import { and, desc, eq } from "drizzle-orm";
import { auditLog } from "../../db/schema/platform.ts";
import { supportRequests } from "../../db/schema/support.ts";
import * as deposits from "../../src/core/payments/deposits/deposits.ts";
import * as settings from "../../src/core/platform/settings/settings.ts";
import { outcome } from "../support/asking.ts";
import { longTest } from "../support/long.ts";
import { openApp, openWorld, type Person } from "../support/world.ts";
import { checkedCalls } from "./calls.ts";

const world = await openWorld();
const call = checkedCalls(openApp(world));
const { db, yaw } = world;
const ama = await world.person("ama");
const kofi = await world.person("kofi");
const abena = await world.person("abena", undefined, ["ADMIN"]);

let numbers = 40_125_000_000;
const freshId = () => String(++numbers);
const post = (person: Person | null, path: string, body?: unknown) => call(person, "POST", `/api/v1${path}`, body);
const get = (person: Person | null, path: string) => call(person, "GET", `/api/v1${path}`);
const file = (person: Person, transactionId: string, amount = 50) =>
  post(person, "/wallet/claims", { transactionId, amount });
const filed = async (person: Person, transactionId = freshId(), amount = 50) => {
  const { status, body } = await file(person, transactionId, amount);
  expect(status).toBe(201);
  return body.id as number;
};
const approve = (admin: Person, id: number) => post(admin, `/admin/claims/${id}/approve`);
const refuse = (admin: Person, id: number, reason = "No such transaction in our statement") =>
  post(admin, `/admin/claims/${id}/refuse`, { reason });
const codes = (replies: { status: number; body: { code?: string } }[]) =>
  replies.map(({ status, body }) => body.code ?? status).sort();

describe("filing a deposit", () => {
  test("has a minimum of GH₵ 10.00, which is a setting", async () => {
    const below = await file(ama, freshId(), 9.99);
    expect([below.status, below.body.code]).toEqual([422, "claim.below_minimum"]);
    expect(below.body.message).toBe("The minimum deposit is GH₵ 10.00");
    expect((await file(ama, freshId(), 10)).status).toBe(201);
    const name = "manual_top_up_minimum_pesewas";
    await settings.change(db, { by: yaw.by("admin"), values: { [name]: 2000 } });
    expect((await file(ama, freshId(), 19.99)).body.message).toBe("The minimum deposit is GH₵ 20.00");
    await settings.change(db, { by: yaw.by("admin"), values: { [name]: 1000 } });
    for (const amount of [0, -10, "50", null, 10.001, 1e300])
      expect([amount, (await post(ama, "/wallet/claims", { transactionId: freshId(), amount })).status]).toEqual([
        amount,
        422,
      ]);
  });

  test("accepts a transaction id of digits as in the SMS, and tells the agent what is expected", async () => {
    for (const id of ["", "12345", "1".repeat(21), "ABC1234567", "４０１２５５６６", "40-125-566", "0x1234567"]) {
      const reply = await file(ama, id);
      expect([id, reply.status, reply.body.code]).toEqual([id, 422, "claim.transaction_id_invalid"]);
    }
    const { body } = await file(ama, " 40 125 566 778 ");
    expect(body).toMatchObject({ transactionId: "40125566778", amount: 50, status: "open", reason: null });
    expect((await file(ama, "40125566778")).body.code).toBe("claim.filed_already");
  });

  test("changes no balance, and is shown to its owner only", async () => {
    const id = await filed(kofi);
    expect(await world.balanceOf(kofi)).toBe(0);
    expect((await get(kofi, "/wallet/claims")).body).toMatchObject([{ id, status: "open" }]);
    const amas = (await get(ama, "/wallet/claims")).body.map((row: { id: number }) => row.id);
    expect(amas).not.toContain(id);
  });

  test("is limited to twenty a day", async () => {
    const busy = await world.person("busy");
    for (let i = 0; i < 20; i++) await filed(busy);
    const reply = await file(busy, freshId());
    expect([reply.status, reply.body.code]).toEqual([429, "request.rate_limited"]);
    expect((await file(kofi, freshId())).status).toBe(201);
  });
});

describe("an approved deposit", () => {
  test("is credited with its own amount, and records who approved it", async () => {
    const before = await world.balanceOf(ama);
    const id = await filed(ama, freshId(), 12.34);
    const { status, body } = await approve(yaw, id);
    expect([status, body]).toEqual([200, { claimId: id, userId: ama.id, status: "approved" }]);
    expect(await world.balanceOf(ama)).toBe(before + 1234);
    const [trace] = await db
      .select()
      .from(auditLog)
      .where(and(eq(auditLog.action, "claim.approved"), eq(auditLog.subjectId, String(id))))
      .orderBy(desc(auditLog.id));
    expect(trace).toMatchObject({ byUserId: yaw.id });
    expect((await get(ama, "/wallet/transactions?limit=1")).body[0]).toMatchObject({
      type: "TOPUP",
      change: 12.34,
    });
    for (const reply of [await approve(abena, id), await refuse(abena, id)])
      expect([reply.status, reply.body.code]).toEqual([409, "claim.decided"]);
    expect(await world.balanceOf(ama)).toBe(before + 1234);
  });

  longTest("is credited once when two admins approve it at the same moment, in each of many tries", async () => {
    for (let round = 0; round < 10; round++) {
      const before = await world.balanceOf(ama);
      const id = await filed(kofi, freshId(), 10);
      const kofis = await world.balanceOf(kofi);
      const replies = await Promise.all([yaw, abena, yaw, abena].map((admin) => approve(admin, id)));
      expect(codes(replies)).toEqual([200, "claim.decided", "claim.decided", "claim.decided"]);
      expect(await world.balanceOf(kofi)).toBe(kofis + 1000);
      expect(await world.balanceOf(ama)).toBe(before);
    }
  });

  test("is approved or refused, never both, when both are requested at once", async () => {
    const esi = await world.person("esi");
    for (let round = 0; round < 10; round++) {
      const before = await world.balanceOf(esi);
      const id = await filed(esi, freshId(), 10);
      const [yes, no] = await Promise.all([approve(yaw, id), refuse(abena, id)]);
      expect(codes([yes, no])).toEqual([200, "claim.decided"]);
      expect(await world.balanceOf(esi)).toBe(before + (yes.status === 200 ? 1000 : 0));
    }
  });

  longTest("uses up its transaction for ever, whoever else reports it", async () => {
    for (let round = 0; round < 5; round++) {
      const transactionId = freshId();
      const people = [await world.person(`first${round}`), await world.person(`second${round}`)];
      const ids = await Promise.all(people.map((person) => filed(person, transactionId, 50)));
      const replies = await Promise.all(ids.map((id, i) => approve(i === 0 ? yaw : abena, id)));
      expect(codes(replies)).toEqual([200, "claim.credited_already"]);
      const balances = await Promise.all(people.map((person) => world.balanceOf(person)));
      expect(balances.sort((a, b) => a - b)).toEqual([0, 5000]);
      // The other deposit can only be refused now, and filing it again does not help.
      const loser = replies.findIndex((reply) => reply.status !== 200);
      expect((await approve(yaw, ids[loser]!)).body.code).toBe("claim.credited_already");
      expect((await refuse(yaw, ids[loser]!)).status).toBe(200);
      const again = await filed(people[loser]!, transactionId, 50);
      expect((await approve(yaw, again)).body.code).toBe("claim.credited_already");
      expect((await file(people[1 - loser]!, transactionId)).body.code).toBe("claim.filed_already");
      expect(await world.balanceOf(people[loser]!)).toBe(0);
    }
  });
});

test("a transaction id with leading zeros is the same one: it is credited once", async () => {
  const [first, second] = [await world.person("zeros"), await world.person("more-zeros")];
  const transactionId = freshId();
  const id = await filed(first, `00${transactionId}`);
  expect((await file(first, transactionId)).body.code).toBe("claim.filed_already");
  const other = await filed(second, `0${transactionId}`);
  expect((await approve(yaw, id)).status).toBe(200);
  expect((await approve(yaw, other)).body.code).toBe("claim.credited_already");
  expect([await world.balanceOf(first), await world.balanceOf(second)]).toEqual([5000, 0]);
});

test("a refused deposit shows its reason, and the transaction can be reported again", async () => {
  const efua = await world.person("efua");
  const transactionId = freshId();
  const id = await filed(efua, transactionId, 50);
  const reason = "We received GH₵ 20.00 under this number";
  expect((await refuse(yaw, id, reason)).body).toEqual({ claimId: id, userId: efua.id, status: "refused" });
  expect((await get(efua, "/wallet/claims")).body).toMatchObject([{ id, status: "refused", reason }]);
  expect(await world.balanceOf(efua)).toBe(0);
  expect((await approve(yaw, id)).body.code).toBe("claim.decided");
  const again = await filed(efua, transactionId, 20);
  expect((await approve(yaw, again)).status).toBe(200);
  expect(await world.balanceOf(efua)).toBe(2000);
  for (const none of ["", " ", undefined])
    expect((await post(yaw, `/admin/claims/${again}/refuse`, { reason: none })).status).toBe(422);
});

test("a deposit that takes too long can be reported by its owner, and is on support's list", async () => {
  const id = await filed(ama);
  const message = "Sent this morning, still not in my wallet";
  for (const stranger of [kofi, yaw]) {
    const reply = await post(stranger, `/wallet/claims/${id}/report`, { message });
    expect([reply.status, reply.body.code]).toEqual([404, "claim.not_found"]);
  }
  expect((await post(ama, "/wallet/claims/999999/report", { message })).body.code).toBe("claim.not_found");
  expect((await post(ama, `/wallet/claims/${id}/report`, { message: " " })).status).toBe(422);
  expect(await db.select().from(supportRequests)).toEqual([]);
  expect((await post(ama, `/wallet/claims/${id}/report`, { message })).status).toBe(201);
  expect(await db.select().from(supportRequests)).toMatchObject([
    { userId: ama.id, subjectType: "claim", subjectId: id, message, state: "open" },
  ]);
  for (let i = 0; i < 9; i++) await post(ama, `/wallet/claims/${id}/report`, { message });
  expect((await post(ama, `/wallet/claims/${id}/report`, { message })).body.code).toBe("request.rate_limited");
});

test("only admins see everybody's deposits and decide them", async () => {
  const mine = await world.person("mine");
  const id = await filed(mine);
  for (const [person, status, code] of [
    [mine, 403, "auth.forbidden"],
    [null, 401, "auth.required"],
  ] as const) {
    for (const reply of [
      await get(person, "/admin/claims"),
      await post(person, `/admin/claims/${id}/approve`),
      await post(person, `/admin/claims/${id}/refuse`, { reason: "mine" }),
    ]) {
      expect([reply.status, reply.body.code]).toEqual([status, code]);
    }
  }
  // Nor can a caller that forgot to check.
  for (const decide of [deposits.approve, deposits.refuse])
    expect(await outcome(decide(db, { by: mine.by(), key: null, depositId: id, reason: "mine" }))).toBe(
      "auth.forbidden",
    );
  expect(await world.balanceOf(mine)).toBe(0);
  for (const reply of [await approve(yaw, 999_999), await refuse(yaw, 999_999)])
    expect([reply.status, reply.body.code]).toEqual([404, "claim.not_found"]);
  const open = (await get(yaw, "/admin/claims?open=true&limit=100")).body;
  expect(open[0]).toMatchObject({ id, userId: mine.id, username: "mine", status: "open" });
  expect(new Set(open.map((row: { status: string }) => row.status))).toEqual(new Set(["open"]));
  const all = (await get(yaw, "/admin/claims?limit=100")).body;
  expect(new Set(all.map((row: { status: string }) => row.status)).size).toBe(3);
});
