// Tests of the dependencies' licences: every installed package has one that only requires attribution. `bun run
// licences` runs this file alone.
import { expect, test } from "bun:test";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

const MODULES = join(import.meta.dir, "../../node_modules");
const ALLOWED = new Set([
  "MIT",
  "MIT-0",
  "ISC",
  "0BSD",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "Apache-2.0",
  "Unlicense",
  "BlueOak-1.0.0",
  "PSF-2.0",
  // The same terms under the older name.
  "Python-2.0",
  // For data, such as a table of browsers.
  "CC-BY-4.0",
]);
/** It only inspects our pages in tests: nothing of it is distributed, so its file-level copyleft is observed. */
const ONLY_IN_TESTS: Record<string, string> = { "axe-core": "MPL-2.0" };

type Package = { name: string; version: string; license?: unknown; licenses?: unknown };

test("every installed package has a licence that is allowed", () => {
  const packages = installed(MODULES);
  expect(packages.length).toBeGreaterThan(50);
  const refused = packages.filter((one) => !isAllowed(one)).map((one) => `${one.name}: ${licenceOf(one)}`);
  expect(refused).toEqual([]);
});

test("a package for tests only is a development dependency", () => {
  const own = JSON.parse(readFileSync(join(MODULES, "../package.json"), "utf8"));
  for (const name of Object.keys(ONLY_IN_TESTS))
    expect([name, name in own.devDependencies, name in own.dependencies]).toEqual([name, true, false]);
});

test("one of alternative licences is enough, and of combined ones each must be allowed", () => {
  const judged = (license: unknown) => isAllowed({ name: "x", version: "1.0.0", license });
  expect(["MIT", "(MIT OR GPL-3.0)", "MIT AND ISC"].map(judged)).toEqual([true, true, true]);
  expect(["GPL-3.0", "MIT AND GPL-3.0", "SEE LICENSE IN x", undefined, ""].map(judged)).toEqual(Array(5).fill(false));
});

function isAllowed(one: Package): boolean {
  const licence = licenceOf(one);
  if (ONLY_IN_TESTS[one.name] === licence) return true;
  const anyOf = licence.replace(/[()]/g, "").split(" OR ");
  return anyOf.some((choice) => choice.split(" AND ").every((name) => ALLOWED.has(name)));
}

/** An SPDX expression, or in old packages an object or a list of them. */
function licenceOf({ license, licenses }: Package): string {
  const named = (value: unknown) =>
    typeof value === "string" ? value : ((value as { type?: string } | null)?.type ?? "");
  return Array.isArray(licenses) ? licenses.map(named).join(" OR ") : named(license ?? licenses);
}

/** The packages in this folder, scoped and nested ones included. */
function installed(folder: string): Package[] {
  return entriesOf(folder).flatMap((name) => {
    const path = join(folder, name);
    if (name.startsWith("@")) return installed(path);
    const own = readPackage(path);
    return [...(own ? [own] : []), ...installed(join(path, "node_modules"))];
  });
}

function entriesOf(folder: string): string[] {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return [];
  return readdirSync(folder).filter((name) => !name.startsWith("."));
}

function readPackage(folder: string): Package | null {
  const file = join(folder, "package.json");
  return statSync(file, { throwIfNoEntry: false }) ? JSON.parse(readFileSync(file, "utf8")) : null;
}
