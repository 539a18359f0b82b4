// The budgets of codes by e-mail and SMS: those for a new password, and those that confirm a phone.
import type { Budget } from "./budget-table.ts";

const MINUTES = 60;
const HOUR = 3600;
const DAY = 86_400;

const RESETS = "Too many attempts to set a new password.";
const CODES = "You have requested too many codes.";

export const CODE_BUDGETS = {
  // As for logins: a stranger uses up the requests of their network, and all networks together have a bound.
  "forgot.network": {
    countMax: 5,
    seconds: HOUR,
    by: "login, network",
    about: "password reset codes requested from one network",
    message: CODES,
  },
  "forgot.login": {
    countMax: 20,
    seconds: HOUR,
    by: "login",
    about: "the same from all networks together",
    message: CODES,
  },
  "forgot.account": { countMax: 20, seconds: HOUR, by: "account", about: "password reset codes sent" },
  "forgot.known": {
    countMax: 5,
    seconds: HOUR,
    by: "device",
    about: "password reset codes requested from one known device",
    message: CODES,
  },
  "forgot.address": {
    countMax: 100,
    seconds: HOUR,
    by: "address",
    about: "password reset codes requested",
    message: CODES,
  },
  "reset.network": {
    countMax: 15,
    seconds: 15 * MINUTES,
    by: "login, network",
    about: "password resets tried with a code from one network",
    message: RESETS,
  },
  "reset.login": {
    countMax: 100,
    seconds: HOUR,
    by: "login",
    about: "the same from all networks together",
    message: RESETS,
  },
  "code.browser": {
    countMax: 15,
    seconds: 15 * MINUTES,
    by: "browser",
    about: "codes entered without a login, in a browser that requested one",
    message: "Too many wrong codes.",
  },
  "reset.known": {
    countMax: 15,
    seconds: 15 * MINUTES,
    by: "device",
    about: "the same from one known device",
    message: RESETS,
  },
  "reset.address": {
    countMax: 200,
    seconds: 15 * MINUTES,
    by: "address",
    about: "password resets tried with a code",
    message: RESETS,
  },
  // Each code costs money and disturbs somebody's phone.
  "phone.account": {
    countMax: 5,
    seconds: HOUR,
    by: "account",
    about: "codes to confirm a phone",
    message: CODES,
  },
  "phone.number": {
    countMax: 5,
    seconds: HOUR,
    by: "phone",
    about: "codes to confirm a phone",
    message: "Too many codes were sent to this number.",
  },
  // An account with nothing but an unconfirmed e-mail address must not send codes to strangers' phones all day.
  "phone.new": {
    countMax: 4,
    seconds: DAY,
    by: "account",
    about: "codes by an account that has no confirmed phone",
    message: CODES,
  },
  "phone.new_address": {
    countMax: 100,
    seconds: DAY,
    by: "address",
    about: "codes by accounts that have no confirmed phone",
    message: "Too many codes were requested from your network.",
  },
} as const satisfies Record<string, Budget>;
