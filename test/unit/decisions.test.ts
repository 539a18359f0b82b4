// Tests of DECISIONS.md: each finding's row names tests that exist, by their files and titles of today.
import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { filesIn, read } from "./source.ts";

const rows = (await read("DECISIONS.md")).split("\n").filter((line) => line.startsWith("| "));
const guards = rows.map((row) => row.split(" | ").at(-1)!);

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
