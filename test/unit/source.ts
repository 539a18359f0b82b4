// The project's source files, for tests of its structure.
import { join, relative } from "node:path";

export const root = join(import.meta.dir, "../..");

/** The paths of the source files below these folders, relative to the project. */
export function filesIn(...folders: string[]): string[] {
  return folders
    .flatMap((folder) => [...new Bun.Glob(`${folder}/**/*.{ts,tsx}`).scanSync({ cwd: root })])
    .map((path) => relative(root, join(root, path)))
    .sort();
}

export function read(path: string): Promise<string> {
  return Bun.file(join(root, path)).text();
}

/** A piece of a source file: code outside quotes, a comment, or the text of a string. `line` counts from 1. */
export type Piece = { kind: "code" | "comment" | "string"; line: number; text: string };

const QUOTED = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/;
const COMMENT = /\/\/.*|\/\*[\s\S]*?\*\//;
/** A regular expression, which only occurs where a value may begin. */
const PATTERN = /(?<=(?:[=(,:[!&|?{};>]|\breturn)\s*)\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/;
const TOKEN = new RegExp(`${COMMENT.source}|${QUOTED.source}|${PATTERN.source}|[\`{}]`, "g");

/** Splits a source file. Templates count as strings, their expressions as code; regular expressions are left out. */
export function piecesOf(source: string): Piece[] {
  const pieces: Piece[] = [];
  const add = (kind: Piece["kind"], from: number, to: number) => {
    const text = source.slice(from, to);
    if (text.trim() !== "") pieces.push({ kind, line: source.slice(0, from).split("\n").length, text });
  };
  /** The open braces, of the file and of each template's expression; an expression ends with the brace after 0. */
  const depths = [1];
  const endOfText = (from: number) => {
    let at = from;
    while (at < source.length && source[at] !== "`" && !source.startsWith("${", at)) at += source[at] === "\\" ? 2 : 1;
    add("string", from, at);
    if (source[at] === "`") return at + 1;
    depths.push(0);
    return at + 2;
  };
  let from = 0;
  const tokens = new RegExp(TOKEN);
  for (let found = tokens.exec(source); found; found = tokens.exec(source)) {
    const { 0: token, index } = found;
    const endsExpression = token === "}" && depths.at(-1) === 0;
    if (token === "{" || (token === "}" && !endsExpression)) {
      depths[depths.length - 1]! += token === "{" ? 1 : -1;
      continue;
    }
    add("code", from, index);
    if (endsExpression) depths.pop();
    if (/^\/[/*]/.test(token)) add("comment", index, index + token.length);
    else if (/^["']/.test(token)) add("string", index, index + token.length);
    from = token === "`" || endsExpression ? endOfText(index + token.length) : index + token.length;
    tokens.lastIndex = from;
  }
  add("code", from, source.length);
  return pieces;
}

/** The files with decisions, a room each. */
export function decisionFiles(): string[] {
  return [...new Bun.Glob("docs/decisions/*.md").scanSync({ cwd: root })].sort();
}
