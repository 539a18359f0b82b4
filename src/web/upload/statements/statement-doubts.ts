// Doubts that rows of a statement raise about the lines of others: by a row that is not read, did not succeed, or takes
// money back, about money that came in elsewhere.
import type { NewLine } from "../../../core/payments/deposits/statements.ts";
import type { ReadLines } from "./statement-lines.ts";
import { idIn, type Row } from "./statement-rows.ts";

type Doubt = { number: number; reason: (id: string) => string };

/** The doubts that rows raise, by what they are about. */
export class Doubts {
  #about = new Map<string, Doubt>();
  /** What was taken back without a name, by amount. */
  #unnamed = new Map<number, { number: number; line: NewLine }[]>();

  /** Notes what a row, read as this line or not read for this reason, says about others. */
  add({ number, text, named, trouble }: Row, line: NewLine | string): void {
    const own = idIn(text("id"));
    const note = (about: string, reason: Doubt["reason"]) =>
      this.#about.has(about) || this.#about.set(about, { number, reason });
    if (line === "unfinished") {
      const status = text("status").slice(0, 30);
      note(`in ${own}`, (id) => `${id} is there twice, once as “${status}”: it is not used`);
    } else if (typeof line === "string") {
      note(`any ${own}`, (id) => `${id} is there twice; its other row is not used either`);
      for (const id of named) if (id !== own) note(`in ${id}`, () => `it may be about ${id}, which is not used either`);
    } else if (line.direction === "out") {
      note(`in ${own} ${line.amountPesewas}`, (id) => `${id} came in and went out again: it is not used`);
      const cell = trouble?.text.slice(0, 30);
      if (cell) for (const id of named) note(`in ${id}`, () => `it says “${cell}” and names ${id}, which is not used`);
    } else if (line.direction === "reversal" && line.originalId === line.transactionId) {
      const known = this.#unnamed.get(line.amountPesewas) ?? [];
      this.#unnamed.set(line.amountPesewas, [...known.slice(0, 9), { number, line }]);
    }
  }

  /** Without the lines that other rows speak against. */
  leaveOut(read: ReadLines): ReadLines {
    const came = new Set(read.lines.filter(isIn).map(({ transactionId }) => transactionId));
    const [lines, problems]: [NewLine[], string[]] = [[], []];
    for (const line of read.lines) {
      const doubt = this.#find(line, came);
      if (doubt) problems.push(`Row ${doubt.number}: ${doubt.reason(line.transactionId)}`);
      else lines.push(line);
    }
    return { ...read, lines, problems: [...read.problems, ...problems] };
  }

  #find(line: NewLine, came: ReadonlySet<string>): Doubt | undefined {
    const { transactionId: id, amountPesewas } = line;
    const keys = isIn(line) ? [`any ${id}`, `in ${id}`, `in ${id} ${amountPesewas}`] : [`any ${id}`];
    const key = keys.find((one) => this.#about.has(one));
    if (key) return this.#about.get(key);
    const taken = isIn(line) && this.#unnamed.get(amountPesewas)?.find((one) => mayTakeBack(one.line, line, came));
    if (!taken) return undefined;
    const { number, line: reversal } = taken;
    const reason = () => `${reversal.transactionId} was taken back, which may be ${id}: look it up, credit it by hand`;
    return { number, reason };
  }
}

const isIn = ({ direction }: NewLine) => direction === "in";

/** A reversal that names no other transaction takes back its own, or else one of its amount that came before. */
function mayTakeBack(reversal: NewLine, line: NewLine, came: ReadonlySet<string>): boolean {
  if (came.has(reversal.transactionId)) return false;
  return reversal.at === null || line.at === null || line.at.getTime() <= reversal.at.getTime();
}
