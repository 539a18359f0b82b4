// The budgets of SMS, and of what phones cause by USSD.
import type { Budget } from "./budget-table.ts";

const HOUR = 3600;
const DAY = 86_400;

export const PHONE_BUDGETS = {
  "sms.purchases": {
    countMax: 30,
    seconds: HOUR,
    by: "account",
    about: "SMS about purchases, deliveries and low balances; more are dropped",
  },
  "sms.customers": {
    countMax: 100,
    seconds: DAY,
    by: "account",
    about: "SMS to an agent's customers about deliveries; more are dropped",
  },
  "sms.money": {
    countMax: 30,
    seconds: HOUR,
    by: "account",
    about: "SMS about refunds and top-ups; more are dropped",
  },
  "sms.statement": {
    countMax: 5,
    seconds: DAY,
    by: "account",
    about: "statements by SMS",
    message: "You have had all your statements for today.",
  },
  // Each reply costs money. Those to purchases earn it back; the others are limited for each number.
  "sms.answer": { countMax: 20, seconds: DAY, by: "phone", about: "replies to SMS commands" },
  "sms.help": { countMax: 4, seconds: DAY, by: "phone", about: "replies to HELP" },
  "sms.unread": { countMax: 4, seconds: DAY, by: "phone", about: "replies to SMS that are not understood" },
  "sms.unknown": { countMax: 1, seconds: DAY, by: "phone", about: "replies to phones without an account" },
  // Senders are easily forged, so that the bound by phone bounds nothing. Staff get an e-mail when it is reached.
  "sms.unknown_shop": {
    countMax: 500,
    seconds: DAY,
    by: "shop",
    about: "replies to phones without an account, also to STOP",
  },
  // A registration sends an SMS, whoever dials, so that the shop as a whole has a bound.
  "ussd.register": { countMax: 3, seconds: DAY, by: "phone", about: "accounts opened by USSD" },
  "ussd.register_shop": { countMax: 300, seconds: DAY, by: "shop", about: "accounts opened by USSD" },
  "ussd.names": { countMax: 20, seconds: DAY, by: "phone", about: "usernames tried by USSD" },
  "ussd.code": { countMax: 5, seconds: DAY, by: "phone", about: "codes by SMS that were asked for by USSD" },
  "ussd.code_shop": {
    countMax: 1_000,
    seconds: DAY,
    by: "shop",
    about: "codes to unconfirmed phones by USSD",
  },
  "pin.question": {
    countMax: 3,
    seconds: DAY,
    by: "account",
    about: "answers to the question beside the code for a forgotten PIN",
  },
  "ussd.sessions": { countMax: 120, seconds: 600, by: "phone", about: "USSD sessions" },
} as const satisfies Record<string, Budget>;
