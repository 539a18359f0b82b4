// Tests of the threads that read uploads: their number, the queue, the limit per account, and the timeout.
import { afterAll, describe, expect, test } from "bun:test";
import { AppError } from "../../src/shared/errors/app-error.ts";
import { bulkLinesOf, openReadingRoom, type ReadingLimits, type Task } from "../../src/web/upload/reading.ts";

const rooms: ReturnType<typeof openReadingRoom>[] = [];
const open = (limits: Partial<ReadingLimits> = {}) => {
  const room = openReadingRoom(limits);
  rooms.push(room);
  return room;
};
afterAll(() => {
  for (const room of rooms) room.close();
});
const file = (text: string): Task => ({ kind: "lines", bytes: Buffer.from(text) });
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => "read",
    (error: unknown) => {
      if (error instanceof AppError) return error.code;
      throw error;
    },
  );

test("a file, a text and results are read in a thread, one after the other", async () => {
  const room = open({ threads: 1 });
  expect(await room.read(file("Phone,GB\n0241234567,5"), 1)).toEqual({
    read: "0241234567 5GB",
    notes: [],
  });
  expect(await room.read({ kind: "text", bytes: Buffer.from("0241234567,delivered") }, 1)).toEqual({
    read: "0241234567,delivered",
    notes: [],
  });
  expect(await room.read({ kind: "bulk", text: "0241234567" }, 1)).toMatchObject([{ msisdn: "233241234567" }]);
  const meanings = new Map([["livré", "delivered"]] as const);
  expect(await room.read({ kind: "results", text: "0241234567 livré", meanings }, 1)).toMatchObject({
    lines: [{ outcome: "delivered" }],
  });
});

test("a long text is read in a thread, with the same result as a short one", async () => {
  const line = "Kofi 0241234567,2";
  const [short] = await bulkLinesOf(line, 1);
  const long = await bulkLinesOf(Array.from({ length: 2_000 }, () => line).join("\n"), 1);
  expect([long.length, { ...long[1_999], line: 1 }]).toEqual([2_000, short!]);
});

test("a file that cannot be read is refused with the usual message", async () => {
  const refused = await open()
    .read(file("%PDF-1.7 123"), 1)
    .catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(AppError);
  expect((refused as AppError).details?.fields).toEqual({
    file: "Choose an Excel (.xlsx or .xls), CSV or text file.",
  });
});

describe("there is a limit", () => {
  test("on the queue, beyond which the shop is busy", async () => {
    const room = open({ threads: 1, waiting: 1 });
    const codes = await Promise.all([1, 2, 3].map((owner) => codeOf(room.read(file("0241234567"), owner))));
    expect(codes).toEqual(["read", "read", "bulk.reader_busy"]);
    expect(await codeOf(room.read(file("0241234567"), 4))).toBe("read");
  });

  test("for each account, so that nobody takes all places", async () => {
    const room = open({ threads: 1, perOwner: 1 });
    const codes = await Promise.all([1, 1, 2].map((owner) => codeOf(room.read(file("0241234567"), owner))));
    expect(codes).toEqual(["read", "request.rate_limited", "read"]);
  });

  test("on memory, beyond which the thread is ended and the list refused", async () => {
    // Far more work than the interval at which memory is looked at.
    const long = file("phone,size\n".concat("0241234567,5GB\n".repeat(130_000)));
    const refused = await open({ threads: 1, taskBytes: Number.NEGATIVE_INFINITY })
      .read(long, 1)
      .catch((error: unknown) => error);
    expect((refused as AppError).details?.fields?.file).toContain("takes too long to read");
  });

  test("on time, after which the thread is ended, the list refused, and the next one read", async () => {
    const hasty = open({ threads: 1, taskMs: 0 });
    const refused = await hasty.read(file("0241234567"), 1).catch((error: unknown) => error);
    expect((refused as AppError).details?.fields?.file).toContain("takes too long to read");
    expect(await codeOf(open({ threads: 1 }).read(file("0241234567"), 1))).toBe("read");
  });
});
