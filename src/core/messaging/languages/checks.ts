// The checks of a text before it may be shown: the placeholders of its English line, letters that every phone can show,
// and its length in septets with the widest values.
import { asciiText, gsm7Length, gsm7Text } from "../../../shared/phones/sms-text.ts";
import { fill, isTextKey, placeholdersIn, shippedLine, type TextKey } from "./translate.ts";
import { allowedSeptets, WIDEST, widestOf } from "./widths.ts";

/** The text that a key has at the moment, for the lines that share a screen. */
export type TextOf = (key: TextKey) => string;

/** Longer than anything that fits; the rest of a longer text is not even looked at. */
export const TEXT_CHARS_MAX = 320;

/** How much room a text takes with the widest values, and how much it has, in septets. */
export function measure(key: TextKey, text: string, textOf: TextOf): { septets: number; allowed: number } {
  return { septets: gsm7Length(widestOf(text)) ?? 0, allowed: allowedSeptets(key, textOf) };
}

/** A text with the widest values filled in, as it leaves the shop: letters that GSM-7 lacks are the nearest ones. */
export function sampleOf(text: string): string {
  return gsm7Text(fill(text, WIDEST));
}

/** What is wrong with a text for this key, each as a sentence for an admin; empty for a text that can be used. */
export function problemsOf(key: TextKey, text: string, textOf: TextOf): string[] {
  if (text.trim() === "") return ["Write a text."];
  if (text.length > TEXT_CHARS_MAX) return [`At most ${TEXT_CHARS_MAX} characters.`];
  return [...inPlaceholders(key, text), ...inLetters(key, text), ...inLength(key, text, textOf)];
}

/** Whether a stored line still belongs to a key, and has its placeholders. */
export function isUsable(key: string, text: string): key is TextKey {
  return isTextKey(key) && inPlaceholders(key, text).length === 0;
}

function inPlaceholders(key: TextKey, text: string): string[] {
  const expected = new Set(placeholdersIn(shippedLine("en", key)!));
  const found = placeholdersIn(text);
  const missing = [...expected].filter((name) => !found.includes(name));
  const unknown = found.filter((name, i) => !expected.has(name) || found.indexOf(name) !== i);
  // A brace that belongs to no placeholder is a placeholder mistyped.
  const isTorn = /[{}]/.test(text.replace(/\{\w+\}/g, ""));
  return [
    ...missing.map((name) => `{${name}} is missing.`),
    ...unknown.map((name) => `{${name}} has no place here, or stands here twice.`),
    ...(isTorn ? ["A brace is left over: placeholders look like {amount}."] : []),
  ];
}

function inLetters(key: TextKey, text: string): string[] {
  const shown = key.startsWith("sms.") ? gsm7Text : asciiText;
  const lost = [...text].filter((letter) => letter !== "?" && shown(letter).includes("?"));
  const isBroken = /[^\n\P{Cc}]/u.test(text) || (/\n/.test(text) && !/^ussd\.(?!option|notice)/.test(key));
  return [
    ...(lost.length > 0 ? [`Phones cannot show ${[...new Set(lost)].join(" ")}.`] : []),
    ...(isBroken ? ["Write it in one line."] : []),
  ];
}

function inLength(key: TextKey, text: string, textOf: TextOf): string[] {
  const { septets, allowed } = measure(key, text, textOf);
  const over = septets - allowed;
  return over > 0 ? [`It is ${over} ${over === 1 ? "character" : "characters"} too long.`] : [];
}
