// Words beside a number that speak against an order, and cells of sheets that have no value.

/** Cancelled, done, changed, denied, a notice of a group, quoted, forwarded, struck out. */
const AGAINST = new RegExp(
  String.raw`(?<![\p{L}\d])(?:${[
    "cancel(?:l?ed|ling)?|void|ignore|stop|on hold|wait|skip|not|never|don['’]?t|cannot|can['’]?t|no longer",
    "already|done|sent|delivered|completed?|received|credited|refund(?:ed)?|failed|undelivered|reversed|returned",
    "wrong(?:ly)?|mistake|error|instead|changed?|replaced?|was|(?:old|new) (?:number|one)",
    "joined|left|added|removed|created|invite|security code|deleted|edited|pinned|missed (?:voice|video) call",
    "(?:call|ring|reach) (?:me|us|him|her|on|or|this|my|0|\\+?233)|(?:please|pls|plz|kindly) (?:call|ring|contact|reach)",
    "problems?|complain\\w*|enquir\\w+|questions?|issues?|help ?line|customer care",
    "forwarded|quoted?|wrote|struck out",
  ].join("|")})(?![\p{L}\d])|(?<![\p{L}\d])(?:fwd?|re):|^\s*>|[~✅✔☑❌✖✗✘🚫]`,
  "iu",
);
/** A number in a signature or of somebody to ask. It may as well be the label of an order, if it says a size. */
const CONTACT =
  /(?<![\p{L}\d])(?:call|ring|contact|reach|whats ?app|hot ?line|regards|sincerely|yours|signed|admin|info)(?![\p{L}\d])|^\s*from(?![\p{L}\d])/iu;
const SIZE = /\d ?[gm](?:b|ig|(?![\p{L}\d]))/iu;

/** Whether the words beside a number speak against ordering for it, so that somebody has to be asked. */
export function speaksAgainst(text: string): boolean {
  return AGAINST.test(text) || (CONTACT.test(text) && !SIZE.test(text));
}

/** "#N/A", "Err:502", and what a cell without a clear value is read as: "#no result", "#no size: n/a", "#2 or 1.5", "#for 3 rows: 6". */
const NO_VALUE =
  /#(?:N\/A|REF!|VALUE!|DIV\/0!|NAME\?|NUM!|NULL!|SPILL!|CALC!|FIELD!|BLOCKED!|GETTING_DATA|no result|no size|for \d+ rows|[\d.,-]+ or -?\d)|\bErr:\d{3}/i;

/** Whether a cell in a line has no value that counts. */
export function lacksValue(text: string): boolean {
  return NO_VALUE.test(text);
}
