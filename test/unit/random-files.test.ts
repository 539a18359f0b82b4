// Files at random, as people and programs write them, each with the truth about it: none is read wrongly without a
// question, and nearly all plain ones without one. TEST_SEED repeats a run.
import { expect, test } from "bun:test";
import { parseBulkLines } from "../../src/shared/bulk-lines.ts";
import { AppError } from "../../src/shared/errors/app-error.ts";
import { linesOfFile } from "../../src/web/upload/bulk-file.ts";
import { type BulkFile, randomBulkFile } from "../office/bulk-files.ts";
import { openRandom } from "../office/random.ts";

const seed = Number(process.env.TEST_SEED ?? Date.now() % 1e6);
const count = Number(process.env.FILES ?? 150);

/** What is wrong about how a file was read, and whether somebody has to answer something. */
async function check(file: BulkFile): Promise<{ wrong: string[]; isAsked: boolean; text: string }> {
  const read = await linesOfFile(file.bytes).catch((error) => {
    if (error instanceof AppError) return error;
    throw error;
  });
  // A refusal says what to do.
  if (read instanceof AppError) return { wrong: [], isAsked: true, text: read.message };
  const lines = parseBulkLines(read.read);
  const isGood = (line: (typeof lines)[number]) => line.problem === null && line.figure === null;
  const good = lines.filter(isGood).map((line) => `${line.msisdn!.slice(3)} ${line.quantity} ${line.sizeMb}`);
  const asked = lines.filter((line) => !isGood(line)).map(({ text }) => text.replace(/[^\d]/g, ""));
  const wanted = file.orders.map((order) => `${order.national} ${order.quantity} ${order.sizeMb}`);
  const wrong = [
    ...good.filter((one) => !wanted.includes(one)).map((one) => `bought, but not ordered: ${one}`),
    ...good
      .filter((one) => file.doubtful.includes(one.split(" ")[0]!))
      .map((one) => `bought without a question: ${one}`),
    ...good.filter((one, at) => good.indexOf(one) !== at).map((one) => `bought twice: ${one}`),
    ...file.orders
      .filter(
        (order, at) => !good.includes(wanted[at]!) && !asked.some((text) => text.includes(order.national)),
      )
      .map((order) => `lost: ${order.national}`),
    ...(file.leavesOut && read.notes.length === 0 ? ["left out without a word"] : []),
  ];
  const isAsked = asked.length > 0 || read.notes.length > 0;
  return { wrong, isAsked, text: [...read.notes, read.read].join("\n") };
}

test(`bulk orders (seed ${seed})`, async () => {
  const random = openRandom(seed);
  const [wrong, asked]: [string[], string[]] = [[], []];
  let plain = 0;
  for (let at = 0; at < count; at++) {
    const file = randomBulkFile(random);
    const found = await check(file);
    if (found.wrong.length > 0) wrong.push(`${at} ${file.name}: ${found.wrong.join("; ")}\n${found.text}`);
    if (file.isPlain) plain += 1;
    if (file.isPlain && found.isAsked) asked.push(`${at} ${file.name}\n${found.text}`);
  }
  if (process.env.SHOW) console.log(asked.slice(0, 40).join("\n\n"));
  console.log(`bulk orders: ${count} files, ${plain} plain, ${asked.length} of them with a question`);
  expect(wrong).toEqual([]);
  expect(asked.length).toBeLessThanOrEqual(plain * 0.1);
});
