// Stands in the copy of the project beside the instrumented files: says which mutants are on, for the whole process, and
// notes which ones are reached. It imports nothing, because some of those files are also built for browsers.
const environment: Record<string, string | undefined> = globalThis.process?.env ?? {};
const on = new Set(environment.MUTANTS?.split(","));
const notes = environment.MUTANTS_REACHED;
const reached = new Set<string>();

export function isActive(mutant: string): boolean {
  return on.has(mutant);
}

/** Written at once, so that a process that is killed has told what it knew. */
export function cover(...mutants: string[]): void {
  if (!notes) return;
  const fresh = mutants.filter((mutant) => !reached.has(mutant));
  if (fresh.length === 0) return;
  for (const mutant of fresh) reached.add(mutant);
  process.getBuiltinModule("node:fs").appendFileSync(notes, `${fresh.join(",")},`);
}
