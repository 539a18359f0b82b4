// Rate limits: exact across all servers, for exactly their window.
import { expect, test } from "bun:test";
import { eq, sql } from "drizzle-orm";
import { rateLimits } from "../../../db/schema/platform.ts";
import { clear, forgetOld, giveBack, isWithin, reserve, take } from "../../../src/core/platform/budgets/rate-limits.ts";
import { AppError } from "../../../src/shared/errors/app-error.ts";
import { outcome, times, withSecondServer } from "../../support/asking.ts";
import { openWorld } from "../../support/world.ts";

const world = await openWorld();
const { db } = world;

const limitOf = (bucket: string) => ({ bucket, countMax: 3, windowSeconds: 600 });
const wordFor = ({ isWithin: fits }: { isWithin: boolean }) => (fits ? "within" : "over");
const attempt = async (bucket: string) => wordFor(await take(db, limitOf(bucket)));
const inTurn = async (bucket: string, n: number) => {
  for (let i = 0; i < n; i++) await attempt(bucket);
};
const secondsToWait = async (bucket: string) => (await take(db, limitOf(bucket))).waitSeconds;
const endsIn = (bucket: string, seconds: number) =>
  db
    .update(rateLimits)
    .set({ resetsAt: sql`now() + make_interval(secs => ${seconds})` })
    .where(eq(rateLimits.bucket, bucket));
const countIn = async (bucket: string) => {
  const [row] = await db.select().from(rateLimits).where(eq(rateLimits.bucket, bucket));
  return row?.count ?? null;
};

test("as many as allowed pass, and the next is refused with the time until the window ends", async () => {
  expect([await attempt("a"), await attempt("a"), await attempt("a"), await attempt("a")]).toEqual([
    "within",
    "within",
    "within",
    "over",
  ]);
  expect(await attempt("another")).toBe("within");
  await endsIn("a", 200);
  expect(await secondsToWait("a")).toBeWithin(190, 201);
});

test("an attempt does not extend the window, and the first one after it starts a new window", async () => {
  await inTurn("window", 3);
  await endsIn("window", 100);
  expect(await attempt("window")).toBe("over");
  expect(await secondsToWait("window")).toBeLessThan(101);
  await endsIn("window", 0);
  expect(await attempt("window")).toBe("within");
  expect(await countIn("window")).toBe(1);
  await inTurn("window", 2);
  expect(await secondsToWait("window")).toBeWithin(590, 601);
});

test("forty at once, at two servers: exactly as many as allowed pass", async () => {
  const answers = await withSecondServer(world, (other) =>
    Promise.all(times(40, (i) => isWithin(i % 2 ? db : other, limitOf("forty")))),
  );
  expect(answers.filter((isAllowed) => isAllowed)).toHaveLength(3);
});

test("a returned unit can be used again, and returning more than was counted saves up nothing", async () => {
  await inTurn("back", 3);
  await giveBack(db, "back");
  expect([await attempt("back"), await attempt("back")]).toEqual(["within", "over"]);
  await clear(db, "saved");
  await attempt("saved");
  for (let i = 0; i < 5; i++) await giveBack(db, "saved");
  await inTurn("saved", 3);
  expect(await attempt("saved")).toBe("over");
});

test("several units are taken all or none, and unused ones are returned", async () => {
  const takes = async (units: number) => wordFor(await reserve(db, limitOf("many"), units));
  expect([await takes(2), await takes(2), await takes(1)]).toEqual(["within", "over", "within"]);
  await endsIn("many", 200);
  expect((await reserve(db, limitOf("many"), 1)).waitSeconds).toBeWithin(190, 201);
  await giveBack(db, "many", 2);
  expect([await takes(3), await takes(2), await countIn("many")]).toEqual(["over", "within", 3]);
});

test("a success resets its own counter, and no other", async () => {
  await inTurn("cleared", 3);
  await inTurn("kept", 3);
  await clear(db, "cleared");
  expect([await attempt("cleared"), await attempt("kept")]).toEqual(["within", "over"]);
});

test("a count that is rolled back does not count", async () => {
  const undone = db.transaction(async (tx) => {
    await take(tx, limitOf("undone"));
    throw new AppError("order.not_found");
  });
  expect(await outcome(undone)).toBe("order.not_found");
  expect(await countIn("undone")).toBeNull();
});

test("only counters whose window has ended are deleted", async () => {
  await inTurn("over", 1);
  await inTurn("running", 1);
  await endsIn("over", -1);
  await forgetOld(db);
  expect([await countIn("over"), await countIn("running")]).toEqual([null, 1]);
});
