// E-mail over SMTP (RFC 5321) by nodemailer. It never throws: a mail was taken, refused, or nobody knows.
import { z } from "zod";
import type { Outgoing, Sender, Sent } from "../core/messaging/sender.ts";

export type MailOptions = {
  /** smtp://user:password@host:587, or smtps:// for TLS from the start. */
  url: string;
  /** DataFie <no-reply@shop.example> */
  from: string;
  timeoutMs?: number;
};

const TIMEOUT_MS = 8_000;

/** The sender; a connection is made for each mail, because mails are few. The package is loaded with the first one. */
export function createMail({ url, from, timeoutMs = TIMEOUT_MS }: MailOptions): Sender {
  const open = async () =>
    (await import("nodemailer")).createTransport({
      url,
      connectionTimeout: timeoutMs,
      greetingTimeout: timeoutMs,
      socketTimeout: timeoutMs,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  let transport: ReturnType<typeof open> | undefined;
  const domain = /@([^\s@>]+)>?$/.exec(from)?.[1] ?? "localhost";
  return {
    send: async (message) => {
      try {
        transport ??= open();
        const { messageId } = await (await transport).sendMail({ from, ...mailOf(message, domain) });
        return { kind: "accepted", providerId: messageId };
      } catch (error) {
        return outcomeOf(error);
      }
    },
  };
}

/** The same message has the same Message-ID each time, so that a mail reader shows it once. */
function mailOf({ id, recipient, subject, body }: Outgoing, domain: string) {
  return {
    to: { name: "", address: recipient },
    subject: subject ?? "",
    text: body,
    messageId: `<message-${id}@${domain}>`,
    // So that no absence note comes back (RFC 3834).
    headers: { "auto-submitted": "auto-generated" },
  };
}

const Failure = z.object({
  code: z.string().catch("fault"),
  responseCode: z.number().optional().catch(undefined),
  command: z.string().optional().catch(undefined),
  syscall: z.string().optional().catch(undefined),
  timeoutType: z.string().optional().catch(undefined),
});

/** Only codes go on from here: a server's words may name the recipient, and the error carries the settings. */
function outcomeOf(error: unknown): Sent {
  const { code, responseCode, command, syscall, timeoutType } = Failure.parse(error);
  const isBeforeMail =
    syscall === "connect" ||
    syscall === "getaddrinfo" ||
    (timeoutType !== undefined && timeoutType !== "SOCKET_TIMEOUT") ||
    ["EDNS", "ETLS", "EAUTH", "ENOAUTH"].includes(code);
  if (isBeforeMail) return { kind: "down", reason: code };
  if (responseCode === undefined) return { kind: "unknown", reason: code };
  const reason = `SMTP ${responseCode}`;
  if (responseCode < 500) return { kind: "busy", reason };
  // A sender that is not let in is the shop's trouble, not the recipient's.
  return { kind: command === "MAIL FROM" ? "down" : "refused", reason };
}
