// Reads the results of a batch as they are pasted or uploaded, and says what they would do.
import { z } from "zod";
import * as desk from "../../../../core/fulfilment/desk/desk.ts";
import * as results from "../../../../core/fulfilment/desk/desk-results.ts";
import { accraClock } from "../../../../shared/accra.ts";
import { AppError } from "../../../../shared/errors/app-error.ts";
import type { ResultLine, Results } from "../../../../shared/lists/result-lines.ts";
import type { Meanings } from "../../../../shared/lists/result-outcomes.ts";
import { show } from "../../../../shared/money.ts";
import type { Context } from "../../../page.tsx";
import { linesToSend } from "../../../ui/orders/order-files.tsx";
import { resultsOf, textOfUpload } from "../../../upload/reading.ts";

/** The fields of the form about the rest of a batch. */
export const Rest = z
  .object({
    to: z.enum(["DELIVERED", "FAILED"]),
    reason: z.string().trim().max(200, "At most 200 characters").default(""),
    count: z.coerce.number().int(),
  })
  .refine(({ to, reason }) => to === "DELIVERED" || reason !== "", {
    path: ["reason"],
    message: "Tell the buyers why they failed",
  });

export const MEANINGS = {
  delivered: "Delivered",
  failed: "Failed",
  pending: "Still pending",
  note: "Not a result",
} as const;
export type Phrase = { phrase: string; meaning: keyof typeof MEANINGS | null };

/** A line that changes nothing, with the reason. */
export type UnusedLine = { line: number; text: string; message: string };

export type Preview = results.Checked & {
  lines: ResultLine[];
  /** What of the file was not read. */
  notes: string[];
  /** The lines as they were typed, those of the file included. */
  text: string;
  /** What a confirmation repeats, so that only what was seen is saved. */
  seen: string;
  unused: UnusedLine[];
  /** They and the headings above them. */
  unusedText: string;
  /** Texts that are no known result, each once, with what the admin said that it means; null while it is open. */
  phrases: Phrase[];
  /** Orders that are delivered or failed by it. */
  movingCount: number;
  /** It was seen before, or changes nothing. */
  isConfirmed: boolean;
  /** The notice once it is saved. */
  savedText: string;
};

const UNMATCHED = {
  not_in_batch: "no open order of this batch",
  ambiguous: "several orders for this number: give the size as well",
  partly: "not as many lines as its order has bundles",
  conflict: "another line says something else about this number. Which is it?",
  entered: "its result is entered already",
} as const;

/**
 * The results in the form and its file, and what they would do. Throws request.invalid about the field when nothing
 * could be read.
 */
export async function readResults(context: Context, batchId: number): Promise<Preview> {
  const { db, by, form } = context;
  const notes = await addFile(context);
  await addMarks(context, batchId);
  // As a browser sends it again: otherwise what was seen would not be what is saved.
  const text = (form.get("results") ?? "").replace(/\r\n?/g, "\n").replace(/^\n/, "").trimEnd();
  const meanings = meaningsIn(form);
  const read = await resultsOf(text, meanings, by.userId);
  const { lines, problems } = read;
  if (lines.length === 0 && problems.length === 0) {
    const message = "Paste at least one line, or choose a file";
    throw new AppError("request.invalid", { fields: { results: message } }, message);
  }
  const checked = await results.check(db, { by, batchId, lines });
  const movingCount = checked.delivered.length + checked.failed.length;
  const shown = JSON.stringify([text, [...meanings]]);
  const seen = `${movingCount} ${new Bun.CryptoHasher("sha256").update(shown).digest("base64url").slice(0, 22)}`;
  const { unused, unusedText } = unusedOf(text, read, checked);
  const isOnlyPending = movingCount + checked.lost.length === 0 && unused.length === 0;
  return {
    ...checked,
    lines,
    notes,
    text,
    seen,
    unused,
    unusedText,
    phrases: phrasesOf(problems, meanings),
    movingCount,
    isConfirmed: (form.get("seen") === seen && !form.has("check")) || isOnlyPending,
    savedText: savedText(checked, unused.length),
  };
}

/** The lines that change nothing, and their text, which can be read again: with the headings above them. */
function unusedOf(
  text: string,
  { problems, headings }: Results,
  { unmatched }: results.Checked,
): { unused: UnusedLine[]; unusedText: string } {
  const typed = text.split("\n");
  const unused = [
    ...problems.map(({ line, message }) => ({ line, message })),
    ...unmatched.map(({ line, reason }) => ({ line, message: UNMATCHED[reason] })),
  ]
    .toSorted((a, b) => a.line - b.line)
    .map(({ line, message }) => ({ line, message, text: typed[line - 1] ?? "" }));
  const headingOf = (line: number) => headings.findLast((heading) => heading < line);
  const kept = new Set(unused.flatMap(({ line }) => [headingOf(line) ?? line, line]));
  return { unused, unusedText: typed.filter((_, at) => kept.has(at + 1)).join("\n") };
}

const PHRASES_MAX = 200;

/** What the admin said that unclear texts mean: pairs of fields, one for each text. */
function meaningsIn(form: URLSearchParams): Meanings {
  const meanings = form.getAll("meaning");
  const phrases = form.getAll("phrase").slice(0, PHRASES_MAX);
  return new Map(
    phrases.flatMap((phrase, at) => {
      const meaning = meanings[at] ?? "";
      return meaning in MEANINGS ? [[phrase, meaning as keyof typeof MEANINGS] as const] : [];
    }),
  );
}

/** The texts to ask about, each once, and those that were answered. */
function phrasesOf(problems: Results["problems"], meanings: Meanings): Phrase[] {
  const open = new Set(problems.flatMap(({ phrase }) => phrase ?? []));
  return [
    ...[...meanings].map(([phrase, meaning]) => ({ phrase, meaning })),
    ...[...open].map((phrase) => ({ phrase, meaning: null })),
  ].slice(0, PHRASES_MAX);
}

function savedText({ delivered, failed, pending, lost, refundPesewas }: results.Checked, unused: number): string {
  const sentences = [];
  if (delivered.length + failed.length + lost.length > 0) {
    const refund = refundPesewas > 0 ? `, which refunds ${show(refundPesewas)}` : "";
    sentences.push(`Saved: ${delivered.length} delivered, ${failed.length} failed${refund}.`);
  }
  if (lost.length > 0)
    sentences.push(`${lost.length} delivered after the refund: recorded as a loss, see Delivery, Losses.`);
  if (pending.length > 0) sentences.push(pendingText(pending.length));
  if (unused > 0) sentences.push(`${unused === 1 ? "1 line was" : `${unused} lines were`} not used and stands below.`);
  return `${unused > 0 || lost.length > 0 ? "!" : ""}${sentences.join(" ")}`;
}

export function pendingText(count: number): string {
  return count === 1
    ? "1 is still pending and stays in the batch."
    : `${count.toLocaleString("en")} are still pending and stay in the batch.`;
}

/** The notice once the rest of a batch is saved. */
export function restText(
  to: "DELIVERED" | "FAILED",
  { count, waiting }: { count: number; waiting: results.Waiting },
): string {
  const outcome = to === "FAILED" ? "failed and refunded" : "delivered";
  const when = waiting ? `, from ${accraClock(waiting.dueAt)} on unless you undo it` : "";
  return `${count.toLocaleString("en")} ${outcome}${when}.`;
}

/**
 * Appends the lines of the form's file to the pasted ones, so that they can be corrected there. Throws request.invalid
 * about the file when it cannot be read or holds no results. Returns what of it was not read.
 */
async function addFile({ form, files, by }: Context): Promise<string[]> {
  const file = files.get("file");
  if (!file) return [];
  const { read, notes } = await textOfUpload(file, by.userId);
  const text = read.trim();
  const { lines, problems } = await resultsOf(text, new Map(), by.userId);
  if (lines.length === 0 && problems.every(({ phrase }) => phrase === undefined)) {
    const message = /\d{9}/.test(text.replace(/[ -]/g, ""))
      ? NO_RESULTS
      : "There is no column of phone numbers in this file.";
    throw new AppError("request.invalid", { fields: { file: message } }, message);
  }
  const typed = (form.get("results") ?? "").trimEnd();
  form.set("results", typed === "" ? text : `${typed}\n${text}`);
  return notes;
}

/** The field of an order's result in the form. */
export const markField = (orderId: number) => `result.${orderId}`;

/** Appends a line for each order that was marked, so that one text says what is saved. */
async function addMarks({ db, form }: Context, batchId: number): Promise<void> {
  const { orders } = await desk.batch(db, batchId);
  const marked = orders.flatMap((order) => {
    const mark = form.get(markField(order.id));
    form.delete(markField(order.id));
    if (mark !== "delivered" && mark !== "failed") return [];
    const sized = order.volumeMb !== null;
    return linesToSend(order).map(([, number, size]) => [number, ...(sized ? [size] : []), mark].join(","));
  });
  if (marked.length > 0) form.set("results", [form.get("results")?.trimEnd(), ...marked].filter(Boolean).join("\n"));
}

const NO_RESULTS =
  "No line of this file has a phone number and a status: delivered, failed or pending. The columns are number and " +
  "status, then optionally size and reason.";
