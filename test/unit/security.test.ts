// What docs/security.md says is there, and the rules of it that the source itself shows.
import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { filesIn, read } from "./source.ts";

const page = await read("docs/security.md");
const sections = page.split(/^## /m);
const section = (name: string) => sections.find((one) => one.startsWith(name))!;

test("every file that the page on security names is there", () => {
  const named = [...page.matchAll(/`((?:test|src|db|docs)\/[^`]*|\.env\.example|bun\.lock)`/g)].map(
    ([, path]) => path!,
  );
  expect(named.length).toBeGreaterThan(100);
  expect(named.filter((path) => !existsSync(path))).toEqual([]);
});

test("every chapter of the ASVS and every risk of the API Top 10 stands on it", () => {
  for (let n = 1; n <= 17; n++) expect(section("ASVS 5.0")).toMatch(new RegExp(`^### V${n} `, "m"));
  for (let n = 1; n <= 10; n++) expect(section("API Security")).toContain(`| API${n} `);
});

test("a row that says a requirement is met names a test, or that nobody but a reader saw it", () => {
  const rows = [section("ASVS 5.0"), section("API Security")]
    .flatMap((text) => text.split("\n"))
    .filter((line) => /^\| (\d|API\d)/.test(line));
  expect(rows.length).toBeGreaterThan(80);
  expect(rows.filter((row) => !/`test\/[^`]+`|by review/.test(row.split("|").at(-2)!))).toEqual([]);
});

test("nothing is both met and not met", () => {
  const rows = (text: string) => text.split("\n").flatMap((line) => /^\| (\d[^|]*)\|/.exec(line)?.[1] ?? []);
  const missing = new Set(rows(section("Not met")).flatMap(requirementsIn));
  expect(missing.size).toBeGreaterThan(20);
  const met = rows(section("ASVS 5.0")).flatMap(requirementsIn);
  expect(met.filter((one) => missing.has(one))).toEqual([]);
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

test("only gateways call the world outside, and none of them follows a redirect", async () => {
  const calls: string[] = [];
  for (const file of filesIn("src"))
    for (const [call] of (await read(file)).matchAll(/(?<![\w.])fetch\([\s\S]{0,600}?\}\);/g))
      calls.push(`${file}: ${/redirect: "(error|manual)"/.test(call) ? "no redirects" : "follows"}`);
  // The simulators of a shop for trying out are on this machine.
  expect(calls.filter((call) => !call.startsWith("src/simulators.ts"))).toEqual([
    "src/gateways/hooks.ts: no redirects",
    "src/gateways/paystack.ts: no redirects",
    "src/gateways/vendors/call.ts: no redirects",
  ]);
});

test("the server runs no command and no text as code for anybody", async () => {
  // The simulators of a shop for trying out are processes of their own, started before anybody can ask for anything.
  for (const file of filesIn("src").filter((one) => one !== "src/simulators.ts")) {
    const source = await read(file);
    expect([file, /\beval\(|new Function\(|child_process|Bun\.spawn|Bun\.\$/.test(source)]).toEqual([
      file,
      false,
    ]);
  }
});
