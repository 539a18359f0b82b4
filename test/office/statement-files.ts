// Mobile money statements as networks, portals and banks write them, in many programs' files. Each file comes with the
// truth about it.
import { type Grid, type GridCell, PROGRAMS } from "./grid.ts";
import type { Random } from "./random.ts";

/** Money that came in, or went out. */
export type Movement = { id: string; direction: "in" | "out"; pesewas: number };

export type StatementFile = {
  name: string;
  bytes: Uint8Array;
  movements: Movement[];
  /** Transactions that credit nobody without a question. */
  doubtful: string[];
  leavesOut: boolean;
  isPlain: boolean;
};

type Row = Movement & { before: number; after: number; day: number };

export function randomStatementFile(random: Random): StatementFile {
  const program = random.one(PROGRAMS);
  const rows = someRows(random);
  const columns = random.shuffled(columnsFor(random));
  const cells: GridCell[][] = rows.map((row) => columns.map(({ cell }) => cell(row)));
  const isNewestFirst = random.chance(40);
  if (isNewestFirst) cells.reverse();
  const head = random.chance(30) ? [["Statement of account"], ["Account holder", "Data shop"], []] : [];
  const grid: Grid = {
    rows: [...head, columns.map(({ title }) => title), ...cells],
    hidden: new Set(),
    other: null,
  };
  const file: Omit<StatementFile, "bytes"> = {
    name: program.name,
    movements: rows.map(({ id, direction, pesewas }) => ({ id, direction, pesewas })),
    doubtful: [],
    leavesOut: false,
    isPlain: random.chance(60),
  };
  if (!file.isPlain) {
    const at = random.below(rows.length);
    const place = head.length + 1 + (isNewestFirst ? rows.length - 1 - at : at);
    spoil({ grid, columns, file, row: rows[at]!, place, canHide: program.can.hides }, random);
  }
  return { ...file, bytes: program.save(grid, random) };
}

function someRows(random: Random): Row[] {
  let [balance, id] = [100_000, 40_125_566_000 + random.below(900)];
  return Array.from({ length: 2 + random.below(9) }, (_, at) => {
    const pesewas = 50 * (1 + random.below(800));
    const direction = random.chance(75) || balance <= pesewas ? ("in" as const) : ("out" as const);
    const before = balance;
    balance += direction === "in" ? pesewas : -pesewas;
    id += 1 + random.below(50);
    return { id: String(id), direction, pesewas, before, after: balance, day: 13 + at };
  });
}

type Column = { title: string; cell: (row: Row) => GridCell };

function columnsFor(random: Random): Column[] {
  const day = random.one<(day: number) => string>([
    (at) => `${at}/11/2026 10:05`,
    (at) => `2026-11-${at}T10:05:00+00:00`,
    (at) => `${at}-Nov-2026`,
    (at) => `2026-11-${at} 10:05:07`,
    (at) => `11/${at}/2026 10:05 PM`,
  ]);
  const ways: Column[][] = [
    [
      { title: "AMOUNT", cell: ({ pesewas }) => pesewas / 100 },
      { title: "TRANS. TYPE", cell: ({ direction }) => (direction === "in" ? "CASH IN" : "CASH OUT") },
    ],
    [
      { title: "Money in", cell: ({ direction, pesewas }) => (direction === "in" ? pesewas / 100 : null) },
      { title: "Money out", cell: ({ direction, pesewas }) => (direction === "out" ? pesewas / 100 : null) },
    ],
    [{ title: "Amount", cell: ({ direction, pesewas }) => (direction === "in" ? pesewas : -pesewas) / 100 }],
    [
      { title: "Amount", cell: ({ pesewas }) => pesewas / 100 },
      { title: "Dr/Cr", cell: ({ direction }) => (direction === "in" ? "CR" : "DR") },
    ],
  ];
  const way = random.one(ways);
  const hasSignOnly = way.length === 1;
  const balances: Column[] = [
    { title: "BAL BEFORE", cell: ({ before }) => before / 100 },
    { title: "BAL AFTER", cell: ({ after }) => after / 100 },
  ];
  return [
    { title: random.one(["Transaction ID", "F_ID", "Id"]), cell: ({ id }) => random.one([id, Number(id)]) },
    { title: random.one(["TRANSACTION DATE", "Date"]), cell: ({ day: at }) => day(at) },
    ...way,
    // A sign alone does not say that money came in.
    ...(hasSignOnly || random.chance(50) ? balances : []),
    ...(random.chance(40) ? [{ title: "FROM NAME", cell: () => random.one(["Ama", "KOFI MENSAH"]) }] : []),
    ...(random.chance(40) ? [{ title: "FROM NO.", cell: () => "233241234567" }] : []),
  ];
}

type Spoilt = {
  grid: Grid;
  columns: Column[];
  file: Omit<StatementFile, "bytes">;
  row: Row;
  place: number;
  canHide: boolean;
};

function spoil({ grid, columns, file, row, place, canHide }: Spoilt, random: Random): void {
  const cells = grid.rows[place]!;
  const at = (...titles: string[]) => columns.findIndex(({ title }) => titles.includes(title));
  const [amount, type, side, after] = [
    at("AMOUNT", "Amount", row.direction === "in" ? "Money in" : "Money out"),
    at("TRANS. TYPE"),
    at("Dr/Cr"),
    at("BAL AFTER"),
  ];
  const kind = random.below(5);
  if (kind === 0) cells[amount] = random.one<GridCell>([{ error: "#N/A" }, { error: "#VALUE!" }, "n/a", "12,3,4"]);
  else if (kind === 1 && type >= 0 && after >= 0) cells[type] = row.direction === "in" ? "CASH OUT" : "CASH IN";
  else if (kind === 2 && side >= 0 && after >= 0) cells[side] = row.direction === "in" ? "DR" : "CR";
  else if (kind === 3) {
    // The same transaction once more, with another amount.
    grid.rows.push(
      cells.map((cell, column) =>
        column === amount ? 1.05 : column === after || column === at("BAL BEFORE") ? null : cell,
      ),
    );
  } else if (canHide) {
    grid.hidden.add(place);
    file.leavesOut = true;
  } else return;
  file.doubtful.push(row.id);
  if (file.leavesOut) file.movements = file.movements.filter(({ id }) => id !== row.id);
}
