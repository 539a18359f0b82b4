// Test messages, by which an owner sees that e-mail and SMS arrive.
import { eq } from "drizzle-orm";
import { z } from "zod";
import { phones } from "../../../db/schema/identity.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import * as users from "../identity/users.ts";
import * as messages from "../messaging/messages.ts";
import { testMail, testSms } from "../messaging/texts/staff-texts.ts";
import * as budgets from "../platform/budgets/budgets.ts";
import { command } from "../platform/commands.ts";

/** Sends whoever asks a message to their own mailbox or phone; where it goes is answered. */
export const sendTest = command({
  name: "message.test",
  right: "settings.change",
  about: "Send oneself a test message, by e-mail or SMS",
  subject: "message",
  input: { channel: z.enum(["email", "sms"]) },
  errors: ["message.no_phone", "request.rate_limited"],
  run: async ({ tx, by, audit }, { channel }) => {
    const user = await users.get(tx, by.userId);
    const [phone] = await tx.select().from(phones).where(eq(phones.userId, user.id));
    if (channel === "sms" && !phone) throw new AppError("message.no_phone");
    await budgets.spend(tx, "message.test", by.userId);
    const [message] =
      channel === "sms"
        ? [{ userId: user.id, ...testSms(), channel, recipient: phone!.msisdn, subject: "", passesOptOut: true }]
        : messages.mailTo(user, testMail(user.username));
    const [id] = await messages.queueAll(tx, [message!]);
    await audit(id!, { after: { channel } });
    return { recipient: message!.recipient };
  },
});
