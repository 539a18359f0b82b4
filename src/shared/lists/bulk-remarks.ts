// Words beside a number that speak against an order, and cells of sheets that have no value.

const whole = (texts: string[]) => String.raw`(?<![\p{L}\d])(?:${texts.join("|")})(?![\p{L}\d])`;

/**
 * Cancelled, done, under way, changed, denied, doubted, asked, a notice of a group, a call for help, quoted, forwarded,
 * struck out.
 */
const AGAINST = new RegExp(
  [
    whole([
      "cancel(?:l?ed|ling|l?ation)?|cxl|cncl|void|ignore|stop(?:ped)?|(?:on )?hold|paused?|wait|skip|not",
      "never|cannot|no longer",
      "remove|deleted?|(?:out of|no) stock|expired|duplicates?|double|re-?sen[dt]|re-?try|unpaid|un\\w{4,15}ed",
      "(?:do|does|did|has|have|had|is|are|was|were|wo|could|would|should|ca)n['’]?t",
      // Before a figure it is the number of something.
      String.raw`no(?![.:\s-]{0,3}\d)(?!\.| ?-?expir)`,
      "already|done|sent|deliver(?:ed|ing)|complet(?:ed?|ing)|received|credited|refund(?:ed)?|fail(?:ed|ure)?|reversed",
      "success(?:ful(?:ly)?)?|process(?:ed|ing)|pending|reject(?:ed)?|declined?|fulfill?ed|submitted|queued|initiated",
      "accepted|placed|dispatched|awaiting|in progress|on (?:its|the) way|got (?:it|my|the|mine)|arrived",
      "don (?:enter|come|land|drop|reach|get|receive|do)|returned|wrong(?:ly)?|mistake|error|instead|changed?",
      "replaced?|was|(?:old|new) (?:number|one)|later|tomorrow|if|unless|until|confirm|example|sample|e\\.?g",
      "finish(?:ed)?|cleared|sorted|entered|reached|landed|dropped|nope|maybe|perhaps|repeat(?:ed)?|re-?process\\w*",
      "un(?:successful|paid)|revers(?:al|e|ing)|refunds|cancle|postponed|closed|resolved|late|loaded|served|given",
      "bought|came|check|what about|where is|expecting|i (?:ordered|loaded|sent|bought|paid)|status|do you have",
      "(?:send|sent) money|price (?:of|for)|except|without|leave out",
      "replacement|correction|sorry|i mean|invalid|blocked|blacklisted|test(?:ing)?|format|voice|minutes|sms|credit",
      "(?:txn|trans(?:action)?|receipt|ref(?:erence)?|merchant|total|amount|id)(?: ?(?:id|no|number))?[:.# -]{0,3}\\d+",
      "how much|price of|joined|left|added|removed|created|invite|security code|edited|pinned|missed \\w+ call",
      "turned (?:on|off)|this message|file attached|(?:call|ring|reach) (?:me|us|him|her|on|or|this|my|0|\\+?233)",
      "(?:please|pls|plz|kindly) (?:call|ring|contact|reach)|forwarded|quoted?|wrote|struck out|airtime|afa",
      "problems?|complain\\w*|enquir\\w+|questions?|issues?|help ?line|customer care",
    ]),
    String.raw`(?<![\p{L}\d])(?:fwd?|re):|^\s*>|^[\s,;|&/+-]{0,9}x\s{1,3}(?=[+\d])` +
      String.raw`|<(?:s|del)>|[?~✅✔✓☑❌❎✖✗✘☒🚫⛔👎🛑⏳⌛🔄\u0336]`,
  ].join("|"),
  "iu",
);
/** A number in a signature or of somebody to ask. It may as well be the label of an order, if it says a size. */
const CONTACT = new RegExp(
  `${whole([
    "call|ring|contact|reach|whats ?app|hot ?line|regards|sincerely|yours|signed|admin|info|momo|pay(?:ment)?|sender",
    "payer|this is|here is|agent|account|money",
  ])}|${String.raw`^\s*from(?![\p{L}\d])|@(?=\+?\d)|\.vcf(?![\p{L}\d])`}`,
  "iu",
);
const SIZE = /\d ?[gm](?:b|ig|(?![\p{L}\d]))/iu;

/** Whether what stands beside a number speaks against ordering for it, so that somebody has to be asked. */
export function speaksAgainst(text: string): boolean {
  return isAgainst(text) || (CONTACT.test(text) && !SIZE.test(text));
}

/** The same for the name of a person, who may well be called "MTN Agent". */
export function isAgainst(text: string): boolean {
  return AGAINST.test(text);
}

const ERRORS = "N/A|REF!|VALUE!|DIV/0!|NAME\\?|NUM!|NULL!|SPILL!|CALC!|FIELD!|BLOCKED!|GETTING_DATA";
/**
 * "#N/A", "Err:502", and what a cell without a clear value is read as: "#no result", "#no size: n/a", "#2 or 1.5",
 * "#no network: MTN?", "#for 3 rows: 6".
 */
const NO_VALUE = new RegExp(
  String.raw`#(?:${ERRORS}|no result|no size|no network|for \d+ rows|[\d.,-]+ or -?\d)|\bErr:\d{3}`,
  "i",
);

const ERROR = new RegExp(String.raw`^(?:#(?:${ERRORS})|Err:\d{3})$`, "i");

/** Whether a cell is an error of a spreadsheet as its text: "#N/A", "#VALUE!", in LibreOffice also "Err:502". */
export function isError(cell: string): boolean {
  return ERROR.test(cell);
}

/** Beside an order these are no sentence about it; whatever follows "for" is whom it is for. */
const COURTESY = new Set(
  (
    "please pls plz kindly thanks thank you boss sir madam bro sis chale abeg dear asap urgent now today data " +
    "bundle non no expiry expiring non-expiry to my mtn"
  ).split(" "),
);

/** Whether what stands behind the number and size of an order seems to be a sentence: not a name alone. */
export function isSentence(text: string): boolean {
  const terms = text.replace(/(?<![\p{L}\d])for(?![\p{L}\d]).*$/iu, "").match(/\p{L}[\p{L}'’-]*/gu) ?? [];
  const plain = terms.filter((term) => /^\p{Ll}/u.test(term) && !COURTESY.has(term));
  return plain.length > NAME_PARTS_MAX || (plain.length > 1 && plain.some((term) => OF_SENTENCES.has(term)));
}

const NAME_PARTS_MAX = 3;
/** What names do not have. */
const OF_SENTENCES = new Set(
  (
    "i he she it we they me him them us am is are be been being has have had having do does did will would can " +
    "could may might must should not yet from at in on by when once so but and or then next just get got come go " +
    "went enter e dey na am don never week month day who what where why how only even still there here"
  ).split(" "),
);

/** Whether a cell in a line has no value that counts. */
export function lacksValue(text: string): boolean {
  return NO_VALUE.test(text);
}
