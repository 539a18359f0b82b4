// The USSD callbacks of every gateway: a request of a session, and the report that a session has ended.
import * as metrics from "../../src/core/platform/metrics.ts";
import * as sessions from "../../src/core/ussd/sessions.ts";
import { AppError } from "../../src/shared/errors/app-error.ts";
import type { CallbackForm } from "../africastalking.ts";
import { callerOf } from "../gateways/africastalking.ts";
import type { Content, UssdGateway } from "../gateways/gateway.ts";
import { createHops, farewell, tooMany, type UssdDeps, unreadable } from "./hop.ts";

/** The documented statuses of a session's end. */
const END_STATUSES = ["Success", "Incomplete", "Failed"];

/**
 * Returns the handler of any gateway's requests. It always answers with a screen, because an error would end the
 * session.
 */
export function screens(deps: UssdDeps): Screens {
  const hop = createHops(deps);
  const logUnreadable = createUnreadableLog(deps.log);
  return async ({ name, read }, request, mayCall) => {
    const isAllowed = async () => {
      // Without a database nobody is let in, nor told more than that.
      if (await mayCall().catch(() => false)) return true;
      logUnreadable(name, "its address");
      return false;
    };
    const posted = { arrivedAtMs: performance.now(), isGone: () => request.signal.aborted, isAllowed };
    const { content, write } = await read(request);
    if (isOverLimit(deps, content, request)) return write(tooMany(deps));
    // It takes its place among the session's requests first, so that none overtakes it.
    if ("turn" in content) return write(await hop(content.turn, posted));
    if (!(await isAllowed())) return write(unreadable(deps, name));
    if ("cut" in content) {
      await cutOff(deps, content.cut);
      return write(farewell(deps));
    }
    logUnreadable(name, content.unreadable);
    return write(unreadable(deps, name));
  };
}

/** Counts a request by its phone, or by the network of a gateway that names none. */
function isOverLimit({ countPhone, countNetwork }: UssdDeps, content: Content, request: Request): boolean {
  try {
    if ("unreadable" in content) countNetwork(request);
    else countPhone("ussd", ("turn" in content ? content.turn : content.cut).msisdn);
    return false;
  } catch (error) {
    if (error instanceof AppError && error.code === "request.rate_limited") return true;
    throw error;
  }
}

type Screens = (gateway: UssdGateway, request: Request, mayCall: () => Promise<boolean>) => Promise<Response>;

const LOG_INTERVAL_MS = 60_000;

/**
 * Returns a function that logs which field of a request was unreadable, at most once a minute per gateway and field,
 * because a misconfigured gateway sends nothing else. The field's value is never logged.
 */
function createUnreadableLog(log: UssdDeps["log"]): (gateway: string, field: string) => void {
  const loggedAt = new Map<string, number>();
  const countSince = new Map<string, number>();
  return (gateway, field) => {
    const key = `${gateway} ${field}`;
    const count = (countSince.get(key) ?? 0) + 1;
    countSince.set(key, count);
    if (performance.now() - (loggedAt.get(key) ?? Number.NEGATIVE_INFINITY) < LOG_INTERVAL_MS) return;
    loggedAt.set(key, performance.now());
    countSince.set(key, 0);
    log.error({ gateway, field, count }, "USSD requests cannot be read: is the callback set up as it should be?");
  };
}

async function cutOff(deps: Pick<UssdDeps, "db" | "log">, report: sessions.CutReport): Promise<void> {
  metrics.ussdEnds.inc({ status: "Incomplete" });
  await sessions.cutOff(deps.db, report).catch((error) => logUnkept(deps, report.sessionId, error));
}

/**
 * Records how a session at Africa's Talking ended. The event also carries everything that was typed, PINs included, and
 * our last screen; both are ignored.
 */
export function reports(deps: Pick<UssdDeps, "db" | "log">): (form: CallbackForm | null) => Promise<void> {
  return async (form) => {
    const caller = form ? callerOf(form) : "the form";
    const status = form?.get("status") ?? "";
    if (typeof caller === "string" || !/^\w{1,20}$/.test(status)) return;
    metrics.ussdEnds.inc({ status: END_STATUSES.includes(status) ? status : "other" });
    const duration = Number(form!.get("durationInMillis"));
    const durationMs = Number.isInteger(duration) && duration >= 0 && duration < 2 ** 31 ? duration : null;
    const report = { ...caller, status, durationMs };
    await sessions.end(deps.db, report).catch((error) => logUnkept(deps, caller.sessionId, error));
  };
}

function logUnkept({ log }: Pick<UssdDeps, "log">, session: string, error: unknown): void {
  log.error({ error, session }, "the end of a USSD session was not kept");
}
