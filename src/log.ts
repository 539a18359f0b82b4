// JSON lines about what the server did. Secrets never reach it: only named fields are logged, and these are redacted.
import pino from "pino";

export type Log = pino.Logger;

/** A logger to standard output. */
export function createLog(level: string): Log {
  return pino({
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
  });
}

/** An error for the log: its kind, words, code and place, without the parameters of a query that drizzle adds. */
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
