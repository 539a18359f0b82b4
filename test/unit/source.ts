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
