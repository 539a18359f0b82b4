// Africa's Talking's USSD callbacks: a request with everything typed so far, and an event when the session has ended.
import * as metrics from "../../src/core/platform/metrics.ts";
import * as sessions from "../../src/core/ussd/sessions.ts";
import type { CallbackForm } from "../africastalking.ts";
import { type Answer, createHops, type Turn, type UssdDeps, unreadable } from "./hop.ts";

/** The documented statuses of a session's end. */
const END_STATUSES = ["Success", "Incomplete", "Failed"];

/** Several times the text of the longest sensible session. */
const TEXT_CHARS = 1_000;

/** Returns the handler of requests. It always answers with a screen, because an error status would end the session. */
export function screens(deps: UssdDeps): (form: CallbackForm | null) => Promise<Answer> {
  const hop = createHops(deps);
  const logUnreadable = createUnreadableLog(deps.log);
  return async (form) => {
    const turn = form ? turnOf(form) : "the form";
    if (typeof turn !== "string") return hop(turn);
    logUnreadable(turn);
    return unreadable(deps);
  };
}

const LOG_INTERVAL_MS = 60_000;

/**
 * Returns a function that logs which field of a request was unreadable, at most once a minute per field, because a
 * misconfigured gateway sends nothing else. The field's value is never logged.
 */
function createUnreadableLog(log: UssdDeps["log"]): (field: string) => void {
  const loggedAt = new Map<string, number>();
  const countSince = new Map<string, number>();
  return (field) => {
    const count = (countSince.get(field) ?? 0) + 1;
    countSince.set(field, count);
    if (performance.now() - (loggedAt.get(field) ?? Number.NEGATIVE_INFINITY) < LOG_INTERVAL_MS) return;
    loggedAt.set(field, performance.now());
    countSince.set(field, 0);
    log.error({ field, count }, "USSD requests cannot be read: is the callback set up as it should be?");
  };
}

/**
 * Records how a session ended. The event also carries everything that was typed, PINs included, and our last screen;
 * both are ignored.
 */
export function reports(deps: Pick<UssdDeps, "db" | "log">): (form: CallbackForm | null) => Promise<void> {
  return async (form) => {
    const caller = form ? callerOf(form) : "the form";
    const status = form?.get("status") ?? "";
    if (typeof caller === "string" || !/^\w{1,20}$/.test(status)) return;
    metrics.ussdEnds.inc({ status: END_STATUSES.includes(status) ? status : "other" });
    const duration = Number(form!.get("durationInMillis"));
    const durationMs = Number.isInteger(duration) && duration >= 0 && duration < 2 ** 31 ? duration : null;
    await sessions.end(deps.db, { ...caller, status, durationMs }).catch((error) => {
      deps.log.error({ error, session: caller.sessionId }, "the end of a USSD session was not kept");
    });
  };
}

/** A dial or an answer, or the name of the unreadable field. A dial may come without a text. */
function turnOf(form: CallbackForm): Turn | string {
  const caller = callerOf(form);
  if (typeof caller === "string") return caller;
  const [serviceCode = "", text = ""] = [form.get("serviceCode"), form.get("text")];
  if (text.length > TEXT_CHARS) return "text";
  if (!/^[*#\d]{1,40}$/.test(serviceCode)) return "serviceCode";
  return { ...caller, serviceCode, text, networkCode: form.get("networkCode") ?? "" };
}

/** The caller, or the name of the unreadable field. An unescaped "+" arrives as a space; such a number is refused. */
function callerOf(form: CallbackForm): { sessionId: string; msisdn: string } | string {
  const sessionId = form.get("sessionId") ?? "";
  const phone = /^\+(233[25]\d{8})$/.exec(form.get("phoneNumber") ?? "");
  if (!phone) return "phoneNumber";
  return /^[\w.-]{1,100}$/.test(sessionId) ? { sessionId, msisdn: phone[1]! } : "sessionId";
}
