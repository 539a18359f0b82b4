// Tests of docs/security.md: the files that it names exist, and the source follows its rules.
import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { filesIn, read } from "./source.ts";

const page = await read("docs/security.md");
const sections = page.split(/^## /m);
const section = (name: string) => sections.find((one) => one.startsWith(name))!;

test("every file that the page names exists", () => {
  const named = [...page.matchAll(/`((?:test|src|db|docs)\/[^`]*|\.env\.example|bun\.lock)`/g)].map(
    ([, path]) => path!,
  );
  expect(named.length).toBeGreaterThan(100);
  expect(named.filter((path) => !existsSync(path))).toEqual([]);
});

test("the page has every chapter of the ASVS and every risk of the API Top 10", () => {
  for (let n = 1; n <= 17; n++) expect(section("ASVS 5.0")).toMatch(new RegExp(`^### V${n} `, "m"));
  for (let n = 1; n <= 10; n++) expect(section("API Security")).toContain(`| API${n} `);
});

test("each requirement that is met names a test, or is marked as met by review", () => {
  const rows = [section("ASVS 5.0"), section("API Security")]
    .flatMap((text) => text.split("\n"))
    .filter((line) => /^\| (\d|API\d)/.test(line));
  expect(rows.length).toBeGreaterThan(80);
  expect(rows.filter((row) => !/`test\/[^`]+`|by review/.test(row.split("|").at(-2)!))).toEqual([]);
});

test("no requirement is both met and not met", () => {
  const rows = (text: string) => text.split("\n").flatMap((line) => /^\| (\d[^|]*)\|/.exec(line)?.[1] ?? []);
  const missing = new Set(rows(section("Not met")).flatMap(requirementsIn));
  expect(missing.size).toBeGreaterThan(20);
  const met = rows(section("ASVS 5.0")).flatMap(requirementsIn);
  expect(met.filter((one) => missing.has(one))).toEqual([]);
});

/** The requirements of ASVS 5.0.0, levels 1 and 2: chapter, section, and numbers. */
const LEVELS_1_AND_2 = `
  1.1.1-2 1.2.1-9 1.3.1-11 1.4.1-3 1.5.1-2 2.1.1-3 2.2.1-3 2.3.1-4 2.4.1-1 3.2.1-2 3.3.1-4 3.4.1-6 3.5.1-5 3.7.1-2
  4.1.1-3 4.2.1-1 4.3.1-2 4.4.1-4 5.1.1-1 5.2.1-3 5.3.1-2 5.4.1-3 6.1.1-3 6.2.1-12 6.3.1-4 6.4.1-4 6.5.1-5 6.6.1-3
  6.8.1-4 7.1.1-3 7.2.1-4 7.3.1-2 7.4.1-5 7.5.1-2 7.6.1-2 8.1.1-2 8.2.1-3 8.3.1-1 8.4.1-1 9.1.1-3 9.2.1-4 10.1.1-2
  10.2.1-2 10.3.1-4 10.4.1-11 10.5.1-5 10.6.1-2 10.7.1-3 11.1.1-2 11.2.1-3 11.3.1-3 11.4.1-4 11.5.1-1 11.6.1-1
  12.1.1-3 12.2.1-2 12.3.1-4 13.1.1-1 13.2.1-5 13.3.1-2 13.4.1-5 14.1.1-2 14.2.1-4 14.3.1-3 15.1.1-3 15.2.1-3
  15.3.1-7 16.1.1-1 16.2.1-5 16.3.1-4 16.4.1-3 16.5.1-3 17.1.1-1 17.2.1-4 17.3.1-2`
  .trim()
  .split(/\s+/)
  .flatMap((range) => requirementsIn(range.replace(/(\d+\.\d+\.)(\d+)-(\d+)/, "$1$2 to $1$3")));

test("every requirement of levels 1 and 2 is met, not met, or explained as not applicable", () => {
  expect(LEVELS_1_AND_2).toHaveLength(253);
  const spokenOf = new Set(
    [...page.matchAll(/\d+\.\d+\.\d+(?: to \d+\.\d+\.\d+)?/g)].flatMap(([range]) => requirementsIn(range)),
  );
  // A whole section or chapter: "No GraphQL (4.3)", "### V17 WebRTC" and "None."
  const left = new Set([...page.matchAll(/\((\d+\.\d+)\)/g)].map(([, name]) => name));
  for (const [, chapter] of page.matchAll(/^### V(\d+) [^\n]*\n\nNone\./gm)) left.add(chapter!);
  const isLeft = (one: string) => left.has(one.split(".")[0]!) || left.has(one.replace(/\.\d+$/, ""));
  expect(LEVELS_1_AND_2.filter((one) => !spokenOf.has(one) && !isLeft(one))).toEqual([]);
});

/** "7.2.1 to 7.2.3, 7.3.2 (why)": 7.2.1, 7.2.2, 7.2.3 and 7.3.2. */
function requirementsIn(cell: string): string[] {
  return cell.split(",").flatMap((part) => {
    const [first, last] = part.match(/\d+\.\d+\.\d+/g) ?? [];
    if (!first) return [];
    const [head, from] = [first.replace(/\d+$/, ""), Number(first.split(".")[2])];
    const to = last ? Number(last.split(".")[2]) : from;
    return Array.from({ length: to - from + 1 }, (_, n) => `${head}${from + n}`);
  });
}

test("only gateways call other servers, and none of them follows a redirect", async () => {
  const calls: string[] = [];
  for (const file of filesIn("src", "channels"))
    for (const [call] of (await read(file)).matchAll(/(?<![\w.])fetch\([\s\S]{0,600}?\}\);/g))
      calls.push(`${file}: ${/redirect: "(error|manual)"/.test(call) ? "no redirects" : "follows"}`);
  // A development shop's simulators run on the same computer.
  expect(calls.filter((call) => !call.startsWith("src/app/simulators.ts"))).toEqual([
    "src/gateways/paystack.ts: no redirects",
    "src/gateways/vendors/call.ts: no redirects",
    "src/gateways/webhooks.ts: no redirects",
  ]);
});

test("the server runs no command, and no text as code", async () => {
  // A development shop's simulators and its sandbox are separate processes, whose commands have nothing of a request.
  const starters = ["src/app/simulators.ts", "src/app/sandbox.ts"];
  for (const file of filesIn("src", "channels").filter((one) => !starters.includes(one))) {
    const source = await read(file);
    expect([file, /\beval\(|new Function\(|child_process|Bun\.spawn|Bun\.\$/.test(source)]).toEqual([file, false]);
  }
});
