// Errors about signals, and about what they hold.
export const signalErrors = {
  "order.held": {
    status: 409,
    message: "This account’s orders are held while a signal is looked into. End the hold first.",
    retry: "later",
  },
  "signal.not_found": { status: 404, message: "There is no such signal", retry: "never" },
  "signal.closed": { status: 409, message: "Somebody has closed this signal already", retry: "never" },
  "signal.not_held": { status: 409, message: "Nothing is held any more", retry: "never" },
  "signal.note_missing": { status: 422, message: "Write a note first", retry: "after_change" },
  "signal.rule_not_found": { status: 404, message: "There is no such rule", retry: "never" },
  "signal.rule_changed": {
    status: 409,
    message: "Somebody has changed this rule meanwhile. Check it, then save again.",
    retry: "after_change",
  },
  "signal.preview_too_long": {
    status: 503,
    message: "This takes too long to try on the past. Narrow the rule, or try again later.",
    retry: "later",
  },
} as const;
