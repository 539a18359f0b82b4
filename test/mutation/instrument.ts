// Instrumentation: a copy of the project in which every mutant of some files is behind a switch, by Stryker's
// instrumenter.
import { cp, mkdir, rm, symlink } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { Instrumenter } from "@stryker-mutator/instrumenter";
import { isSql, mutantsOfSql } from "./sql.ts";

export type Mutant = {
  id: string;
  file: string;
  line: number;
  kind: string;
  original: string;
  replacement: string;
};

const COPIED = ["src", "channels", "dev", "db", "islands", "public", "test", "docs", "patches"];
const COPIED_FILES = ["package.json", "bunfig.toml", "tsconfig.json", "bun.lock", "README.md"];
const SWITCH = "src/shared/mutation-switch.ts";

/** Copies the project at `root` to `tree` and instruments these files of it; returns the mutants worth running. */
export async function instrument(root: string, tree: string, files: string[]): Promise<Mutant[]> {
  for (const name of COPIED) {
    await rm(join(tree, name), { recursive: true, force: true });
    if (await exists(join(root, name))) await cp(join(root, name), join(tree, name), { recursive: true });
  }
  for (const name of COPIED_FILES) if (await exists(join(root, name))) await cp(join(root, name), join(tree, name));
  await rm(join(tree, "node_modules"), { force: true });
  await symlink(join(import.meta.dir, "../../node_modules"), join(tree, "node_modules"));
  await mkdir(dirname(join(tree, SWITCH)), { recursive: true });
  await cp(join(import.meta.dir, "switch.ts"), join(tree, SWITCH));

  const sources = await Promise.all(
    files.map(async (name) => ({ name, mutate: true, content: await Bun.file(join(root, name)).text() })),
  );
  const { mutants, files: written } = await (await openInstrumenter()).instrument(sources, OPTIONS);
  for (const { name, content } of written) {
    const path = relative(dirname(name), SWITCH);
    const from = path.startsWith(".") ? path : `./${path}`;
    const head = `import { isActive as stryMutAct_9fa48, cover as stryCov_9fa48 } from "${from}";\n`;
    await Bun.write(join(tree, name), head + content);
  }
  const textOf = new Map(sources.map(({ name, content }) => [name, content]));
  return mutants
    .filter(({ fileName, location, mutatorName }) => {
      const { before, text } = pieceOf(textOf.get(fileName)!, location);
      return mutatorName !== "StringLiteral" || !isNoise(before, text);
    })
    .map(({ id, fileName, location, mutatorName: kind, replacement = "" }) => {
      const { text: original } = pieceOf(textOf.get(fileName)!, location);
      return { id, file: fileName, kind, ...changeOf(original, replacement, location.start.line + 1) };
    });
}

/** The switch replaces Stryker's own header, so that several mutants can be on at once. */
const OPTIONS = { plugins: null, excludedMutations: [], ignorers: [], noHeader: true };

/**
 * Texts for people (with a space beside a letter, and no SQL) say nothing about a rule, and an emptied statement is
 * certainly an error.
 */
function isNoise(before: string, text: string): boolean {
  const inner = text.slice(1, -1);
  const isTagged = /\bsql(?:<.*>)?$|\$client(?:<.*>)?$/.test(before);
  return isTagged || isSql(null, inner) || /[a-z,.:] |\n| [a-z]/i.test(inner);
}

type Place = Record<"start" | "end", { line: number; column: number }>;

/** A piece of a text, and what precedes it on its line. */
function pieceOf(source: string, { start, end }: Place): { before: string; text: string } {
  const lines = source.split("\n").slice(start.line, end.line + 1);
  const before = lines[0]!.slice(0, start.column);
  lines[lines.length - 1] = lines.at(-1)!.slice(0, end.column);
  lines[0] = lines[0]!.slice(start.column);
  return { before, text: lines.join("\n") };
}

/** For a long text with one change, such as a statement: the surrounding words and the line. */
function changeOf(original: string, replacement: string, line: number) {
  if (original.length < 80) return { original, replacement, line };
  let [head, tail] = [0, 0];
  while (head < replacement.length && original[head] === replacement[head]) head++;
  while (tail < replacement.length - head && original.at(-1 - tail) === replacement.at(-1 - tail)) tail++;
  const from = Math.max(0, head - 30);
  const around = (text: string) => text.slice(from, Math.max(head, text.length - tail) + 30);
  const lines = original.slice(0, head).split("\n").length - 1;
  return { original: around(original), replacement: around(replacement), line: line + lines };
}

/** Stryker's own mutators and one for SQL, for which it has no other extension point. */
async function openInstrumenter(): Promise<Instrumenter> {
  const own = (path: string) => import(new URL(path, import.meta.resolve("@stryker-mutator/instrumenter")).href);
  const [{ transformBabel }, { allMutators }, { deepCloneNode }] = await Promise.all([
    own("transformers/babel-transformer.js"),
    own("mutators/index.js"),
    own("util/syntax-helpers.js"),
  ]);
  const mutators = [...allMutators, sqlMutator(deepCloneNode)];
  const transform = (ast: unknown, collector: unknown, context: unknown) =>
    transformBabel(ast, collector, context, mutators);
  const quiet = () => {};
  const logger = { debug: quiet, info: quiet, warn: quiet, isDebugEnabled: () => false };
  return new Instrumenter(logger as never, undefined, undefined, transform as never);
}

type Template = {
  quasis: { value: { raw: string } }[];
};
type Path = {
  isTemplateLiteral: () => boolean;
  node: Template;
  parentPath: { node: { tag?: { name?: string; property?: { name?: string } } } } | null;
};

function sqlMutator(clone: (node: Template) => Template) {
  return {
    name: "SQL",
    *mutate(path: Path) {
      if (!path.isTemplateLiteral()) return;
      const tag = path.parentPath?.node.tag;
      if (!isSql(tag?.name ?? tag?.property?.name ?? null, path.node.quasis[0]!.value.raw)) return;
      for (const [i, { value }] of path.node.quasis.entries()) {
        for (const raw of mutantsOfSql(value.raw)) {
          const mutated = clone(path.node);
          mutated.quasis[i]!.value = { raw };
          yield mutated;
        }
      }
    },
  };
}

const exists = (path: string) =>
  Bun.file(path)
    .stat()
    .then(
      () => true,
      () => false,
    );
