// Settings that one person does not change alone: where agents send money, who delivers, what is credited by itself,
// and the rule itself.
import { show } from "../../../shared/money.ts";
import type { Question } from "../commands.ts";
import { SECOND_PERSON_SETTINGS, SETTINGS } from "./declared-settings.ts";

/** Values by the names of their settings. */
export type Values = Record<string, unknown>;

const RECEIVING = ["manual_payment_number", "manual_payment_name"];
/** Whether a setting is about routes, which belong to whoever manages delivery. */
export const isOfRoutes = (name: string): boolean => name.startsWith("route_") || name === "routes_by_cost";

/** Whether somebody must have proved lately who they are to change these. */
export function needsConfirmation(names: readonly string[]): boolean {
  const isOfMoney = (name: string) =>
    ["money", "deposits", "secondPerson", "security"].includes(declared(name)?.group ?? "");
  return names.some((name) => isOfRoutes(name) || isOfMoney(name));
}

/** What to ask before these values replace the ones `before`, which all differ; null when one person may do it. */
export function askToChange(before: Values, after: Values): Question | null {
  const names = Object.keys(after).sort();
  const loosened = names.filter((name) => isLoosened(name, before[name], after[name]));
  const guarded = names.filter((name) => RECEIVING.includes(name) || isOfRoutes(name) || loosened.includes(name));
  if (guarded.length === 0) return null;
  const texts = names.map((name) => `${labelOf(name)} to ${textOf(name, after[name])}`);
  return {
    subject: `settings ${guarded.join(" ")}`,
    seen: {
      state: Object.fromEntries(names.map((name) => [labelOf(name), textOf(name, before[name])])),
    },
    summary: `set ${texts.join("; ")}`,
    isRule: loosened.some(isOfRule),
  };
}

const isOfRule = (name: string) => Object.hasOwn(SECOND_PERSON_SETTINGS, name);

/** What is credited by itself: by an import of the statement, which can be written by hand, and by the clock. */
const BY_ITSELF = /^(statement_\w+_pesewas|automatic_refunds_\w+)$/;

/** Whether a change of the rule, of what is credited by itself, or of how owners log in asks for less than before. */
function isLoosened(name: string, before: unknown, after: unknown): boolean {
  if (name === "admin_second_factor") return before === true && after === false;
  if (name === "statement_account_days") return Number(after) < Number(before);
  if (!isOfRule(name) && !BY_ITSELF.test(name)) return false;
  return typeof after === "number" ? after > Number(before) : after === false;
}

const declared = (name: string) =>
  Object.hasOwn(SETTINGS, name) ? SETTINGS[name as keyof typeof SETTINGS] : undefined;

function labelOf(name: string): string {
  if (name === "routes_by_cost") return "Routes by cost";
  const label = declared(name)?.label ?? `Route of ${name.replace("route_", "").toUpperCase()}`;
  return label.replace(/ \(GH₵\)$/, "");
}

function textOf(name: string, value: unknown): string {
  if (typeof value === "boolean") return value ? "on" : "off";
  if (typeof value === "number") return declared(name)?.kind === "money" ? show(value) : String(value);
  return value ? `“${value}”` : "nothing";
}
