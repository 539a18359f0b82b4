// The results of a mutation run, counted by file and listed.
import type { Mutant } from "./instrument.ts";
import type { Verdict } from "./run.ts";

export type MutationRow = { file: string } & Record<Verdict["status"], number>;
export type MutationFigures = {
  sampled: number;
  all: number;
  seed: string;
  minutes: number;
  /** Test files that took no part because they fail without a mutant, for example those that inspect the source. */
  left: string[];
  /** Worst first. */
  rows: MutationRow[];
  total: MutationRow;
};

export function figuresOf(run: {
  sample: Mutant[];
  verdicts: Map<string, Verdict>;
  all: number;
  left: string[];
  minutes: number;
  seed: string;
}): MutationFigures {
  const { sample, verdicts, ...rest } = run;
  const rowOf = (file: string, mutants: Mutant[]): MutationRow => {
    const count = (status: Verdict["status"]) => mutants.filter(({ id }) => verdicts.get(id)?.status === status).length;
    return {
      file,
      killed: count("killed"),
      timeout: count("timeout"),
      survived: count("survived"),
      unreached: count("unreached"),
    };
  };
  const rows = [...Map.groupBy(sample, ({ file }) => file)]
    .map(([file, mutants]) => rowOf(file, mutants))
    .sort((a, b) => scoreOf(a) - scoreOf(b) || (a.file < b.file ? -1 : 1));
  return { ...rest, sampled: sample.length, rows, total: rowOf("all", sample) };
}

/** The share that a test noticed, in percent. */
export function scoreOf({ killed, timeout, survived, unreached }: MutationRow): number {
  const noticed = killed + timeout;
  return (100 * noticed) / Math.max(1, noticed + survived + unreached);
}

/** The mutants that no test noticed, for review. */
export function listOf(sample: Mutant[], verdicts: Map<string, Verdict>): string {
  const oneLine = (text: string) => `\`${text.replaceAll(/\s+/g, " ").replaceAll("`", "'").slice(0, 200)}\``;
  const lines = sample
    .filter(({ id }) => ["survived", "unreached"].includes(verdicts.get(id)?.status ?? ""))
    .sort((a, b) => (a.file === b.file ? a.line - b.line : a.file < b.file ? -1 : 1))
    .map(
      ({ id, file, line, kind, original, replacement }) =>
        `- ${file}:${line} (${id}, ${kind}, ${verdicts.get(id)!.status})\n` +
        `  ${oneLine(original)}\n  ${oneLine(replacement)}`,
    );
  return `## Not noticed\n\n${lines.join("\n")}\n`;
}
