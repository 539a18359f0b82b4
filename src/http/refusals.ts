// Refusals for programs: our JSON, or a problem (RFC 9457) for who asks for one.
import { type AppError, isRetryable } from "../shared/errors/app-error.ts";
import { errors } from "../shared/errors/codes.ts";

/** What a refusal answers: the request with its id, and the shop's public origin, if it has one. */
export type Refused = { request: Request; requestId: string; baseUrl: string | null };

/** The media type of problems. */
export const PROBLEM = "application/problem+json";

/** The guide's part about an error; relative where the shop does not know its own origin. */
const problemType = (code: string, baseUrl: string | null): string => `${baseUrl ?? ""}/developers/errors#${code}`;

/** The answer to a request that is refused: its code with what a program needs, and when to try again. */
export function refuse(refusal: AppError, { request, requestId, baseUrl }: Refused): Response {
  const { code, message, details, status } = refusal;
  const isFault = code === "service.failed";
  const body = {
    code,
    message: isFault ? `${message}. Reference ${requestId}` : message,
    details,
    retryable: isRetryable(code),
    requestId,
  };
  const headers = refusalHeaders(refusal);
  if (!wantsProblem(request.headers.get("accept"))) return Response.json(body, { status, headers });
  const problem = {
    type: problemType(code, baseUrl),
    // The same for every refusal with this code, as its type is; the message can be about this one.
    title: errors[code].message,
    status,
    detail: body.message,
    // No address of ours shows one request alone; the fragment makes it this occurrence's own.
    instance: `${new URL(request.url).pathname}#${requestId}`,
    ...body,
  };
  return new Response(JSON.stringify(problem), {
    status,
    headers: { ...headers, "content-type": PROBLEM },
  });
}

/**
 * Whether an Accept header asks for problems: it names their type, and does not rank it below plain JSON by a `q`. "*"
 * alone asks for nothing special.
 */
function wantsProblem(accept: string | null): boolean {
  if (!accept?.toLowerCase().includes(PROBLEM)) return false;
  const weights = new Map(
    accept
      .toLowerCase()
      .split(",")
      .map((range) => {
        const [type = "", ...parameters] = range.split(";").map((part) => part.trim());
        const weight = parameters.find((parameter) => parameter.startsWith("q="));
        return [type, weight === undefined ? 1 : Number(weight.slice(2)) || 0];
      }),
  );
  const weight = weights.get(PROBLEM) ?? 0;
  return weight > 0 && weight >= (weights.get("application/json") ?? 0);
}

function refusalHeaders({ code, details }: AppError): Record<string, string> {
  const waitSeconds = details?.retryAfterSeconds ?? (errors[code].status === 503 ? 2 : undefined);
  return {
    "cache-control": "no-store",
    ...(waitSeconds !== undefined && { "retry-after": String(waitSeconds) }),
    // The rest of the body may still arrive, and must not be read as the next request.
    ...(code === "request.timeout" && { connection: "close" }),
    ...(details?.allowed !== undefined && { allow: details.allowed.join(", ") }),
    ...(errors[code].status === 401 && { "www-authenticate": "Bearer" }),
  };
}
