// Tests of the mutation run itself: a planted change that a test notices, one that no test notices, one that no test
// reaches, and one that never ends.
import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { instrument, type Mutant } from "./instrument.ts";
import { apart, type Baseline, judge, measureBaseline, type Verdict } from "./run.ts";
import { mutantsOfSql } from "./sql.ts";

const folder = mkdtempSync(join(tmpdir(), "datafie-mutation-"));
afterAll(() => rmSync(folder, { recursive: true }));

const SOURCE = `
export function feeOf(amount: number): number {
  return amount > 100 ? amount * 2 : 0;
}
export function countDown(from: number): number {
  let n = from;
  while (n > 0) n -= 1;
  return n;
}
export const words = (isOn: boolean) => (isOn ? "on" : "off");
`;
/** Does not test exactly 100, nor texts. */
const TEST = `
import { expect, test } from "bun:test";
import { countDown, feeOf } from "../src/fees.ts";
test("fees", () => expect([feeOf(50), feeOf(200)]).toEqual([0, 400]));
test("ends", () => expect(countDown(3)).toBe(0));
`;

test("a change that a test notices is killed, an unnoticed one survives, an unreached one is reported", async () => {
  const [root, tree] = [join(folder, "root"), join(folder, "tree")];
  await Bun.write(join(root, "src/fees.ts"), SOURCE);
  await Bun.write(join(root, "test/fees.test.ts"), TEST);
  const mutants = await instrument(root, tree, ["src/fees.ts"]);
  const planted = [
    find(mutants, "amount > 100", "true"),
    find(mutants, "amount > 100", "amount >= 100"),
    find(mutants, '"off"', '""'),
    find(mutants, "n -= 1", "n += 1"),
  ];
  const verdicts = await verdictsOn(tree, planted);
  expect(verdicts).toEqual(["killed", "survived", "unreached", "timeout"]);
});

test("mutants that could interfere never run together", () => {
  const at = (file: string, line: number) => ({ id: `${file}${line}`, file, line }) as Mutant;
  const groups = apart([at("a", 1), at("a", 20), at("b", 1), at("a", 90)]);
  expect(groups.map((group) => group.map(({ id }) => id))).toEqual([["a1", "b1", "a90"], ["a20"]]);
});

test("SQL is changed in its rules, and not in comments or elsewhere", () => {
  expect(mutantsOfSql("where a < 1 and b is null for update")).toEqual([
    "where a < 1 or b is null for update",
    "where a <= 1 and b is null for update",
    "where a < 1 and b is not null for update",
    "where a < 1 and b is null ",
  ]);
  expect(mutantsOfSql("-- this and that\nwhere a between 1 and 2")).toEqual([]);
});

function find(mutants: Mutant[], original: string, replacement: string): Mutant {
  const found = mutants.find((one) => one.original === original && one.replacement === replacement);
  expect([original, replacement, found !== undefined]).toEqual([original, replacement, true]);
  return found!;
}

async function verdictsOn(tree: string, mutants: Mutant[]): Promise<string[]> {
  const bench = { tree, concurrency: 1, slackMs: 5_000, tidyUp: async () => {}, progress: () => {} };
  const baselines = new Map<string, Baseline>();
  await measureBaseline(bench, ["test/fees.test.ts"], async (file, baseline) => {
    baselines.set(file, baseline);
  });
  const verdicts = new Map<string, Verdict>();
  await judge(bench, mutants, baselines, {
    passed: new Map(),
    keep: async ({ id }, verdict) => void verdicts.set(id, verdict),
    pass: async () => {},
  });
  return mutants.map(({ id }) => verdicts.get(id)!.status);
}
