// Thread pool that reads uploads, so that no list, however crafted, keeps the shop from responding: few threads, a
// short queue, a limit for each account, and a time limit after which a thread is terminated.

import { limits, type Network } from "../../shared/domain.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import type { BulkLine } from "../../shared/lists/bulk-lines.ts";
import { parseBulkLines } from "../../shared/lists/bulk-lines.ts";
import { parseResults, type Results } from "../../shared/lists/result-lines.ts";
import type { Meanings } from "../../shared/lists/result-outcomes.ts";
import { allOperators, type OperatorFacts } from "../../shared/operators.ts";
import { withoutDirectionMarks } from "../../shared/text.ts";
import type { Noted } from "./bulk-file.ts";
import { type PeopleRead, parseContacts } from "./contacts/contact-lines.ts";
import type { Reply } from "./reading-thread.ts";
import { rowsOfMessages } from "./statements/momo-messages.ts";

export type Task =
  /** "lines": a file as lines for the bulk form. "text": a file as if pasted. "cells": a table. */
  | { kind: "lines" | "text" | "cells"; bytes: Uint8Array }
  /** A pasted text as bulk lines. */
  | { kind: "bulk"; text: string }
  /** Texts as customers, each with headings of its own. */
  | { kind: "contacts"; texts: string[] }
  /** A pasted text as results of a batch, with what unclear texts mean. */
  | { kind: "results"; text: string; meanings: Meanings }
  /** Pasted mobile money messages, as the rows of a statement. */
  | { kind: "messages"; text: string; network: Network };

/** What a thread is sent: it remembers nothing, so the operators that lines may name come along. */
export type Message = { task: Task; operators: readonly OperatorFacts[] };

/** Texts up to this length are read in place, because passing them to a thread would take longer. */
const SHORT_CHARS = 10_000;

export type ReadingLimits = {
  threads: number;
  waiting: number;
  perOwner: number;
  taskMs: number;
  /** By how much the process may grow while tasks are done: a workbook of ten thousand rows takes three quarters. */
  taskBytes: number;
};
const LIMITS: ReadingLimits = { threads: 2, waiting: 8, perOwner: 2, taskMs: 5_000, taskBytes: 120_000_000 };
/** How often the memory is looked at. */
const LOOK_MS = 5;
/** Once the process has grown by more, a thread is not kept: only its end gives the memory back. */
const KEPT_BYTES = 20_000_000;
/** How long the place of a thread that ends stays taken: one within a call of the runtime ends after that call. */
const ENDING_MS = 1_000;

const TOO_LONG = "This list takes too long to read. Keep only the columns of the order, or send it in parts.";

/** Reads a file as lines for the bulk form; `ownerId` is the uploading account. Throws request.invalid about "file". */
export async function linesOfUpload(file: File, ownerId: number): Promise<Noted<string>> {
  return (await readingRoom.read({ kind: "lines", bytes: await bytesOf(file) }, ownerId)) as Noted<string>;
}

/** Reads a file as if pasted, without what a form's fields are freed of. Throws like linesOfUpload. */
export async function textOfUpload(file: File, ownerId: number): Promise<Noted<string>> {
  const task: Task = { kind: "text", bytes: await bytesOf(file) };
  const { read, notes } = (await readingRoom.read(task, ownerId)) as Noted<string>;
  return { read: withoutDirectionMarks(read.replaceAll("\0", "")), notes };
}

/** The kinds of files that a field for a sheet offers. */
export const SHEET_KINDS = ".csv,.tsv,.txt,.xlsx,.xlsm,.xls,.xml,.html,text/csv,text/plain";

/**
 * Parses a pasted text as bulk lines; returns one more than the limit when there are too many. Throws bulk.reader_busy.
 */
export async function bulkLinesOf(text: string, ownerId: number): Promise<BulkLine[]> {
  if (text.length <= SHORT_CHARS) return parseBulkLines(text, limits.bulkLines);
  return (await readingRoom.read({ kind: "bulk", text }, ownerId)) as BulkLine[];
}

/** Parses a pasted text as results of a batch; see parseResults. Throws bulk.reader_busy. */
export async function resultsOf(text: string, meanings: Meanings, ownerId: number): Promise<Results> {
  if (text.length <= SHORT_CHARS) return parseResults(text, meanings);
  return (await readingRoom.read({ kind: "results", text, meanings }, ownerId)) as Results;
}

/** Reads customers from a pasted text and a file's; null for too many lines. Throws bulk.reader_busy. */
export async function contactsOf(texts: string[], ownerId: number): Promise<PeopleRead | null> {
  if (texts.join("").length <= SHORT_CHARS) return parseContacts(...texts);
  return (await readingRoom.read({ kind: "contacts", texts }, ownerId)) as PeopleRead | null;
}

/** Reads a file as the cells of a statement. Throws like linesOfUpload. */
export async function cellsOfUpload(file: File, ownerId: number): Promise<Noted<string[][]>> {
  const task: Task = { kind: "cells", bytes: await bytesOf(file) };
  return (await readingRoom.read(task, ownerId)) as Noted<string[][]>;
}

/** Reads pasted mobile money messages as the rows of a statement. Throws bulk.reader_busy. */
export async function messagesOf(text: string, network: Network, ownerId: number): Promise<string[][]> {
  if (text.length <= SHORT_CHARS) return rowsOfMessages(text, network);
  return (await readingRoom.read({ kind: "messages", text, network }, ownerId)) as string[][];
}

/** Refuses a file that is too large before it is copied. */
async function bytesOf(file: File): Promise<Uint8Array> {
  if (file.size > limits.bulkFileBytes) {
    const message = "This file is too large: up to 2 MB can be read.";
    throw new AppError("request.invalid", { fields: { file: message } }, message);
  }
  return file.bytes();
}

/** The memory of the process; garbage would count as its own, and the next task comes on top of that. */
function bytesWithoutGarbage(): number {
  Bun.gc(true);
  return process.memoryUsage.rss();
}

type Waiting = { task: Task; resolve: (value: unknown) => void; reject: (error: Error) => void };

/** Creates a pool of reading threads with its queue. */
export function openReadingRoom(ownLimits: Partial<ReadingLimits> = {}) {
  const { threads, waiting: waitingMax, perOwner, taskMs, taskBytes } = { ...LIMITS, ...ownLimits };
  const free: Worker[] = [];
  const waiting: Waiting[] = [];
  const runningOf = new Map<number, number>();
  let running = 0;
  /** The memory of the process when no task ran, and none of it was a thread's but what KEPT_BYTES allows. */
  let restBytes = 0;
  const grownSince = (bytes: number) => process.memoryUsage.rss() - bytes;

  const next = () => {
    while (running < threads && waiting.length > 0) {
      if (running === 0 && grownSince(restBytes) > KEPT_BYTES) restBytes = bytesWithoutGarbage();
      running += 1;
      const { task, resolve, reject } = waiting.shift()!;
      const thread = free.pop() ?? newThread();
      void perform(thread, task)
        .then(resolve, reject)
        .then(() => leave(thread));
    }
  };
  /** Runs one task in one thread, which is not used again after one that failed, took too long or too much memory. */
  const perform = async (thread: Worker, task: Task): Promise<unknown> => {
    const answer = await replyOf(thread, task, { taskMs, isTooLarge: () => grownSince(restBytes) > taskBytes });
    if (grownSince(restBytes) < KEPT_BYTES) free.push(thread);
    if ("value" in answer) return answer.value;
    throw new AppError("request.invalid", answer.refused.details, answer.refused.message);
  };
  /** Gives the place to the next task, once a thread that is not kept has ended and its memory is free. */
  const leave = async (thread: Worker): Promise<void> => {
    if (!free.includes(thread)) {
      await end(thread);
      // The heap of a thread that has ended is freed with the last reference to it.
      if (grownSince(restBytes) > KEPT_BYTES) {
        // Another task's memory would count as the shop's own from then on.
        if (running === 1) restBytes = bytesWithoutGarbage();
        else Bun.gc(true);
      }
    }
    running -= 1;
    next();
  };
  return {
    /**
     * Throws request.invalid, request.rate_limited at an account's limit, and bulk.reader_busy when the queue is full.
     */
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
    /** Terminates the idle threads. */
    close: () => {
      for (const thread of free.splice(0)) thread.terminate();
    },
  };
}

/** Has a thread do a task. Throws request.invalid once it takes too long or is too large. */
function replyOf(
  thread: Worker,
  task: Task,
  { taskMs, isTooLarge }: { taskMs: number; isTooLarge: () => boolean },
): Promise<Reply> {
  const reply = Promise.withResolvers<Reply>();
  const timer = setTimeout(() => reply.reject(tooLong(task)), taskMs);
  const watch = setInterval(() => {
    if (isTooLarge()) reply.reject(tooLong(task));
  }, LOOK_MS);
  thread.onmessage = ({ data }: MessageEvent<Reply>) => reply.resolve(data);
  thread.onerror = (event) => {
    event.preventDefault();
    reply.reject(new Error(`reading an upload failed: ${event.message}`));
  };
  thread.postMessage({ task, operators: allOperators() } satisfies Message);
  return reply.promise.finally(() => {
    clearTimeout(timer);
    clearInterval(watch);
  });
}

function newThread(): Worker {
  const thread = new Worker(new URL("./reading-thread.ts", import.meta.url), { smol: true });
  // An idle thread does not keep the process alive.
  (thread as unknown as Bun.Worker).unref();
  return thread;
}

async function end(thread: Worker): Promise<void> {
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  thread.addEventListener("close", () => resolve(), { once: true });
  thread.terminate();
  const timer = setTimeout(resolve, ENDING_MS);
  await ended;
  clearTimeout(timer);
}

function tooLong(task: Task): AppError {
  const field = "bytes" in task ? "file" : FIELDS[task.kind];
  return new AppError("request.invalid", { fields: { [field]: TOO_LONG } }, TOO_LONG);
}

const FIELDS = { bulk: "lines", results: "results", contacts: "people", messages: "pasted" };

/** The pool of this process. */
const readingRoom = openReadingRoom();
