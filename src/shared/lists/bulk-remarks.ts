// Words beside a number that speak against an order, and cells of sheets that have no value.

const whole = (texts: string[]) => String.raw`(?<![\p{L}\d])(?:${texts.join("|")})(?![\p{L}\d])`;

/** Cancelled, done, changed, denied, a notice of a group, a call for help, quoted, forwarded, struck out. */
const AGAINST = new RegExp(
  [
    whole([
      "cancel(?:l?ed|ling)?|void|ignore|stop|on hold|wait|skip|not|never|don['’]?t|cannot|can['’]?t|no longer",
      "already|done|sent|delivered|completed?|received|credited|refund(?:ed)?|failed|undelivered|reversed",
      "returned|wrong(?:ly)?|mistake|error|instead|changed?|replaced?|was|(?:old|new) (?:number|one)",
      "joined|left|added|removed|created|invite|security code|deleted|edited|pinned|missed \\w+ call",
      "(?:call|ring|reach) (?:me|us|him|her|on|or|this|my|0|\\+?233)",
      "(?:please|pls|plz|kindly) (?:call|ring|contact|reach)|forwarded|quoted?|wrote|struck out",
      "problems?|complain\\w*|enquir\\w+|questions?|issues?|help ?line|customer care",
    ]),
    String.raw`(?<![\p{L}\d])(?:fwd?|re):|^\s*>|[~✅✔☑❌✖✗✘🚫]`,
  ].join("|"),
  "iu",
);
/** A number in a signature or of somebody to ask. It may as well be the label of an order, if it says a size. */
const CONTACT = new RegExp(
  `${whole([
    "call|ring|contact|reach|whats ?app|hot ?line|regards|sincerely|yours|signed|admin|info",
  ])}|${String.raw`^\s*from(?![\p{L}\d])`}`,
  "iu",
);
const SIZE = /\d ?[gm](?:b|ig|(?![\p{L}\d]))/iu;

/** Whether the words beside a number speak against ordering for it, so that somebody has to be asked. */
export function speaksAgainst(text: string): boolean {
  return AGAINST.test(text) || (CONTACT.test(text) && !SIZE.test(text));
}

const ERRORS = "N/A|REF!|VALUE!|DIV/0!|NAME\\?|NUM!|NULL!|SPILL!|CALC!|FIELD!|BLOCKED!|GETTING_DATA";
/**
 * "#N/A", "Err:502", and what a cell without a clear value is read as: "#no result", "#no size: n/a", "#2 or 1.5",
 * "#for 3 rows: 6".
 */
const NO_VALUE = new RegExp(
  String.raw`#(?:${ERRORS}|no result|no size|for \d+ rows|[\d.,-]+ or -?\d)|\bErr:\d{3}`,
  "i",
);

const ERROR = new RegExp(String.raw`^(?:#(?:${ERRORS})|Err:\d{3})$`, "i");

/** Whether a cell is an error of a spreadsheet as its text: "#N/A", "#VALUE!", in LibreOffice also "Err:502". */
export function isError(cell: string): boolean {
  return ERROR.test(cell);
}

/** Whether a cell in a line has no value that counts. */
export function lacksValue(text: string): boolean {
  return NO_VALUE.test(text);
}
