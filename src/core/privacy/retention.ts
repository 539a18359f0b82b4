// Retention periods by kind of data: a table that the worker carries out and a page shows. A rule without a sweep is
// about data that stays.
import { sql } from "drizzle-orm";
import type { Db, Reads } from "../../../db/connect.ts";
import { privacyRequests, retentionRuns } from "../../../db/schema/privacy.ts";
import { limits } from "../../shared/domain.ts";
import { uploadLimits } from "../../shared/upload-limits.ts";
import * as registrations from "../afa/registrations.ts";
import * as customerDebts from "../books/customer-debts.ts";
import * as drafts from "../buying/bulk-drafts.ts";
import * as ussdUnfinished from "../buying/unfinished-purchases.ts";
import * as apiKeys from "../identity/api-keys.ts";
import * as contacts from "../identity/contacts.ts";
import * as codes from "../identity/logins/codes.ts";
import * as devices from "../identity/logins/devices.ts";
import * as loginHistory from "../identity/logins/login-history.ts";
import * as secondFactor from "../identity/logins/second-factor.ts";
import * as sessions from "../identity/logins/sessions.ts";
import * as ussdRegistration from "../identity/phones/ussd-registration.ts";
import * as inboundSms from "../messaging/inbound-sms.ts";
import * as messages from "../messaging/messages.ts";
import * as rateLimits from "../platform/budgets/rate-limits.ts";
import * as gatewayHours from "../platform/gateway-hours.ts";
import * as idempotency from "../platform/idempotency.ts";
import * as keptForms from "../platform/kept-forms.ts";
import { deleteInParts } from "../platform/parts.ts";
import * as apiRequests from "../requests/forgetting.ts";
import * as signals from "../signals/signals.ts";
import * as ussdUsage from "../ussd/usage.ts";
import * as webhookDeliveries from "../webhooks/deliveries.ts";
import * as recipients from "./recipients.ts";
import * as requests from "./requests.ts";

export type RetentionRule = {
  /** The rule's name in the record of its runs. */
  name: string;
  data: string;
  kept: string;
  reason: string;
  /** Removes what is too old; may say how much that was. */
  sweep?: (db: Db) => Promise<unknown>;
};

const days = (count: number) => `${count} days`;
const REQUESTS_DAYS = 3 * 365;

/** Revenue Administration Act, 2016 (Act 915), section 27: records are kept for six years. */
const BOOKS = "6 years, then as the owner decides";
const BOOKS_LAW = "Tax law wants the books of a business for six years (Act 915)";

export const RETENTION: RetentionRule[] = [
  {
    name: "orders",
    data: "Orders with the numbers that they were for, wallets, payments, receipts",
    kept: BOOKS,
    reason: BOOKS_LAW,
  },
  {
    name: "accounts",
    data: "Name, email, phone and settings of an account",
    kept: "until it is deleted",
    reason: "To log in, and for notices about orders",
  },
  {
    name: "support",
    data: "Messages to support",
    kept: BOOKS,
    reason: "They are evidence about orders and money",
  },
  { name: "changes", data: "The log of changes by staff", kept: BOOKS, reason: "To prove who changed what" },
  {
    name: "second person",
    data: "What staff asked a second person for, and what they did as the only one who could decide",
    kept: BOOKS,
    reason: "To prove who decided what",
  },
  { name: "consents", data: "Consents to the privacy notice", kept: BOOKS, reason: "To prove them" },
  {
    name: "AFA registrations",
    data: "Names and locations of people registered for AFA",
    kept: days(registrations.NAMES_DAYS),
    reason: "To answer questions of MTN. The encrypted card number stays: a card is registered once",
    sweep: registrations.forgetNames,
  },
  {
    name: "registrations by USSD",
    data: "Accounts opened by USSD that nobody confirmed",
    kept: days(ussdRegistration.UNCONFIRMED_DAYS),
    reason: "Somebody may confirm them late",
    sweep: ussdRegistration.forgetUnconfirmed,
  },
  {
    name: "messages",
    data: "SMS and emails that we sent",
    kept: days(messages.KEPT_DAYS),
    reason: "To look into what did not arrive",
    sweep: messages.forgetOld,
  },
  {
    name: "SMS to us",
    data: "The record of SMS to us, without their text",
    kept: days(inboundSms.KEPT_DAYS),
    reason: "So that one that is sent again has no second effect",
    sweep: inboundSms.forgetOld,
  },
  {
    name: "USSD sessions",
    data: "USSD sessions, without what was typed",
    kept: days(ussdUsage.KEPT_DAYS),
    reason: "To see where people get stuck",
    sweep: ussdUsage.forgetOld,
  },
  {
    name: "unfinished purchases by USSD",
    data: "A purchase by USSD that was not finished",
    kept: `${ussdUnfinished.KEPT_HOURS} hours`,
    reason: "To offer it again",
    sweep: ussdUnfinished.forgetOld,
  },
  {
    name: "sessions",
    data: "Logins with their addresses; networks that somebody logged in from",
    kept: `until they end; networks for ${days(devices.NETWORK_DAYS)}`,
    reason: "To show where somebody is logged in, and to notice strangers",
    sweep: sessions.forgetOld,
  },
  {
    name: "logins",
    data: "The history of logins with their addresses and browsers, and of wrong PINs",
    kept: days(loginHistory.HISTORY_DAYS),
    reason: "To notice strangers in an account, and bursts of guesses",
    sweep: loginHistory.forgetOld,
  },
  {
    name: "signals",
    data: "Signs of misuse in accounts, with their evidence and what staff found out",
    kept: `${days(signals.KEPT_DAYS)} after they were closed`,
    reason: "To notice when the same happens again",
    sweep: signals.forgetOld,
  },
  {
    name: "notes about agents",
    data: "Notes of staff about an account",
    kept: "until the account is deleted",
    reason: "So that whoever answers next knows what happened",
  },
  {
    name: "codes",
    data: "Codes by SMS and email",
    kept: "10 minutes",
    reason: "They are used at once",
    sweep: codes.forgetOld,
  },
  {
    name: "codes to numbers",
    data: "Codes to see what is stored about a number",
    kept: "10 minutes",
    reason: "They are used at once",
    sweep: recipients.forgetOld,
  },
  {
    name: "second factors",
    data: "Extra login codes that were not set up to the end",
    kept: "15 minutes",
    reason: "To finish setting them up",
    sweep: secondFactor.forgetOld,
  },
  {
    name: "bulk drafts",
    data: "Lists of numbers that were checked or saved",
    kept: `${days(uploadLimits.checkDays)}, saved ones ${days(uploadLimits.draftDays)}`,
    reason: "To place them later",
    sweep: drafts.forgetOld,
  },
  {
    name: "removed customers",
    data: "Customers that an agent has removed",
    kept: "1 day",
    reason: "To restore one",
    sweep: contacts.forgetRemoved,
  },
  {
    name: "paid debts of customers",
    data: "Debts of customers that were paid",
    kept: days(customerDebts.KEPT_DAYS),
    reason: "For the agent's own books",
    sweep: customerDebts.forgetPaid,
  },
  {
    name: "keys",
    data: "Answers to requests that may be repeated",
    kept: `${limits.idempotencyHours} hours`,
    reason: "So that a repeated request has no second effect",
    sweep: idempotency.forgetOld,
  },
  {
    name: "developers' messages",
    data: "Messages to resellers' servers",
    kept: days(limits.hookDeliveryDays),
    reason: "To send them again",
    sweep: untilNone(webhookDeliveries.forgetOld),
  },
  {
    name: "requests of programs",
    data: "Requests made with API keys, with their addresses and what was sent and answered, without secrets",
    kept: days(apiRequests.KEPT_DAYS),
    reason: "For their owners, to find out what their programs did",
    sweep: apiRequests.forgetOld,
  },
  {
    name: "API keys",
    data: "API keys: name, scopes and limits, never the key itself",
    kept: BOOKS,
    reason: "Orders and the log of changes name them. The name goes with the account",
  },
  {
    name: "addresses of API keys",
    data: "Addresses that an API key was used from, or may be",
    kept: `${days(limits.apiKeyShownDays)} after the key has ended`,
    reason: "So that its owner sees where it was used",
    sweep: apiKeys.forgetEnded,
  },
  {
    name: "kept forms",
    data: "Forms kept while their sender logs in or tops up",
    kept: "until they run out",
    reason: "So that nothing typed is lost",
    sweep: keptForms.forgetOld,
  },
  {
    name: "rate limits",
    data: "Counts of attempts",
    kept: "until they run out",
    reason: "Against guessing",
    sweep: rateLimits.forgetOld,
  },
  {
    name: "counts of gateways",
    data: "Counts of requests by USSD and SMS, without numbers",
    kept: days(gatewayHours.KEPT_DAYS),
    reason: "To compare with last year",
    sweep: gatewayHours.forgetOld,
  },
  {
    name: "privacy requests",
    data: "The record of what was done about people's data, without whole numbers",
    kept: days(REQUESTS_DAYS),
    reason: "To prove it",
    sweep: (db) => deleteInParts(db, privacyRequests, requests.olderThan(REQUESTS_DAYS)),
  },
];

/** Carries out one rule, and records when and how much it removed. */
export async function carryOut(db: Db, { name, sweep }: RetentionRule): Promise<void> {
  if (!sweep) return;
  const result = await sweep(db);
  const removed = typeof result === "number" ? result : 0;
  await db
    .insert(retentionRuns)
    .values({ rule: name, ranAt: sql`now()`, removed, removedInAll: removed })
    .onConflictDoUpdate({
      target: retentionRuns.rule,
      set: {
        ranAt: sql`now()`,
        removed,
        removedInAll: sql`${retentionRuns.removedInAll} + excluded.removed_in_all`,
      },
      // A row a minute is enough for what removes nothing.
      setWhere: sql`excluded.removed > 0 or ${retentionRuns.ranAt} < now() - interval '1 minute'`,
    });
}

/** Sweeps by name, for the worker. */
export const RETENTION_SWEEPS: Record<string, (db: Db) => Promise<void>> = Object.fromEntries(
  RETENTION.filter(({ sweep }) => sweep).map((rule) => [rule.name, (db: Db) => carryOut(db, rule)]),
);

/** The last run of each rule, by its name. */
export async function runs(tx: Reads): Promise<Map<string, typeof retentionRuns.$inferSelect>> {
  return new Map((await tx.select().from(retentionRuns)).map((run) => [run.rule, run]));
}

/** Repeats a round until it finds nothing; returns how much it found in all. */
function untilNone(round: (db: Db) => Promise<number>): (db: Db) => Promise<number> {
  return async (db) => {
    let all = 0;
    for (let found = await round(db); found > 0; found = await round(db)) all += found;
    return all;
  };
}
