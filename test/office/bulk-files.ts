// Bulk orders as agents have them: tables of many programs, typed lists, chats. Each file comes with the truth about
// it.
import { encoded, type Grid, type GridCell, PROGRAMS, type Program } from "./grid.ts";
import type { Random } from "./random.ts";

/** The 9 digits behind the prefix; sizes are null where nothing names one. */
export type Order = { national: string; quantity: number; sizeMb: number | null };

export type BulkFile = {
  name: string;
  bytes: Uint8Array;
  /** What is ordered. Each is read as it is, or asked about. */
  orders: Order[];
  /** Numbers that nobody may buy for without a question. */
  doubtful: string[];
  /** Whether the file holds rows that are left out, which a note has to say. */
  leavesOut: boolean;
  /** Whether nothing in it gives a reason to ask. */
  isPlain: boolean;
};

const SIZES_MB = [500, 1000, 1500, 2000, 3000, 5000, 10_000, 15_000, 20_000, 50_000];
const PREFIXES = ["24", "54", "55", "59", "20", "50", "26", "27", "56"];
const NAMES = ["Kofi Mensah", "Ama", "Yaa Asantewaa", "Kwame Nkrumah Jnr", "José", "Efua O.", "Nana", "Adjoa Boateng"];
const NUMBER_TITLES = [
  ...["Phone number", "Phone", "MSISDN", "Recipient", "Mobile No", "Beneficiary Number", "Contact", "Tel", "Number"],
  ...["Recipient number", "PHONE NUMBER", "phone_number", "Mobile"],
];
const SIZE_TITLES = ["Data (GB)", "GB", "Size (GB)", "Bundle", "Package", "Data", "Size", "Volume (GB)", "Data size"];
const COUNT_TITLES = ["S/N", "No.", "#"];
const QUANTITY_TITLES = ["Qty", "Quantity", "No. of bundles", "Pieces", "QUANTITY"];

export function randomBulkFile(random: Random): BulkFile {
  const kind = random.below(100);
  return kind < 65 ? table(random) : kind < 85 ? list(random) : chat(random);
}

const someNumber = (random: Random) => random.one(PREFIXES) + String(random.below(10_000_000)).padStart(7, "0");

const someOrders = (random: Random, limit: number): Order[] => {
  const known = new Set<string>();
  return Array.from({ length: 1 + random.below(limit) }, () => {
    let national = someNumber(random);
    while (known.has(national)) national = someNumber(random);
    known.add(national);
    return {
      national,
      quantity: random.chance(70) ? 1 : 1 + random.below(9),
      sizeMb: random.one(SIZES_MB),
    };
  });
};

/** A number as people and sheets write it. */
function written(national: string, random: Random, isTyped = false): GridCell {
  const [a, b, c] = [national.slice(0, 2), national.slice(2, 5), national.slice(5)];
  const ways: (() => GridCell)[] = [
    () => `0${national}`,
    () => `0${a} ${b} ${c}`,
    () => `+233${national}`,
    () => `233${national}`,
    () => `+233 ${a} ${b} ${c}`,
    () => `0${a}-${b}-${c}`,
    () => `0${a}${b} ${c}`,
    () => `(0${a}) ${b}-${c}`,
    () => `+233 (0)${a} ${b} ${c}`,
    () => `0${a}\u00a0${b}\u00a0${c}`,
    ...(isTyped
      ? []
      : [() => Number(national), () => Number(`233${national}`), () => `00233${national}`, () => `${national}.0`]),
  ];
  return random.one(ways)();
}

const gigabytes = (sizeMb: number) => sizeMb / 1000;

function sizeText(sizeMb: number, random: Random): string {
  if (sizeMb < 1000) return random.one([`${sizeMb}MB`, `${sizeMb} mb`]);
  return gigabytes(sizeMb) + random.one(["GB", " GB", "gb", "Gb", "gig", "G", " gigs"]);
}

type Column = { title: string; cell: (order: Order, at: number) => GridCell };

/** What makes a table more than plain; each changes the truth. */
type Trap = (grid: Grid, truth: Truth, places: Places, random: Random) => void;
type Truth = Pick<BulkFile, "orders" | "doubtful" | "leavesOut">;
/** The row of each order, and the columns that it has. */
type Places = { rowOf: number[]; number: number; size: number; quantity: number };

function table(random: Random): BulkFile {
  const program = random.one(PROGRAMS);
  const orders = someOrders(random, 12);
  const [hasSize, hasQuantity] = [random.chance(80), random.chance(55)];
  const number: Column = {
    title: random.one(NUMBER_TITLES),
    cell: ({ national }) => written(national, random),
  };
  const isWithUnit = random.chance(50);
  const isInMegabytes = random.chance(15);
  const size: Column = {
    title: isInMegabytes ? random.one(["Data (MB)", "MB", "Size in MB"]) : random.one(SIZE_TITLES),
    cell: ({ sizeMb }) => {
      // Sheets count 1,024 MB as a gigabyte, and 1,000.
      if (isInMegabytes) return sizeMb! % 1000 === 0 ? (sizeMb! / 1000) * random.one([1000, 1024]) : sizeMb!;
      if (isWithUnit || (sizeMb! < 1000 && random.chance(50))) return sizeText(sizeMb!, random);
      return gigabytes(sizeMb!);
    },
  };
  const quantity: Column = { title: random.one(QUANTITY_TITLES), cell: (order) => order.quantity };
  const columns = random.shuffled([
    number,
    ...(hasSize ? [size] : []),
    ...(hasQuantity ? [quantity] : []),
    ...others(random),
  ]);
  for (const order of orders) {
    if (!hasSize) order.sizeMb = null;
    if (!hasQuantity) order.quantity = 1;
  }
  const head = random.chance(20) ? [[random.one(["Orders", "Data orders for today", "Monday"])], []] : [];
  const rows: GridCell[][] = [
    ...head,
    columns.map(({ title }) => title),
    ...orders.map((order, at) => columns.map(({ cell }) => cell(order, at))),
  ];
  if (random.chance(10)) rows.push([], []);
  const grid: Grid = { rows, hidden: new Set(), other: null };
  const truth: Truth = { orders, doubtful: [], leavesOut: false };
  const places: Places = {
    rowOf: orders.map((_, at) => head.length + 1 + at),
    number: columns.indexOf(number),
    size: columns.indexOf(size),
    quantity: columns.indexOf(quantity),
  };
  const isPlain = random.chance(60);
  let name = program.name;
  if (!isPlain) {
    const [title, trap] = random.one(trapsFor(program, places));
    trap(grid, truth, places, random);
    name = `${title} in ${name}`;
  }
  return { name, bytes: program.save(grid, random), ...truth, isPlain };
}

/** Columns that say nothing about the order. */
function others(random: Random): Column[] {
  const columns: Column[] = [
    { title: random.one(["Name", "Customer name", "Customer"]), cell: () => random.one(NAMES) },
    { title: random.one(COUNT_TITLES), cell: (_, at) => at + 1 },
    { title: random.one(["Price (GHS)", "Cost", "Total paid"]), cell: () => 3.9 + random.below(50) },
    { title: random.one(["Network", "Operator"]), cell: ({ national }) => networkOf(national) },
    {
      title: random.one(["Location", "Class", "Branch"]),
      cell: () => random.one(["Accra", "Form 2", "Kumasi"]),
    },
    { title: random.one(["Date", "Order date"]), cell: () => random.one(["21/11/2026", "2026-11-21"]) },
  ];
  return columns.filter(() => random.chance(22));
}

function trapsFor({ can }: Program, { size, quantity }: Places): [string, Trap][] {
  const spoilt = (cells: GridCell[], column: (places: Places) => number): Trap => {
    return ({ rows }, truth, places, random) => {
      const at = random.below(places.rowOf.length);
      rows[places.rowOf[at]!]![column(places)] = random.one(cells);
      // The number itself is gone with its cell.
      if (column(places) === places.number) truth.orders.splice(at, 1);
      else truth.doubtful.push(truth.orders[at]!.national);
    };
  };
  const errors: GridCell[] = [{ error: "#N/A" }, { error: "#VALUE!" }, { error: "#REF!" }];
  const traps: [string, Trap][] = [
    ["an error as a number", spoilt(errors, ({ number }) => number)],
    ["a rounded number", spoilt(["2.33E+11", "2,33E+11", "2.33241E+11"], ({ number }) => number)],
    ["a sum below", ({ rows }) => rows.push(["Total", null, 27])],
    ["a name as a number", spoilt(["Kofi", "same as above", "-"], ({ number }) => number)],
    ["a remark", remark],
    ["a number too short or too long", wrongLength],
    ["two numbers in one cell", eitherOr],
    ["another column of numbers", otherNumbers],
    ["an unclear column", unclearColumn],
    ["no headings", withoutHeadings],
  ];
  if (size >= 0) {
    traps.push(["an error as a size", spoilt(errors, (places) => places.size)]);
    traps.push(["no size", spoilt(["n/a", "?", "same", "any"], (places) => places.size)]);
  }
  if (quantity >= 0) {
    traps.push(["an error as a quantity", spoilt(errors, (places) => places.quantity)]);
    traps.push(["no quantity", spoilt(["two", "?", 0, 1.5, -1, "n/a"], (places) => places.quantity)]);
  }
  if (can.formulas) {
    const formulas: GridCell[] = [{ formula: "A1+1" }, { formula: "SUM(B2:B9)" }];
    if (size >= 0) traps.push(["a formula as a size", spoilt(formulas, (places) => places.size)]);
    if (quantity >= 0) traps.push(["a formula as a quantity", spoilt(formulas, (places) => places.quantity)]);
  }
  if (can.hides) traps.push(["a hidden row", hiddenRow]);
  if (can.sheets) traps.push(["another sheet", otherSheet]);
  if (can.strikes) traps.push(["a row that is struck out", struckRow]);
  return traps;
}

const remark: Trap = ({ rows }, truth, { rowOf }, random) => {
  const head = rowOf[0]! - 1;
  rows[head]!.push(random.one(["Remarks", "Note", "Comment"]));
  const at = random.below(rowOf.length);
  for (const [index, row] of rowOf.entries()) rows[row]!.push(index === at ? random.one(SPEAKS_AGAINST) : null);
  truth.doubtful.push(truth.orders[at]!.national);
};

const wrongLength: Trap = ({ rows }, truth, { rowOf, number }, random) => {
  const at = random.below(rowOf.length);
  const [{ national }] = truth.orders.splice(at, 1) as [Order];
  rows[rowOf[at]!]![number] = random.one([`0${national.slice(1)}`, `0${national}1`, `233${national.slice(0, 8)}`]);
};

const eitherOr: Trap = ({ rows }, truth, { rowOf, number }, random) => {
  const at = random.below(rowOf.length);
  const other = someNumber(random);
  rows[rowOf[at]!]![number] = `0${truth.orders[at]!.national} / 0${other}`;
  truth.doubtful.push(truth.orders[at]!.national, other);
};

/** A column of other people's numbers, which are never what is ordered for. */
const otherNumbers: Trap = ({ rows }, truth, { rowOf }, random) => {
  rows[rowOf[0]! - 1]!.push(random.one(["Sender", "Agent phone", "Paid by", "Alternative number", "Sold by"]));
  for (const row of rowOf) {
    const other = someNumber(random);
    rows[row]!.push(`0${other}`);
    truth.doubtful.push(other);
  }
};

/** Figures that may be sizes, quantities or money; an amount beside a size is money. */
const unclearColumn: Trap = ({ rows }, truth, { rowOf, size, quantity }, random) => {
  const title = random.one(["Amount", "Value", "X", ""]);
  rows[rowOf[0]! - 1]!.push(title);
  for (const row of rowOf) rows[row]!.push(2 + random.below(7));
  if (size < 0 || (quantity < 0 && title !== "Amount"))
    truth.doubtful.push(...truth.orders.map(({ national }) => national));
};

/** Without headings a size has its unit, and no column counts the rows: somebody would have to guess. */
const withoutHeadings: Trap = ({ rows }, truth, { rowOf, size }, random) => {
  const count = rows[rowOf[0]! - 1]!.findIndex((title) => COUNT_TITLES.includes(title as string));
  if (count >= 0) for (const row of rowOf) rows[row]![count] = null;
  if (size >= 0)
    for (const [at, row] of rowOf.entries()) rows[row]![size] = sizeText(truth.orders[at]!.sizeMb!, random);
  rows.splice(0, rowOf[0]!);
};

const networkOf = (national: string) =>
  /^(?:24|54|55|59)/.test(national) ? "MTN" : /^(?:20|50)/.test(national) ? "Telecel" : "AirtelTigo";

const SPEAKS_AGAINST = ["cancelled", "CANCEL", "already sent", "do not send", "wrong number", "done ✅", "refunded"];

const hiddenRow: Trap = ({ hidden }, truth, { rowOf }, random) => {
  const at = random.below(rowOf.length);
  hidden.add(rowOf[at]!);
  truth.doubtful.push(truth.orders.splice(at, 1)[0]!.national);
  truth.leavesOut = true;
};

const otherSheet: Trap = (grid, truth, _, random) => {
  const national = someNumber(random);
  grid.other = [["Phone"], [`0${national}`]];
  truth.doubtful.push(national);
  truth.leavesOut = true;
};

const struckRow: Trap = ({ rows }, truth, { rowOf }, random) => {
  const at = random.below(rowOf.length);
  rows[rowOf[at]!] = rows[rowOf[at]!]!.map((cell) => (cell === null ? null : { struck: String(cell) }));
  truth.doubtful.push(truth.orders[at]!.national);
};

const ENCODINGS = ["utf-8", "utf-8 with mark", "utf-16le", "utf-16be", "windows-1252"] as const;

/** A typed list, one order on a line. */
function list(random: Random): BulkFile {
  const orders = someOrders(random, 15);
  const style = random.one(LIST_STYLES);
  const lines = orders.map((order, at) => style(order, at, random));
  const isPlain = random.chance(70);
  const truth: Truth = { orders, doubtful: [], leavesOut: false };
  if (random.chance(30))
    lines.unshift(random.one(["Orders for today", "Good morning", "MTN orders:"]).replace("MTN ", ""));
  if (!isPlain) {
    const at = random.below(orders.length);
    const line = lines.length - orders.length + at;
    const spoil = random.one([
      (text: string) => `~${text}~`,
      (text: string) => `${text} cancelled`,
      (text: string) => `${text} already sent`,
      (text: string) => `> ${text}`,
      (text: string) => `Fwd: ${text}`,
      (text: string) => `${text} (don't send)`,
    ]);
    lines[line] = spoil(lines[line]!);
    truth.doubtful.push(orders[at]!.national);
  }
  const encoding = random.one(ENCODINGS);
  const text = lines.join(random.one(["\n", "\r\n", "\r"]));
  return { name: `list in ${encoding}.txt`, bytes: encoded(text, encoding), ...truth, isPlain };
}

type Style = (order: Order, at: number, random: Random) => string;
const once = (order: Order) => {
  order.quantity = 1;
  return order;
};
const LIST_STYLES: Style[] = [
  (order, _, random) => `${written(order.national, random, true)} ${sizeText(once(order).sizeMb!, random)}`,
  (order, _, random) => `${sizeText(once(order).sizeMb!, random)} ${written(order.national, random, true)}`,
  (order, _, random) => `${written(order.national, random, true)} - ${sizeText(once(order).sizeMb!, random)}`,
  (order, at, random) => `${at + 1}. ${written(order.national, random, true)} ${sizeText(once(order).sizeMb!, random)}`,
  (order, _, random) =>
    `${random.one(NAMES)} ${written(order.national, random, true)} ${sizeText(once(order).sizeMb!, random)}`,
  (order, _, random) =>
    `${written(order.national, random, true)} ${sizeText(order.sizeMb!, random)} x${order.quantity}`,
  (order, _, random) => `${written(order.national, random, true)}: ${sizeText(once(order).sizeMb!, random)}`,
  (order, _, random) => {
    Object.assign(once(order), { sizeMb: null });
    return String(written(order.national, random, true));
  },
];

/** An export of a chat, or messages copied out of it. */
function chat(random: Random): BulkFile {
  const orders = someOrders(random, 8).map((order) => once(order));
  const truth: Truth = { orders, doubtful: [], leavesOut: false };
  const isPlain = random.chance(50);
  const lines = orders.map(({ national, sizeMb }) => `${written(national, random, true)} ${sizeText(sizeMb!, random)}`);
  if (!isPlain) {
    const stranger = someNumber(random);
    const notice = random.one(NOTICES)(`+233 ${stranger.slice(0, 2)} ${stranger.slice(2, 5)} ${stranger.slice(5)}`);
    lines.splice(random.below(lines.length + 1), 0, notice);
    truth.doubtful.push(stranger);
  }
  if (random.chance(40)) lines.unshift(random.one(["Good morning boss", "pls send these", "chale, how far"]));
  const minute = () => String(random.below(60)).padStart(2, "0");
  const head = random.one([
    (name: string) => `[21/11/2026, 9:${minute()}:15 AM] ${name}: `,
    (name: string) => `[09:${minute()}, 21/11/2026] ${name}: `,
    (name: string) => `21/11/2026, 09:${minute()} - ${name}: `,
    (name: string) => `11/21/26, 9:${minute()} PM - ${name}: `,
  ]);
  const text = lines.map((line) => head(random.one(NAMES)) + line).join("\n");
  return { name: "chat.txt", bytes: encoded(text, "utf-8"), ...truth, isPlain };
}

const NOTICES: ((number: string) => string)[] = [
  (number) => `${number} joined using this group's invite link`,
  (number) => `${number} left`,
  (number) => `You added ${number}`,
  (number) => `please call ${number} if there is any problem`,
  (number) => `${number} 5GB cancel this one`,
  (number) => `${number} 2GB already sent`,
  (number) => `Forwarded: ${number} 1GB`,
  (number) => `call me on ${number}`,
];
