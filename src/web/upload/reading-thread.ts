// Worker thread that reads uploads: files, pasted lists, results. Started by reading.ts. It holds no connection and no
// secret, and may be terminated at any moment.

import { limits } from "../../shared/domain.ts";
import { AppError, type ErrorDetails } from "../../shared/errors/app-error.ts";
import { parseBulkLines } from "../../shared/lists/bulk-lines.ts";
import { parseResults } from "../../shared/lists/result-lines.ts";
import { setOperators } from "../../shared/operators.ts";
import { cellsOfFile, linesOfFile, textOfFile } from "./bulk-file.ts";
import { parseContacts } from "./contacts/contact-lines.ts";
import type { Message, Task } from "./reading.ts";
import { rowsOfMessages } from "./statements/momo-messages.ts";

declare const self: Worker;

/** A task's result, or the reason for its refusal. */
export type Reply = { value: unknown } | { refused: { message: string; details: ErrorDetails | undefined } };

self.onmessage = async ({ data }: MessageEvent<Message>) => {
  setOperators(data.operators);
  self.postMessage(await perform(data.task));
};

async function perform(task: Task): Promise<Reply> {
  try {
    return { value: await work(task) };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { refused: { message: error.message, details: error.details } };
  }
}

export function work(task: Task): unknown {
  switch (task.kind) {
    case "lines":
      return linesOfFile(task.bytes);
    case "text":
      return textOfFile(task.bytes);
    case "cells":
      return cellsOfFile(task.bytes);
    case "messages":
      return rowsOfMessages(task.text, task.network);
    case "bulk":
      return parseBulkLines(task.text, limits.bulkLines);
    case "results":
      return parseResults(task.text, task.meanings);
    case "contacts":
      return parseContacts(...task.texts);
  }
}
