// Cross-checks of a statement, where it has a fact twice: the way of a row's money, its amount with its balances, and
// totals with their rows.
import { show } from "../../../shared/money.ts";
import { type Row, SIDE } from "./statement-rows.ts";
import { statusIn, troubleIn, typeIn } from "./statement-trouble.ts";

type Way = "in" | "out";

const FIGURES = ["amount", "moneyIn", "moneyOut"] as const;

/** Whether a row's money came in or went out; null where nothing says it, and the reason where it says both. */
export function wayOf(row: Row, amount: number, before: number | null): Way | { problem: string } | null {
  const found = waysIn(row, before);
  const [first, other] = [found[0], found.find(({ way }) => way !== found[0]!.way)];
  if (first && other)
    return {
      problem: `contradicts itself: by ${first.by} its money ${TEXTS[first.way]}, by ${other.by} not`,
    };
  const moved = movedBy(row, before);
  const way = first?.way ?? (row.trouble?.isTakenBack ? "out" : null);
  if (moved !== null && !isAmountOf(row, amount, moved, way))
    return {
      problem: `contradicts itself: its balances differ by ${show(Math.abs(moved))}, its amount is ${show(amount)}`,
    };
  return way;
}

const TEXTS = { in: "came in", out: "went out" };

/** Everything in a row that says which way its money went. */
function waysIn(row: Row, before: number | null): { way: Way; by: string }[] {
  const { text, money } = row;
  const ways: { way: Way; by: string }[] = [];
  const add = (isKnown: unknown, way: Way, by: string) => isKnown && ways.push({ way, by });
  add(money.moneyIn, money.moneyIn! > 0 ? "in" : "out", "its column");
  add(money.moneyOut, "out", "its column");
  const moved = movedBy(row, before);
  add(moved, moved! > 0 ? "in" : "out", "its balances");
  add(money.amount && money.amount < 0, "out", "its sign");
  add(text("amount").startsWith("+"), "in", "its sign");
  for (const field of FIGURES) {
    const [, side] = SIDE.exec(text(field)) ?? [];
    add(side, side?.toLowerCase() === "cr" ? "in" : "out", `“${side}”`);
  }
  for (const field of ["direction", "type"] as const) {
    const typed = field === "direction" ? sideIn(text(field)) : text(field);
    // What was taken back may be called a credit or a debit.
    if (field === "type" && troubleIn(typed)?.isTakenBack) continue;
    const { way } = typeIn(typed);
    if (way) add(true, way, `“${text(field).slice(0, 30)}”`);
  }
  return ways;
}

/** Banks write C and D. */
const sideIn = (direction: string) => direction.replace(/^([cd])\.?$/i, "$1r");

/** By how much the balance moved; null where it does not say. */
function movedBy({ money }: Row, before: number | null): number | null {
  const from = money.before ?? before;
  return from === null || money.after == null ? null : money.after - from;
}

/** Whether balances moved by the amount, with or without the row's fees; what went out may have other fees. */
function isAmountOf({ money }: Row, amount: number, moved: number, way: Way | null): boolean {
  const [fee, levy] = [Math.abs(money.fee ?? 0), Math.abs(money.levy ?? 0)];
  const by = Math.abs(moved);
  const isWithFees = [0, fee, levy, fee + levy].some((more) => by === amount + more || by === amount - more);
  return isWithFees || (way === "out" && fee + levy === 0 && by > amount);
}

/**
 * For statements with one column of balances: the balance before each row, which is that of the row above or, newest
 * first, below it; null where that is not certain.
 */
export function balancesBefore(rows: readonly Row[]): (number | null)[] {
  const unknown = rows.map(() => null);
  if (rows.some(({ money }) => money.before != null)) return unknown;
  const ways = [rows.map((_, at) => rows[at - 1] ?? null), rows.map((_, at) => rows[at + 1] ?? null)].map(
    (neighbours) => {
      const before = neighbours.map((row) => row?.money.after ?? null);
      const compared = rows.filter(({ money, summary }, at) => !summary && money.after != null && before[at] !== null);
      const fitting = rows.filter((row, at) => !row.summary && isStep(row, before[at]!));
      return {
        before,
        fits: fitting.length,
        isMost: fitting.length >= 2 && fitting.length >= compared.length * 0.75,
      };
    },
  );
  const [down, up] = ways as [(typeof ways)[number], (typeof ways)[number]];
  if (down.fits === up.fits) return unknown;
  const best = down.fits > up.fits ? down : up;
  return best.isMost ? best.before : unknown;
}

function isStep(row: Row, before: number | null): boolean {
  const amount = Math.abs(row.money.amount || row.money.moneyIn || row.money.moneyOut || 0);
  const moved = movedBy(row, before);
  return amount > 0 && moved !== null && isAmountOf(row, amount, moved, null);
}

/** The totals that are no sum of the rows above them, however these are counted. */
export function wrongTotals(rows: readonly Row[]): string[] {
  return FIGURES.flatMap((field) => {
    const found: string[] = [];
    const sections: Row[][] = [[], []];
    for (const row of rows) {
      const total = row.money[field];
      if (row.summary === null) for (const section of sections) section.push(row);
      if (row.summary !== "total") continue;
      const isRight = sections.some((section) => sumsOf(section, field).has(Math.abs(total ?? 0)));
      if (total != null && !isRight) found.push(`Row ${row.number}: the total of ${show(Math.abs(total))} ${WRONG}`);
      // A page has its own total.
      sections[1] = [];
    }
    return found;
  });
}

const WRONG = "is not what its rows come to. Nothing is imported: correct the file, or remove the row of the total";

/** What the rows may come to: all of them, those that succeeded, those in, those out, and the difference. */
function sumsOf(rows: readonly Row[], field: (typeof FIGURES)[number]): Set<number> {
  const sums = new Set<number>();
  for (const some of [rows, rows.filter(({ text }) => statusIn(text("status")) === "done")]) {
    const known = some.map((row) => ({ figure: row.money[field] ?? 0, way: wayIn(row) }));
    const sum = (counted: typeof known) => counted.reduce((total, { figure }) => total + Math.abs(figure), 0);
    const [incoming, outgoing] = [
      sum(known.filter(({ way }) => way === "in")),
      sum(known.filter(({ way }) => way === "out")),
    ];
    for (const one of [sum(known), incoming, outgoing, Math.abs(incoming - outgoing)]) sums.add(one);
  }
  return sums;
}

const wayIn = (row: Row): Way | null => waysIn(row, null)[0]?.way ?? null;
