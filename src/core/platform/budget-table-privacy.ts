// The part of the table of budgets for people who ask what is stored about them.
import type { Budget } from "./budget-table.ts";

const HOUR = 3600;
const DAY = 86_400;
const CODES = "codes sent to numbers whose data somebody asked for";

export const PRIVACY_BUDGETS = {
  "privacy.copy": {
    countMax: 5,
    seconds: DAY,
    by: "account",
    about: "copies of an account's data",
    message: "You have taken your data often enough for today.",
  },
  // Each code is an SMS to a number that a stranger typed.
  "privacy.network": {
    countMax: 3,
    seconds: DAY,
    by: "phone, network",
    about: `${CODES}, from one network`,
    message: "We have sent enough codes to this number for today.",
  },
  "privacy.number": {
    countMax: 10,
    seconds: DAY,
    by: "phone",
    about: CODES,
    message: "We have sent enough codes to this number for today.",
  },
  "privacy.address": {
    countMax: 5,
    seconds: DAY,
    by: "address",
    about: CODES,
    message: "You have requested enough codes for today.",
  },
  "privacy.shop": {
    countMax: 200,
    seconds: DAY,
    by: "shop",
    about: CODES,
    message: "We have sent enough codes for today.",
  },
  "privacy.tries": {
    countMax: 20,
    seconds: HOUR,
    by: "address",
    about: "codes entered to see a number's data",
    message: "Too many wrong codes.",
  },
} as const satisfies Record<string, Budget>;
