// The migration that keeps requests in rows by account: run over the table of the previous version.
import { afterAll, expect, test } from "bun:test";
import postgres from "postgres";
import { get, list } from "../../src/core/requests/queries.ts";
import { openWorld } from "../support/world.ts";
import { read } from "../unit/source.ts";

const world = await openWorld();
const client = postgres(world.url, { max: 1, onnotice: () => {} });
afterAll(() => client.end());

async function run(path: string): Promise<void> {
  for (const statement of (await read(path)).split("--> statement-breakpoint")) await client.unsafe(statement);
}

test("what was logged before stays in the log, field by field and in its order", async () => {
  await client`drop function api_request_fields cascade`;
  await run("db/migrations/0042_requests.sql");
  const bodies = { request: '{"note":"a \\\\ b, \\n ✓"}', answer: '{"id":1,"cut":"…' };
  await client`
    insert into api_requests (at, user_id, key_id, method, route, path, status, code, ms, request_id, order_id,
      bulk_order_id, idempotency_key, is_replayed, address, request_body, answer_body)
    values ('2026-11-21T09:30:00.123Z', 7, 3, 'POST', '/api/v1/orders', '/api/v1/orders?a=1', 201, null, 14, 'first',
      4711, 12, 'sale-1', true, '41.66.1.2', ${bodies.request}, ${bodies.answer}),
      ('2026-11-21T09:31:00Z', 7, 3, 'GET', 'unknown', '/api/v1/no', 404, 'request.not_found', 2, 'second', null,
      null, null, false, '41.66.1.2', null, null)`;
  await run("db/migrations/0049_requests_in_rows.sql");
  const { rows } = await list(world.db, { userId: 7 }, {}, { limit: 5 });
  expect(rows.map(({ requestId }) => requestId)).toEqual(["second", "first"]);
  expect(await get(world.db, { userId: 7 }, rows[1]!.id)).toEqual({
    ...{ id: rows[1]!.id, at: new Date("2026-11-21T09:30:00.123Z"), userId: 7, keyId: 3, method: "POST" },
    ...{ route: "/api/v1/orders", path: "/api/v1/orders?a=1", status: 201, code: null, ms: 14 },
    ...{ requestId: "first", orderId: 4711, bulkOrderId: 12, idempotencyKey: "sale-1", isReplayed: true },
    ...{ address: "41.66.1.2", requestBody: bodies.request, answerBody: bodies.answer },
  });
  expect(await get(world.db, { userId: 7 }, rows[0]!.id)).toMatchObject({
    ...{ code: "request.not_found", orderId: null, idempotencyKey: null, isReplayed: false },
    ...{ requestBody: null, answerBody: null },
  });
});
