// The last screens of an account that is frozen or waits, and of a switch that is closed, whatever was to be done.
import type { Db } from "../../db/connect.ts";
import * as settings from "../../src/core/platform/settings/settings.ts";
import { accraDayTime } from "../../src/shared/accra.ts";
import { AppError } from "../../src/shared/errors/app-error.ts";
import { endText } from "../../src/shared/pause.ts";
import { closingIn } from "../../src/shared/switches.ts";
import type { Context, Step } from "./conversation.ts";

/** The step to the screen that says so, with its words in the context; rethrows any other error. */
export async function shutStep(db: Db, context: Context, error: unknown): Promise<Step> {
  const closing = closingIn(error);
  if (closing) {
    const { message, until } = closing;
    context.closed = { message, end: until && endText(until) };
    return { to: "closed" };
  }
  if (!(error instanceof AppError)) throw error;
  if (error.code === "account.waits") {
    context.until = accraDayTime(new Date(String(error.details!.until)));
    return { to: "phone_waits" };
  }
  if (error.code !== "account.frozen") throw error;
  context.support = await settings.get(db, "support_phone");
  return { to: "frozen" };
}
