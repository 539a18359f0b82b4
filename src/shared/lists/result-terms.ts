// The terms of outcomes in a text, and the words that change nothing beside them.

/** "denied" is a success that was not, "unclear" what could mean anything, as in "never failed". */
export type Sense = "delivered" | "failed" | "pending" | "stage" | "denied" | "unclear";

/** Stands for a term that was found. */
export const MARK = "\u0001";

/** The senses of the terms in a text, and the text with a mark in place of each. */
export function sensesIn(text: string): { senses: Set<Sense>; rest: string } {
  const senses = new Set<Sense>();
  let rest = text.replace(/[‘’`]/g, "'").replace(/[\s_]+/g, " ");
  for (const [pattern, sense] of TERMS)
    rest = rest.replace(pattern, () => {
      senses.add(sense);
      return MARK;
    });
  return { senses, rest };
}

export const termsIn = (text: string): string[] => text.match(/[\p{L}\p{M}\p{N}][\p{L}\p{M}\p{N}'-]*/gu) ?? [];

/** Whether a word that follows a number without a space is an outcome. */
export const beginsWithOutcome = (text: string) =>
  /^(?:deliver|success|complete|done|fail|reject|cancel|pending|okay|ok(?!\p{L}))/iu.test(text);

/** The pattern as a whole word, in any case. */
const whole = (pattern: string) => new RegExp(String.raw`(?<![\p{L}\p{N}'])(?:${pattern})(?![\p{L}\p{N}])`, "giu");

const NOT =
  "not|nt|never|no|nor|neither|without|non|hardly|barely|cannot|ain'?t|dn'?t" +
  "|(?:is|was|are|were|has|have|had|did|does|do|could|can|wo|would)n'?t";
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
  // A question, and a box that nobody ticked.
  [/[?❓❔⁉؟]\ufe0f?|\[ ?\]|[☐□▢◻⬜]\ufe0f?/gu, "unclear"],
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
        "|delivery[ -](?:has )?failed|undelivered|undeliverable|unsuccessful(?:ly)?",
    ),
    "failed",
  ],
  [whole(`(?:${NOT})${GAP}(?:${FAILURE}|${STAGE})`), "unclear"],
  [whole(`(?:${NOT})${GAP}(?:${SUCCESS})`), "denied"],
  [
    whole(
      String.raw`(?:will|shall|should|would|could|may|might|must|(?<!due )to|being)(?: \p{L}{1,12}){0,2} ` +
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

const POLITE = new Set("thanks thank you please pls boss sir madam bro chale dear".split(" "));
const FILLERS = new Set(
  (
    "the a an this that it its has have been is was were are all both to for on at by with of and your his her " +
    "their my our data bundle bundles package packages order orders number numbers customer line lines sim status " +
    "result delivery now already just fully today good great am pm gb mb via network ref id hi hello morning " +
    "afternoon evening tel phone mobile whatsapp ok okay yes and transaction"
  ).split(" "),
);

/** Whether a word only makes an answer friendlier. */
export const isPolite = (word: string) => POLITE.has(word.toLowerCase());
/** Whether a word changes nothing about a success. */
export const isFiller = (word: string) => FILLERS.has(word.toLowerCase()) || isPolite(word);
