// Idempotency keys: a repeated request has one effect and gets the first answer again.
import { describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { products } from "../../../db/schema/catalog.ts";
import { fingerprint, forgetOld, once, recall } from "../../../src/core/platform/idempotency.ts";
import { AppError } from "../../../src/shared/errors/app-error.ts";
import { count, key, outcome, refusal, times, withSecondServer } from "../../support/asking.ts";
import { longTest } from "../../support/long.ts";
import { openWorld } from "../../support/world.ts";

const world = await openWorld();
const { db, yaw } = world;

/** Work that inserts a row, so that its effects can be counted. */
const work = (name: string) => async (tx: Pick<typeof db, "insert">) => {
  const row = { operator: "MTN" as const, name, size: "x", pricePesewas: 1 };
  const [made] = await tx.insert(products).values(row).returning();
  return { id: made!.id };
};
const effectsOf = (name: string) => count(db, sql`from products where name = ${name}`);

test("the second of two equal requests waits for the first, and gets its answer", async () => {
  const gate = Promise.withResolvers<void>();
  const hasStarted = Promise.withResolvers<void>();
  const first = once(db, yaw.id, key("waits"), "same", async (tx) => {
    hasStarted.resolve();
    await gate.promise;
    return work("waits")(tx);
  });
  await hasStarted.promise;
  let isAnswered = false;
  const second = once(db, yaw.id, key("waits"), "same", work("waits")).finally(() => {
    isAnswered = true;
  });
  const waiting = sql`from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  while ((await count(db, waiting)) === 0) await Bun.sleep(5);
  expect(isAnswered).toBe(false);
  gate.resolve();
  const [one, two] = await Promise.all([first, second]);
  expect(one.replayed).toBe(false);
  expect(two).toEqual({ answer: one.answer, replayed: true });
  expect(await effectsOf("waits")).toBe(1);
});

test("forty at once, at two servers, have one effect and one answer", async () => {
  const answers = await withSecondServer(world, (other) =>
    Promise.all(times(40, (i) => once(i % 2 ? db : other, yaw.id, key("forty"), ["a", 1], work("forty")))),
  );
  expect(answers.filter((a) => !a.replayed)).toHaveLength(1);
  for (const { answer } of answers) expect(answer).toEqual(answers[0]!.answer);
  expect(await effectsOf("forty")).toBe(1);
});

test("other content under the same key is refused", async () => {
  await once(db, yaw.id, key("content"), { amount: 5 }, work("content"));
  expect(await outcome(once(db, yaw.id, key("content"), { amount: 6 }, work("content")))).toBe("request.key_reused");
  expect(await effectsOf("content")).toBe(1);
});

test("a key belongs to one user and one route", async () => {
  const ama = await world.person("ama");
  await once(db, yaw.id, key("mine", "a"), 1, work("mine1"));
  expect((await once(db, ama.id, key("mine", "a"), 2, work("mine2"))).replayed).toBe(false);
  expect((await once(db, yaw.id, key("mine", "b"), 3, work("mine3"))).replayed).toBe(false);
});

test("work that fails leaves nothing behind, so that the same request may succeed later", async () => {
  const refused = once(db, yaw.id, key("fails"), 1, async (tx) => {
    await work("fails")(tx);
    throw new AppError("order.not_found");
  });
  expect(await outcome(refused)).toBe("order.not_found");
  expect(await effectsOf("fails")).toBe(0);
  expect(await count(db, sql`from idempotency where key = 'fails'`)).toBe(0);
  expect((await once(db, yaw.id, key("fails"), 2, work("fails"))).replayed).toBe(false);
});

test("when the first fails, one of those that wait for it does the work", async () => {
  const gate = Promise.withResolvers<void>();
  const hasStarted = Promise.withResolvers<void>();
  const first = outcome(
    once(db, yaw.id, key("handover"), 1, async () => {
      hasStarted.resolve();
      await gate.promise;
      throw new AppError("order.not_found");
    }),
  );
  await hasStarted.promise;
  const others = times(5, () => once(db, yaw.id, key("handover"), 1, work("handover")));
  gate.resolve();
  expect(await first).toBe("order.not_found");
  expect((await Promise.all(others)).filter((a) => !a.replayed)).toHaveLength(1);
  expect(await effectsOf("handover")).toBe(1);
});

longTest("a request that has waited five seconds for the first is refused as still in progress", async () => {
  const gate = Promise.withResolvers<void>();
  const hasStarted = Promise.withResolvers<void>();
  const first = once(db, yaw.id, key("slow"), 1, async (tx) => {
    hasStarted.resolve();
    await gate.promise;
    return work("slow")(tx);
  });
  await hasStarted.promise;
  const refused = await refusal(once(db, yaw.id, key("slow"), 1, work("slow")));
  expect([refused.code, refused.details?.retryAfterSeconds]).toEqual(["request.in_progress", 1]);
  gate.resolve();
  await first;
  expect(await effectsOf("slow")).toBe(1);
});

test("without a key the work is done each time, after the lock, and in one commit", async () => {
  const steps: string[] = [];
  const lock = async () => void steps.push("lock");
  for (const name of ["each1", "each2"]) {
    const { replayed } = await once(db, yaw.id, null, 1, work(name), lock);
    expect([replayed, await effectsOf(name)]).toEqual([false, 1]);
  }
  expect(steps).toEqual(["lock", "lock"]);
  const undone = once(db, yaw.id, null, 1, async (tx) => {
    await work("undone")(tx);
    throw new AppError("order.not_found");
  });
  expect([await outcome(undone), await effectsOf("undone")]).toEqual(["order.not_found", 0]);
});

describe("an answer is kept", () => {
  const age = (text: string, interval: string) =>
    db.execute(sql`update idempotency set created_at = now() - ${interval}::interval where key = ${text}`);

  test("for 48 hours, twice as long as documented, and then deleted", async () => {
    for (const text of ["old", "young"]) await once(db, yaw.id, key(text), 1, async () => "first");
    await age("old", "48 hours 1 minute");
    await age("young", "47 hours 59 minutes");
    expect(await forgetOld(db)).toBe(1);
    expect(await recall(db, yaw.id, key("old"), fingerprint(1))).toBeNull();
    expect(await recall(db, yaw.id, key("young"), fingerprint(1))).toMatchObject({ answer: "first" });
  });

  test("with its dates, and with texts that only look like dates", async () => {
    const iso = "2026-03-04T05:06:07.089Z";
    const made = {
      order: { createdAt: new Date(iso), deliverBy: null },
      ids: [1],
      closing: new Date(iso),
      note: iso,
    };
    const answers = [await once(db, yaw.id, key("dated"), 1, async () => made)];
    answers.push(await once(db, yaw.id, key("dated"), 1, async () => made));
    expect(answers).toEqual([
      { answer: made, replayed: false },
      { answer: made, replayed: true },
    ]);
  });

  test("across a restart: another process returns it, too", async () => {
    const first = await once(db, yaw.id, key("restart"), 1, work("restart"));
    const again = await withSecondServer(world, (other) => once(other, yaw.id, key("restart"), 1, work("restart")));
    expect(again).toEqual({ answer: first.answer, replayed: true });
  });
});
