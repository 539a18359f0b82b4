// The writer of the log of programs' requests. It takes rows without waiting, and writes them in batches beside the
// requests: a purchase never waits for its own record. What is in its queue is lost when the process is killed.
import { sql } from "drizzle-orm";
import type { Db } from "../../../db/connect.ts";
import type { apiRequests } from "../../../db/schema/requests.ts";
import { loggedRequests } from "../platform/metrics.ts";
import { arrayLiteral } from "../platform/sql.ts";
import { keptBody, keptPath } from "./bodies.ts";
import type { Exchange } from "./exchange.ts";

/** An answered request. */
export type AnsweredRequest = Exchange & {
  key: { keyId: number; userId: number };
  at: Date;
  method: string;
  route: string;
  url: string;
  status: number;
  code: string | null;
  ms: number;
  requestId: string;
  address: string;
};

export type RequestRecorder = {
  /** Takes a request; drops and counts it when too many wait, of this account or of all. Never throws. */
  record: (request: AnsweredRequest) => void;
  /** Writes what waits, and resolves when that is done or given up. */
  flush: () => Promise<void>;
};

/** Rows of one statement; as many are written at once. */
const BATCH_ROWS = 500;
/** Longer than that no row waits while the database keeps up. */
const FLUSH_MS = 1_000;
/** At most some 40 MB, if every body were as long as it can be. */
const WAITING_MAX = 4_000;
/** Of one account in a second: more than its budget of requests. */
const ACCOUNT_ROWS_A_SECOND = 500;
/** Of those that are turned away at once, which no budget limits: a revoked key that goes on calling, for example. */
const REFUSED_ROWS_A_SECOND = 10;
const TURNED_AWAY = new Set([401, 403, 429]);
const TEXT_CHARS_MAX = 600;
/** Neither occurs in JSON or in printable text. */
const [SEPARATOR, NOTHING] = ["\u001e", "\u0015"];

type Row = Omit<typeof apiRequests.$inferSelect, "id">;
export type RecorderOptions = {
  waitingMax?: number;
  accountRowsASecond?: number;
  onFault?: (error: unknown) => void;
};

/** Opens the log's writer. `onFault` gets the error of a batch that could not be written; its rows are lost. */
export function createRequestRecorder(db: Db, options: RecorderOptions = {}): RequestRecorder {
  const {
    waitingMax = WAITING_MAX,
    accountRowsASecond = ACCOUNT_ROWS_A_SECOND,
    onFault = () => {},
  } = options;
  const isWithinShare = accountShares(accountRowsASecond);
  const isWithinRefusals = accountShares(Math.min(accountRowsASecond, REFUSED_ROWS_A_SECOND));
  let waiting: Row[] = [];
  let timer: ReturnType<typeof setTimeout> | null = null;
  let writing: Promise<void> | null = null;

  return {
    record: (request) => {
      const isCounted = TURNED_AWAY.has(request.status) ? isWithinRefusals : isWithinShare;
      if (waiting.length >= waitingMax || !isCounted(request.key.userId)) {
        loggedRequests.inc({ outcome: "dropped" });
        return;
      }
      waiting.push(rowOf(request));
      if (waiting.length >= BATCH_ROWS) start();
      else startLater();
    },
    flush: async () => {
      while (waiting.length > 0 || writing) {
        start();
        await writing;
      }
    },
  };

  function startLater(): void {
    // The end of a process flushes, and is not put off by this.
    timer ??= setTimeout(start, FLUSH_MS).unref();
  }

  /** One batch after the other, so that the log never takes more than one connection. */
  function start(): void {
    if (timer) clearTimeout(timer);
    timer = null;
    if (writing || waiting.length === 0) return;
    const batch = waiting.slice(0, BATCH_ROWS);
    waiting = waiting.slice(BATCH_ROWS);
    writing = write(batch).finally(() => {
      writing = null;
      if (waiting.length >= BATCH_ROWS) start();
      else if (waiting.length > 0) startLater();
    });
  }

  async function write(batch: Row[]): Promise<void> {
    try {
      await insert(db, batch);
      loggedRequests.inc({ outcome: "written" }, batch.length);
    } catch (error) {
      loggedRequests.inc({ outcome: "failed" }, batch.length);
      onFault(error);
    }
  }
}

/** Returns a function that counts a row of an account, and says whether it is within its share of this second. */
function accountShares(rowsASecond: number, now = () => performance.now()): (userId: number) => boolean {
  const counts = new Map<number, number>();
  let endsAt = 0;
  return (userId) => {
    const at = now();
    if (at >= endsAt) {
      counts.clear();
      endsAt = at + 1_000;
    }
    const count = (counts.get(userId) ?? 0) + 1;
    counts.set(userId, count);
    return count <= rowsASecond;
  };
}

/** The row of a request. Its bodies are shortened at once, so that the queue never holds a long one. */
function rowOf({ key, url, request, answer, ...rest }: AnsweredRequest): Row {
  return {
    ...rest,
    ...key,
    method: printable(rest.method),
    path: printable(keptPath(url)),
    address: printable(rest.address) || "unknown",
    requestBody: request && keptBody(request),
    answerBody: answer && keptBody(answer),
  };
}

/** What a client or a proxy chose, without control characters: they separate the columns. */
function printable(text: string): string {
  return text.slice(0, TEXT_CHARS_MAX).replace(/\p{Cc}/gu, "");
}

/** Inserts rows by one statement with a parameter for each column; texts travel as one text each, without quoting. */
async function insert(db: Db, rows: Row[]): Promise<void> {
  const numbers = (value: (row: Row) => number | null, type: "bigint" | "integer") =>
    sql`${arrayLiteral(rows.map(value))}::text::${sql.raw(type)}[]`;
  const texts = (value: (row: Row) => string | null) =>
    sql`string_to_array(${rows.map((row) => value(row) ?? NOTHING).join(SEPARATOR)}::text, ${SEPARATOR}, ${NOTHING})`;
  await db.execute(sql`
    insert into api_requests (at, user_id, key_id, method, route, path, status, code, ms, request_id, order_id,
      bulk_order_id, idempotency_key, is_replayed, address, request_body, answer_body)
    select to_timestamp(at_ms / 1000.0), user_id, key_id, method, route, path, status, code, ms, request_id, order_id,
      bulk_order_id, idempotency_key, replayed = 1, address, request_body, answer_body
    from unnest(
      ${numbers((row) => row.at.getTime(), "bigint")}, ${numbers((row) => row.userId, "bigint")},
      ${numbers((row) => row.keyId, "bigint")}, ${texts((row) => row.method)}, ${texts((row) => row.route)},
      ${texts((row) => row.path)}, ${numbers((row) => row.status, "integer")}, ${texts((row) => row.code)},
      ${numbers((row) => row.ms, "integer")}, ${texts((row) => row.requestId)},
      ${numbers((row) => row.orderId, "bigint")}, ${numbers((row) => row.bulkOrderId, "bigint")},
      ${texts((row) => row.idempotencyKey)}, ${numbers((row) => Number(row.isReplayed), "integer")},
      ${texts((row) => row.address)}, ${texts((row) => row.requestBody)}, ${texts((row) => row.answerBody)}
    ) as r(at_ms, user_id, key_id, method, route, path, status, code, ms, request_id, order_id, bulk_order_id,
      idempotency_key, replayed, address, request_body, answer_body)`);
}
