// The log: JSON lines. Only named fields are logged, and fields that may hold secrets are redacted.
import pino from "pino";

export type Log = pino.Logger;

/** A logger to standard output, or to another stream. */
export function createLog(level: string, to: pino.DestinationStream = pino.destination(1)): Log {
  const options: pino.LoggerOptions = {
    level,
    base: undefined,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    redact: {
      paths: ["password", "pin", "token", "secret", "authorization", "cookie", "apiKey"].flatMap((name) => [
        name,
        `*.${name}`,
      ]),
      censor: "[redacted]",
    },
    serializers: { error: (error: unknown) => describe(error) },
  };
  return pino(options, to);
}

/** An error for the log: name, code, message and stack, without the query parameters that drizzle adds. */
function describe(error: unknown): unknown {
  if (!(error instanceof Error)) return String(error);
  const { name, code } = error as Error & { code?: unknown };
  return {
    name,
    code,
    message: error.message.split("\nparams:")[0],
    stack: error.stack?.split("\n").slice(1, 8).join("\n"),
    cause: error.cause === undefined ? undefined : describe(error.cause),
  };
}
