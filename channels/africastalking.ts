// What every callback of Africa's Talking goes through: the secret in its address, and its form.
import { isAmongSecrets } from "../src/core/messaging/callbacks.ts";
import { readForm } from "../src/http/requests.ts";
import { AppError } from "../src/shared/errors/app-error.ts";

/** The fields of a callback as they were sent: text, never a number, because 0541234567 begins with a 0. */
export type CallbackForm = ReadonlyMap<string, string>;

/** The largest documented callback has a few hundred bytes. */
const FORM_BYTES_MAX = 4096;

/** Throws request.not_found when the address does not hold one of our secrets: to a stranger there is nothing here. */
export function checkSecret(secrets: readonly string[], secret: string): void {
  if (!isAmongSecrets(secrets, secret)) throw new AppError("request.not_found");
}

/**
 * Reads the form of a callback, at most 4 kB of application/x-www-form-urlencoded. Null when it is anything else, has a
 * field twice, or holds what the database cannot: each door says that in its own words, which are never an error's,
 * because Africa's Talking repeats what was not answered with 200.
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
