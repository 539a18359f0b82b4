// The values that settings may have, by their declarations: checked wherever one is changed, typed or not.
import { z } from "zod";
import { MAX_AMOUNT_PESEWAS } from "../../../shared/money.ts";
import { linesOf } from "../../../shared/text.ts";
import { readBlocks } from "../budgets/address-blocks.ts";
import type { Lines, Money, Percent, Shown, Text, Whole } from "./setting-kinds.ts";

/** The schema of a setting's value, in its own unit, with the message for one that it refuses. */
export function settingValue(setting: Whole | Percent | Money): z.ZodType<number, number>;
export function settingValue(setting: Text | Lines): z.ZodType<string, string>;
export function settingValue(setting: Shown): z.ZodType;
export function settingValue(setting: Shown): z.ZodType {
  switch (setting.kind) {
    case "whole": {
      const { min, max } = setting;
      return within(min, max, `Enter a whole number from ${min} to ${max}`);
    }
    case "percent":
      return within(0, setting.max, `Enter a percentage from 0 to ${setting.max / 100}, such as 15 or 12.5`);
    case "money":
      return setting.mayBeZero
        ? within(0, MAX_AMOUNT_PESEWAS, "Enter an amount in GH₵ with at most two decimals")
        : within(1, MAX_AMOUNT_PESEWAS, "Enter an amount above zero with at most two decimals");
    case "text":
      return text(setting);
    case "lines":
      return lines(setting);
    case "option":
      return z.enum(setting.options.map(([value]) => value));
    case "switch":
      return z.boolean();
  }
}

const within = (min: number, max: number, message: string) => z.int(message).min(min, message).max(max, message);

function text({ charsMax, is }: Text) {
  const isEmail = (typed: string) => typed === "" || z.email().safeParse(typed).success;
  const line = z.string().max(charsMax, `At most ${charsMax} characters`);
  if (is === "email") return line.refine(isEmail, "Enter a valid email address");
  if (is === "digits") return line.refine((typed) => /^[\d+() -]*$/.test(typed), "Enter digits only");
  if (is === "ussd")
    return line.refine((typed) => /^$|^(\*\d{1,6}){1,4}#$/.test(typed), "Enter a code such as *920*55#");
  if (is === "addresses")
    return line.refine((typed) => readBlocks(typed) !== null, "Enter addresses such as 41.66.1.2 or 41.66.0.0/16");
  return line;
}

function lines({ linesMax, charsMax, format }: Lines) {
  const fits = (line: string) => line.length <= charsMax && line.includes("|");
  return z
    .string()
    .refine((typed) => linesOf(typed).length <= linesMax, `At most ${linesMax} lines`)
    .refine(
      (typed) => linesOf(typed).every(fits),
      `Write each line as: ${format}. At most ${charsMax} characters a line.`,
    );
}
