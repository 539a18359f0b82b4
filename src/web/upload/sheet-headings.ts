// Headings of the columns in lists of orders.

export type Kind =
  | "number"
  | "money"
  | "amount"
  | "quantity"
  | "size"
  | "network"
  | "remark"
  | "fate"
  | "leave"
  | "other";

/** What a column of this heading holds; null for a heading that says nothing. */
export const kindOf = (title: string): Kind | null =>
  KINDS.find(({ matches }) => matches(normalized(title)))?.kind ?? null;

/** A heading in lower case without punctuation: "Data (GB)" is "data gb". */
export const normalized = (title: string) =>
  title
    .toLowerCase()
    .replace(/[^\p{L}#₵]+/gu, " ")
    .trim();

const UNIT = /(?:^| )(?:in )?(?:gb|gbs|gig|gigs|gigabytes?|go|mb|mbs|megabytes?|mo)(?= |$)/g;
const SIZE_NAMES = new RegExp(
  `^(?:${[
    "(?:data|bundle|package|plan)? ?(?:size|volume|capacity|amount|allocation)",
    "amount of data|data|bundle|package|plan|product|offer",
    "(?:data|mobile) (?:bundle|package|plan|offer)",
  ].join("|")})$`,
);
const OTHER_NAMES = new RegExp(
  String.raw`\b(?:serial|date|time|year|voice|minutes|sms|airtime|(?:order|user) id` +
    "|(?<!(?:bundle|package|product|data|plan|offer) )name|customer|client" +
    "|address|town|email|validity|days?|location|hostel|room|area|school|house|street|region|class|level|gender|agent" +
    String.raw`|label)\b`,
);
/** What became of an order. */
const FATES = new RegExp(
  String.raw`\b(?:status|state|results?|outcome|done|delivered|sent|cancell?ed|completed?|process(?:ed|ing)` +
    "|fulfill?ed|placed|ordered|bought|received|credited|refunded|failed|pending|success(?:ful)?|cancel" +
    String.raw`|skip|duplicate|served|loaded|returned|reversed|declined|rejected)\b`,
);
const MONEY = /\b(?:price|cost|ghs?|ghc|cedis?|fees?|commission|profit|rate|(?<!in )charges?|selling|margin)\b|₵/;
const KINDS: { kind: Kind; matches: (title: string) => boolean }[] = [
  {
    kind: "number",
    matches: (title) =>
      /\b(?:phone|mobile|cell|contact|tel|telephone|msisdn|recipient|beneficiary|receiver|momo|numbers?)\b/.test(
        title,
      ) && !/\b(?:no|number) of\b|\b(?:name|network|order number|serial|id)\b/.test(title),
  },
  {
    kind: "money",
    matches: (title) =>
      MONEY.test(title) || (/\b(?:paid|payment|total|balance|amount paid)\b/.test(title) && title.search(UNIT) < 0),
  },
  {
    kind: "quantity",
    matches: (title) =>
      /^(?:qty|quantity|quantities|pieces|pcs|units?|count|times|bundles|(?:no|number) of bundles)$/.test(title),
  },
  // Cedis where the size has its own column, else GB or a number of bundles.
  { kind: "amount", matches: (title) => title === "amount" },
  {
    kind: "size",
    matches: (title) => {
      const bare = title.replace(UNIT, "").trim();
      if (bare !== title) return bare === "" || SIZE_NAMES.test(bare);
      return SIZE_NAMES.test(title);
    },
  },
  {
    kind: "network",
    matches: (title) => /^(?:mobile )?(?:net|network|operator|provider|carrier|telco)\b/.test(title),
  },
  {
    kind: "fate",
    matches: (title) => title === "delivery" || FATES.test(title),
  },
  // Whether to send at all.
  {
    kind: "leave",
    matches: (title) => /^(?:is )?(?:active|enabled|included?|approved|confirmed|valid|to send|ready)$/.test(title),
  },
  {
    kind: "remark",
    matches: (title) => /\b(?:remarks?|notes?|comments?|own data)\b/.test(title),
  },
  {
    kind: "other",
    matches: (title) =>
      /^(?:#|no|nr|s ?n|serial|index|id|line|row|ref|reference|code|age)$/.test(title) || OTHER_NAMES.test(title),
  },
];
