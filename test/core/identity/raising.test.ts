// Nobody raises themselves: whatever somebody of staff tries with accounts, roles, tiers, prices and wallets, only
// owners give rights, only they change story belongs to staff, and nobody touches their own.
import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import fc from "fast-check";
import { users as userTable } from "../../../db/schema/identity.ts";
import * as priceChanges from "../../../src/core/catalog/price-changes.ts";
import * as tiers from "../../../src/core/catalog/tiers.ts";
import * as accountTiers from "../../../src/core/identity/account-tiers.ts";
import * as users from "../../../src/core/identity/users.ts";
import * as wallet from "../../../src/core/ledger/wallet.ts";
import { type ByUser, ROLES, type Role, type UserStatus } from "../../../src/shared/domain.ts";
import { AppError } from "../../../src/shared/errors/app-error.ts";
import { hasRight, isOwner, isStaff, RIGHTS, type Right } from "../../../src/shared/rights.ts";
import { outcome } from "../../support/asking.ts";
import { longTest } from "../../support/long.ts";
import { openWorld } from "../../support/world.ts";

const world = await openWorld();
const { db, yaw } = world;
const owner = yaw.by("admin");
const bundle = await world.product("MTN", "1GB", "3.90");
const { answer: gold } = await tiers.add(db, { by: owner, name: "Gold" });
const people = [
  yaw,
  await world.person("second", undefined, ["ADMIN"]),
  await world.person("manager", "GH₵ 10.00", ["MANAGER"]),
  await world.person("other", "GH₵ 10.00", ["MANAGER"]),
  await world.person("desk", undefined, ["DESK"]),
  await world.person("support", undefined, ["SUPPORT"]),
  await world.person("accounts", undefined, ["ACCOUNTS"]),
  await world.person("agent", "GH₵ 10.00"),
  await world.person("poor"),
  await world.person("third"),
];
const MANAGERS = [2, 3];

/** Everybody as they were, for the next walk. */
async function startOver(): Promise<void> {
  for (const { id, roles } of people)
    await db.update(userTable).set({ roles, status: "ACTIVE", tierId: 1 }).where(sql`id = ${id}`);
}

/** What an account may do and story it pays, as it stands in the database. */
type Standing = {
  id: number;
  roles: Role[];
  status: UserStatus;
  tierId: number;
  own: number;
  balance: number;
  username: string;
};

async function standings(): Promise<Standing[]> {
  return db.execute<Standing>(sql`
    select u.id, u.roles, u.status, u.username, u.tier_id as "tierId", w.balance_pesewas as balance,
           (select count(*)::int from account_prices p where p.user_id = u.id) as own
    from users u join wallets w on w.user_id = u.id order by u.id`);
}

const rightsOf = (person: Standing) =>
  person.status === "ACTIVE" ? (Object.keys(RIGHTS) as Right[]).filter((right) => hasRight(person, right)) : [];

const target = fc.nat(people.length - 1).map((at) => people[at]!.id);
const role = fc.constantFrom(...ROLES);
type Try = { name: string; run: (by: ByUser) => Promise<unknown> };
let created = 0;
/** Mostly managers, who may do most with accounts and still not this. */
const actor = fc.oneof(fc.nat(people.length - 1), fc.constantFrom(...MANAGERS));
const tries: fc.Arbitrary<Try> = fc.oneof(
  fc.tuple(target, role).map(([userId, one]) => ({
    name: `make ${userId} ${one}`,
    run: (by: ByUser) => users.edit(db, { by, userId, roles: [one] }),
  })),
  fc.tuple(target, fc.array(role, { minLength: 1, maxLength: 2 })).map(([userId, roles]) => ({
    name: `edit ${userId} to ${roles}`,
    run: (by: ByUser) => users.edit(db, { by, userId, roles }),
  })),
  fc.tuple(target, fc.constantFrom("root", "owner", "newname")).map(([userId, name]) => ({
    name: `rename ${userId}`,
    run: (by: ByUser) => users.edit(db, { by, userId, username: `${name}${++created}` }),
  })),
  role.map((one) => ({
    name: `create ${one}`,
    run: (by: ByUser) => {
      const username = `made${++created}`;
      const email = `${username}@example.com`;
      return users.create(db, { by, username, email, password: "correct horse battery", roles: [one] });
    },
  })),
  fc.tuple(target, fc.constantFrom(users.ban, users.unban)).map(([userId, act]) => ({
    name: `${act.name} ${userId}`,
    run: (by: ByUser) => act(db, { by, userId }),
  })),
  fc.tuple(target, fc.constantFrom(1, gold.id)).map(([userId, tierId]) => ({
    name: `tier ${tierId} for ${userId}`,
    run: (by: ByUser) => accountTiers.setTier(db, { by, userId, tierId }),
  })),
  fc.tuple(target, fc.constantFrom(380, 385, null)).map(([userId, pricePesewas]) => ({
    name: `price ${pricePesewas} for ${userId}`,
    run: (by: ByUser) =>
      priceChanges.set(db, {
        ...{ by, key: null, since: null, note: "", isConfirmed: true },
        prices: [{ productId: bundle.id, userId, pricePesewas }],
      }),
  })),
  fc.tuple(target, fc.constantFrom(100, -50)).map(([userId, amountPesewas]) => ({
    name: `correct ${userId} by ${amountPesewas}`,
    run: (by: ByUser) => wallet.adjust(db, { by, key: null, userId, amountPesewas, reason: "premise" }),
  })),
);

/** What a try by `actor` must have left alone. */
function expectNothingRaised(story: string, actor: Standing, before: Standing[], after: Standing[]): void {
  for (const now of after) {
    const was = before.find(({ id }) => id === now.id);
    const gained = rightsOf(now).filter((right) => !was || !rightsOf(was).includes(right));
    if (gained.length > 0) expect([story, isOwner(actor), now.id !== actor.id]).toEqual([story, true, true]);
    // Whose name it is, is the profile's concern.
    if (was?.id === actor.id) expect([story, { ...now, username: "" }]).toEqual([story, { ...was, username: "" }]);
    if (was && isStaff(was) && !isOwner(actor)) expect([story, now]).toEqual([story, was]);
  }
  const owners = after.filter((person) => isOwner(person) && person.status === "ACTIVE");
  expect([story, owners.length > 0]).toEqual([story, true]);
  expect([story, after.every(({ roles }) => roles.length === 1)]).toEqual([story, true]);
}

/** Tries it as somebody in their role of now. Returns how often it was done: not at all by somebody banned. */
async function attempt(actorId: number, { name, run }: Try): Promise<number> {
  const before = await standings();
  const actor = before.find(({ id }) => id === actorId)!;
  if (actor.status !== "ACTIVE") return 0;
  const result = await run({ userId: actor.id, roles: actor.roles, channel: "admin" }).then(
    () => "done",
    (error) => {
      if (!(error instanceof AppError)) throw error;
      return error.code;
    },
  );
  const story = `${actor.roles} ${actor.id}: ${name} (${result})`;
  expectNothingRaised(story, actor, before, await standings());
  return result === "done" ? 1 : 0;
}

longTest("rights grow, and the accounts of staff change, only by another owner", async () => {
  let done = 0;
  const step = fc.tuple(actor, tries);
  const walk = fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 20 }), async (steps) => {
    await startOver();
    for (const [at, one] of steps) done += await attempt(people[at]!.id, one);
  });
  await fc.assert(walk, { numRuns: 25 });
  // Otherwise nothing was tried in earnest.
  expect(done).toBeGreaterThan(50);
});

test("nobody changes the prices of their own tier, nor deletes it, which might give them a cheaper one", async () => {
  const { answer: silver } = await tiers.add(db, { by: owner, name: "Silver" });
  const clerk = await world.person("clerk", undefined, ["MANAGER"]);
  await accountTiers.setTier(db, { by: owner, userId: clerk.id, tierId: silver.id });
  const change = { key: null, since: null, note: "", isConfirmed: true };
  const setAs = (by: ByUser) =>
    priceChanges.set(db, {
      ...{ ...change, by },
      prices: [{ productId: bundle.id, tierId: silver.id, pricePesewas: 370 }],
    });
  expect(await outcome(setAs(clerk.by("admin")))).toBe("auth.own_account");
  const { answer } = await setAs(owner);
  const undo = { by: clerk.by("admin"), key: null, changeId: answer.changeId! };
  expect(await outcome(priceChanges.undo(db, undo))).toBe("auth.own_account");
  const removal = { by: clerk.by("admin"), tierId: silver.id, accounts: 1 };
  expect(await outcome(accountTiers.removeTier(db, removal))).toBe("auth.own_account");
});
