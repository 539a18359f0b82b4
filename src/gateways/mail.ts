// The e-mail sender: SMTP (RFC 5321) through nodemailer.
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

/**
 * Creates the sender. It never throws. Each e-mail gets its own connection, because there are few; nodemailer is loaded
 * with the first.
 */
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

/** The Message-ID depends only on the message, so that a mail reader shows a message once even if we send it twice. */
function mailOf({ id, recipient, subject, body }: Outgoing, domain: string) {
  return {
    to: { name: "", address: recipient },
    subject: subject ?? "",
    text: body,
    messageId: `<message-${id}@${domain}>`,
    // Prevents out-of-office replies (RFC 3834).
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

/** Passes on codes only: a server's message may name the recipient, and the error carries our settings. */
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
  // A refused sender is a problem of the shop's settings, not of this recipient.
  return { kind: command === "MAIL FROM" ? "down" : "refused", reason };
}
