// The writer of the log of programs' requests. It takes rows without waiting, and writes them in batches beside the
// requests: a purchase never waits for its own record. What is in its queue is lost when the process is killed.
import type { Db } from "../../../db/connect.ts";
import type { apiRequests } from "../../../db/schema/requests.ts";
import { loggedRequests } from "../platform/metrics.ts";
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
/** None of them occurs in JSON or in printable text: the ends of a row and of a column, and what stands for null. */
const [ROW_END, END, NOTHING] = ["\u001d", "\u001e", "\u0015"];

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

/**
 * The row of a request. Its bodies are shortened at once, so that the queue never holds a long one. Written out,
 * because every purchase of a program makes one.
 */
function rowOf(given: AnsweredRequest): Row {
  const { request, answer } = given;
  return {
    at: given.at,
    userId: given.key.userId,
    keyId: given.key.keyId,
    method: printable(given.method),
    route: given.route,
    path: printable(keptPath(given.url)),
    status: given.status,
    code: given.code,
    ms: given.ms,
    requestId: given.requestId,
    orderId: given.orderId,
    bulkOrderId: given.bulkOrderId,
    idempotencyKey: given.idempotencyKey,
    isReplayed: given.isReplayed,
    address: printable(given.address) || "unknown",
    requestBody: request && keptBody(request),
    answerBody: answer && keptBody(answer),
  };
}

/** What a client or a proxy chose, without control characters: they separate the columns. */
function printable(text: string): string {
  return text.slice(0, TEXT_CHARS_MAX).replace(/\p{Cc}/gu, "");
}

/**
 * Inserts rows by one statement, prepared once. The short columns of a row travel as one text and the bodies beside it,
 * which is a third cheaper for both sides than a parameter for each column.
 */
async function insert(db: Db, rows: Row[]): Promise<void> {
  const [lines, requests, answers]: string[][] = [[], [], []];
  for (const row of rows) {
    lines!.push(lineOf(row));
    requests!.push(row.requestBody ?? NOTHING);
    answers!.push(row.answerBody ?? NOTHING);
  }
  const parameters = [lines!, requests!, answers!].map((texts) => texts.join(ROW_END));
  await db.$client.unsafe(INSERT, parameters, { prepare: db.$client.options.prepare });
}

/** In the order of INSERT's columns. */
function lineOf(row: Row): string {
  const { at, userId, keyId, method, route, path, status, code, ms, requestId, orderId, bulkOrderId } = row;
  return (
    `${at.getTime()}${END}${userId}${END}${keyId}${END}${method}${END}${route}${END}${path}${END}${status}${END}` +
    `${code ?? NOTHING}${END}${ms}${END}${requestId}${END}${orderId ?? NOTHING}${END}${bulkOrderId ?? NOTHING}${END}` +
    `${row.idempotencyKey ?? NOTHING}${END}${row.isReplayed}${END}${row.address}`
  );
}

const INSERT = `
  insert into api_requests (at, user_id, key_id, method, route, path, status, code, ms, request_id, order_id,
    bulk_order_id, idempotency_key, is_replayed, address, request_body, answer_body)
  select to_timestamp(p[1]::float8 / 1000), p[2]::bigint, p[3]::bigint, p[4], p[5], p[6], p[7]::smallint, p[8],
    p[9]::int, p[10], p[11]::bigint, p[12]::bigint, p[13], p[14]::boolean, p[15], request_body, answer_body
  from unnest(string_to_array($1::text, e'\\x1d'), string_to_array($2::text, e'\\x1d', e'\\x15'),
      string_to_array($3::text, e'\\x1d', e'\\x15')) as r(line, request_body, answer_body),
    lateral (select string_to_array(line, e'\\x1e', e'\\x15') as p offset 0) parts`;
