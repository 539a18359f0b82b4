// Abandoned requests: an answer that nothing was done stays true, and a locked wallet delays only its owner.
import { describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import type { Db } from "../../../db/connect.ts";
import { WaitOver } from "../../../db/waits.ts";
import * as orders from "../../../src/core/buying/buy.ts";
import { buyBulk } from "../../../src/core/buying/buy-bulk.ts";
import * as unpaidOrders from "../../../src/core/buying/unpaid-orders.ts";
import * as wallet from "../../../src/core/ledger/wallet.ts";
import * as cancelling from "../../../src/core/orders/cancelling.ts";
import { act, answerWithin } from "../../../src/core/platform/acts.ts";
import { once } from "../../../src/core/platform/idempotency.ts";
import { count, freshNumber, holdWallet, key, lineFor, outcome, tally, times } from "../../support/asking.ts";
import { longTest } from "../../support/long.ts";
import { openWorld, type Person } from "../../support/world.ts";

const world = await openWorld();
const { db, yaw } = world;
const bundle = await world.product("MTN", "1GB", "3.90");

const buy = (person: Person, more: Partial<Parameters<typeof orders.buy>[1]> = {}) =>
  orders.buy(db, { by: person.by(), key: null, line: lineFor(bundle), ...more });
const buyThree = (person: Person) =>
  buyBulk(db, { by: person.by(), key: null, lines: times(3, () => lineFor(bundle)) });
const paidBy = ({ id }: Person) => count(db, sql`from orders where user_id = ${id} and paid_at is not null`);
/** The traces of work: one row each, in a table that anybody may write. */
const marked = (mark: string) => count(db, sql`from rate_limits where bucket = ${mark}`);
const leave = (on: Pick<Db, "execute">, mark: string) =>
  on.execute(sql`insert into rate_limits (bucket, count, resets_at) values (${mark}, 1, now())`);

/** Runs work that is abandoned once `give up` is called; returns what was answered about it then. */
function givenUp(work: () => Promise<unknown>, ms = 300) {
  const undone = Promise.withResolvers<boolean>();
  const done = Promise.withResolvers<string>();
  const answered = answerWithin<unknown>(
    ms,
    () => {
      const begun = work();
      outcome(begun).then(done.resolve, done.reject);
      return begun;
    },
    (isUndone) => undone.resolve(isUndone),
  );
  answered.catch(() => {});
  return { isUndone: undone.promise, done: done.promise };
}

describe("an abandoned request", () => {
  test("is not committed, and certainly had no effect", async () => {
    const gate = Promise.withResolvers<void>();
    const { isUndone, done } = givenUp(() =>
      once(db, yaw.id, key("late"), "late", async (tx) => {
        await leave(tx, "late");
        await gate.promise;
        return "done";
      }),
    );
    expect(await isUndone).toBe(true);
    gate.resolve();
    expect(await done).toBe("service.busy");
    expect(await marked("late")).toBe(0);
    expect(await count(db, sql`from idempotency where key = 'late'`)).toBe(0);
  });

  longTest("is uncertain once its commit was sent, whatever the request still does", async () => {
    const gate = Promise.withResolvers<void>();
    const { isUndone, done } = givenUp(async () => {
      await once(db, yaw.id, key("done"), "done", (tx) => leave(tx, "done"));
      await act(() => gate.promise);
    }, 2_000);
    expect(await isUndone).toBe(false);
    gate.resolve();
    expect(await done).toBe("done");
    expect(await marked("done")).toBe(1);
  });

  test("leaves no other transaction behind either", async () => {
    const gate = Promise.withResolvers<void>();
    const { isUndone, done } = givenUp(() =>
      db
        .transaction(async (tx) => {
          await leave(tx, "plain");
          await gate.promise;
        })
        .catch((error) => expect(error).toBeInstanceOf(WaitOver)),
    );
    // It was not declared as one unit of work: there may be more to it than this transaction.
    expect(await isUndone).toBe(false);
    gate.resolve();
    expect(await done).toBe("done");
    expect(await marked("plain")).toBe(0);
  });

  test("does not begin when the wait had already ended, and does not claim that earlier work was undone", async () => {
    const ama = await world.person("ama", "GH₵ 100.00");
    const gate = Promise.withResolvers<void>();
    const { isUndone, done } = givenUp(async () => {
      await gate.promise;
      const all = [buy(ama), buyThree(ama), once(db, ama.id, null, "", (tx) => leave(tx, "too late"))];
      return expect(tally(await Promise.all(all.map(outcome)))).toEqual({ "service.busy": 3 });
    });
    expect(await isUndone).toBe(false);
    gate.resolve();
    expect(await done).toBe("done");
    expect([await paidBy(ama), await marked("too late")]).toEqual([0, 0]);
  });
});

describe("a locked wallet", () => {
  longTest("refuses in time whatever would change its balance, and nothing is placed when it is released", async () => {
    const esi = await world.person("esi", "GH₵ 100.00");
    const { answer: unpaid } = await unpaidOrders.create(db, {
      by: esi.by(),
      key: null,
      line: lineFor(bundle),
    });
    const { answer: bought } = await buy(esi);
    const held = await holdWallet(db, esi.id);
    const by = esi.by();
    const acts = [
      () => buy(esi),
      () => buy(esi, { key: key("one") }),
      () => buy(esi, { alongside: async () => {} }),
      () => buyThree(esi),
      () => unpaidOrders.spend(db, { by, key: null, orderId: unpaid.id }),
      () => unpaidOrders.create(db, { by, key: key("two"), line: lineFor(bundle) }),
      () => cancelling.cancel(db, { by, key: null, orderId: bought.order.id }),
      () =>
        wallet.adjust(db, {
          ...{ by: yaw.by("admin"), key: null, userId: esi.id, amountPesewas: 100, reason: "correction" },
        }),
    ];
    const answered = await Promise.all(
      acts.map((work) =>
        answerWithin(
          3_000,
          () => outcome(work()),
          (isUndone) => (isUndone ? "service.busy" : "in doubt"),
        ),
      ),
    );
    expect(tally(answered)).toEqual({ "service.busy": acts.length });
    await held.release();
    expect(await paidBy(esi)).toBe(1);
    expect(await world.balanceOf(esi)).toBe(10_000 - 390);
    expect(await count(db, sql`from orders where user_id = ${esi.id}`)).toBe(2);
    // The same key can be used as if it were new.
    expect(await outcome(buy(esi, { key: key("one") }))).toBe("done");
  });

  test("delays no other buyer, and takes one connection for all requests of its owner", async () => {
    const [kofi, efua, yao] = [
      await world.person("kofi", "GH₵ 200.00"),
      await world.person("efua", "GH₵ 200.00"),
      await world.person("yao", "GH₵ 200.00"),
    ];
    const held = await holdWallet(db, kofi.id);
    const kept = times(20, () => buy(kofi));
    const others = [efua, yao].flatMap((person) => [...times(5, () => buy(person)), buyThree(person)]);
    expect(tally(await Promise.all(others.map(outcome)))).toEqual({ done: 12 });
    await held.waiting(1);
    const waiters = sql`from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    expect(await count(db, waiters)).toBe(1);
    expect(await paidBy(kofi)).toBe(0);
    await held.release();
    expect(tally(await Promise.all(kept.map(outcome)))).toEqual({ done: 20 });
  });

  test("gives each waiting request its own answer", async () => {
    const abla = await world.person("abla", "GH₵ 50.00");
    const held = await holdWallet(db, abla.id);
    const first = buy(abla);
    await held.waiting(1);
    const number = freshNumber();
    const line = { productId: bundle.id, msisdn: number, quantity: 1 };
    const same = times(2, () => buy(abla, { key: key("same"), line }));
    const failing = buy(abla, { alongside: () => Promise.reject(new Error("not written")) });
    const more = buy(abla);
    await held.release();
    expect(await outcome(first)).toBe("done");
    expect((await Promise.allSettled([failing]))[0]!.status).toBe("rejected");
    const ids = (await Promise.all(same)).map(({ answer }) => answer.order.id);
    expect(new Set(ids).size).toBe(1);
    expect(await outcome(more)).toBe("done");
    expect(await paidBy(abla)).toBe(3);
  });
});
