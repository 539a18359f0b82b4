// Requests for a second person, from the first to the last step, by the example of corrections of wallets.
import { expect, test } from "bun:test";
import { eq, sql } from "drizzle-orm";
import { approvals } from "../../../db/schema/approvals.ts";
import { messages } from "../../../db/schema/messaging.ts";
import * as queries from "../../../src/core/approvals/queries.ts";
import * as requests from "../../../src/core/approvals/requests.ts";
import * as freezes from "../../../src/core/identity/freezes.ts";
import * as users from "../../../src/core/identity/users.ts";
import * as wallet from "../../../src/core/ledger/wallet.ts";
import * as auditLog from "../../../src/core/platform/audit-log.ts";
import { noteStaffChange } from "../../../src/core/platform/colleagues/deciders.ts";
import type { Key } from "../../../src/core/platform/idempotency.ts";
import * as settings from "../../../src/core/platform/settings/settings.ts";
import { agent, ask, codeOf, neededBy, staff } from "../../support/approvals.ts";
import { longTest } from "../../support/long.ts";
import { openWorld, type Person } from "../../support/world.ts";

const world = await openWorld({ isGuarded: true });
const { db, yaw } = world;
const kofi = await staff(world, "ADMIN");
const esi = await staff(world, "MANAGER");
const desk = await staff(world, "DESK");

/** Above what one person may correct alone, which is GH₵ 200.00. */
const LARGE = 50_000;

function adjust(by: Person, to: Person, amountPesewas = LARGE, key: Key | null = null) {
  return wallet.adjust(db, { by: by.by(), key, userId: to.id, amountPesewas, reason: "receipt 118" });
}
const agree = (by: Person, { id }: { id: number }) => requests.agree(db, { by: by.by(), approvalId: id });
const refuse = (by: Person, { id }: { id: number }, reason = "not our receipt") =>
  requests.refuse(db, { by: by.by(), approvalId: id, reason });

/** Ends the time of a request, which nobody can in a shop. */
async function expire(approvalId: number): Promise<void> {
  await db.execute(sql`alter table approvals disable trigger approvals_decided_stay`);
  await db.execute(sql`update approvals set expires_at = now() where id = ${approvalId}`);
  await db.execute(sql`alter table approvals enable trigger approvals_decided_stay`);
}

test("above the limit it is asked for, another agrees, and both are named", async () => {
  const ama = await agent(world);
  const approval = await ask(world, esi, adjust(esi, ama));
  expect(await world.balanceOf(ama)).toBe(0);
  expect(approval).toMatchObject({
    state: "open",
    requestedBy: esi.username,
    summary: `add GH₵ 500.00 to ${ama.username}'s wallet`,
    reason: "receipt 118",
  });
  expect(await agree(yaw, approval)).toMatchObject({ state: "agreed", decidedBy: yaw.username });
  expect(await world.balanceOf(ama)).toBe(LARGE);
  const [entry] = await auditLog.list(db, { subjectType: "wallet", subjectId: ama.id }, { limit: 1 });
  expect(entry).toMatchObject({ byUserId: esi.id, agreedByUserId: yaw.id, agreedByUsername: yaw.username });
  const log = await auditLog.list(db, { subjectType: "approval", subjectId: approval.id }, { limit: 5 });
  expect(log.map(({ action, byUserId }) => [action, byUserId])).toEqual([
    ["approval.agree", yaw.id],
    ["approval.ask", esi.id],
  ]);
});

test("up to the limit one person does it alone, and an approval is spent once", async () => {
  const ama = await agent(world);
  await adjust(kofi, ama, 20_000);
  expect(await world.balanceOf(ama)).toBe(20_000);
  const approval = await ask(world, kofi, adjust(kofi, ama, 1));
  await agree(yaw, approval);
  expect(await codeOf(agree(yaw, approval))).toBe("approval.decided");
  expect(await world.balanceOf(ama)).toBe(20_001);
});

test("whoever asked, whoever it concerns, and whoever lacks the right decide nothing", async () => {
  const ama = await agent(world);
  const approval = await ask(world, esi, adjust(esi, ama));
  for (const decide of [agree, refuse]) {
    expect(await codeOf(decide(esi, approval))).toBe("approval.own");
    expect(await codeOf(decide(desk, approval))).toBe("approval.not_found");
    expect(await codeOf(decide(ama, approval))).toBe("auth.forbidden");
  }
  const ofKofi = await ask(world, yaw, adjust(yaw, kofi));
  expect(await codeOf(agree(kofi, ofKofi))).toBe("approval.concerns_you");
  expect([await world.balanceOf(ama), await world.balanceOf(kofi)]).toEqual([0, 0]);
  expect((await queries.listOpen(db, desk.by())).length).toBe(0);
});

test("somebody whom the asker made one of the staff decides nothing of theirs for seven days", async () => {
  const ama = await agent(world);
  const made = await ask(
    world,
    kofi,
    users.create(db, {
      ...{ by: kofi.by(), username: "adjoa", email: "adjoa@example.com", roles: ["MANAGER"] },
      password: "correct horse battery",
    }),
  );
  const commandOf = async () =>
    (await db.select().from(approvals).where(eq(approvals.id, made.id)))[0]!.command as Record<string, string>;
  expect(JSON.stringify(await commandOf())).not.toContain("correct horse");
  await agree(yaw, made);
  expect(await commandOf()).toBeNull();
  const [adjoa] = await db.execute<{ id: number }>(sql`select id from users where username = 'adjoa'`);
  const by = { userId: adjoa!.id, roles: ["MANAGER"] as const, channel: "api" as const };
  const approval = await ask(world, kofi, adjust(kofi, ama));
  expect(await codeOf(requests.agree(db, { by, approvalId: approval.id }))).toBe("approval.too_new");
  await db.execute(sql`update staff_changes set created_at = created_at - interval '7 days 1 minute'`);
  await requests.agree(db, { by, approvalId: approval.id });
  expect(await world.balanceOf(ama)).toBe(LARGE);
});

test("a refusal needs a reason, and does nothing", async () => {
  const ama = await agent(world);
  const approval = await ask(world, esi, adjust(esi, ama));
  expect(await codeOf(refuse(yaw, approval, "  "))).toBe("request.invalid");
  expect(await refuse(yaw, approval)).toMatchObject({ state: "refused", note: "not our receipt" });
  expect(await codeOf(agree(kofi, approval))).toBe("approval.decided");
  expect(await world.balanceOf(ama)).toBe(0);
});

test("only whoever asked withdraws, and then nobody agrees", async () => {
  const ama = await agent(world);
  const approval = await ask(world, esi, adjust(esi, ama));
  const withdraw = (by: Person) => requests.withdraw(db, { by: by.by(), approvalId: approval.id });
  expect(await codeOf(withdraw(yaw))).toBe("approval.not_own");
  expect(await withdraw(esi)).toMatchObject({ state: "withdrawn" });
  expect(await codeOf(agree(yaw, approval))).toBe("approval.decided");
});

test("it expires by the setting, also before the sweep, and whoever asked gets an e-mail", async () => {
  const ama = await agent(world);
  const approval = await ask(world, esi, adjust(esi, ama));
  expect(approval.expiresAt.getTime() - approval.createdAt.getTime()).toBe(24 * 3_600_000);
  await expire(approval.id);
  expect(await codeOf(agree(yaw, approval))).toBe("approval.expired");
  await requests.sweep(db);
  expect(await queries.get(db, approval.id)).toMatchObject({ state: "expired", decidedBy: null });
  const mails = await db.select().from(messages).where(eq(messages.userId, esi.id));
  expect(mails.at(-1)?.subject).toBe("Your request has expired");
});

test("when what was seen has moved, nothing is done and the request is closed", async () => {
  const ama = await agent(world);
  const credit = await ask(world, esi, adjust(esi, ama));
  await adjust(await staff(world, "MANAGER"), ama, 100);
  expect(await codeOf(agree(yaw, credit))).toBe("approval.outdated");
  expect(await world.balanceOf(ama)).toBe(100);
  expect(await queries.get(db, credit.id)).toMatchObject({ state: "outdated", decidedBy: null });
});

test("money is taken out of the balance that was seen, and added whatever was bought since", async () => {
  const bundle = await world.product("MTN", "1GB", "3.90");
  const buys = async (person: Person) => {
    const { buy } = await import("../../../src/core/buying/buy.ts");
    const line = { productId: bundle.id, msisdn: "0541234567", quantity: 1 };
    await buy(db, { by: person.by("web"), key: null, line });
  };
  const ama = await agent(world);
  await agree(yaw, await ask(world, esi, adjust(esi, ama)));
  const debit = await ask(world, esi, adjust(esi, ama, -30_000));
  await buys(ama);
  expect(await codeOf(agree(yaw, debit))).toBe("approval.outdated");
  const credit = await ask(world, esi, adjust(esi, ama));
  await db.execute(sql`delete from idempotency`);
  await db.execute(sql`update orders set created_at = created_at - interval '1 day'`);
  await buys(ama);
  await agree(yaw, credit);
  expect(await world.balanceOf(ama)).toBe(2 * LARGE - 2 * 390);
});

test("an act that is refused by then is closed with the reason", async () => {
  const ama = await agent(world);
  const approval = await ask(world, esi, adjust(esi, ama));
  await users.remove(db, { by: kofi.by(), userId: ama.id });
  const error = await agree(yaw, approval).catch((thrown) => thrown);
  expect([error.code, error.message]).toEqual([
    "approval.outdated",
    "Nothing was done: This account has been deleted. Ask again if it is still wanted.",
  ]);
  expect(await queries.get(db, approval.id)).toMatchObject({
    state: "outdated",
    note: "This account has been deleted",
  });
});

test("of a person who may no longer do it themselves nothing is done", async () => {
  const [ama, efua] = [await agent(world), await staff(world, "MANAGER")];
  const approval = await ask(world, efua, adjust(efua, ama));
  await users.ban(db, { by: kofi.by(), userId: efua.id });
  expect(await codeOf(agree(yaw, approval))).toBe("approval.outdated");
  expect(await world.balanceOf(ama)).toBe(0);
});

test("one request about the same thing is open; the same wish finds it, another is refused", async () => {
  const ama = await agent(world);
  const first = await ask(world, esi, adjust(esi, ama));
  expect((await ask(world, esi, adjust(esi, ama))).id).toBe(first.id);
  expect(await codeOf(ask(world, esi, adjust(esi, ama, 60_000)))).toBe("approval.open_already");
  expect(await codeOf(ask(world, kofi, adjust(kofi, ama)))).toBe("approval.open_already");
  const needed = (await neededBy(adjust(esi, await agent(world)))).ask;
  const both = await Promise.all([1, 2, 3, 4].map(() => requests.ask(db, esi.by(), needed, null)));
  expect(new Set(both.map(({ id }) => id)).size).toBe(1);
});

test("a repeat with the same key asks once, and after the agreement gets the act's answer", async () => {
  const ama = await agent(world);
  const key = { scope: "POST /wallet", key: "one" };
  const first = await ask(world, esi, adjust(esi, ama, LARGE, key), key);
  expect((await ask(world, esi, adjust(esi, ama, LARGE, key), key)).id).toBe(first.id);
  await agree(yaw, first);
  expect(await adjust(esi, ama, LARGE, key)).toMatchObject({
    replayed: true,
    answer: { balancePesewas: LARGE },
  });
  expect(await world.balanceOf(ama)).toBe(LARGE);
});

test("a repeat with the same key after a refusal finds the refused request, and asks nobody again", async () => {
  const ama = await agent(world);
  const key = { scope: "POST /wallet", key: "two" };
  const first = await ask(world, esi, adjust(esi, ama, LARGE, key), key);
  await refuse(yaw, first);
  expect(await ask(world, esi, adjust(esi, ama, LARGE, key), key)).toMatchObject({
    id: first.id,
    state: "refused",
  });
  const other = { ...key, key: "three" };
  expect((await ask(world, esi, adjust(esi, ama, LARGE, other), other)).id).not.toBe(first.id);
});

test("the act itself checks who agrees and until when, whatever was checked before", async () => {
  const ama = await agent(world);
  const { id } = await ask(world, esi, adjust(esi, ama));
  const carryOut = (byUserId: number, amountPesewas = LARGE) =>
    codeOf(
      wallet.adjust(db, {
        by: { ...esi.by(), approval: { id, byUserId } },
        ...{ key: null, userId: ama.id, amountPesewas, reason: "receipt 118" },
      }),
    );
  expect(await carryOut(esi.id)).toBe("approval.own");
  expect(await carryOut(desk.id)).toBe("auth.forbidden");
  expect(await carryOut(yaw.id, LARGE + 1)).toBe("approval.outdated");
  await expire(id);
  expect(await carryOut(yaw.id)).toBe("approval.expired");
  expect(await world.balanceOf(ama)).toBe(0);
});

test("whoever is made dependent in the same moment does not agree", async () => {
  const [ama, efua] = [await agent(world), await staff(world, "MANAGER")];
  const approval = await ask(world, kofi, adjust(kofi, ama));
  const waiting = sql`
    select 1 from pg_stat_activity where datname = current_database() and wait_event = 'advisory'`;
  let agreeing: Promise<string> | null = null;
  await db.transaction(async (tx) => {
    await noteStaffChange(tx, kofi.by(), { userId: efua.id, before: efua, after: null });
    agreeing = codeOf(agree(efua, approval));
    // It has found that it may, and waits to be sure.
    while ((await db.execute(waiting)).length === 0) await Bun.sleep(5);
  });
  expect(await agreeing!).toBe("approval.too_new");
  expect(await world.balanceOf(ama)).toBe(0);
  await refuse(yaw, approval);
});

test("two who agree at once do it once", async () => {
  const ama = await agent(world);
  const approval = await ask(world, esi, adjust(esi, ama));
  const codes = await Promise.all([codeOf(agree(yaw, approval)), codeOf(agree(kofi, approval))]);
  expect(codes.toSorted()).toEqual(["approval.decided", "done"]);
  expect(await world.balanceOf(ama)).toBe(LARGE);
});

test("agreeing and refusing at once has one result", async () => {
  for (let n = 0; n < 5; n++) {
    const ama = await agent(world);
    const approval = await ask(world, esi, adjust(esi, ama));
    await Promise.all([codeOf(agree(yaw, approval)), codeOf(refuse(kofi, approval))]);
    const { state } = await queries.get(db, approval.id);
    expect(await world.balanceOf(ama)).toBe(state === "agreed" ? LARGE : 0);
    expect(["agreed", "refused"]).toContain(state);
  }
});

test("the database lets nobody decide their own request, and nobody change what was decided", async () => {
  const ama = await agent(world);
  const approval = await ask(world, esi, adjust(esi, ama));
  const run = (query: ReturnType<typeof sql>) =>
    db.execute(query).then(
      () => "done",
      (error) => String(error.cause ?? error),
    );
  const decided = sql`update approvals set state = 'agreed', decided_at = now()`;
  expect(await run(sql`${decided}, decided_by_user_id = ${esi.id} where id = ${approval.id}`)).toContain(
    "approvals_decided_by_another",
  );
  expect(await run(sql`update approvals set command = '{}', summary = 'x' where id = ${approval.id}`)).toContain(
    "stays as it was",
  );
  await refuse(yaw, approval);
  expect(await run(sql`update approvals set state = 'agreed' where id = ${approval.id}`)).toContain("refused");
  expect(await run(sql`delete from approvals where id = ${approval.id}`)).toContain("refused");
});

test("a proof that is too old decides nothing", async () => {
  const ama = await agent(world);
  const approval = await ask(world, esi, adjust(esi, ama));
  const by = { ...yaw.by(), isUnconfirmed: true as const };
  expect(await codeOf(requests.agree(db, { by, approvalId: approval.id }))).toBe("auth.confirm_needed");
  expect(await codeOf(requests.refuse(db, { by, approvalId: approval.id, reason: "no" }))).toBe("auth.confirm_needed");
});

longTest("those who may decide get an e-mail, at most ten an hour about one person's requests", async () => {
  const efua = await staff(world, "MANAGER");
  await db.delete(messages);
  for (let n = 0; n < 12; n++) await ask(world, efua, adjust(efua, await agent(world)));
  const mails = await db.select().from(messages).where(eq(messages.kind, "approval_asked"));
  const to = new Set(mails.map(({ userId }) => userId));
  expect([to.has(yaw.id), to.has(kofi.id), to.has(esi.id), to.has(efua.id), to.has(desk.id)]).toEqual([
    ...[true, true, true, false, false],
  ]);
  expect(mails.filter(({ userId }) => userId === yaw.id).length).toBe(10);
  expect(mails[0]!.body).toContain(`${efua.username} asks to add GH₵ 500.00`);
});

test("peeking shows what it would meet now, and does nothing", async () => {
  const ama = await agent(world);
  const approval = await ask(world, esi, adjust(esi, ama));
  expect(approval.seen.facts).toEqual({ Balance: "GH₵ 0.00" });
  await adjust(await staff(world, "MANAGER"), ama, 100);
  const seen = await requests.now(db, approval.id);
  expect(seen).toMatchObject({ seen: { facts: { Balance: "GH₵ 1.00" } } });
  await users.ban(db, { by: kofi.by(), userId: ama.id });
  expect(await requests.now(db, approval.id)).toMatchObject({ seen: { state: { Account: "BANNED" } } });
  expect((await db.select().from(approvals).where(eq(approvals.id, approval.id)))[0]!.state).toBe("open");
});

test("peeking at a request that was closed since it was listed says so, and needs nothing of its command", async () => {
  const username = "clerk-withdrawn";
  const row = { username, email: `${username}@example.com`, password: "correct horse battery" };
  const approval = await ask(world, yaw, users.create(db, { by: yaw.by(), ...row, roles: ["DESK"] }));
  await requests.withdraw(db, { by: yaw.by(), approvalId: approval.id });
  expect(await requests.now(db, approval.id)).toMatchObject({ refusal: { code: "approval.decided" } });
});

test("somebody who is frozen agrees to nothing, and what they asked for is not done", async () => {
  const terms = { reason: "Three cards in an hour", message: "We are checking", until: null };
  const [efua, abena] = [await staff(world, "MANAGER"), await staff(world, "MANAGER")];
  const [ama, kojo] = [await agent(world), await agent(world)];
  const [first, other] = [await ask(world, efua, adjust(efua, ama)), await ask(world, esi, adjust(esi, kojo))];
  for (const one of [efua, abena]) await freezes.freeze(db, { by: kofi.by(), userId: one.id, ...terms });
  expect(await codeOf(agree(abena, other))).toBe("auth.forbidden");
  expect(await codeOf(agree(yaw, first))).toBe("approval.outdated");
  expect([await world.balanceOf(ama), await world.balanceOf(kojo)]).toEqual([0, 0]);
  await refuse(yaw, other);
});

test("looser rules are never made alone, and stricter ones always are", async () => {
  const change = (by: Person, values: Partial<settings.Settings>) => settings.change(db, { by: by.by(), values });
  await change(kofi, { alone_corrections_pesewas: 10_000 });
  const approval = await ask(world, kofi, change(kofi, { alone_corrections_pesewas: 90_000 }));
  expect(await codeOf(change(kofi, { second_person: false }))).toBe("approval.needed");
  await agree(yaw, approval);
  expect(await settings.get(db, "alone_corrections_pesewas")).toBe(90_000);
});

test("what is credited by itself is not raised alone, and lowered by anybody with the right", async () => {
  const change = (values: Partial<settings.Settings>) => settings.change(db, { by: kofi.by(), values });
  for (const looser of [
    { statement_deposit_max_pesewas: 900_000 },
    { statement_import_max_pesewas: 900_000 },
    { statement_day_max_pesewas: 900_000 },
    { statement_account_days: 1 },
    { automatic_refunds_pesewas: 20_000 },
    { automatic_refunds_percent: 11 },
    { automatic_refunds_orders: 6 },
  ])
    expect([looser, await codeOf(change(looser))]).toEqual([looser, "approval.needed"]);
  expect(await codeOf(change({ statement_deposit_max_pesewas: 10_000, statement_account_days: 30 }))).toBe("done");
});
