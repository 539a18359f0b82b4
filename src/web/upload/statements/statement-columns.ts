// The columns of a mobile money statement: which holds what, by its heading or as a person chose. Forms differ by
// network and by where the file comes from. MTN's statement by e-mail has "F_ID", "AMOUNT", "TRANS. TYPE", "FROM NAME",
// "FROM NO.", "BAL BEFORE" and "BAL AFTER"; its portal for merchants "Id", "Status", "Type", "From", "Amount"; others
// have a column for money in and one for money out. Telecel's has "Receipt No.", "Paid In" and "Other Party Info".

export const ROW_CHARS = 200;
export const COLUMNS_MAX = 40;
/** Titles and addresses may stand above the headings. */
const HEADING_ROWS = 30;

/** Telecel's column of number and name. */
const OTHER_PARTY = "other party info";

/** What a column may hold, with its label and the headings that say so. */
export const FIELDS = {
  id: {
    label: "Transaction ID",
    names: ["transaction id", "f id", "financial transaction id", "id", "receipt no"],
  },
  amount: { label: "Amount", names: ["amount", "transaction amount"] },
  moneyIn: {
    label: "Money in",
    names: ["money in", "credit", "credit amount", "paid in", "amount in", "cr", "credits", "deposits", "inflow"],
  },
  moneyOut: {
    label: "Money out",
    names: ["money out", "debit", "debit amount", "withdrawn", "amount out", "dr", "debits", "withdrawals", "outflow"],
  },
  currency: { label: "Currency", names: ["currency", "currency code", "ccy"] },
  direction: {
    label: "Direction",
    names: ["direction", "dr cr", "cr dr", "debit credit", "credit debit", "in out"],
  },
  type: { label: "Type", names: ["transaction type", "type", "reason type"] },
  status: { label: "Status", names: ["status", "transaction status", "payment status", "state"] },
  before: { label: "Balance before", names: ["bal before", "balance before", "opening balance"] },
  after: { label: "Balance after", names: ["bal after", "balance after", "closing balance", "balance"] },
  fee: { label: "Fee", names: ["fees", "fee", "charges", "charge", "transaction fee"] },
  levy: { label: "Levy", names: ["e levy", "elevy", "levy", "tax"] },
  name: { label: "Sender's name", names: ["sender name", "from name", "payer name", "customer name", OTHER_PARTY] },
  number: {
    label: "Sender's number",
    names: ["sender number", "from no", "from number", "from msisdn", "from", "payer number", "from acct", OTHER_PARTY],
  },
  at: {
    label: "Date",
    names: ["transaction date", "date", "date and time", "date time", "completion time", "timestamp"],
  },
  time: { label: "Time", names: ["time", "transaction time"] },
  original: {
    label: "Reversed ID",
    names: ["original", "linked", "reversed", "related", "parent"].flatMap((which) =>
      ["id", "transaction id", "transaction", "transaction no", "receipt no", "f id"].map((id) => `${which} ${id}`),
    ),
  },
  problem: { label: "Problem", names: ["problem"] },
} as const;
export type Field = keyof typeof FIELDS;
const NAMES = Object.keys(FIELDS) as Field[];

/** The column of each field; null where none holds it. */
export type Mapping = Record<Field, number | null>;

export type Recognised = {
  /** The index of the row with the headings; −1 when there is none. */
  headingRow: number;
  headings: string[];
  mapping: Mapping;
};

/** Finds the row of headings, and what its columns hold. */
export function recognise(cells: readonly string[][]): Recognised {
  const scored = cells.slice(0, HEADING_ROWS).map((row, at) => ({ at, mapping: mappingOf(row) }));
  const countOf = (mapping: Mapping) => NAMES.filter((name) => mapping[name] !== null).length;
  const best = scored.reduce<(typeof scored)[number] | null>(
    (top, one) => (countOf(one.mapping) > (top ? countOf(top.mapping) : 1) ? one : top),
    null,
  );
  const width = Math.max(0, ...cells.slice(0, HEADING_ROWS).map((row) => row.length));
  const numbered = Array.from({ length: Math.min(width, COLUMNS_MAX) }, (_, n) => `Column ${n + 1}`);
  if (!best) return { headingRow: -1, headings: numbered, mapping: mappingOf([]) };
  const headings = numbered.map((number, n) => cells[best.at]![n]?.trim() || number);
  return { headingRow: best.at, headings, mapping: best.mapping };
}

function mappingOf(row: readonly string[]): Mapping {
  const headings = row.slice(0, COLUMNS_MAX).map(nameOf);
  // Of two columns with one heading a person chooses.
  const columnOf = (names: readonly string[]) => {
    const name = names.find((one) => headings.includes(one));
    const [column, another] = headings.flatMap((heading, at) => (heading === name ? [at] : []));
    return another === undefined ? (column ?? null) : null;
  };
  return Object.fromEntries(NAMES.map((name) => [name, columnOf(FIELDS[name].names)])) as Mapping;
}

/** "TRANS. TYPE" is "transaction type", "Credit (GH₵)" is "credit"; "Credit ($)" is no credit in cedis. */
const nameOf = (heading: string) =>
  heading
    .slice(0, 60)
    .toLowerCase()
    .replace(/(?:\bin )?(?:gh[₵¢]|₵|\b(?:ghs|ghc|gh|cedis?)\b)/g, " ")
    .replace(/[\p{Sc}%]/gu, " other ")
    .replace(/[^a-z0-9]+/g, " ")
    .replace(/\b(?:trans?|txn|trxn?)\b/g, "transaction")
    .trim();

/** What is missing for reading lines at all; null when nothing is. */
export function missingIn({ id, amount, moneyIn }: Mapping): string | null {
  if (id === null) return "Say which column holds the transaction ID.";
  if (amount === null && moneyIn === null) return "Say which column holds the amount.";
  return null;
}
