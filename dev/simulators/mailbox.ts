// A simulated mail server: it accepts e-mails by SMTP and keeps them in one mailbox for all recipients.
import { SMTPServer } from "smtp-server";

export type Mail = { from: string; to: string; subject: string; text: string; messageId: string; at: Date };
export type MailFault = "hangAtData" | "busy" | "refused" | "senderRefused";
export type Mailbox = {
  /** For SMTP_URL. */
  url: string;
  /** Every accepted e-mail, oldest first, including those whose answer was lost. */
  mails: () => Mail[];
  /** Faults for the next e-mails, in order. */
  next: (...faults: MailFault[]) => void;
  reset: () => void;
  stop: () => Promise<void>;
};

/** Starts on a free loopback port. Addresses that begin with `nobody@` are unknown here. */
export async function startMailbox(): Promise<Mailbox> {
  const accepted: Mail[] = [];
  const faults: MailFault[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["AUTH", "STARTTLS"],
    logger: false,
    onMailFrom: (_, __, done) =>
      done(faults[0] === "senderRefused" && faults.shift() ? refusal(530, "Authentication required") : null),
    onRcptTo: ({ address }, _, done) => {
      if (address.startsWith("nobody@")) return done(refusal(550, `<${address}>: no such mailbox`));
      return done(null);
    },
    onData: (stream, session, done) => {
      const fault = faults.shift();
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        if (fault === "busy") return done(refusal(451, "Try again later"));
        if (fault === "refused") return done(refusal(554, "Message refused"));
        const { mailFrom, rcptTo } = session.envelope;
        const to = rcptTo.map(({ address }) => address).join(", ");
        const from = mailFrom ? mailFrom.address : "";
        accepted.push({ ...readMail(Buffer.concat(chunks).toString("latin1")), from, to, at: new Date() });
        if (fault === "hangAtData") return;
        done(null, "Taken");
      });
    },
  });
  server.on("error", () => {});
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails: () => structuredClone(accepted),
    next: (...more) => faults.push(...more),
    reset: () => {
      accepted.length = 0;
      faults.length = 0;
    },
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

function refusal(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode });
}

/** An e-mail with one text part (RFC 5322): its subject, id and text. */
export function readMail(raw: string): Pick<Mail, "subject" | "text" | "messageId"> {
  const end = raw.indexOf("\r\n\r\n");
  const headers = new Map<string, string>();
  for (const line of raw
    .slice(0, end)
    .replace(/\r\n[ \t]+/g, " ")
    .split("\r\n")) {
    const colon = line.indexOf(":");
    headers.set(line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim());
  }
  const encoding = headers.get("content-transfer-encoding") ?? "7bit";
  return {
    subject: decodeHeader(headers.get("subject") ?? ""),
    messageId: headers.get("message-id") ?? "",
    text: decode(raw.slice(end + 4), encoding)
      .replace(/\r\n/g, "\n")
      .trimEnd(),
  };
}

function decode(body: string, encoding: string): string {
  if (/base64/i.test(encoding)) return Buffer.from(body, "base64").toString("utf8");
  if (/quoted-printable/i.test(encoding)) return fromQuoted(body.replace(/=\r\n/g, ""));
  return Buffer.from(body, "latin1").toString("utf8");
}

function fromQuoted(text: string): string {
  const bytes = text.replace(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, "latin1").toString("utf8");
}

/** =?UTF-8?Q?…?= and =?UTF-8?B?…?= in a header (RFC 2047). */
function decodeHeader(header: string): string {
  return header
    .replace(/\?=\s+=\?/g, "?==?")
    .replace(/=\?utf-8\?([qb])\?([^?]*)\?=/gi, (_, kind: string, text: string) =>
      kind.toLowerCase() === "b" ? Buffer.from(text, "base64").toString("utf8") : fromQuoted(text.replaceAll("_", " ")),
    );
}
