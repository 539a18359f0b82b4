// Tests of the decisions: each has its line in the index, and each finding's row names tests that exist, by their files
// and titles of today.
import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { decisionFiles, filesIn, read } from "./source.ts";

const rows = (await read("docs/decisions/findings.md")).split("\n").filter((line) => line.startsWith("| "));
const guards = rows.map((row) => row.split(" | ").at(-1)!);

test("every decision has a line in the index, and every line its decision", async () => {
  const index = await read("DECISIONS.md");
  const listed = [...index.matchAll(/^- (\d+)\. \[(.+)\]\((docs[^#]+)#/gm)].map(([, n, title, file]) => [
    file,
    `${n}. ${title}`,
  ]);
  const decided = (
    await Promise.all(
      decisionFiles().map(async (file) => {
        const titles = (await read(file)).matchAll(/^## (\d+\. .+)$/gm);
        return [...titles].map(([, title]) => [file, title!]);
      }),
    )
  ).flat();
  expect(decided.length).toBeGreaterThan(150);
  expect(listed.map(String).sort()).toEqual(decided.map(String).sort());
  expect(new Set(decided.map(([, title]) => title!.split(".")[0])).size).toBe(decided.length);
});

test("every test file that a row names exists", () => {
  const named = guards.flatMap((guard) => guard.match(/\btest\/[\w/.-]+\.tsx?/g) ?? []);
  expect(named.length).toBeGreaterThan(100);
  expect(named.filter((path) => !existsSync(path))).toEqual([]);
});

test("every title that a row quotes is a test's, as far as it is quoted", async () => {
  const tests = (await Promise.all(filesIn("test").map(read))).join("\n");
  const quoted = guards.flatMap((guard) => [...guard.matchAll(/"([^"]+)"/g)].map(([, title]) => title!));
  expect(quoted.length).toBeGreaterThan(100);
  expect(quoted.filter((title) => !piecesOf(title).every((piece) => tests.includes(piece)))).toEqual([]);
});

/** A group and its test stand beside each other with ">", and "…" leaves something out. */
function piecesOf(title: string): string[] {
  return title
    .split(/ > |…/)
    .map((piece) => piece.trim())
    .filter((piece) => piece !== "");
}
