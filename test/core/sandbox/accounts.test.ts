// Tests of accounts in a sandbox: a twin for each live account, test money, and a fresh start.
import { expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { users } from "../../../db/schema/identity.ts";
import { twins } from "../../../db/schema/identity-twins.ts";
import * as orders from "../../../src/core/buying/buy.ts";
import * as wallet from "../../../src/core/ledger/wallet.ts";
import * as accounts from "../../../src/core/sandbox/accounts.ts";
import type { ByUser } from "../../../src/shared/domain.ts";
import type { AppError } from "../../../src/shared/errors/app-error.ts";
import { longTest } from "../../support/long.ts";
import { openWorld } from "../../support/world.ts";
import { openReader } from "../webhooks/reading.ts";

const world = await openWorld();
const { db } = world;
const reader = openReader(world);
const bundle = await world.product("MTN", "1GB", "3.90");
let liveIds = 7_000;
const live = (username: string) => ({ userId: ++liveIds, username });
const byOf = (userId: number): ByUser => ({ userId, roles: ["USER"], channel: "api" });
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => "done",
    ({ code }: AppError) => code,
  );
const buy = (userId: number) =>
  orders.buy(db, {
    ...{ by: byOf(userId), key: null, allowDuplicate: true },
    line: { productId: bundle.id, msisdn: "233240000001", quantity: 1 },
  });

test("a live account gets a twin with test money at its first sight, and the same one ever after", async () => {
  const ama = live("ama");
  const twin = await accounts.twinOf(db, ama);
  expect([twin.username, twin.email, twin.roles]).toEqual(["ama", null, ["USER"]]);
  expect(await wallet.balance(db, twin.id)).toBe(accounts.FIRST_PESEWAS);
  expect((await accounts.twinOf(db, ama)).id).toBe(twin.id);
  const [row] = await db.select().from(users).where(eq(users.id, twin.id));
  expect(row!.passwordHash).toBe("");
});

test("ten first calls at once open one twin, with the money once", async () => {
  const esi = live("esi");
  const opened = await Promise.all(Array.from({ length: 10 }, () => accounts.twinOf(db, esi)));
  expect(new Set(opened.map(({ id }) => id)).size).toBe(1);
  expect(await wallet.balance(db, opened[0]!.id)).toBe(accounts.FIRST_PESEWAS);
});

test("two live accounts of one name, which changed hands, have a twin each", async () => {
  const [former, present] = [live("kofi"), live("kofi")];
  const [one, other] = [await accounts.twinOf(db, former), await accounts.twinOf(db, present)];
  expect(one.id).not.toBe(other.id);
  expect(other.username).toBe(`kofi (${present.userId})`);
});

test("test money is added once per key, and up to a limit", async () => {
  const { id: userId } = await accounts.twinOf(db, live("abena"));
  const key = { scope: "POST /api/v1/sandbox/top-up", key: "k" };
  const once = await accounts.topUp(db, { userId, key, amountPesewas: 500 });
  const again = await accounts.topUp(db, { userId, key, amountPesewas: 500 });
  expect([once.replayed, again.replayed, again.answer]).toEqual([false, true, accounts.FIRST_PESEWAS + 500]);
  expect(await codeOf(accounts.topUp(db, { userId, key: null, amountPesewas: 100_000_000 }))).toBe(
    "sandbox.too_much_money",
  );
  // Many at once do not pass the limit together.
  const roomPesewas = 100_000_000 - accounts.FIRST_PESEWAS - 500;
  const third = Math.floor(roomPesewas / 3);
  await Promise.all(
    Array.from({ length: 5 }, () => codeOf(accounts.topUp(db, { userId, key: null, amountPesewas: third }))),
  );
  expect(await wallet.balance(db, userId)).toBe(accounts.FIRST_PESEWAS + 500 + 3 * third);
});

test("a top-up reaches webhooks as one of a live shop does; a repeated one does not again", async () => {
  const { id: userId } = await accounts.twinOf(db, live("kwame"));
  const twin = { ...(await world.person("kwames")), id: userId, by: () => byOf(userId) };
  const hook = await reader.open(twin, "wallet.topped_up");
  const key = { scope: "POST /api/v1/sandbox/top-up", key: "told" };
  for (let n = 0; n < 2; n++) await accounts.topUp(db, { userId, key, amountPesewas: 500 });
  expect((await reader.read(hook)).map(({ type, data }) => [type, data])).toEqual([
    [
      "wallet.topped_up",
      {
        ...{ source: "correction", id: expect.any(Number), reference: null, orderId: null },
        ...{ amount: 5, amountPesewas: 500, balance: 1005, balancePesewas: accounts.FIRST_PESEWAS + 500 },
      },
    ],
  ]);
});

test("a fresh start puts a new account in the place of the twin, which keeps its orders and is closed", async () => {
  const yaa = live("yaa");
  const before = await accounts.twinOf(db, yaa);
  await buy(before.id);
  const after = await accounts.reset(db, before.id);
  expect([after.username, after.id === before.id]).toEqual(["yaa", false]);
  expect((await accounts.twinOf(db, yaa)).id).toBe(after.id);
  expect(await wallet.balance(db, after.id)).toBe(accounts.FIRST_PESEWAS);
  expect(await wallet.balance(db, before.id)).toBe(accounts.FIRST_PESEWAS - 390);
  const [twin] = await db.select().from(twins).where(eq(twins.liveUserId, yaa.userId));
  expect(twin!.resets).toBe(1);
  // What was under way for it cannot buy any more.
  expect(await codeOf(buy(before.id))).toBe("auth.banned");
  const [closed] = await db.select().from(users).where(eq(users.id, before.id));
  expect(closed!.status).toBe("CLOSED");
});

test("of ten fresh starts at once, one happens", async () => {
  const twin = await accounts.twinOf(db, live("adjoa"));
  const codes = await Promise.all(Array.from({ length: 10 }, () => codeOf(accounts.reset(db, twin.id))));
  expect(codes.filter((code) => code === "done")).toHaveLength(1);
  expect(codes.filter((code) => code === "user.not_found")).toHaveLength(9);
});

longTest("an account that is no twin starts nothing afresh, and fresh starts have a budget", async () => {
  const person = await world.person("person");
  expect(await codeOf(accounts.reset(db, person.id))).toBe("user.not_found");
  let { id } = await accounts.twinOf(db, live("afia"));
  for (let n = 0; n < 30; n++) ({ id } = await accounts.reset(db, id));
  expect(await codeOf(accounts.reset(db, id))).toBe("request.rate_limited");
});
