// Tests of files at random, as people and programs write them, each with the truth about it: none is read wrongly
// without a question, and nearly all plain ones without one. TEST_SEED repeats a run.
import { expect, test } from "bun:test";
import { AppError } from "../../src/shared/errors/app-error.ts";
import { parseBulkLines } from "../../src/shared/lists/bulk-lines.ts";
import { parseResults } from "../../src/shared/lists/result-lines.ts";
import { cellsOfFile, linesOfFile, textOfFile } from "../../src/web/upload/bulk-file.ts";
import { recognise } from "../../src/web/upload/statements/statement-columns.ts";
import { readLines } from "../../src/web/upload/statements/statement-lines.ts";
import { type BulkFile, randomBulkFile } from "./bulk-files.ts";
import { openRandom, type Random } from "./random.ts";
import { type ResultFile, randomResultFile } from "./result-files.ts";
import { randomStatementFile, type StatementFile } from "./statement-files.ts";

/** What is wrong about how a file was read, and whether somebody has to answer something. */
type Found = { wrong: string[]; hasQuestion: boolean; text: string };

async function checkBulk(file: BulkFile): Promise<Found> {
  const { read, notes } = await linesOfFile(file.bytes);
  const lines = parseBulkLines(read);
  const isGood = (line: (typeof lines)[number]) => line.problem === null && line.figure === null;
  const good = lines.filter(isGood).map((line) => `${line.msisdn!.slice(3)} ${line.quantity} ${line.sizeMb}`);
  const questioned = lines.filter((line) => !isGood(line)).map(({ text }) => text.replace(/[^\d]/g, ""));
  const wanted = file.orders.map((order) => `${order.national} ${order.quantity} ${order.sizeMb}`);
  const isDoubtful = (line: string) => file.doubtful.includes(line.slice(0, 9));
  const wrong = [
    ...good.filter((one) => !wanted.includes(one)).map((one) => `bought, but not ordered: ${one}`),
    ...good.filter(isDoubtful).map((one) => `bought without a question: ${one}`),
    ...good.filter((one, at) => good.indexOf(one) !== at).map((one) => `bought twice: ${one}`),
    ...file.orders
      .filter(({ national }, at) => !good.includes(wanted[at]!) && !questioned.some((it) => it.includes(national)))
      .map(({ national }) => `lost: ${national}`),
    ...(file.leavesOut && notes.length === 0 ? ["left out without a word"] : []),
  ];
  return { wrong, hasQuestion: questioned.length + notes.length > 0, text: [...notes, read].join("\n") };
}

async function checkResults(file: ResultFile): Promise<Found> {
  const { read, notes } = await textOfFile(file.bytes);
  const { lines, problems } = parseResults(read);
  const outcomesOf = (national: string) =>
    lines.filter(({ msisdn }) => msisdn.endsWith(national)).map(({ outcome }) => outcome);
  const wrong = lines.flatMap(({ msisdn }) => (file.outcomes.has(msisdn.slice(3)) ? [] : [`not there: ${msisdn}`]));
  let missing = 0;
  for (const [national, outcome] of file.outcomes) {
    const found = new Set(outcomesOf(national));
    // Lines of one number that contradict each other are both unused when they are saved.
    if (found.size === 1 && !found.has(outcome!)) wrong.push(`${national} is ${outcome}, not ${[...found][0]}`);
    if (found.size === 0) missing += 1;
  }
  if (missing > problems.length) wrong.push(`${missing} numbers are lost, ${problems.length} have a problem`);
  if (file.leavesOut && notes.length === 0) wrong.push("left out without a word");
  const text = [...notes, read, ...problems.map(({ message }) => message)].join("\n");
  return { wrong, hasQuestion: problems.length + notes.length > 0, text };
}

async function checkStatement(file: StatementFile): Promise<Found> {
  const { read: cells, notes } = await cellsOfFile(file.bytes);
  const { headingRow, mapping } = recognise(cells);
  const read = readLines(cells, headingRow, mapping, { isAllIn: false, dateOrder: null });
  const lines = read.lines.map((it) => `${it.transactionId} ${it.direction} ${it.amountPesewas}`);
  const wanted = file.movements.map((it) => `${it.id} ${it.direction} ${it.pesewas}`);
  const lost = wanted.filter((one) => !lines.includes(one));
  const wrong = [
    ...lines.filter((one) => !wanted.includes(one)).map((one) => `not there: ${one}`),
    ...lines.filter((one) => file.doubtful.includes(one.split(" ")[0]!)).map((one) => `credited: ${one}`),
    ...(lost.length > read.problems.length ? [`lost: ${lost.join(", ")}`] : []),
    ...(file.leavesOut && notes.length === 0 ? ["left out without a word"] : []),
  ];
  const text = [...notes, ...cells.map((row) => row.join(" | ")), ...read.problems, ...read.undated].join("\n");
  return { wrong, hasQuestion: read.problems.length + read.undated.length + notes.length > 0, text };
}

type Kind<F> = [name: string, share: number, make: (random: Random) => F, check: (file: F) => Promise<Found>];
const kinds = [
  ["bulk orders", 0.6, randomBulkFile, checkBulk] satisfies Kind<BulkFile>,
  ["results of a batch", 0.2, randomResultFile, checkResults] satisfies Kind<ResultFile>,
  ["statements", 0.2, randomStatementFile, checkStatement] satisfies Kind<StatementFile>,
] as unknown as Kind<{ name: string; bytes: Uint8Array; isPlain: boolean }>[];

/** Tests so many files: about 60% bulk orders, 20% results and 20% statements. */
export function testFiles(files: number): void {
  const seed = Number(process.env.TEST_SEED ?? Date.now() % 1e6);
  test.each(kinds)(`%s are never read wrongly, and plain ones without a question (seed ${seed})`, async (...kind) => {
    const [name, share, make, check] = kind;
    const random = openRandom(seed);
    const [wrong, questioned]: [string[], string[]] = [[], []];
    const count = Math.round(files * share);
    let plain = 0;
    for (let at = 0; at < count; at++) {
      const file = make(random);
      const found = await check(file).catch(refusal);
      const about = `${at} ${file.name}\n${found.text}`;
      if (found.wrong.length > 0) wrong.push(`${found.wrong.join("; ")} in ${about}`);
      if (file.isPlain) plain += 1;
      if (file.isPlain && found.hasQuestion) questioned.push(about);
    }
    process.stdout.write(`${count} ${name}, ${plain} of them plain, ${questioned.length} of these with a question\n`);
    expect(wrong).toEqual([]);
    if (questioned.length > plain * 0.1) expect(questioned.slice(0, 5)).toEqual([]);
  });
}

/** A file that is refused is not read wrongly: its refusal says what to do. */
function refusal(error: unknown): Found {
  if (!(error instanceof AppError)) throw error;
  return { wrong: [], hasQuestion: true, text: error.message };
}
