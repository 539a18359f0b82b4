// The texts of e-mail about an account that is frozen, or that waits before it spends.
import { accraDayTime } from "../../../shared/accra.ts";
import { letter, type Mail } from "./texts.ts";

/** `message` is for the agent; without an end, support ends it. */
export function frozen(username: string, { message, until }: { message: string; until: Date | null }): Mail {
  const end = until ? ` It ends by itself on ${accraDayTime(until)}.` : "";
  return {
    kind: "account_frozen",
    subject: "Your DataFie account is frozen for now",
    mail: letter(
      username,
      `Your account is frozen for now. You can log in and see everything, but not spend.${end}`,
      message,
      "Your money is safe, and money that comes in is added to your wallet. If you have questions, contact support.",
    ),
  };
}

export function thawed(username: string): Mail {
  return {
    kind: "account_thawed",
    subject: "Your DataFie account is open again",
    mail: letter(username, "Your account is no longer frozen. You can buy as before."),
  };
}

/** The wait after a change of phone, PIN or password was ended early by the shop. */
export function phoneWaitLifted(username: string): Mail {
  return {
    kind: "phone_wait_lifted",
    subject: "You can buy again",
    mail: letter(
      username,
      "We have ended the wait after your change of phone, PIN or password. You can buy again, also by USSD and SMS.",
      "If you did not ask us to, set a new password at once and contact support.",
    ),
  };
}
