// Authentication and parsing of Africa's Talking callbacks: the secret in the address, and the form in the body.
import { isAmongSecrets } from "../src/core/messaging/callbacks.ts";
import { readForm } from "../src/http/requests.ts";
import { AppError } from "../src/shared/errors/app-error.ts";

/** The fields of a callback as sent: always text, because a number would lose the first 0 of 0541234567. */
export type CallbackForm = ReadonlyMap<string, string>;

/** The largest documented callback has a few hundred bytes. */
const FORM_BYTES_MAX = 4096;

/** Throws request.not_found unless the address carries one of our secrets: a stranger must not learn of the route. */
export function checkSecret(secrets: readonly string[], secret: string): void {
  if (!isAmongSecrets(secrets, secret)) throw new AppError("request.not_found");
}

/**
 * Reads the form of a callback: at most 4 kB of application/x-www-form-urlencoded. Returns null for anything else, for
 * a repeated field, and for NUL bytes, which Postgres cannot store. Each route turns null into a 200, because Africa's
 * Talking resends whatever got another status.
 */
export async function readCallback(request: Request): Promise<CallbackForm | null> {
  const form = await readForm(request, FORM_BYTES_MAX).catch((error: unknown) => {
    if (error instanceof AppError) return null;
    throw error;
  });
  if (!form) return null;
  const fields = new Map(form);
  const isWhole = [...fields].every((field) => field.every((text) => !text.includes("\0")));
  return isWhole && fields.size === form.size ? fields : null;
}
