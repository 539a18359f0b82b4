// The lookup of a text by language and key. English is complete; every other language may lack lines, and a line is
// shown in it only once somebody who speaks it has reviewed it.
import type { Language } from "../../../shared/domain.ts";
import { ENGLISH_SMS } from "./english-sms.ts";
import { ENGLISH_USSD } from "./english-ussd.ts";
import { TWI } from "./twi.ts";

export const ENGLISH = { ...ENGLISH_USSD, ...ENGLISH_SMS };
export type TextKey = keyof typeof ENGLISH;
export const TEXT_KEYS = Object.keys(ENGLISH) as TextKey[];

/** Whether this is the key of a text. */
export function isTextKey(key: string): key is TextKey {
  return Object.hasOwn(ENGLISH, key);
}

/** The names in braces of a text: "Buy {bundle} for {number}" has bundle and number. */
export type Placeholders<Text> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholders<Rest>
  : never;
type PlaceholdersOf<Key extends TextKey> = Placeholders<(typeof ENGLISH)[Key]>;
export type Placeholder = PlaceholdersOf<TextKey>;
/** The keys of texts that stand for themselves. */
export type PlainKey = { [Key in TextKey]: PlaceholdersOf<Key> extends never ? Key : never }[TextKey];

/** A value for each placeholder of the text; nothing for a text without any. */
type ValuesOf<Key extends TextKey> = [PlaceholdersOf<Key>] extends [never]
  ? []
  : [values: Record<PlaceholdersOf<Key>, string | number>];
/** Renders the text of a key in one language. */
export type Translate = <Key extends TextKey>(key: Key, ...values: ValuesOf<Key>) => string;

/** The lines that come with the program, and which of them a speaker has reviewed. */
export type Shipped = { lines: Partial<Record<TextKey, string>>; reviewed: ReadonlySet<TextKey> };
const SHIPPED: Record<Exclude<Language, "en">, Shipped> = { tw: TWI };

/** A line as an admin corrected it. */
export type Correction = { text: string; isReviewed: boolean };
/** The shop's languages at a moment: those that are on, and the corrected lines by language and key. */
export type Wordings = {
  languages: readonly Language[];
  corrections: ReadonlyMap<string, Correction>;
};
/** No other language, and no corrections. */
export const AS_SHIPPED: Wordings = { languages: ["en"], corrections: new Map() };

/** The index of a line in `Wordings.corrections`. */
export function lineId(language: Language, key: TextKey): string {
  return `${language} ${key}`;
}

/** The line that comes with the program in this language; undefined where it has none. */
export function shippedLine(language: Language, key: TextKey): string | undefined {
  return language === "en" ? ENGLISH[key] : SHIPPED[language].lines[key];
}

/** Whether the shipped line may be shown; one about money only once an admin has reviewed it. */
export function isShippedReviewed(language: Language, key: TextKey): boolean {
  return language === "en" || (SHIPPED[language].reviewed.has(key) && !isAboutMoney(key));
}

/** Returns the function that renders texts in this language, or in English while the language is off. */
export function translatorOf(wordings: Wordings, language: Language): Translate {
  const shown = wordings.languages.includes(language) ? language : "en";
  return (key, ...[values]) => fill(lineOf(wordings, shown, key), values);
}

/** Renders the English texts as they come with the program. */
export const inEnglish: Translate = translatorOf(AS_SHIPPED, "en");

/** The text with its placeholders filled in. */
export function fill(text: string, values: Record<string, string | number> = {}): string {
  return text.replace(PLACEHOLDER, (_, name: string) => String(values[name]));
}

/** The placeholders of a text as they stand in it. */
export function placeholdersIn(text: string): string[] {
  return [...text.matchAll(PLACEHOLDER)].map(([, name]) => name!);
}

/** Whether a text names an amount, a payment or a PIN, where a wrong translation costs somebody money. */
export function isAboutMoney(key: TextKey): boolean {
  return MONEY.test(ENGLISH[key]);
}

/** The line of this language if it may be shown, otherwise the English one. */
function lineOf({ corrections }: Wordings, language: Language, key: TextKey): string {
  const corrected = corrections.get(lineId(language, key));
  if (corrected?.isReviewed) return corrected.text;
  if (language === "en") return ENGLISH[key];
  const shipped = isShippedReviewed(language, key) && !corrected ? shippedLine(language, key) : undefined;
  return shipped ?? lineOf({ corrections } as Wordings, "en", key);
}

const PLACEHOLDER = /\{(\w+)\}/g;
const MONEY = new RegExp(
  String.raw`\{(?:amount|available|balance|before|code|funds|held|limit|owed|payer|price)\}|` +
    String.raw`\b(?:PINs?|GHS|voucher|money|wallet|balance|owe|price|prompt|pay|paid|payment|paying|` +
    String.raw`buy|bought|refund|cancel|top-up)\b`,
  "i",
);
