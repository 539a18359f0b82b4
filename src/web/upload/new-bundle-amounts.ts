// The cost and price behind the size of a new bundle, apart from its validity and the words beside them.
import { writtenCedis } from "../../shared/lists/written-amounts.ts";

const TERM = "(?:days?|d|hours?|hrs?|h|weeks?|wks?|months?|mths?|years?|yrs?)";
/** "90 days", "(valid for 30 days)", "/24hrs", "1 month validity". */
const VALIDITY = new RegExp(
  String.raw`[/([]?\s?(?:(?:valid(?:ity)?|expir(?:y|es|ing)|lasts?)(?: for| in| of| after)?[ :]{1,2}|for )?` +
    String.raw`(?<!\d[.,])(?<![\d\p{L}])\d{1,3}[ -]?${TERM}(?![\p{L}\d])(?: (?:valid(?:ity)?|expiry))?[)\]]?`,
  "giu",
);
/** "(Non-expiry)", "no expiry". */
const NO_EXPIRY = /[([]?(?<!\p{L})(?:non?|never|without)[ -]?expir(?:y|es|ing|ation|able)?(?!\p{L})[)\]]?/giu;

/** A text without how long its bundle is valid, which is never an amount. */
export const withoutDays = (text: string) => text.replace(VALIDITY, " ");

export type Amounts = {
  /** One, or the cost and the price. */
  amounts: number[];
  /** What stands beside them: the name of a network or kind, or something else. */
  besides: string[];
  hasDays: boolean;
  /** That of two amounts which may be days. */
  maybeDays: string | null;
};

const WORD = /^[([]?(\p{L}[\p{L}-]*)[)\]]?[,:]?$/u;
const CURRENCY = /^(?:GH[₵S¢C]?\.?|[₵¢]|cedis?|ghana)$/i;
/** What may lead to the first amount. */
const LEADING = /^(?:for|at|@|[=–—-]*>+)$/;
const MARKS = /^(?:[,:=@>\u2190-\u21ff\u2794-\u27bf–—-]|\ufe0f|\.{2,9})+|,+$/gu;
const ARROW = /[>\u2190-\u21ff\u2794-\u27bf]/u;
/** How long bundles are valid, in days, where nothing says so. */
const USUAL_DAYS = /^(?:1|3|7|14|30|31|60|90|180|365)$/;

/** The amounts behind a size, or what is wrong with them. */
export function amountsIn(text: string): Amounts | string {
  const plain = withoutDays(text.replace(NO_EXPIRY, " "));
  const pieces = plain
    .replace(/([([])\s+|\s+([)\]])/g, "$1$2")
    .split(/[\s;|]+/)
    .filter((piece) => piece !== "" && !CURRENCY.test(piece));
  const isAmount = (piece: string | undefined) => piece !== undefined && /\d/.test(piece);
  const [first, last] = [pieces.findIndex(isAmount), pieces.findLastIndex(isAmount)];
  if (first < 0) return pieces.some((piece) => WORD.test(piece)) ? NO_PRICE : "has no price";
  const between = pieces.slice(first + 1, last).filter((piece) => !isAmount(piece));
  if (between.some((piece) => WORD.test(piece)) || pieces.slice(first + 1, last + 1).some((one) => ARROW.test(one)))
    return "has something between its amounts: leave it out";
  const isLed = pieces.slice(0, first).some((piece) => /^(?:for|at)$/.test(piece));
  const isBeside = (piece: string, at: number) => (at < first && !LEADING.test(piece)) || at > last;
  const besides = pieces.filter((piece, at) => isBeside(piece, at) && WORD.test(piece));
  const typed = bracketed(
    pieces.filter((piece, at) => !besides.includes(piece) && !(at < first && LEADING.test(piece))),
  );
  const amounts = typeof typed === "string" ? typed : readAmounts(typed);
  if (typeof amounts === "string") return amounts;
  if (isLed && amounts.length > 1) return NO_PRICE;
  const maybeDays = daysAmong(amounts, pieces);
  const names = besides.map((piece) => WORD.exec(piece)![1]!);
  return { amounts, besides: names, hasDays: withoutDays(text) !== text, maybeDays };
}

/** An amount that is far from the other, and as many days as bundles are often valid. */
function daysAmong([cost = 0, price = 0]: readonly number[], pieces: readonly string[]): string | null {
  if (price <= cost * 1.4) return null;
  const typed = pieces.map((piece) => piece.replace(MARKS, ""));
  const whole = typed.flatMap((piece) => (/^\d+,\d{1,2}$/.test(piece) ? [] : piece.split(",")));
  return whole.find((piece) => USUAL_DAYS.test(piece)) ?? null;
}

const NO_PRICE = "has something that is no price";

/** The pieces without brackets around the only amount. */
function bracketed(pieces: string[]): string[] | string {
  const bare = pieces.map((piece) => piece.replace(MARKS, "").replace(/^[([]([^()[\]]*)[)\]]$/, "$1"));
  const at = pieces.findIndex((piece, i) => /\d/.test(piece) && bare[i] !== piece.replace(MARKS, ""));
  if (at < 0) return pieces;
  if (pieces.filter((piece) => /\d/.test(piece)).length > 1)
    return "has an amount in brackets beside another: leave one out";
  const amount = bare[at]!;
  if (USUAL_DAYS.test(amount))
    return `has “(${amount})”, which may be days or a price: write “${amount}.00” or “${amount} days”`;
  return pieces.with(at, amount);
}

/** One amount or two. */
function readAmounts(typedPieces: readonly string[]): number[] | string {
  const pieces = typedPieces.flatMap((piece) => {
    const plain = piece.replace(MARKS, "").replace(/^gh\.?(?=\d)|(?<=\d)(?:gh|\/-)$/i, "");
    // "4,5" behind a comma may be an amount, or two.
    if (/^\d+,\d{1,2}$/.test(plain)) return piece.startsWith(",") ? [null] : [plain];
    if (/^\D*\d{1,3}(?:,\d{3})+\.\d{1,2}$/.test(plain) && !piece.startsWith(",")) return [plain];
    // "1,150" may be, too.
    if (/(?:^|[^\d.])\d{1,3},\d{3}(?!\d)/.test(plain)) return [null];
    return plain.split(",");
  });
  if (pieces.includes(null)) return "may have one amount or two: put a space or a tab between them";
  const typed = pieces.filter((piece): piece is string => piece !== null && piece !== "" && !CURRENCY.test(piece));
  const amounts = typed.map((piece) => writtenCedis(piece, /^\D*\d+,\d{1,2}$/.test(piece) ? "," : "."));
  if (typed.length === 0) return "has no price";
  if (amounts.length > 2 || amounts.some((amount) => amount === null || amount <= 0)) return NO_PRICE;
  const [first, second] = typed;
  // "1 150.00" may be one thousand, and "4 20" four cedis twenty.
  if (second && /^\d{1,3}$/.test(first!) && (/^\d{3}\.\d{1,2}$/.test(second) || isPesewas(first!, second)))
    return `may have one amount or two: write “${first} ${second}” as one, or both with pesewas`;
  return amounts as number[];
}

const isPesewas = (first: string, second: string) => /^\d\d$/.test(second) && Number(second) > 2 * Number(first);
