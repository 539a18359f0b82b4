// Messages for invalid fields whose schema has no message of its own, so that zod's never reach people.
import type { z } from "zod";

const TYPES: Record<string, string> = {
  string: "must be text",
  number: "must be a number",
  int: "must be a whole number",
  boolean: "must be true or false",
  array: "must be a list",
  object: "must be an object",
};
const FORMATS: Record<string, string> = {
  email: "must be an email address",
  url: "must be an address such as https://example.com",
  date: "must be a date such as 2026-11-21",
  datetime: "must be a time such as 2026-11-21T10:00:00Z",
};
const UNITS: Record<string, [one: string, many: string]> = {
  string: ["character", "characters"],
  array: ["entry", "entries"],
};

/** The message for a validation issue, to be shown beside its field. */
export function checkMessage(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case "invalid_type":
      if (issue.input === undefined || issue.input === null) return "is missing";
      return TYPES[issue.expected] ?? "has the wrong type";
    case "too_small":
      return bound("at least", issue.origin, Number(issue.minimum));
    case "too_big":
      return bound("at most", issue.origin, Number(issue.maximum));
    case "invalid_value":
      return `must be ${issue.values.length > 1 ? "one of " : ""}${issue.values.join(", ")}`;
    case "invalid_format":
      return FORMATS[issue.format] ?? "has the wrong format";
    case "unrecognized_keys":
      return `has unknown fields: ${issue.keys.join(", ")}`;
    default:
      return "is not valid";
  }
}

function bound(which: "at least" | "at most", origin: string, edge: number): string {
  const unit = UNITS[origin];
  return unit ? `must have ${which} ${edge} ${unit[edge === 1 ? 0 : 1]}` : `must be ${which} ${edge}`;
}
