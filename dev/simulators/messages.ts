// The simulator of SMS and e-mail for development: nothing leaves this machine, and one page shows all messages. `bun
// dev/simulators/messages.ts` runs it alone.
import { parseArgs } from "node:util";
import { escapeHTML } from "bun";
import { z } from "zod";
import type { SmsSettings } from "../../src/gateways/sms.ts";
import { type Sms, startAfricasTalking } from "./africastalking.ts";
import { startArkesel } from "./arkesel.ts";
import { controlReply, listen, type Reply } from "./http.ts";
import { startHubtel } from "./hubtel.ts";
import { startMailbox } from "./mailbox.ts";
import { COLOURS } from "./page.ts";
import { createPhonePage } from "./phone-page.ts";

export type MessagesSimulator = {
  /** The page that shows the messages. */
  pageUrl: string;
  /** The page where a person dials and texts. */
  phoneUrl: string;
  sms: { baseUrl: string; username: string; apiKey: string };
  /** The settings of all SMS gateways, the one above among them. */
  gateways: SmsSettings;
  smtpUrl: string;
  stop: () => Promise<void>;
};

/** Starts the simulators and their page on free ports. */
export async function startMessages(): Promise<MessagesSimulator> {
  const [sms, arkesel, hubtel, mailbox] = await Promise.all([
    startAfricasTalking({ reportAfterMs: REPORT_AFTER_MS }),
    startArkesel({ reportAfterMs: REPORT_AFTER_MS }),
    startHubtel(),
    startMailbox(),
  ]);
  const received = () =>
    [sms, arkesel, hubtel].flatMap((one) => one.messages()).sort((a, b) => a.at.getTime() - b.at.getTime());
  const phone = createPhonePage({ received });
  const server = await listen(0, async (call) => {
    const { method, path, text } = call;
    if (method === "POST" && path === "/_control/phone")
      return controlReply(() => phone.setCallbacks(callbacksSchema.parse(JSON.parse(text))));
    const handset = await phone.answer(call);
    if (handset) return handset;
    if (method === "POST" && path === "/_control")
      return controlReply(() => sms.sendReportsTo(controlSchema.parse(JSON.parse(text)).reportUrl));
    if (method !== "GET" || (path !== "/messages" && path !== "/")) return page("<p>There is nothing here.</p>", 404);
    const textsBy = (name: string, all: Sms[]) =>
      all.map((one): Message => ({ ...one, kind: "SMS", by: name, subject: null, text: one.message }));
    const messages = [
      ...textsBy("Africa's Talking", sms.messages()),
      ...textsBy("Arkesel", arkesel.messages()),
      // It reports no delivery.
      ...textsBy("Hubtel", hubtel.messages()).map(({ reports: _, ...one }) => one),
      ...mailbox.mails().map((one): Message => ({ ...one, kind: "E-mail" })),
    ];
    return page(inbox(messages.sort((a, b) => b.at.getTime() - a.at.getTime())));
  });
  return {
    pageUrl: `${server.url}/messages`,
    phoneUrl: `${server.url}/phone`,
    sms: { baseUrl: sms.url, username: sms.username, apiKey: sms.apiKey },
    gateways: {
      africastalking: { baseUrl: sms.url, username: sms.username, apiKey: sms.apiKey, senderId: null },
      arkesel: { baseUrl: arkesel.url, apiKey: arkesel.apiKey, senderId: arkesel.senderId },
      hubtel: {
        ...{ baseUrl: hubtel.url, senderId: hubtel.senderId },
        ...{ clientId: hubtel.clientId, clientSecret: hubtel.clientSecret },
      },
    },
    smtpUrl: mailbox.url,
    stop: async () => {
      await Promise.all([sms, arkesel, hubtel, mailbox, server].map((one) => one.stop()));
    },
  };
}

/** Set by the shop: the address for Africa's Talking's delivery reports. Arkesel gets its own with each message. */
const controlSchema = z.object({ reportUrl: z.url() });
/** Set by the shop: the addresses for USSD and inbound SMS. */
const callbacksSchema = z.object({
  ...{ ussd: z.url(), events: z.url(), inbound: z.url() },
  ...{ hubtel: z.url().optional(), arkesel: z.url().optional(), nalo: z.url().optional() },
});

/** Long enough for a person to see an SMS before it is reported. */
const REPORT_AFTER_MS = 1_500;

type Message = {
  kind: "SMS" | "E-mail";
  /** The gateway of an SMS. */
  by?: string;
  /** The delivery reports of an SMS, in order. */
  reports?: Sms["reports"];
  to: string;
  from: string;
  subject: string | null;
  text: string;
  at: Date;
};

function inbox(messages: Message[]): string {
  if (messages.length === 0)
    return (
      '<p class="empty">Nothing has been sent yet. ' +
      "Codes and notices appear here as they would on a phone or in a mailbox.</p>"
    );
  return `<ol>${messages.map(messageItem).join("")}</ol>`;
}

function messageItem({ kind, by, to, from, subject, text, at, reports }: Message): string {
  const moment = at.toISOString();
  return `<li class="${kind === "SMS" ? "sms" : "mail"}">
<header><span class="kind">${kind}</span>
<span>to <b>${escapeHTML(to)}</b> from ${escapeHTML(from)}${by ? ` by ${escapeHTML(by)}` : ""}</span>
<time datetime="${moment}">${moment.slice(11, 19)}</time></header>
${subject === null ? "" : `<h2>${escapeHTML(subject)}</h2>`}<p>${escapeHTML(text)}</p>
${reports ? reportChips(reports) : ""}</li>`;
}

function reportChips(reports: Sms["reports"]): string {
  const chips = reports.map(({ status, reason, answer }) => {
    const kind = status === "Success" || status === "DELIVERED" ? "good" : "bad";
    const suffix = answer === 200 ? "" : " (the shop did not accept the report)";
    return `<span class="fate ${kind}">${escapeHTML(status + (reason ? `: ${reason}` : "") + suffix)}</span>`;
  });
  return `<footer>${chips.join("") || '<span class="fate">On its way</span>'}</footer>`;
}

function page(body: string, status = 200): Reply {
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Messages · simulated</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><meta http-equiv="refresh" content="5">
<style>${STYLE}</style></head><body><header class="top"><h1>Messages</h1>
<nav><a href="/phone">Phone</a> <a href="/messages">Refresh</a></nav></header>
<p class="about">Simulated: SMS through Africa's Talking, Arkesel and Hubtel, and e-mail over SMTP, newest first, with
the delivery reports of each SMS but Hubtel's. A number's last digits decide: by Africa's Talking 10 fails, 11 arrives
late, and 04 is refused for lack of credit, so that the fall-back sends it; by Arkesel 26 fails and 24 is refused, by
Hubtel 34; 90 is refused by all. Nothing leaves this machine.</p>
${body}</body></html>`;
  const headers = { "content-type": "text/html; charset=utf-8", "cache-control": "no-store" };
  return { status, headers: { ...headers, "content-security-policy": POLICY }, body: html };
}

const POLICY = "default-src 'none'; style-src 'unsafe-inline'";
const STYLE = `${COLOURS}
* { box-sizing: border-box; }
body {
  margin: 0 auto; max-width: 640px; padding: 20px 16px 48px; background: var(--paper); color: var(--ink);
  font: 16px/1.5 system-ui, sans-serif; overflow-wrap: anywhere;
}
.top { display: flex; align-items: center; justify-content: space-between; }
h1 { font-size: 1.6rem; line-height: 1.2; margin: 0; }
.top nav { display: flex; gap: 20px; }
.top a { color: var(--brand); min-height: 44px; display: flex; align-items: center; }
.about, time, li header { color: var(--soft); font-size: .875rem; }
.about { margin: 4px 0 20px; }
.empty {
  background: var(--card); border: 1px dashed var(--line); border-radius: 12px; padding: 32px 16px;
  text-align: center; color: var(--soft);
}
ol { list-style: none; margin: 0; padding: 0; display: grid; gap: 16px; }
li { background: var(--card); border: 1px solid var(--line); border-radius: 12px; padding: 16px; }
li header { display: flex; flex-wrap: wrap; align-items: center; gap: 4px 8px; }
li header b { color: var(--ink); font-weight: 600; }
.kind { font-weight: 600; padding: 1px 10px; border-radius: 99px; background: var(--info-soft); color: var(--info); }
.sms .kind { background: var(--brand-soft); color: var(--brand); }
time { margin-left: auto; font-variant-numeric: tabular-nums; }
h2 { font-size: 1.05rem; line-height: 1.3; margin: 8px 0 0; }
li footer { display: flex; flex-wrap: wrap; gap: 8px; margin-top: 12px; }
.fate { font-size: .875rem; padding: 1px 10px; border-radius: 99px; background: var(--paper); color: var(--soft); }
.fate.good { background: var(--brand-soft); color: var(--brand); }
.fate.bad { background: var(--bad-soft); color: var(--bad); }
li p { margin: 8px 0 0; white-space: pre-wrap; font-variant-numeric: tabular-nums; }
`;

if (import.meta.main) {
  const { values } = parseArgs({ options: { "until-stdin-ends": { type: "boolean", default: false } } });
  const { stop, ...addresses } = await startMessages();
  process.stdout.write(`Messages simulator: ${JSON.stringify(addresses)}\n`);
  const end = () => void stop().then(() => process.exit(0));
  process.on("SIGTERM", end);
  process.on("SIGINT", end);
  if (values["until-stdin-ends"]) process.stdin.on("end", end).resume();
}
