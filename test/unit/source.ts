// The project's own files, for tests that hold its structure to its rules.
import { join, relative } from "node:path";

export const root = join(import.meta.dir, "../..");

/** The paths of the source files below these folders, from the project's root. */
export function filesIn(...folders: string[]): string[] {
  return folders
    .flatMap((folder) => [...new Bun.Glob(`${folder}/**/*.{ts,tsx}`).scanSync({ cwd: root })])
    .map((path) => relative(root, join(root, path)))
    .sort();
}

export function read(path: string): Promise<string> {
  return Bun.file(join(root, path)).text();
}

/** A piece of a source file: code without what is in quotes, a comment, or the text of a string. `line` counts from 1. */
export type Piece = { kind: "code" | "comment" | "string"; line: number; text: string };

const NEXT = /\/\/.*|\/\*[\s\S]*?\*\/|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`|[{}]|\/(?![/*])/g;
/** A regular expression, where a value may begin. */
const REGEX = /\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y;
const BEFORE_VALUE = /(?:[=(,:[!&|?{};>]|\breturn|=>)\s*$/;

/** The pieces of a source file. Regular expressions count as code; templates count as strings, without their expressions. */
export function piecesOf(source: string): Piece[] {
  const pieces: Piece[] = [];
  const add = (kind: Piece["kind"], from: number, to: number) => {
    const text = source.slice(from, to);
    if (text.trim() !== "") pieces.push({ kind, line: source.slice(0, from).split("\n").length, text });
  };
  // For each template that is open: the braces that are open in its expression.
  const templates: number[] = [];
  const endOfText = (from: number) => {
    let at = from;
    while (at < source.length && source[at] !== "`" && !source.startsWith("${", at)) at += source[at] === "\\" ? 2 : 1;
    add("string", from, at);
    if (source[at] === "`") return at + 1;
    templates.push(0);
    return at + 2;
  };
  let from = 0;
  NEXT.lastIndex = 0;
  for (let found = NEXT.exec(source); found; found = NEXT.exec(source)) {
    const [token] = found;
    const end = found.index + token.length;
    if (token === "{" && templates.length > 0) templates[templates.length - 1]! += 1;
    if (token === "}" && templates.length > 0 && templates.at(-1) !== 0) templates[templates.length - 1]! -= 1;
    else if (token === "}" && templates.length > 0) {
      templates.pop();
      add("code", from, found.index);
      from = endOfText(end);
      NEXT.lastIndex = from;
      continue;
    }
    if (token === "{" || token === "}") continue;
    if (token === "/") {
      REGEX.lastIndex = found.index;
      const isValue = BEFORE_VALUE.test(source.slice(Math.max(0, found.index - 20), found.index));
      if (isValue && REGEX.test(source)) NEXT.lastIndex = REGEX.lastIndex;
      continue;
    }
    add("code", from, found.index);
    if (token === "`") from = endOfText(end);
    else {
      add(token.startsWith("/") ? "comment" : "string", found.index, end);
      from = end;
    }
    NEXT.lastIndex = from;
  }
  add("code", from, source.length);
  return pieces;
}
