// What Africa's Talking sends about sessions: a request with all that was typed, and a report when one is over.
import * as sessions from "../../core/ussd-sessions.ts";
import type { CallbackForm } from "../africastalking.ts";
import { type Answer, createHops, type UssdDeps, unreadable } from "./hop.ts";

/** The longest text that a session of sensible answers comes to, several times over. */
const TEXT_CHARS = 1_000;

/** Returns what answers each request with a screen, whatever it holds: an error's status would end the session for nothing. */
export function screens(deps: UssdDeps): (form: CallbackForm | null) => Promise<Answer> {
  const hop = createHops(deps);
  return async (form) => {
    const turn = form && turnOf(form);
    return turn ? hop(turn) : unreadable(deps);
  };
}

/**
 * Keeps how a session ended; it is told nothing else. The report holds everything that was typed, PINs among it, and our
 * last screen: neither is looked at.
 */
export function reports(deps: Pick<UssdDeps, "db" | "log">): (form: CallbackForm | null) => Promise<void> {
  return async (form) => {
    const caller = form && callerOf(form);
    const status = form?.get("status") ?? "";
    if (!caller || !/^\w{1,20}$/.test(status)) return;
    const duration = Number(form!.get("durationInMillis"));
    const durationMs = Number.isInteger(duration) && duration >= 0 && duration < 2 ** 31 ? duration : null;
    await sessions.end(deps.db, { ...caller, status, durationMs }).catch((error) => {
      deps.log.error({ error, session: caller.sessionId }, "the end of a USSD session was not kept");
    });
  };
}

function turnOf(form: CallbackForm) {
  const caller = callerOf(form);
  const [serviceCode, text] = [form.get("serviceCode"), form.get("text")];
  if (!caller || text === undefined || text.length > TEXT_CHARS) return null;
  if (serviceCode === undefined || !/^[*#\d]{1,40}$/.test(serviceCode)) return null;
  return { ...caller, serviceCode, text, networkCode: form.get("networkCode") ?? "" };
}

/** A "+" that was not escaped has become a space: such a number is refused and not mended. */
function callerOf(form: CallbackForm) {
  const sessionId = form.get("sessionId") ?? "";
  const phone = /^\+(233[25]\d{8})$/.exec(form.get("phoneNumber") ?? "");
  return phone && /^[\w.-]{1,100}$/.test(sessionId) ? { sessionId, msisdn: phone[1]! } : null;
}
