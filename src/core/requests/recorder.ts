// The writer of the log of programs' requests. It takes them without waiting, and writes them in batches beside the
// requests, an account's together: a purchase never waits for its own record. What is in its queue is lost when the
// process is killed.
import { finished } from "node:stream/promises";
import type { Db } from "../../../db/connect.ts";
import { REQUESTS_A_ROW } from "../../../db/schema/requests.ts";
import { loggedRequests } from "../platform/metrics.ts";
import { type AnsweredRequest, NEXT_REQUEST, partsOf, textOf } from "./lines.ts";

export type RequestRecorder = {
  /** Takes a request; drops and counts it when too many wait, of this account or of all. Never throws. */
  record: (request: AnsweredRequest) => void;
  /** Writes what waits, and resolves when that is done or given up. */
  flush: () => Promise<void>;
};

/** As many that wait are written without waiting longer. */
const BATCH_REQUESTS = 7_000;
/**
 * As many are put into rows together, which takes half the time; more would live until the next collection of garbage,
 * which then takes longer. One with a long body is put there at once, which is shortened.
 */
const TAKEN_MAX = 64;
const LONG_CHARS = 20_000;
/** Longer than that none waits while the database keeps up. The longer, the more of an account are in one row. */
export const FLUSH_MS = 2_000;
/** At most some 80 MB, if every body were as long as it can be; more than a batch and what is taken with it. */
const WAITING_MAX = 8_000;
/** Of those in a batch that are turned away at once, which no budget limits: a revoked key that goes on calling. */
const TURNED_AWAY_MAX = 20;
const TURNED_AWAY = new Set([401, 403, 429]);

/** Requests of one account, at most REQUESTS_A_ROW: what it is allowed in two seconds is less. */
type Row = {
  userId: number;
  lastAt: number;
  turnedAway: number;
  orderIds: number[];
  /** One text of each: the more there are, the longer takes every collection of garbage. */
  requests: string[];
};
/** What is written by one statement: the rows by account. */
type Batch = { count: number; rows: Map<number, Row> };
const newBatch = (): Batch => ({ count: 0, rows: new Map() });

export type RecorderOptions = { waitingMax?: number; onFault?: (error: unknown) => void };

/** Opens the log's writer. `onFault` gets the error of a batch that could not be written; its requests are lost. */
export function createRequestRecorder(db: Db, options: RecorderOptions = {}): RequestRecorder {
  const { waitingMax = WAITING_MAX, onFault = () => {} } = options;
  let taken: AnsweredRequest[] = [];
  let waiting = newBatch();
  let timer: ReturnType<typeof setTimeout> | null = null;
  let writing: Promise<void> | null = null;

  return {
    record: (request) => {
      taken.push(request);
      if (taken.length >= TAKEN_MAX || hasLongBody(request)) addTaken();
      if (waiting.count >= BATCH_REQUESTS) start();
      else startLater();
    },
    flush: async () => {
      addTaken();
      while (waiting.count > 0 || writing) {
        start();
        await writing;
      }
    },
  };

  function addTaken(): void {
    const requests = taken;
    taken = [];
    for (const request of requests) {
      if (waiting.count < waitingMax && add(waiting, request)) continue;
      loggedRequests.inc({ outcome: "dropped" });
    }
  }

  function startLater(): void {
    // The end of a process flushes, and is not put off by this.
    timer ??= setTimeout(start, FLUSH_MS).unref();
  }

  /** One batch after the other, so that the log never takes more than one connection. */
  function start(): void {
    if (timer) clearTimeout(timer);
    timer = null;
    addTaken();
    if (writing || waiting.count === 0) return;
    const batch = waiting;
    waiting = newBatch();
    writing = write(batch).finally(() => {
      writing = null;
      if (waiting.count >= BATCH_REQUESTS) start();
      else if (waiting.count > 0) startLater();
    });
  }

  async function write({ rows, count }: Batch): Promise<void> {
    try {
      await copy(db, [...rows.values()]);
      loggedRequests.inc({ outcome: "written" }, count);
    } catch (error) {
      loggedRequests.inc({ outcome: "failed" }, count);
      onFault(error);
    }
  }
}

function hasLongBody({ request, answer }: AnsweredRequest): boolean {
  return request?.isLong === true || (answer?.json?.length ?? 0) > LONG_CHARS;
}

/** Adds a request to its account's row; false when the account has its share of the batch. */
function add(batch: Batch, request: AnsweredRequest): boolean {
  const { key, at, status, orderId, isPurchase, isReplayed } = request;
  const row = batch.rows.get(key.userId) ?? begin(batch, key.userId);
  const isTurnedAway = TURNED_AWAY.has(status);
  if (row.requests.length >= REQUESTS_A_ROW || (isTurnedAway && row.turnedAway >= TURNED_AWAY_MAX)) return false;
  row.requests.push(textOf(request));
  batch.count += 1;
  if (isTurnedAway) row.turnedAway += 1;
  row.lastAt = Math.max(row.lastAt, at);
  // The index would cost every purchase as much as all the rest of the row.
  const isFoundByTime = isPurchase && !isReplayed;
  if (orderId !== null && !isFoundByTime) row.orderIds.push(orderId);
  return true;
}

function begin({ rows }: Batch, userId: number): Row {
  const row = { userId, lastAt: 0, turnedAway: 0, orderIds: [], requests: [] };
  rows.set(userId, row);
  return row;
}

/**
 * Copies rows into the table, which takes the database a third less time than an INSERT. The commit does not wait for
 * the disk, and so holds up no purchase's: after a power failure the last second of the log may be missing.
 */
async function copy(db: Db, rows: Row[]): Promise<void> {
  // In the order of the accounts: neighbours in the index.
  const lines = rows.sort((a, b) => a.userId - b.userId).map(lineOfRow);
  await db.$client.begin(async (tx) => {
    await tx.unsafe("set local synchronous_commit = off");
    const stream = await tx.unsafe(COPY).writable();
    stream.end(lines.join(""));
    await finished(stream);
  });
}

const COPY = "copy api_request_rows (user_id, at, count, order_ids, requests, bodies) from stdin";

/** A row as COPY reads it: without control characters in its texts. */
function lineOfRow({ userId, lastAt, orderIds, requests }: Row): string {
  const parts = requests.map(partsOf);
  const fields = parts.map((part) => part.fields).join(NEXT_REQUEST);
  const bodies = parts.map((part) => part.bodies).join(NEXT_REQUEST);
  const texts = `${fields}\t${bodies}`;
  const escaped = texts.includes("\\") ? texts.replaceAll("\\", "\\\\") : texts;
  return `${userId}\t${new Date(lastAt).toISOString()}\t${requests.length}\t{${orderIds.join()}}\t${escaped}\n`;
}
