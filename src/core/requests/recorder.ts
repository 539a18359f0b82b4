// The writer of the log of programs' requests. It takes rows without waiting, and writes them in batches beside the
// requests: a purchase never waits for its own record. What is in its queue is lost when the process is killed.
import { finished } from "node:stream/promises";
import type { Db } from "../../../db/connect.ts";
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

/** As many are written at once, by one statement. */
const BATCH_ROWS = 2_000;
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
/** As COPY reads null. */
const NOTHING = "\\N";

/** A row of the table, as COPY reads it. */
type Row = { userId: number; line: string };

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
      waiting.push({ userId: request.key.userId, line: lineOf(request) });
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
      await copy(db, batch);
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
 * The line of a request, in the order of COPY's columns. Its bodies are shortened at once, so that the queue never
 * holds a long one. Written out, because every purchase of a program makes one.
 */
function lineOf(given: AnsweredRequest): string {
  const { key, at, method, route, url, status, code, ms, requestId, orderId, bulkOrderId } = given;
  const { idempotencyKey, isReplayed, address, request, answer, isPurchase } = given;
  return (
    `${at.toISOString()}\t${key.userId}\t${key.keyId}\t${textOf(method)}\t${route}\t${textOf(keptPath(url))}\t` +
    `${status}\t${code ?? NOTHING}\t${ms}\t${requestId}\t${orderId ?? NOTHING}\t${bulkOrderId ?? NOTHING}\t` +
    `${idempotencyKey === null ? NOTHING : textOf(idempotencyKey)}\t${isReplayed}\t${textOf(address) || "unknown"}\t` +
    `${request ? escaped(keptBody(request)) : NOTHING}\t${answer ? escaped(keptBody(answer)) : NOTHING}\t${isPurchase}\n`
  );
}

/** What a client or a proxy chose, without control characters. Most of it is plain. */
function textOf(text: string): string {
  if (text.length <= TEXT_CHARS_MAX && /^[\x20-\x5b\x5d-\x7e]*$/.test(text)) return text;
  return escaped(text.slice(0, TEXT_CHARS_MAX).replace(/\p{Cc}/gu, ""));
}

/** As COPY reads it. JSON has no control characters, and text has none any more. */
function escaped(text: string): string {
  return text.includes("\\") ? text.replaceAll("\\", "\\\\") : text;
}

/**
 * Copies rows into the table, which takes the database a third less time than an INSERT. The commit does not wait for
 * the disk, and so holds up no purchase's: after a power failure the last second of the log is missing.
 */
async function copy(db: Db, rows: Row[]): Promise<void> {
  // An account's rows together, in their order: neighbours in the index.
  const lines = rows.sort((a, b) => a.userId - b.userId).map(({ line }) => line);
  await db.$client.begin(async (tx) => {
    await tx.unsafe("set local synchronous_commit = off");
    const stream = await tx.unsafe(COPY).writable();
    stream.end(lines.join(""));
    await finished(stream);
  });
}

const COPY = `
  copy api_requests (at, user_id, key_id, method, route, path, status, code, ms, request_id, order_id, bulk_order_id,
    idempotency_key, is_replayed, address, request_body, answer_body, is_purchase) from stdin`;
