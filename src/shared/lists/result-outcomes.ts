// Outcomes of a delivery as texts name them: a status of a portal, or a sentence from a chat. A denied or doubted
// success, a denied failure and unknown terms are never guessed at: the person who pastes them is asked.

export type Outcome = "delivered" | "failed" | "pending";

/** What a text was read as. `note` is the rest of it, `unclear` a text to ask about. */
export type Reading =
  | {
      outcome: Outcome;
      /** Sent, accepted …: one step of many, which any other outcome on the line outweighs. */
      isStage: boolean;
      note: string;
    }
  | { unclear: string }
  /** `doubts`: what of the line it makes doubtful. */
  | { note: string; doubts: "nothing" | "success" | "anything" };

/** Meanings that a person gave to unclear texts, by `phraseOf`; a "note" is no result. */
export type Meanings = ReadonlyMap<string, Outcome | "note">;

const PHRASE_CHARS_MAX = 60;

/** The text by which an unclear one is asked about and remembered: the same for any case and spacing. */
export function phraseOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{S}'’?:]+/gu, " ")
    .trim()
    .slice(0, PHRASE_CHARS_MAX)
    .trim();
}

/** Reads a text without numbers and sizes, by what a person said that it means, or else by the terms below. */
export function readOutcome(text: string, meanings: Meanings): Reading {
  const meaning = meanings.get(phraseOf(text));
  if (meaning === "note") return { note: "", doubts: "nothing" };
  if (meaning) return { outcome: meaning, isStage: false, note: "" };
  const { senses, before, after } = sensesIn(text);
  const single = senses.size === 0 ? weakOutcome(termsIn(before)) : undefined;
  if (single) return { outcome: single, isStage: false, note: "" };
  const others = [...termsIn(before), ...termsIn(after)].filter((term) => !FILLERS.has(term.toLowerCase()));
  const note = others.length > 0 ? trimmed(`${before} ${after}`) : "";
  const isDoubt = senses.has("denied") || others.some(isNegation) || DOUBTED_SUCCESS.test(text);
  const [outcome, another] = (["delivered", "failed", "pending"] as const).filter((it) => senses.has(it));
  if (another || senses.has("unclear")) return { unclear: text };
  if (!outcome) return withoutOutcome(text, { senses, note, isDoubt });
  const isUnsure = DOUBTED.test(text) || (outcome === "delivered" && (isDoubt || isStrange(text, before, after)));
  return isUnsure ? { unclear: text } : { outcome, isStage: false, note };
}

type Found = { senses: Set<Sense>; note: string; isDoubt: boolean };

function withoutOutcome(text: string, { senses, note, isDoubt }: Found): Reading {
  if (senses.has("stage") && !isDoubt) return { outcome: "pending", isStage: true, note };
  const doubts = DOUBTED.test(text) ? "anything" : isDoubt ? "success" : "nothing";
  return { note: senses.has("denied") ? text : note, doubts };
}

/** Whether an answer by itself says yes or no, whose sense is in the heading above it; null for anything else. */
export function yesOrNo(text: string): boolean | null {
  const answer = text.trim().toLowerCase().replace(/\.$/, "");
  if (/^(?:1|[✅✔☑✓]\ufe0f?)$/u.test(answer)) return true;
  if (/^(?:0|x|[❌✖✗✘]\ufe0f?)$/u.test(answer)) return false;
  const weak = WEAK.get(answer);
  return weak === undefined ? null : weak === "delivered";
}

/** "denied" is a success that was not, "unclear" what could mean anything, as in "never failed". */
type Sense = Outcome | "stage" | "denied" | "unclear";

const MARK = "\u0001";

/** The senses of the terms in a text, and the text before the first of them and after it. */
function sensesIn(text: string): { senses: Set<Sense>; before: string; after: string } {
  const senses = new Set<Sense>();
  let rest = text.replace(/[‘’`]/g, "'");
  for (const [pattern, sense] of TERMS)
    rest = rest.replace(pattern, () => {
      senses.add(sense);
      return MARK;
    });
  const [before = "", ...after] = rest.split(MARK);
  return { senses, before, after: after.join(" ") };
}

const termsIn = (text: string): string[] => text.match(/[\p{L}\p{M}\p{N}][\p{L}\p{M}\p{N}'-]*/gu) ?? [];

const trimmed = (text: string) => text.replace(/\s+/g, " ").replace(/^[\s,.;:–—-]+|[\s,;:–—-]+$/g, "");

/** Whether a success has words beside it that are neither usual there nor a name in front of it. */
function isStrange(text: string, before: string, after: string): boolean {
  const isInCapitals = text === text.toUpperCase();
  const isName = (word: string) =>
    /^\p{Lu}[\p{Ll}\p{M}'-]+$/u.test(word) || (!isInCapitals && /^\p{Lu}{2,}$/u.test(word));
  const isUsual = (word: string) => FILLERS.has(word.toLowerCase());
  return !termsIn(after).every(isUsual) || !termsIn(before).every((word) => isUsual(word) || isName(word));
}

/** The pattern as a whole word, in any case. */
const whole = (pattern: string, flags = "giu") =>
  new RegExp(String.raw`(?<![\p{L}\p{N}'])(?:${pattern})(?![\p{L}\p{N}])`, flags);

const NOT =
  "not|never|no|nor|neither|without|non|hardly|barely|cannot" +
  "|(?:is|was|are|were|has|have|had|did|does|do|could|can|wo|would)n'?t";
const NEGATION = whole(NOT, "iu");
const isNegation = (word: string) => NEGATION.test(word);
const SUCCESS = "delivered|successful(?:ly)?|success|completed?|done";
const FAILURE = "failed|fails?|failures?|errors?|rejected|declined|invalid(?: number)?|cancell?ed";
const STAGE = "sent|submitted|queued|initiated|accepted|placed|dispatched";
/** Up to two words between a denial and what it denies. */
const GAP = String.raw`(?: (?!then|so|and|or)[\p{L}']{1,12}){0,2} `;
const SUCCESSFULLY = "success(?:ful(?:ly)?)?";

/** Terms in the order in which they are looked for: what denies another term comes before it. */
const TERMS: readonly [RegExp, Sense][] = [
  [/[✅✔☑✓]\ufe0f?/gu, "delivered"],
  [/[❌✖✗✘🚫⛔]\ufe0f?/gu, "failed"],
  [/[⏳⌛🕐🕒🔄]\ufe0f?/gu, "pending"],
  [/\?/g, "unclear"],
  [
    whole(
      [
        `(?:is |was |has )?not yet(?: been)?(?: (?:${SUCCESS}|${STAGE}))?`,
        String.raw`(?:not|\p{L}{2,5}n't)(?: been)? (?:${SUCCESS}|${STAGE}) yet`,
        `yet to (?:be )?(?:deliver|complete|${SUCCESS}|${STAGE})`,
        `not (?:been )?(?:${STAGE})`,
      ].join("|"),
    ),
    "pending",
  ],
  [
    whole(
      "(?:is |was )?not (?:delivered|successful)|(?:is|was)n'?t (?:delivered|successful)" +
        "|did ?n(?:o|')?t (?:go through|deliver)|could ?n(?:o|')?t be delivered|(?:failed|unable) to deliver" +
        "|delivery (?:has )?failed|undelivered|undeliverable|unsuccessful(?:ly)?",
    ),
    "failed",
  ],
  [whole(`(?:${NOT})${GAP}(?:${FAILURE}|${STAGE})`), "unclear"],
  [whole(`(?:${NOT})${GAP}(?:${SUCCESS})`), "denied"],
  [
    whole(
      String.raw`(?:will|shall|should|would|could|may|might|must|to|being)(?: \p{L}{1,12}){0,2} ` +
        `(?:${SUCCESS}|${FAILURE})`,
    ),
    "unclear",
  ],
  [whole(`${SUCCESSFULLY} (?:${STAGE}|received|created)|(?:${STAGE}|received|created) ${SUCCESSFULLY}`), "stage"],
  [
    whole(
      String.raw`pending|processing|in[ -]?progress|in (?:the )?queue|waiting|awaiting(?: \p{L}{1,15})?` +
        "|on[ -]?hold|held|unknown",
    ),
    "pending",
  ],
  [whole(STAGE), "stage"],
  [whole(FAILURE), "failed"],
  [whole(`delivery (?:successful|complete)|${SUCCESS}`), "delivered"],
];

/** Whatever stands beside these is no certain outcome. */
const DOUBTED = whole(
  "maybe|perhaps|probably|possibly|hopefully|apparently|unsure|(?:i|we) think|but|if|unless|except" +
    "|re-?sen(?:d|t|ding)|re-?try(?:ing)|re-?tried|almost|nearly|part(?:ly|ial|ially)|half|about to|going to",
  "iu",
);
/** A success beside these may be none; a failure is one all the same. */
const DOUBTED_SUCCESS = whole(
  "soon|tomorrow|later|until|instead|again|re-?vers(?:ed|al|ing)|refund(?:ed|ing)?|rolled back|wrong(?:ly)?" +
    String.raw`|elsewhere|some|others?|complain\w{0,5}|disput\w{0,3}`,
  "iu",
);

/** An answer by itself, which in a sentence may mean anything. */
const WEAK = new Map<string, Outcome>([
  ...["ok", "okay", "yes", "y", "true"].map((word) => [word, "delivered"] as const),
  ...["no", "n", "false"].map((word) => [word, "failed"] as const),
]);

function weakOutcome(terms: string[]): Outcome | undefined {
  const [answer, another] = terms.map((term) => term.toLowerCase()).filter((term) => !POLITE.has(term));
  return answer !== undefined && another === undefined ? WEAK.get(answer) : undefined;
}

const POLITE = new Set("thanks thank you please pls boss sir madam bro chale dear".split(" "));
/** Words that change nothing about a success. */
const FILLERS = new Set([
  ...POLITE,
  ...(
    "the a an this that it its has have been is was were are all both to for on at by with of and your his her " +
    "their my our data bundle bundles package packages order orders number numbers customer line lines sim status " +
    "result delivery now already just fully today good great am pm gb mb via from network ref id"
  ).split(" "),
]);
