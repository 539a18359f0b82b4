// Acts that two people decide together, and proofs of who calls, over the API.
import { beforeEach, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { agent, staff } from "../support/approvals.ts";
import { codeNow, enrol } from "../support/factor.ts";
import { longTest } from "../support/long.ts";
import { openApp, openWorld, type Person } from "../support/world.ts";
import { checkedCalls } from "./calls.ts";

const world = await openWorld({ isGuarded: true });
const { db, yaw } = world;
const client = openApp(world);
const call = checkedCalls(client);
const esi = await staff(world, "MANAGER");
const desk = await staff(world, "DESK");
const LARGE = { amount: 500, reason: "receipt 118" };

beforeEach(async () => {
  await db.execute(sql`delete from lone_acts`);
});

const correct = (by: Person, to: Person, body: object, headers = {}) =>
  call(by, "POST", `/api/v1/admin/users/${to.id}/wallet`, body, headers);
/** What somebody proved, they proved too long ago. */
const minutesPass = async (person: Person) => {
  await client.tokenOf(person);
  await db.execute(sql`
    update sessions set confirmed_at = now() - interval '10 minutes 1 second' where user_id = ${person.id}`);
};

longTest("above the limit the answer is 202 with the request, and another agrees over the API", async () => {
  const ama = await agent(world);
  const answer = await correct(esi, ama, LARGE, { "idempotency-key": "one" });
  expect(answer.status).toBe(202);
  const { approval } = answer.body;
  expect(approval).toMatchObject({
    ...{ kind: "wallet.adjust", state: "open", amount: 500, requestedBy: esi.username, decidedBy: null },
    seen: { Account: "ACTIVE", Balance: "GH₵ 0.00" },
  });
  expect((await correct(esi, ama, LARGE, { "idempotency-key": "one" })).body.approval.id).toBe(approval.id);
  const list = await call(yaw, "GET", "/api/v1/admin/approvals");
  expect(list.body.map(({ id }: { id: number }) => id)).toContain(approval.id);
  expect((await call(desk, "GET", "/api/v1/admin/approvals")).body).toEqual([]);
  expect((await call(desk, "GET", `/api/v1/admin/approvals/${approval.id}`)).body.code).toBe("approval.not_found");
  const agree = (by: Person) => call(by, "POST", `/api/v1/admin/approvals/${approval.id}/agree`);
  expect((await agree(esi)).body.code).toBe("approval.own");
  expect((await agree(yaw)).body).toMatchObject({ state: "agreed", decidedBy: yaw.username });
  expect((await agree(yaw)).body.code).toBe("approval.decided");
  expect(await world.balanceOf(ama)).toBe(50_000);
  const again = await correct(esi, ama, LARGE, { "idempotency-key": "one" });
  expect([again.status, again.body.balance, again.headers.get("idempotency-replayed")]).toEqual([200, 500, "true"]);
  const closed = await call(yaw, "GET", "/api/v1/admin/approvals?state=closed");
  expect(closed.body[0]).toMatchObject({ id: approval.id, state: "agreed" });
});

test("a request is refused with a reason, or withdrawn by whoever asked", async () => {
  const path = async () => {
    const answer = await correct(esi, await agent(world), LARGE);
    return `/api/v1/admin/approvals/${answer.body.approval.id}`;
  };
  const first = await path();
  expect((await call(yaw, "POST", `${first}/refuse`, { reason: " " })).body.code).toBe("request.invalid");
  expect((await call(yaw, "POST", `${first}/refuse`, { reason: "Not our receipt" })).body).toMatchObject({
    ...{ state: "refused", note: "Not our receipt", decidedBy: yaw.username },
  });
  const second = await path();
  expect((await call(yaw, "POST", `${second}/withdraw`)).body.code).toBe("approval.not_own");
  expect((await call(esi, "POST", `${second}/withdraw`)).body.state).toBe("withdrawn");
});

test("another wish about the same wallet is refused while one is open, and names it", async () => {
  const ama = await agent(world);
  const { approval } = (await correct(esi, ama, LARGE)).body;
  const other = await correct(esi, ama, { ...LARGE, amount: 600 });
  expect([other.status, other.body.code, other.body.details.approvalId]).toEqual([
    ...[409, "approval.open_already", approval.id],
  ]);
});

test("a proof that is too old is asked for again: without a second factor, the password", async () => {
  const ama = await agent(world);
  await minutesPass(esi);
  const needed = await correct(esi, ama, { ...LARGE, amount: 1 });
  expect([needed.status, needed.body.code]).toEqual([403, "auth.confirm_needed"]);
  const wrong = await correct(esi, ama, { ...LARGE, amount: 1 }, { "x-confirm": "guessed" });
  expect(wrong.body.code).toBe("user.current_password_wrong");
  expect(await world.balanceOf(ama)).toBe(0);
  const right = await correct(esi, ama, { ...LARGE, amount: 1 }, { "x-confirm": esi.password });
  expect(right.status).toBe(200);
  // It counts for ten minutes of this session.
  expect((await correct(esi, ama, { ...LARGE, amount: 1 })).status).toBe(200);
});

test("with a second factor a code is asked for, which counts once; the password does not", async () => {
  const [efua, ama] = [await staff(world, "MANAGER"), await agent(world)];
  const { secret } = await enrol(world, efua);
  await minutesPass(efua);
  const small = { ...LARGE, amount: 1 };
  expect((await correct(efua, ama, small, { "x-confirm": efua.password })).body.code).toBe("factor.wrong");
  const code = codeNow(secret, 1);
  expect((await correct(efua, ama, small, { "x-confirm": code })).status).toBe(200);
  await minutesPass(efua);
  expect((await correct(efua, ama, small, { "x-confirm": code })).body.code).toBe("factor.wrong");
});

test("guesses are counted", async () => {
  const [efua, ama] = [await staff(world, "MANAGER"), await agent(world)];
  await minutesPass(efua);
  const codes = [];
  for (let n = 0; n < 11; n++) codes.push((await correct(efua, ama, LARGE, { "x-confirm": `guess ${n}` })).body.code);
  expect(codes.at(-2)).toBe("user.current_password_wrong");
  expect(codes.at(-1)).toBe("request.rate_limited");
});

test("deciding takes a proof, too", async () => {
  const answer = await correct(esi, await agent(world), LARGE);
  await minutesPass(yaw);
  const path = `/api/v1/admin/approvals/${answer.body.approval.id}/agree`;
  expect((await call(yaw, "POST", path)).body.code).toBe("auth.confirm_needed");
  expect((await call(yaw, "POST", path, undefined, { "x-confirm": yaw.password })).body.state).toBe("agreed");
});

test("new staff are asked for over the API, and reading takes no proof", async () => {
  const kofi = await staff(world, "ADMIN");
  const row = { username: "new.clerk", email: "clerk@example.com", password: "correct horse battery" };
  const answer = await call(kofi, "POST", "/api/v1/admin/users", { ...row, roles: ["DESK"] });
  expect([answer.status, answer.body.approval.summary]).toEqual([
    ...[202, "create new.clerk (clerk@example.com) as Desk"],
  ]);
  expect(JSON.stringify(answer.body)).not.toContain("correct horse");
  await minutesPass(kofi);
  expect((await call(kofi, "GET", "/api/v1/admin/approvals")).status).toBe(200);
});
