// Requests of programs for the log, written as the shop writes them.
import { sql } from "drizzle-orm";
import type { Db } from "../../db/connect.ts";
import { REQUESTS_A_ROW } from "../../db/schema/requests.ts";
import { newExchange } from "../../src/core/requests/exchange.ts";
import type { AnsweredRequest } from "../../src/core/requests/lines.ts";
import { createRequestRecorder } from "../../src/core/requests/recorder.ts";

/** A purchase that was answered, apart from what is given. */
export function answered(own: Partial<AnsweredRequest> = {}): AnsweredRequest {
  return {
    ...newExchange(),
    key: { keyId: 7, userId: 1 },
    at: Date.parse("2026-11-21T09:30:00.123Z"),
    ...{ method: "POST", route: "/api/v1/orders", url: "http://localhost/api/v1/orders" },
    ...{ status: 201, code: null, ms: 12, requestId: "mirq1k2v-00aa", address: "41.66.1.2" },
    ...own,
  };
}

/** Writes requests to the log, as many as are given; returns the id of the last. */
export async function addLogged(db: Db, requests: readonly Partial<AnsweredRequest>[]): Promise<number> {
  const recorder = createRequestRecorder(db, {
    onFault: (error) => {
      throw error;
    },
  });
  for (let first = 0; first < requests.length; first += REQUESTS_A_ROW) {
    for (const request of requests.slice(first, first + REQUESTS_A_ROW)) recorder.record(answered(request));
    await recorder.flush();
  }
  const { userId } = answered(requests.at(-1)).key;
  const [last] = await db.execute<{ id: number }>(
    sql`select max(id)::bigint as id from api_requests where user_id = ${userId}`,
  );
  return last!.id;
}
