// The kinds of settings, and the groups of their form.

/** What every setting has: a default, its group in the form of all settings, and its label and hint there. */
type Setting<Value> = { default: Value; group: Group; label: string; hint?: string };
export type Whole = Setting<number> & { kind: "whole"; min: number; max: number; unit?: string };
/** A percentage in hundredths: 1500 is 15 %, and people type 15. */
export type Percent = Setting<number> & { kind: "percent"; max: number };
/** An amount in pesewas; the name of such a setting ends in `_pesewas`. */
export type Money = Setting<number> & { kind: "money"; mayBeZero?: true };
export type Text = Setting<string> & {
  kind: "text";
  charsMax: number;
  /** "digits" accepts only a number, "phone" any text, "ussd" a code to dial, "addresses" network addresses. */
  is?: "email" | "phone" | "digits" | "ussd" | "addresses";
  placeholder?: string;
};
/** Several entries, one per line, in this format. */
export type Lines = Setting<string> & { kind: "lines"; linesMax: number; charsMax: number; format: string };
export type Switch = Setting<boolean> & { kind: "switch" };
/** One of a few values. */
export type Option = Setting<string> & {
  kind: "option";
  options: readonly (readonly [value: string, label: string])[];
};
export type Shown = Whole | Percent | Money | Text | Lines | Switch | Option;

type Group =
  | "money"
  | "margins"
  | "deposits"
  | "legal"
  | "orders"
  | "support"
  | "gateways"
  | "firstPage"
  | "secondPerson"
  | "security";
/** The groups of the form, in its order. */
export const GROUPS: Record<Group, { title: string; intro?: string }> = {
  money: { title: "Money" },
  margins: {
    title: "Costs and margins",
    intro: "Nothing is sold below its known cost, unless you allow that bundle by name on its page.",
  },
  deposits: {
    title: "Manual deposits",
    intro:
      "Where agents send them, and which of those that the statement confirms are credited without a person. " +
      "All that an import credits counts as credited by whoever imported it.",
  },
  legal: {
    title: "Receipts",
    intro: "Printed on numbered receipts, which are offered once there is a legal name. Issued ones stay as they are.",
  },
  orders: { title: "Orders" },
  support: { title: "Support" },
  gateways: {
    title: "SMS and USSD",
    intro: "Only gateways whose keys are set can send; the tab Messages shows how each of them does.",
  },
  firstPage: {
    title: "First page",
    intro: "What visitors read about the shop. Only say what is true; an empty field is not shown.",
  },
  secondPerson: {
    title: "Two people decide together",
    intro:
      "What one person may do alone within 24 hours; above it, somebody else with the same right must agree. " +
      "Raising a limit takes a second owner, too.",
  },
  security: { title: "Security" },
};

type WithMin = Omit<Whole, "kind" | "min"> & { min?: number };
type WithDefault = Omit<Text, "kind" | "default"> & { default?: string };

export function whole(setting: WithMin): Whole {
  return { kind: "whole", min: 0, ...setting };
}

export function percent(setting: Omit<Percent, "kind">): Percent {
  return { kind: "percent", ...setting };
}

export function money(setting: Omit<Money, "kind">): Money {
  return { kind: "money", ...setting };
}

export function text(setting: WithDefault): Text {
  return { kind: "text", default: "", ...setting };
}

export function lines(setting: Omit<Lines, "kind">): Lines {
  return { kind: "lines", ...setting };
}

export function onOff(setting: Omit<Switch, "kind">): Switch {
  return { kind: "switch", ...setting };
}

export function option(setting: Omit<Option, "kind">): Option {
  return { kind: "option", ...setting };
}
