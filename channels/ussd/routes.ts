// What Africa's Talking sends about sessions: a request with all that was typed, and a report when one is over.
import * as metrics from "../../src/core/platform/metrics.ts";
import * as sessions from "../../src/core/ussd/sessions.ts";
import type { CallbackForm } from "../africastalking.ts";
import { type Answer, createHops, type Turn, type UssdDeps, unreadable } from "./hop.ts";

/** What the gateway calls the ends of sessions, as far as it says. */
const END_STATUSES = ["Success", "Incomplete", "Failed"];

/** The longest text that a session of sensible answers comes to, several times over. */
const TEXT_CHARS = 1_000;

/** Returns what answers each request with a screen, whatever it holds: an error's status would end the session for nothing. */
export function screens(deps: UssdDeps): (form: CallbackForm | null) => Promise<Answer> {
  const hop = createHops(deps);
  const complain = complaints(deps.log);
  return async (form) => {
    const turn = form ? turnOf(form) : "the form";
    if (typeof turn !== "string") return hop(turn);
    complain(turn);
    return unreadable(deps);
  };
}

const COMPLAINT_MS = 60_000;

/**
 * Returns what tells the log which field of a request could not be read, at most once a minute each: a gateway that is set
 * up wrongly sends nothing else. Never what the field held.
 */
function complaints(log: UssdDeps["log"]): (field: string) => void {
  const saidAt = new Map<string, number>();
  const countSince = new Map<string, number>();
  return (field) => {
    const count = (countSince.get(field) ?? 0) + 1;
    countSince.set(field, count);
    if (performance.now() - (saidAt.get(field) ?? Number.NEGATIVE_INFINITY) < COMPLAINT_MS) return;
    saidAt.set(field, performance.now());
    countSince.set(field, 0);
    log.error({ field, count }, "USSD requests cannot be read: is the callback set up as it should be?");
  };
}

/**
 * Keeps how a session ended; it is told nothing else. The report holds everything that was typed, PINs among it, and our
 * last screen: neither is looked at.
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

/** What somebody dialled or answered, or the name of the field that cannot be read. A dial may come without a text. */
function turnOf(form: CallbackForm): Turn | string {
  const caller = callerOf(form);
  if (typeof caller === "string") return caller;
  const [serviceCode = "", text = ""] = [form.get("serviceCode"), form.get("text")];
  if (text.length > TEXT_CHARS) return "text";
  if (!/^[*#\d]{1,40}$/.test(serviceCode)) return "serviceCode";
  return { ...caller, serviceCode, text, networkCode: form.get("networkCode") ?? "" };
}

/** A "+" that was not escaped has become a space: such a number is refused and not guessed. */
function callerOf(form: CallbackForm): { sessionId: string; msisdn: string } | string {
  const sessionId = form.get("sessionId") ?? "";
  const phone = /^\+(233[25]\d{8})$/.exec(form.get("phoneNumber") ?? "");
  if (!phone) return "phoneNumber";
  return /^[\w.-]{1,100}$/.test(sessionId) ? { sessionId, msisdn: phone[1]! } : "sessionId";
}
