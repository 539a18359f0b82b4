// Limits of one person: sums of 24 hours by person and by account, at once or one after the other, and the shop in
// which nobody else could decide.
import { beforeEach, describe, expect, test } from "bun:test";
import { eq, sql } from "drizzle-orm";
import { users as userTable } from "../../../db/schema/identity.ts";
import { messages } from "../../../db/schema/messaging.ts";
import * as requests from "../../../src/core/approvals/requests.ts";
import * as orders from "../../../src/core/buying/buy.ts";
import * as results from "../../../src/core/fulfilment/desk/desk-results.ts";
import * as freezes from "../../../src/core/identity/freezes.ts";
import * as users from "../../../src/core/identity/users.ts";
import * as wallet from "../../../src/core/ledger/wallet.ts";
import * as cancelling from "../../../src/core/orders/cancelling.ts";
import * as statusChanges from "../../../src/core/orders/status-changes.ts";
import * as loneActs from "../../../src/core/platform/colleagues/lone-acts.ts";
import * as settings from "../../../src/core/platform/settings/settings.ts";
import type { AdminTarget, ByUser, Role } from "../../../src/shared/domain.ts";
import { agent, codeOf, hoursPass, staff } from "../../support/approvals.ts";
import { longTest } from "../../support/long.ts";
import { guard, openWorld, type Person } from "../../support/world.ts";

const world = await openWorld({ isGuarded: true });
const { db, yaw } = world;
const LIMIT = 20_000;

function adjust(by: Person, to: Person, amountPesewas: number, isUnconfirmed = false) {
  const person = isUnconfirmed ? { ...by.by(), isUnconfirmed: true as const } : by.by();
  return wallet.adjust(db, { by: person, key: null, userId: to.id, amountPesewas, reason: "receipt 118" });
}

describe("splitting helps nobody:", () => {
  test("small corrections of one person add up, over all wallets and both ways", async () => {
    const esi = await staff(world, "MANAGER");
    const [ama, kojo] = [await agent(world), await agent(world)];
    await adjust(esi, ama, 15_000);
    await adjust(esi, ama, -4_000);
    expect(await codeOf(adjust(esi, kojo, 1_001))).toBe("approval.needed");
    expect(await codeOf(adjust(esi, kojo, 1_000))).toBe("done");
    expect(await codeOf(adjust(esi, kojo, 1))).toBe("approval.needed");
  });

  test("the sum of an account counts whoever corrects it", async () => {
    const [esi, efua, ama] = [await staff(world, "MANAGER"), await staff(world, "MANAGER"), await agent(world)];
    await adjust(esi, ama, 15_000);
    expect(await codeOf(adjust(efua, ama, 5_001))).toBe("approval.needed");
    expect(await codeOf(adjust(efua, ama, 5_000))).toBe("done");
  });

  test("a day later they are counted no more", async () => {
    const [esi, ama] = [await staff(world, "MANAGER"), await agent(world)];
    await adjust(esi, ama, LIMIT);
    await hoursPass(world, 23.9);
    expect(await codeOf(adjust(esi, ama, 1))).toBe("approval.needed");
    await hoursPass(world, 0.2);
    expect(await codeOf(adjust(esi, ama, LIMIT))).toBe("done");
  });

  test("two at once do not both pass", async () => {
    const esi = await staff(world, "MANAGER");
    const wallets = await Promise.all([1, 2, 3, 4, 5, 6].map(() => agent(world)));
    const codes = await Promise.all(wallets.map((to) => codeOf(adjust(esi, to, 7_000))));
    expect(codes.filter((code) => code === "done").length).toBe(2);
    expect(codes.filter((code) => code === "approval.needed").length).toBe(4);
  });

  test("what another agreed to counts towards nothing", async () => {
    const [esi, ama] = [await staff(world, "MANAGER"), await agent(world)];
    const error = await adjust(esi, ama, 90_000).catch((thrown) => thrown);
    const { id } = await requests.ask(db, esi.by(), error.ask, null);
    await requests.agree(db, { by: yaw.by(), approvalId: id });
    expect(await codeOf(adjust(esi, ama, LIMIT))).toBe("done");
  });

  test("what one person moves while one is enough counts once two are needed again", async () => {
    const [esi, ama] = [await staff(world, "MANAGER"), await agent(world)];
    await db.execute(sql`insert into settings (key, value) values ('second_person', 'false')`);
    expect(await codeOf(adjust(esi, ama, 90_000))).toBe("done");
    await guard(db);
    expect(await codeOf(adjust(esi, ama, 1))).toBe("approval.needed");
  });

  test("what was refused or failed counts towards nothing either", async () => {
    const [esi, ama] = [await staff(world, "MANAGER"), await agent(world)];
    expect(await codeOf(adjust(esi, ama, -LIMIT))).toBe("wallet.insufficient_balance");
    expect(await codeOf(adjust(esi, ama, LIMIT))).toBe("done");
  });
});

describe("refunds", () => {
  const amountPesewas = 300_000;
  /** Orders of GH₵ 3,000.00, of which GH₵ 5,000.00 a day are refunded alone. */
  async function bought(statuses: AdminTarget[], count = 2): Promise<{ ama: Person; ids: number[] }> {
    await db.execute(sql`delete from lone_acts`);
    await db.execute(sql`insert into settings (key, value) values ('second_person', 'false')`);
    const ama = await agent(world);
    sizes += 1;
    const bundle = await world.product("MTN", `${sizes}GB`, "3000.00");
    const correction = { userId: ama.id, amountPesewas: count * amountPesewas, reason: "premise" };
    await db.transaction((tx) => wallet.correct(tx, yaw.by(), correction));
    const ids: number[] = [];
    for (let n = 0; n < count; n++) {
      const line = { productId: bundle.id, msisdn: `054123400${n}`, quantity: 1 };
      ids.push((await orders.buy(db, { by: ama.by("web"), key: null, line })).answer.order.id);
    }
    for (const to of statuses) await statusChanges.move(db, { by: yaw.by(), key: null, ids, to });
    await guard(db);
    return { ama, ids };
  }
  let sizes = 300;
  const fail = (by: Person, ids: number[]) =>
    statusChanges.move(db, { by: by.by(), key: null, ids, to: "FAILED", reason: "not delivered" });

  test("of orders under way add up, in one move or one by one", async () => {
    const clerk = await staff(world, "DESK");
    const { ama, ids } = await bought([]);
    expect(await codeOf(fail(clerk, ids))).toBe("approval.needed");
    expect(await codeOf(fail(clerk, [ids[0]!]))).toBe("done");
    expect(await codeOf(fail(clerk, [ids[1]!]))).toBe("approval.needed");
    expect(await world.balanceOf(ama)).toBe(amountPesewas);
  });

  test("of completed orders have a limit of their own", async () => {
    const { ids } = await bought(["COMPLETED"], 1);
    expect(await codeOf(fail(await staff(world, "DESK"), ids))).toBe("approval.needed");
  });

  test("by the clock, and by the buyer, need nobody", async () => {
    const { ama, ids } = await bought([], 1);
    await cancelling.cancel(db, { by: ama.by("web"), key: null, orderId: ids[0]! });
    expect(await world.balanceOf(ama)).toBe(amountPesewas);
    expect((await db.execute(sql`select from lone_acts where kind like 'order%'`)).length).toBe(0);
  });

  test("of a batch's results are asked for as they are entered, and none of them waits to be applied", async () => {
    const clerk = await staff(world, "DESK");
    const { ama, ids } = await bought([], 3);
    await statusChanges.move(db, { by: clerk.by(), key: null, ids, to: "PROCESSING" });
    const [batch] = await db.execute<{ id: number }>(sql`select max(id) as id from desk_batches`);
    const outcomes = ["delivered", "failed", "failed"] as const;
    const lines = outcomes.map((outcome, n) => ({
      ...{ line: n + 1, msisdn: `23354123400${n}`, volumeMb: null, outcome, message: null },
    }));
    const report = (by = clerk.by()) => results.report(db, { by, key: null, batchId: batch!.id, lines });
    expect(await codeOf(report({ ...clerk.by(), isUnconfirmed: true }))).toBe("auth.confirm_needed");
    expect(await codeOf(report())).toBe("approval.needed");
    const statuses = await db.execute<{ status: string }>(
      sql`select status from orders where user_id = ${ama.id} order by id`,
    );
    expect(statuses.map(({ status }) => status)).toEqual(["PROCESSING", "PROCESSING", "PROCESSING"]);
    expect((await db.execute(sql`select from desk_results`)).length).toBe(0);
    expect(await world.balanceOf(ama)).toBe(0);
  });
});

test("results of a batch refund small sums without another proof, up to a sum in 24 hours", async () => {
  await db.execute(sql`delete from lone_acts`);
  const [clerk, ama] = [await staff(world, "DESK"), await agent(world)];
  const bundle = await world.product("AIRTELTIGO", "77GB", "90.00");
  const correction = { userId: ama.id, amountPesewas: 45_000, reason: "premise" };
  await db.transaction((tx) => wallet.correct(tx, yaw.by(), correction));
  const ids: number[] = [];
  for (let n = 0; n < 5; n++) {
    const line = { productId: bundle.id, msisdn: `054123411${n}`, quantity: 1 };
    ids.push((await orders.buy(db, { by: ama.by("web"), key: null, line })).answer.order.id);
  }
  await statusChanges.move(db, { by: clerk.by(), key: null, ids, to: "PROCESSING" });
  const [batch] = await db.execute<{ id: number }>(sql`select max(id) as id from desk_batches`);
  const unproven = { ...clerk.by(), isUnconfirmed: true as const };
  const failed = (n: number, by: ByUser = unproven) => {
    const line = {
      line: 1,
      msisdn: `23354123411${n}`,
      volumeMb: null,
      outcome: "failed",
      message: null,
    } as const;
    return codeOf(results.report(db, { by, key: null, batchId: batch!.id, lines: [line] }));
  };
  expect([await failed(0), await failed(1), await failed(2)]).toEqual(["done", "done", "auth.confirm_needed"]);
  // What is done with a proof counts as well.
  expect(await failed(2, clerk.by())).toBe("done");
  const rest = { key: null, batchId: batch!.id, to: "FAILED", reason: "no network" } as const;
  expect(await codeOf(results.closeRest(db, { by: unproven, ...rest }))).toBe("auth.confirm_needed");
  // An order that is failed by hand is not the desk's daily work.
  const alone = { key: null, orderId: ids[3]!, to: "FAILED", reason: "no network" } as const;
  expect(await codeOf(statusChanges.moveOne(db, { by: unproven, ...alone }))).toBe("auth.confirm_needed");
});

test("a mailbox of an agent, by which the password is reset, is changed by two; a name by one", async () => {
  const [esi, ama] = [await staff(world, "MANAGER"), await agent(world)];
  const edit = (change: { username?: string; email?: string; roles?: Role[] }) =>
    codeOf(users.edit(db, { by: esi.by(), userId: ama.id, ...change }));
  expect(await edit({ email: "elsewhere@example.com" })).toBe("approval.needed");
  expect(await edit({ username: `${ama.username}-shop`, email: ama.email.toUpperCase() })).toBe("done");
});

describe("where nobody else could decide,", () => {
  beforeEach(async () => {
    await db.execute(sql`delete from lone_acts`);
    await db.execute(sql`delete from staff_changes`);
    await db
      .update(userTable)
      .set({ roles: ["USER"] })
      .where(sql`id <> ${yaw.id}`);
    await db.delete(messages);
  });

  test("up to a higher limit a day it is done, with a note of a week and an e-mail to every owner", async () => {
    const ama = await agent(world);
    await adjust(yaw, ama, 400_000);
    expect(await loneActs.loudActs(db)).toMatchObject([
      { username: yaw.username, summary: `add GH₵ 4,000.00 to ${ama.username}'s wallet` },
    ]);
    await requests.sweep(db);
    const mails = await db.select().from(messages).where(eq(messages.kind, "done_alone"));
    expect(mails.map(({ userId }) => userId)).toEqual([yaw.id]);
    expect(mails[0]!.body).toContain("add GH₵ 4,000.00");
    expect(await codeOf(adjust(yaw, ama, 100_001))).toBe("approval.nobody");
    expect(await codeOf(adjust(yaw, ama, 100_000))).toBe("done");
    await hoursPass(world, 6 * 24);
    expect((await loneActs.loudActs(db)).length).toBe(2);
    await hoursPass(world, 25);
    expect(await loneActs.loudActs(db)).toEqual([]);
  });

  test("within the ordinary limit nothing is noted", async () => {
    await adjust(yaw, await agent(world), LIMIT);
    expect(await loneActs.loudActs(db)).toEqual([]);
  });

  test("it takes a proof of who it is", async () => {
    const ama = await agent(world);
    expect(await codeOf(adjust(yaw, ama, 30_000, true))).toBe("auth.confirm_needed");
    expect(await world.balanceOf(ama)).toBe(0);
  });

  test("a second owner is added alone, is not asked for a week, and is asked from then on", async () => {
    const ama = await agent(world);
    const made = await users.create(db, {
      ...{ by: yaw.by(), username: "akosua", email: "akosua@example.com", roles: ["ADMIN"] as Role[] },
      password: "correct horse battery",
    });
    expect((await loneActs.loudActs(db)).length).toBe(1);
    expect(await codeOf(adjust(yaw, ama, 30_000))).toBe("done");
    await hoursPass(world, 7 * 24 + 1);
    expect(await codeOf(adjust(yaw, ama, 30_000))).toBe("approval.needed");
    await db
      .update(userTable)
      .set({ roles: ["USER"] })
      .where(eq(userTable.id, made.id));
  });

  test("the rule itself is not loosened", async () => {
    const change = (values: Partial<settings.Settings>) => settings.change(db, { by: yaw.by(), values });
    expect(await codeOf(change({ second_person: false }))).toBe("approval.nobody");
    expect(await codeOf(change({ alone_sole_pesewas: 9_000_000 }))).toBe("approval.nobody");
    expect(await codeOf(change({ alone_corrections_pesewas: 9_000_000 }))).toBe("approval.nobody");
    expect(await codeOf(change({ manual_payment_number: "0240000001" }))).toBe("done");
  });
});

describe("nobody becomes the only one by their own doing:", () => {
  const doings: [string, (other: Person) => Promise<unknown>][] = [
    ["a ban", (other) => users.ban(db, { by: yaw.by(), userId: other.id })],
    [
      "a freeze",
      (other) =>
        freezes.freeze(db, {
          ...{ by: yaw.by(), userId: other.id, until: null },
          ...{ reason: "Away", message: "We are checking" },
        }),
    ],
    ["a lower role", (other) => users.edit(db, { by: yaw.by(), userId: other.id, roles: ["USER"] })],
    ["another mailbox", (other) => users.edit(db, { by: yaw.by(), userId: other.id, email: "x@example.com" })],
    [
      "a ban and its end",
      async (other) => {
        await users.ban(db, { by: yaw.by(), userId: other.id });
        await users.unban(db, { by: yaw.by(), userId: other.id });
      },
    ],
    [
      "a role taken and given again",
      async (other) => {
        await users.edit(db, { by: yaw.by(), userId: other.id, roles: ["USER"] });
        const again = users.edit(db, { by: yaw.by(), userId: other.id, roles: ["ADMIN"] });
        expect(await codeOf(again)).toBe("approval.nobody");
      },
    ],
  ];

  test("the end of a ban that there was not changes nothing", async () => {
    await db.execute(sql`delete from staff_changes`);
    await db.execute(sql`delete from lone_acts`);
    const [other, ama] = [await staff(world, "ADMIN"), await agent(world)];
    await users.unban(db, { by: yaw.by(), userId: other.id });
    expect(await codeOf(adjust(yaw, ama, 30_000))).toBe("approval.needed");
    const row = { username: "clerk", email: "clerk@example.com", password: "correct horse battery" };
    expect(await codeOf(users.create(db, { by: yaw.by(), ...row, roles: ["ADMIN"] }))).toBe("approval.needed");
  });

  for (const [name, doing] of doings)
    longTest(`${name} of the only other decider leaves nobody for seven days`, async () => {
      await db.execute(sql`delete from staff_changes`);
      await db.execute(sql`delete from lone_acts`);
      await db
        .update(userTable)
        .set({ roles: ["USER"] })
        .where(sql`id <> ${yaw.id}`);
      const other = await staff(world, "ADMIN");
      const ama = await agent(world);
      // Nobody else could decide about their account; so it is done alone, and everybody gets an e-mail.
      expect(await codeOf(doing(other))).toBe("done");
      expect(await codeOf(adjust(yaw, ama, 30_000))).toBe("approval.nobody");
      await hoursPass(world, 6.9 * 24);
      expect(await codeOf(adjust(yaw, ama, 30_000))).toBe("approval.nobody");
      await hoursPass(world, 5);
      expect(await codeOf(adjust(yaw, ama, 30_000))).not.toBe("approval.nobody");
      await db.update(userTable).set({ email: null, passwordHash: "" }).where(eq(userTable.id, other.id));
    });
});
