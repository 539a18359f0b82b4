// Reads what people upload in threads of their own, so that no list, however it is made, keeps the shop from answering.
// Few threads, a short queue, few at once for one account, and a time limit after which a thread is ended.
import type { BulkLine } from "../../shared/bulk-lines.ts";
import { parseBulkLines } from "../../shared/bulk-lines.ts";
import { limits } from "../../shared/domain.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import { parseResults, type Results } from "../../shared/result-lines.ts";
import type { Reply } from "./reading-thread.ts";

export type Task =
  /** A file as lines for the bulk form; a file as it would be pasted. */
  | { kind: "lines" | "text"; bytes: Uint8Array }
  /** A pasted text as bulk lines; a pasted text as results of a batch. */
  | { kind: "bulk" | "results"; text: string };

/** A text up to this length is read where it is: handing it to a thread would take longer. */
const SHORT_CHARS = 10_000;

export type ReadingLimits = { threads: number; waiting: number; perOwner: number; taskMs: number };
const LIMITS: ReadingLimits = { threads: 2, waiting: 8, perOwner: 2, taskMs: 5_000 };

const TOO_LONG = "This list takes too long to read. Keep only the columns of the order, or send it in parts.";

/** Reads a file as the bulk form's lines. `ownerId` is the account that uploads it. Throws request.invalid beside "file". */
export async function linesOfUpload(file: File, ownerId: number): Promise<string> {
  return (await readingRoom.read({ kind: "lines", bytes: await bytesOf(file) }, ownerId)) as string;
}

/** Reads a file as the text that would be pasted. Throws like linesOfUpload. */
export async function textOfUpload(file: File, ownerId: number): Promise<string> {
  return (await readingRoom.read({ kind: "text", bytes: await bytesOf(file) }, ownerId)) as string;
}

/** A pasted text as bulk lines; one more than the limit when there are too many. Throws bulk.reader_busy. */
export async function bulkLinesOf(text: string, ownerId: number): Promise<BulkLine[]> {
  if (text.length <= SHORT_CHARS) return parseBulkLines(text, limits.bulkLines);
  return (await readingRoom.read({ kind: "bulk", text }, ownerId)) as BulkLine[];
}

/** A pasted text as results of a batch. Throws bulk.reader_busy. */
export async function resultsOf(text: string, ownerId: number): Promise<Results> {
  if (text.length <= SHORT_CHARS) return parseResults(text);
  return (await readingRoom.read({ kind: "results", text }, ownerId)) as Results;
}

/** A file that is too large is not even copied. */
async function bytesOf(file: File): Promise<Uint8Array> {
  if (file.size > limits.bulkFileBytes) {
    const message = "This file is too large: up to 2 MB can be read.";
    throw new AppError("request.invalid", { fields: { file: message } }, message);
  }
  return file.bytes();
}

type Waiting = { task: Task; resolve: (value: unknown) => void; reject: (error: Error) => void };

/** Threads that read, and whoever waits for one. */
export function openReadingRoom(ownLimits: Partial<ReadingLimits> = {}) {
  const { threads, waiting: waitingMax, perOwner, taskMs } = { ...LIMITS, ...ownLimits };
  const free: Worker[] = [];
  const waiting: Waiting[] = [];
  const runningOf = new Map<number, number>();
  let running = 0;

  const next = () => {
    while (running < threads && waiting.length > 0) {
      running += 1;
      const { task, resolve, reject } = waiting.shift()!;
      void perform(free.pop() ?? newThread(), task)
        .then(resolve, reject)
        .finally(() => {
          running -= 1;
          next();
        });
    }
  };
  /** One task in one thread; a thread that does not answer in time, or fails, is ended and not used again. */
  const perform = async (thread: Worker, task: Task): Promise<unknown> => {
    const reply = Promise.withResolvers<Reply>();
    const timer = setTimeout(() => reply.reject(tooLong(task)), taskMs);
    thread.onmessage = ({ data }: MessageEvent<Reply>) => reply.resolve(data);
    thread.onerror = (event) => {
      event.preventDefault();
      reply.reject(new Error(`reading an upload failed: ${event.message}`));
    };
    try {
      thread.postMessage(task);
      const answer = await reply.promise;
      free.push(thread);
      if ("value" in answer) return answer.value;
      throw new AppError("request.invalid", answer.refused.details, answer.refused.message);
    } finally {
      clearTimeout(timer);
      if (!free.includes(thread)) thread.terminate();
    }
  };
  return {
    /** Throws request.invalid with words, request.rate_limited for one account's too many, bulk.reader_busy for all. */
    read: async (task: Task, ownerId: number): Promise<unknown> => {
      const running = runningOf.get(ownerId) ?? 0;
      if (running >= perOwner) throw new AppError("request.rate_limited", { retryAfterSeconds: 5 });
      if (waiting.length >= waitingMax) throw new AppError("bulk.reader_busy", { retryAfterSeconds: 30 });
      runningOf.set(ownerId, running + 1);
      try {
        return await new Promise((resolve, reject) => {
          waiting.push({ task, resolve, reject });
          next();
        });
      } finally {
        if (runningOf.get(ownerId) === 1) runningOf.delete(ownerId);
        else runningOf.set(ownerId, runningOf.get(ownerId)! - 1);
      }
    },
    /** Ends the threads that rest. */
    close: () => {
      for (const thread of free.splice(0)) thread.terminate();
    },
  };
}

function newThread(): Worker {
  const thread = new Worker(new URL("./reading-thread.ts", import.meta.url), { smol: true });
  // A thread that rests does not keep the process from ending.
  (thread as unknown as Bun.Worker).unref();
  return thread;
}

function tooLong(task: Task): AppError {
  const field = "bytes" in task ? "file" : task.kind === "bulk" ? "lines" : "results";
  return new AppError("request.invalid", { fields: { [field]: TOO_LONG } }, TOO_LONG);
}

/** This process's own. */
const readingRoom = openReadingRoom();
