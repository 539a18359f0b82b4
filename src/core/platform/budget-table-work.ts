// The budgets of what takes more work than an ordinary page or call, at whichever door it is asked for.
import type { Budget } from "./budget-table.ts";

const MINUTES = 60;
const HOUR = 3600;

export const WORK_BUDGETS = {
  // Each takes as long as a hash of the password, however right it is.
  "login.right": {
    countMax: 300,
    seconds: HOUR,
    by: "account",
    about: "logins that succeeded",
    message: "You have logged in very often. A login lasts for days: keep its token.",
  },
  "password.checked": {
    countMax: 300,
    seconds: HOUR,
    by: "account",
    about: "own passwords checked, right ones as well",
    message: "Your password was checked very often.",
  },
  // Somebody who types is looked for at each pause.
  "search.account": {
    countMax: 1_200,
    seconds: 10 * MINUTES,
    by: "account",
    about: "searches, on pages and by the API",
    message: "You have searched very often.",
  },
  "file.account": {
    countMax: 240,
    seconds: HOUR,
    by: "account",
    about: "files downloaded, and whole statements by the API",
    message: "You have downloaded many files.",
  },
  "list.account": {
    countMax: 300,
    seconds: 10 * MINUTES,
    by: "account",
    about: "files and long lists sent to be read",
    message: "You have sent many files and long lists.",
  },
  "reconcile.account": {
    countMax: 60,
    seconds: HOUR,
    by: "account",
    about: "comparisons with Paystack's list of payments",
    message: "You have compared with Paystack very often.",
  },
  "paystack.key": {
    countMax: 30,
    seconds: HOUR,
    by: "shop",
    about: "questions whether Paystack takes the key",
  },
} as const satisfies Record<string, Budget>;
