// The writer of the log: in batches, beside the requests, whole or not at all, and never in their way.
import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { registry } from "../../../src/core/platform/metrics.ts";
import { get, list } from "../../../src/core/requests/queries.ts";
import { createRequestRecorder, FLUSH_MS } from "../../../src/core/requests/recorder.ts";
import { codeOf } from "../../support/approvals.ts";
import { count, hold } from "../../support/asking.ts";
import { answered } from "../../support/logged-requests.ts";
import { longTest } from "../../support/long.ts";
import { openWorld } from "../../support/world.ts";

const world = await openWorld();
const { db } = world;

const loggedOf = (userId: number) => count(db, sql`from api_requests where user_id = ${userId}`);

/** Rows of this process so far, by what became of them. */
async function counted(): Promise<Record<string, number>> {
  const metric = (await registry.getMetricsAsJSON()).find((one) => one.name === "datafie_request_log_rows_total");
  const values = (metric?.values ?? []) as { value: number; labels: Record<string, string | number> }[];
  return Object.fromEntries(values.map(({ value, labels }) => [labels.outcome, value]));
}

test("a request is in the log with everything that was given", async () => {
  const recorder = createRequestRecorder(db);
  const request = answered({
    key: { keyId: 7, userId: 10 },
    url: "http://localhost/api/v1/orders?a=1&token=secret",
    orderId: 4711,
    bulkOrderId: 12,
    idempotencyKey: "mine-1",
    isReplayed: true,
    request: { value: { msisdn: "0541234567", note: '"quoted", {braced} \\ and\nmore ✓', pin: 4711 } },
    answer: { value: { id: 4711 } },
  });
  recorder.record(request);
  await recorder.flush();
  const { rows } = await list(db, { userId: 10 }, {}, { limit: 5 });
  expect(await get(db, { userId: 10 }, rows[0]!.id)).toEqual({
    id: rows[0]!.id,
    ...{ at: new Date(request.at), userId: 10, keyId: 7, method: "POST", route: "/api/v1/orders" },
    ...{ path: "/api/v1/orders?a=1&token=[removed]", status: 201, code: null, ms: 12 },
    ...{
      requestId: "mirq1k2v-00aa",
      orderId: 4711,
      bulkOrderId: 12,
      idempotencyKey: "mine-1",
      isReplayed: true,
    },
    address: "41.66.1.2",
    requestBody: '{"msisdn":"0541234567","note":"\\"quoted\\", {braced} \\\\ and\\nmore ✓","pin":"[removed]"}',
    answerBody: '{"id":4711}',
  });
});

test("what a client chooses cannot shift the columns of others", async () => {
  const recorder = createRequestRecorder(db);
  const hostile = 'a\tb\n\r\u0000,{"}\\N\\';
  recorder.record(answered({ key: { keyId: 1, userId: 20 }, address: "", method: hostile }));
  recorder.record(
    answered({
      key: { keyId: 1, userId: 21 },
      ...{ address: hostile, url: `http://localhost/${hostile}` },
      request: { value: { [hostile]: hostile, half: "\ud800" } },
    }),
  );
  recorder.record(answered({ key: { keyId: 1, userId: 22 }, code: "order.duplicate", status: 409 }));
  recorder.record(answered({ key: { keyId: 1, userId: 23 }, idempotencyKey: "\\N", method: "\\." }));
  await recorder.flush();
  const [first] = (await list(db, { userId: 20 }, {}, { limit: 5 })).rows;
  expect(first).toMatchObject({
    method: 'ab,{"}\\N\\',
    address: "unknown",
    path: "/api/v1/orders",
    code: null,
  });
  const [second] = (await list(db, { userId: 21 }, {}, { limit: 5 })).rows;
  expect(second).toMatchObject({ address: 'ab,{"}\\N\\', path: '/ab,{"}\\N\\', method: "POST" });
  const { requestBody } = await get(db, { userId: 21 }, second!.id);
  expect(JSON.parse(requestBody!)[hostile]).toBe(hostile);
  const [third] = (await list(db, { userId: 22 }, {}, { limit: 5 })).rows;
  expect(third).toMatchObject({ code: "order.duplicate", status: 409, address: "41.66.1.2" });
  const [fourth] = (await list(db, { userId: 23 }, {}, { limit: 5 })).rows;
  expect(fourth).toMatchObject({ idempotencyKey: "\\N", method: "\\." });
});

longTest("a single request is visible within five seconds, without a flush", async () => {
  const recorder = createRequestRecorder(db);
  recorder.record(answered({ key: { keyId: 1, userId: 30 } }));
  expect(await loggedOf(30)).toBe(0);
  while ((await loggedOf(30)) === 0) await Bun.sleep(20);
  expect(FLUSH_MS).toBeLessThan(5_000);
});

test("seven thousand are written at once, each account's in one row, and more do not wait", async () => {
  const recorder = createRequestRecorder(db);
  for (let n = 0; n < 8_400; n++) recorder.record(answered({ key: { keyId: 1, userId: 40 + (n % 10) }, ms: n }));
  await recorder.flush();
  const batches = await db.execute<{ counts: number[] }>(sql`
    select array_agg(count::int order by user_id) as counts from api_request_rows where user_id between 40 and 49
    group by xmin::text order by min(id)`);
  // They are put into rows sixty-four at a time.
  expect(batches.map(({ counts }) => counts)).toEqual([Array(10).fill(704), Array(10).fill(136)]);
  const { rows } = await list(db, { userId: 49 }, {}, { limit: 200 });
  expect(rows.map(({ ms }) => ms)).toEqual(Array.from({ length: 200 }, (_, n) => 8_399 - n * 10));
});

test("while the table is locked, requests are taken until the queue is full, then dropped and counted", async () => {
  const before = await counted();
  const recorder = createRequestRecorder(db, { waitingMax: 600 });
  await db.transaction(async (tx) => {
    await tx.execute(sql`lock table api_request_rows in access exclusive mode`);
    for (let n = 0; n < 2_000; n++) recorder.record(answered({ key: { keyId: 1, userId: 50 } }));
  });
  await recorder.flush();
  const stored = await loggedOf(50);
  // A batch that is being written makes room for as many.
  expect([600, 1_100]).toContain(stored);
  const after = await counted();
  expect(after.dropped! - (before.dropped ?? 0)).toBe(2_000 - stored);
  expect(after.written! - before.written!).toBe(stored);
});

test("one account cannot crowd out the others: a thousand of it are in a batch", async () => {
  const recorder = createRequestRecorder(db);
  for (let n = 0; n < 5_000; n++) recorder.record(answered({ key: { keyId: 1, userId: 60 } }));
  recorder.record(answered({ key: { keyId: 2, userId: 61 } }));
  await recorder.flush();
  expect([await loggedOf(60), await loggedOf(61)]).toEqual([1_000, 1]);
});

longTest(
  "of what is turned away at once, twenty of an account are in a batch, and everything else besides",
  async () => {
    const before = await counted();
    const recorder = createRequestRecorder(db);
    for (let n = 0; n < 30; n++)
      for (const status of [401, 403, 429])
        recorder.record(answered({ key: { keyId: 1, userId: 65 }, status, requestId: `turned-${n}` }));
    for (let n = 0; n < 30; n++) recorder.record(answered({ key: { keyId: 1, userId: 65 }, status: 404 }));
    recorder.record(answered({ key: { keyId: 2, userId: 66 }, status: 401 }));
    await recorder.flush();
    expect(await count(db, sql`from api_requests where user_id = 65 and status in (401, 403, 429)`)).toBe(20);
    expect([await loggedOf(65), await loggedOf(66)]).toEqual([50, 1]);
    expect((await counted()).dropped! - (before.dropped ?? 0)).toBe(70);
  },
);

longTest("a batch that cannot be written is lost, counted and reported; the next is written", async () => {
  const before = await counted();
  const faults: unknown[] = [];
  const recorder = createRequestRecorder(db, { onFault: (error) => faults.push(error) });
  recorder.record(answered({ key: { keyId: 1, userId: 70 }, requestId: "\u0000" }));
  await recorder.flush();
  expect(faults).toHaveLength(1);
  expect((await counted()).failed! - (before.failed ?? 0)).toBe(1);
  recorder.record(answered({ key: { keyId: 1, userId: 70 } }));
  await recorder.flush();
  expect(await loggedOf(70)).toBe(1);
});

test("a batch whose connection is cut is lost and reported, and the next is written", async () => {
  const faults: unknown[] = [];
  const recorder = createRequestRecorder(db, { onFault: (error) => faults.push(error) });
  const held = await hold(db, sql`lock table api_request_rows in access exclusive mode`);
  recorder.record(answered({ key: { keyId: 1, userId: 80 } }));
  const flushed = recorder.flush();
  await held.waiting(1);
  await db.execute(sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`);
  await flushed;
  await held.release();
  expect(faults).toHaveLength(1);
  recorder.record(answered({ key: { keyId: 1, userId: 80 } }));
  await recorder.flush();
  expect(await loggedOf(80)).toBe(1);
});

test("the database takes no bodies that were not cut", async () => {
  const add = (bytes: number) =>
    codeOf(
      db.execute(sql`
        insert into api_request_rows (user_id, at, count, requests, bodies)
        values (90, now(), 1, 'x', repeat('x', ${bytes}))`),
    );
  expect([await add(8_194), await add(8_195)]).toEqual(["done", expect.stringContaining("Failed query")]);
});
