// The folder of a recording. Everything that is written to it goes through `scrub`.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { scrub } from "./scrub.ts";

export type Folder = {
  /** Writes a file with these lines. */
  write: (path: string, lines: readonly string[]) => void;
  /** Notes what could not be recorded, and why. */
  leaveOut: (name: string, reason: string) => void;
  /** Writes the list of what was left out; returns its length. */
  end: () => number;
};

/** Opens a folder, of which these parts are made anew. */
export function openFolder(root: string, parts: readonly string[]): Folder {
  for (const part of parts) rmSync(join(root, part), { recursive: true, force: true });
  const leftOut: string[] = [];
  const write = (path: string, lines: readonly string[]) => {
    const place = join(root, path);
    mkdirSync(dirname(place), { recursive: true });
    writeFileSync(place, `${scrub(lines.join("\n"))}\n`);
  };
  return {
    write,
    leaveOut: (name, reason) => leftOut.push(`${name}: ${reason}`),
    end: () => {
      write("left-out.txt", leftOut.length > 0 ? leftOut : ["nothing"]);
      return leftOut.length;
    },
  };
}

/** A value as JSON in lines, with the names of objects sorted. */
export function jsonLines(value: unknown): string[] {
  return JSON.stringify(sorted(value), null, 2).split("\n");
}

/** A value on one line, likewise. */
export function oneLine(value: unknown): string {
  return JSON.stringify(sorted(value));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const names = Object.keys(value).sort();
  return Object.fromEntries(names.map((name) => [name, sorted((value as Record<string, unknown>)[name])]));
}
