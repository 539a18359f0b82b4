// The switch beside the instrumented files: it decides which mutants are on, for the whole process, and records which
// are reached. It imports nothing, because some of those files are also built for browsers.
const environment: Record<string, string | undefined> = globalThis.process?.env ?? {};
const on = new Set(environment.MUTANTS?.split(","));
const notes = environment.MUTANTS_REACHED;
const reached = new Set<string>();

export function isActive(mutant: string): boolean {
  return on.has(mutant);
}

/** Written at once, so that a killed process has reported what it knew; and fast, because it is called everywhere. */
export function cover(...mutants: string[]): void {
  if (!notes) return;
  for (const mutant of mutants) {
    if (reached.has(mutant)) continue;
    reached.add(mutant);
    process.getBuiltinModule("node:fs").appendFileSync(notes, `${mutant},`);
  }
}
