// Failures of requests: the error that a person sees for each, and the answer when there is no time left.
import { isOutage } from "../../db/connect.ts";
import { WaitOver } from "../../db/waits.ts";
import { takesKey } from "../api/index.ts";
import { answerWithin } from "../core/platform/acts.ts";
import * as metrics from "../core/platform/metrics.ts";
import { changesSomething, isForMachines } from "../http/missed.ts";
import { refuse } from "../http/refusals.ts";
import { isReadingBody } from "../http/requests.ts";
import { limits } from "../shared/domain.ts";
import { AppError } from "../shared/errors/app-error.ts";
import { errors } from "../shared/errors/codes.ts";
import { doorOf, type RequestContext } from "../telemetry/request-log.ts";
import type { web } from "../web/index.tsx";
import type { AppDeps } from "./app-deps.ts";

export type Fail = (error: unknown, request: Request) => Response | Promise<Response>;

/** Returns a function that counts and logs a failure, and answers with it: as a page, or as JSON. */
export function failing(
  { log, baseUrl }: AppDeps,
  pages: Pick<ReturnType<typeof web>, "refuse">,
  contextOf: (request: Request) => RequestContext,
): Fail {
  return (error, request) => {
    const context = contextOf(request);
    const { route, requestId } = context;
    const refusal = toAppError(error, request, route);
    metrics.refusals.inc({ door: doorOf(request), code: refusal.code });
    context.refusal = refusal.code;
    if (refusal.status >= 500) log.error({ error, requestId }, "a request failed");
    if (!isForMachines(request)) return pages.refuse(request, refusal);
    return refuse(refusal, { request, requestId, baseUrl });
  };
}

/** Answers within the time that a request may take, with a failure where `handle` has not. */
export async function answerInTime(handle: () => Promise<Response>, request: Request, fail: Fail): Promise<Response> {
  const late = (isUndone: boolean) => {
    const code = isReadingBody(request)
      ? "request.timeout"
      : isUndone && changesSomething(request)
        ? "service.busy"
        : "service.unavailable";
    return fail(new AppError(code), request);
  };
  try {
    return await answerWithin(limits.requestTimeoutMs, handle, late);
  } catch (error) {
    return await fail(error, request);
  }
}

/** The error that a person sees for a failure; internal faults are never described. */
function toAppError(error: unknown, request: Request, route: string): AppError {
  const isUnavailable = error instanceof AppError && error.code === "service.unavailable";
  // It says already what is unavailable.
  if (isUnavailable && error.message !== errors[error.code].message) return error;
  if (isUnavailable || isOutage(error) || error instanceof WaitOver)
    return new AppError("service.unavailable", undefined, outageMessage(request, route));
  return error instanceof AppError ? error : new AppError("service.failed");
}

/** A change may still have been made, even after the answer; then the message says how to find out. */
function outageMessage(request: Request, route: string): string | undefined {
  if (!changesSomething(request)) return undefined;
  const channel = doorOf(request);
  if (channel === "web") return `${UNCLEAR} Send the same form again: it will not be done twice.`;
  if (channel !== "api") return undefined;
  if (!takesKey(request.method, route)) return `${UNCLEAR} Check before you try again.`;
  return request.headers.has("idempotency-key")
    ? `${UNCLEAR} Try again with the same Idempotency-Key: it will not be done twice.`
    : `${UNCLEAR} Check before you try again, and send an Idempotency-Key: with the same key it is never done twice.`;
}

const UNCLEAR = "This took too long, and we do not know whether it was done.";
