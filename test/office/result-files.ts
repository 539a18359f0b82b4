// Results of a batch as vendors' portals and people send them: tables of many programs, and messages. Each file comes
// with the truth about it.
import { type Grid, type GridCell, PROGRAMS } from "./grid.ts";
import type { Random } from "./random.ts";

export type Outcome = "delivered" | "failed" | "pending";

export type ResultFile = {
  name: string;
  bytes: Uint8Array;
  /** The outcome of each number, by its 9 digits behind the prefix; undefined where nobody can say. */
  outcomes: Map<string, Outcome | undefined>;
  leavesOut: boolean;
  isPlain: boolean;
};

const STATUSES: Record<Outcome, readonly string[]> = {
  delivered: ["Delivered", "DELIVERED", "Successful", "Success", "Completed", "delivered successfully"],
  failed: ["Failed", "FAILED", "Unsuccessful", "Not delivered", "Rejected", "Undelivered"],
  pending: ["Pending", "Processing", "In progress"],
};
/** What no reader can know, and nobody may guess. */
const UNKNOWN = ["Entregue", "Maybe delivered", "delivered?", "never failed", "OK but failed", "Partly delivered"];
const STATUS_TITLES = ["Status", "Delivery status", "Result", "Outcome", "STATUS", "Order status"];
const NUMBER_TITLES = ["Phone", "MSISDN", "Recipient", "Beneficiary", "Number", "Phone number"];
const REASONS = ["SIM is not registered", "Wrong network", "Barred", "no such subscriber"];

export function randomResultFile(random: Random): ResultFile {
  return random.chance(65) ? table(random) : messages(random);
}

function someOutcomes(random: Random): [string, Outcome][] {
  const known = new Map<string, Outcome>();
  for (let left = 2 + random.below(10); left > 0; left--) {
    const national = random.one(["24", "54", "20", "27"]) + String(random.below(10_000_000)).padStart(7, "0");
    const chance = random.below(10);
    known.set(national, chance < 6 ? "delivered" : chance < 9 ? "failed" : "pending");
  }
  return [...known];
}

type Column = { title: string; cell: (outcome: Outcome, at: number) => GridCell };

function table(random: Random): ResultFile {
  const program = random.one(PROGRAMS);
  const some = someOutcomes(random);
  const number: Column = {
    title: random.one(NUMBER_TITLES),
    cell: (_, at) =>
      random.one([`0${some[at]![0]}`, Number(some[at]![0]), `233${some[at]![0]}`, `+233${some[at]![0]}`]),
  };
  const status: Column = {
    title: random.one(STATUS_TITLES),
    cell: (outcome) => random.one(STATUSES[outcome]),
  };
  const more: Column[] = [
    { title: "Order ID", cell: (_, at) => 99_000 + at },
    { title: "Data (GB)", cell: () => random.one([1, 2, 5, 10]) },
    { title: "Reason", cell: (outcome) => (outcome === "failed" ? random.one(REASONS) : null) },
    { title: "Date", cell: () => "21/11/2026 10:05" },
    { title: "Network", cell: () => random.one(["MTN", "Telecel"]) },
    { title: "Price", cell: () => 3.9 },
    // Answers that are none about the delivery.
    {
      title: random.one(["Ported", "Valid", "Verified", "Active", "Paid"]),
      cell: () => random.one(["Yes", "No"]),
    },
    { title: "Payment status", cell: () => "Success" },
  ];
  const columns = random.shuffled([number, status, ...more.filter(() => random.chance(25))]);
  const rows: GridCell[][] = [
    columns.map(({ title }) => title),
    ...some.map(([, outcome], at) => columns.map(({ cell }) => cell(outcome, at))),
  ];
  const grid: Grid = { rows, hidden: new Set(), other: null };
  const outcomes = new Map<string, Outcome | undefined>(some);
  const isPlain = random.chance(60);
  let leavesOut = false;
  if (!isPlain) {
    const at = random.below(some.length);
    const [place, national] = [columns.indexOf(status), some[at]![0]];
    const spoil = random.below(4);
    if (spoil === 0) rows[at + 1]![place] = random.one<GridCell>([{ error: "#N/A" }, { error: "#VALUE!" }, null, "?"]);
    if (spoil === 1) rows[at + 1]![place] = random.one(UNKNOWN);
    if (spoil === 2) {
      // The same number once more, with another outcome.
      const other = some[at]![1] === "failed" ? "delivered" : "failed";
      rows.push(columns.map((column) => (column === status ? random.one(STATUSES[other]) : column.cell(other, at))));
    }
    if (spoil < 3) outcomes.set(national, undefined);
    else if (program.can.hides) {
      grid.hidden.add(at + 1);
      outcomes.delete(national);
      leavesOut = true;
    }
  }
  return { name: program.name, bytes: program.save(grid, random), outcomes, leavesOut, isPlain };
}

const MESSAGES: ((number: string, word: string, random: Random) => string)[] = [
  (number, word) => `${number} ${word}`,
  (number, word) => `${word} ${number}`,
  (number, word) => `${number} - ${word}`,
  (number, word, random) => `${number} ${random.one([1, 2, 5])}GB ${word}`,
  (number, word, random) => `${random.one([1, 2, 5])}GB ${number} ${word}`,
  (number, word) => `[21/11/2026, 10:05:00 AM] Vendor: ${number} ${word}`,
];

function messages(random: Random): ResultFile {
  const some = someOutcomes(random);
  const style = random.one(MESSAGES);
  const outcomes = new Map<string, Outcome | undefined>(some);
  const lines = some.map(([national, outcome]) => {
    const number = random.one([
      `0${national}`,
      `+233${national}`,
      `0${national.slice(0, 2)} ${national.slice(2, 5)} ${national.slice(5)}`,
    ]);
    const statuses = [...STATUSES[outcome], { delivered: "✅", failed: "❌", pending: "⏳" }[outcome]];
    return style(number, random.one(statuses), random);
  });
  const isPlain = random.chance(60);
  if (!isPlain) {
    const at = random.below(some.length);
    lines[at] = style(`0${some[at]![0]}`, random.one(UNKNOWN), random);
    outcomes.set(some[at]![0], undefined);
  }
  const text = lines.join(random.one(["\n", "\r\n"]));
  return { name: "messages.txt", bytes: Buffer.from(text), outcomes, leavesOut: false, isPlain };
}
