// A simple handset in the browser: it dials the shop as a gateway would, shows the screens, and lists the SMS of its
// number. Plain forms; a few lines of script make the keys fast.
import { createHash } from "node:crypto";
import { escapeHTML } from "bun";
import { localMsisdn, parseMsisdn, spacedMsisdn } from "../../src/shared/phones/msisdn.ts";
import { USSD_GATEWAYS, type UssdGatewayName, type UssdOnlyGateway } from "../../src/shared/phones/ussd-gateways.ts";
import type { Call, Reply } from "./http.ts";
import { COLOURS } from "./page.ts";
import { GatewayError, openPhone, type Phone, SERVICE_CODE, SHORT_CODE } from "./phone.ts";

/** The number that the page starts with. */
export const FIRST_MSISDN = "233541234567";

/** The shop's callback addresses: Africa's Talking's, and those of the other gateways. */
export type Callbacks = { ussd: string; events: string; inbound: string } & Partial<Record<UssdOnlyGateway, string>>;
/** An SMS to a number: +233541234567. */
type Received = { to: string; from: string; message: string; at: Date };

/** Handles requests below /phone, and no others. */
export function createPhonePage({ received }: { received: () => Received[] }) {
  let callbacks: Callbacks | null = null;
  const handsets = new Map<string, Handset>();
  const handsetOf = (line: Line): Handset => {
    const { msisdn } = line;
    const known = handsets.get(msisdn);
    if (known?.network === line.network && known.gateway === line.gateway) return known;
    const fresh = openHandset(line, callbacks);
    if (known) fresh.sent = known.sent;
    handsets.set(msisdn, fresh);
    return fresh;
  };
  return {
    setCallbacks: (next: Callbacks) => {
      callbacks = next;
      handsets.clear();
    },
    answer: async (call: Call): Promise<Reply | null> => {
      if (!/^\/phone(\/sms)?$/.test(call.path)) return null;
      const form = call.method === "POST" ? new URLSearchParams(call.text) : call.query;
      const msisdn = parseMsisdn(form.get("number") ?? FIRST_MSISDN);
      const [network, gateway] = [networkOf(form.get("network")), gatewayOf(form.get("gateway"))];
      if (!msisdn) return noSuchNumber(form.get("number")!, { network, gateway });
      const handset = handsetOf({ msisdn, network, gateway });
      if (call.path === "/phone/sms") return html(smsOf(handset, received()));
      if (call.method !== "POST") return page(handset, received());
      await press(handset, form);
      return { status: 303, headers: { location: addressOf(handset) }, body: "" };
    },
  };
}

const NETWORKS = { MTN: "MTN", TELECEL: "Telecel", AIRTELTIGO: "AirtelTigo", OTHER: "Unknown" } as const;
type Network = keyof typeof NETWORKS;

/** A phone's number, its network, and the gateway of the codes that it dials. */
type Line = { msisdn: string; network: Network; gateway: UssdGatewayName };

type Handset = Line & {
  phone: Phone;
  /** The display: empty, a screen of a session, or the network's own message. */
  screen: { kind: "idle" | "open" | "over"; text: string };
  typed: string;
  /** The gateway's complaint about our answer, for developers. */
  fault: string | null;
  sent: { text: string; at: Date; isAccepted: boolean }[];
};

function openHandset(line: Line, callbacks: Callbacks | null): Handset {
  const { gateway } = line;
  const phone = openPhone({
    ...line,
    ussdUrl: callbacks?.[gateway === "africastalking" ? "ussd" : gateway] ?? null,
    eventsUrl: callbacks?.events ?? null,
    inboundUrl: callbacks?.inbound ?? null,
  });
  return { ...line, phone, screen: IDLE, typed: SERVICE_CODE, fault: null, sent: [] };
}

const IDLE: Handset["screen"] = { kind: "idle", text: "" };

async function press(handset: Handset, form: URLSearchParams): Promise<void> {
  const typed = (form.get("typed") ?? "").slice(0, 2000);
  const key = form.get("key");
  if (key !== null) {
    handset.typed = typed + key.slice(0, 1);
    return;
  }
  switch (form.get("do")) {
    case "go":
      await go(handset, typed.trim());
      return;
    case "clear":
      handset.typed = typed.slice(0, -1);
      return;
    case "cancel":
      if (handset.screen.kind === "open") await handset.phone.hangUp().catch(() => {});
      Object.assign(handset, { screen: IDLE, typed: SERVICE_CODE, fault: null });
      return;
    case "sms":
      await sendSms(handset, (form.get("text") ?? "").slice(0, 2000));
  }
}

/** Dials what was typed, sends it as an answer, or clears the last screen. */
async function go(handset: Handset, typed: string): Promise<void> {
  const { kind } = handset.screen;
  if (kind === "over") {
    Object.assign(handset, { screen: IDLE, typed: SERVICE_CODE, fault: null });
    return;
  }
  try {
    if (kind === "idle" && !isServiceCode(typed)) throw new GatewayError(`Only ${SERVICE_CODE} is simulated`);
    const shown = kind === "open" ? await handset.phone.reply(typed) : await handset.phone.dial(extension(typed));
    handset.screen = { kind: shown.isOpen ? "open" : "over", text: shown.text };
    handset.fault = null;
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    handset.screen = { kind: "over", text: "Connection problem or invalid MMI code." };
    handset.fault = error.message;
  }
  handset.typed = "";
}

/** *920*55# and longer codes such as *920*55*1*2#. */
function isServiceCode(typed: string): boolean {
  return typed === SERVICE_CODE || (typed.startsWith(SERVICE_CODE.replace("#", "*")) && typed.endsWith("#"));
}

function extension(typed: string): string {
  return typed.slice(SERVICE_CODE.length, -1);
}

async function sendSms(handset: Handset, text: string): Promise<void> {
  if (text.trim() === "") return;
  const status = await handset.phone.sendSms(text).catch(() => 0);
  handset.sent.push({ text, at: new Date(), isAccepted: status === 200 });
}

function networkOf(text: string | null): Network {
  return text && text in NETWORKS ? (text as Network) : "MTN";
}

function gatewayOf(text: string | null): UssdGatewayName {
  return text && text in USSD_GATEWAYS ? (text as UssdGatewayName) : "africastalking";
}

function addressOf({ msisdn, network, gateway }: Handset): string {
  return `/phone?${new URLSearchParams({ number: localMsisdn(msisdn), network, gateway })}`;
}

function page(handset: Handset, received: Received[]): Reply {
  return layout(`${owner(localMsisdn(handset.msisdn), handset)}
<main>${body(handset)}
<section class="messages"><h2>SMS</h2>
<form method="post" action="/phone" class="write">${hidden(handset)}
<label for="text">To ${SHORT_CODE}</label>
<div><input id="text" name="text" autocomplete="off" placeholder="BAL">
<button name="do" value="sms">Send SMS</button></div></form>
<div id="sms" data-from="/phone/sms${addressOf(handset).slice("/phone".length)}">${smsOf(handset, received)}</div>
</section></main>`);
}

function noSuchNumber(typed: string, chosen: Omit<Line, "msisdn">): Reply {
  const error = '<p class="fault" role="alert">Enter a Ghanaian number, such as 0541234567.</p>';
  return { ...layout(`${owner(typed, chosen)}${error}`), status: 422 };
}

/** The phone's number, its network, and whose codes it dials. */
function owner(number: string, { network, gateway }: Omit<Line, "msisdn">): string {
  return `<form method="get" action="/phone" class="owner">
<div><label for="number">Its number</label>
<input id="number" name="number" value="${escapeHTML(number)}" inputmode="tel" autocomplete="off"></div>
<div><label for="network">Its network</label>
<select id="network" name="network">${options(NETWORKS, network)}</select></div>
<div><label for="gateway">Dials through</label>
<select id="gateway" name="gateway">${options(USSD_GATEWAYS, gateway)}</select></div>
<button>Use this phone</button></form>`;
}

function options(names: Record<string, string>, chosen: string): string {
  return Object.entries(names)
    .map(([code, name]) => `<option value="${code}"${code === chosen ? " selected" : ""}>${escapeHTML(name)}</option>`)
    .join("");
}

const KEYS = [
  ["1", ""],
  ["2", "abc"],
  ["3", "def"],
  ["4", "ghi"],
  ["5", "jkl"],
  ["6", "mno"],
  ["7", "pqrs"],
  ["8", "tuv"],
  ["9", "wxyz"],
  ["*", ""],
  ["0", "+"],
  ["#", ""],
] as const;

/** The handset itself. Enter presses its first button. */
function body(handset: Handset): string {
  const { screen, typed, network, msisdn, fault } = handset;
  const label = { idle: "Call", open: "Send", over: "OK" }[screen.kind];
  const keys = KEYS.map(
    ([key, letters]) =>
      `<button name="key" value="${key}" aria-label="${key}"><b>${key}</b><small>${letters}</small></button>`,
  );
  const field =
    screen.kind === "over"
      ? ""
      : `<label class="unseen" for="typed">${screen.kind === "open" ? "Reply" : "Number"}</label>
<input id="typed" name="typed" value="${escapeHTML(typed)}"
  autocomplete="off" autocapitalize="off" spellcheck="false" autofocus>`;
  const display = screen.kind === "idle" ? `<span class="own">${spacedMsisdn(msisdn)}</span>` : escapeHTML(screen.text);
  return `<div><form method="post" action="/phone" class="handset" id="handset">${hidden(handset)}
<i class="ear"></i>
<div class="display ${screen.kind}"><p class="bar">
<span><i class="signal"><i></i><i></i><i></i><i></i></i> ${NETWORKS[network]}</span>
<time>${clock(new Date())}</time></p>
<output class="text">${display}</output>${field}</div>
<div class="calls"><button name="do" value="go" class="go">${label}</button>
<button name="do" value="clear" id="clear">Clear</button>
<button name="do" value="cancel" class="end" id="cancel">${screen.kind === "open" ? "Cancel" : "End"}</button></div>
<div class="keys">${keys.join("")}</div></form>
${fault ? `<p class="fault" role="alert">${escapeHTML(fault)}</p>` : ""}</div>`;
}

function hidden({ msisdn, network, gateway }: Handset): string {
  return `<input type="hidden" name="number" value="${localMsisdn(msisdn)}">
<input type="hidden" name="network" value="${network}">
<input type="hidden" name="gateway" value="${gateway}">`;
}

/** The SMS to and from this number, newest first. */
function smsOf(handset: Handset, received: Received[]): string {
  const all = [
    ...received
      .filter(({ to }) => to === `+${handset.msisdn}`)
      .map(({ from, message, at }) => ({ text: message, caption: from, at, kind: "in" })),
    ...handset.sent.map(({ text, at, isAccepted }) => ({
      text,
      caption: isAccepted ? `to ${SHORT_CODE}` : "not accepted: the network will resend it",
      at,
      kind: "out",
    })),
  ].sort((a, b) => b.at.getTime() - a.at.getTime());
  if (all.length === 0) return '<p class="empty">No SMS yet. Receipts and codes to this number appear here.</p>';
  const items = all.map(
    ({ text, caption, at, kind }) =>
      `<li class="${kind}"><p>${escapeHTML(text)}</p><small>${escapeHTML(caption)} · ${clock(at, true)}</small></li>`,
  );
  return `<ol>${items.join("")}</ol>`;
}

function clock(at: Date, withSeconds = false): string {
  return at.toISOString().slice(11, withSeconds ? 19 : 16);
}

function layout(content: string): Reply {
  return html(`<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Phone · simulated</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><style>${STYLE}</style></head>
<body><header class="top"><h1>Phone</h1><a href="/messages">All messages</a></header>
<p class="about">Simulated: it dials the shop on this machine as the gateway would, and texts it as Africa's
Talking would.</p>
${content}<script>${SCRIPT}</script></body></html>`);
}

function html(text: string): Reply {
  const headers = { "content-type": "text/html; charset=utf-8", "cache-control": "no-store" };
  return { status: 200, headers: { ...headers, "content-security-policy": POLICY }, body: text };
}

/** Keys write into the field without a request to the server; new SMS appear on their own. */
const SCRIPT = `
const [field, handset, sms] = ["typed", "handset", "sms"].map((id) => document.getElementById(id));
const write = (value) => { field.value = value; field.focus(); field.setSelectionRange(value.length, value.length); };
if (field) {
  field.setSelectionRange(field.value.length, field.value.length);
  handset.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (button?.name === "key") { event.preventDefault(); write(field.value + button.value); }
    if (button?.id === "clear") { event.preventDefault(); write(field.value.slice(0, -1)); }
  });
}
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") document.getElementById("cancel")?.click();
  const isElsewhere = /^(INPUT|SELECT|BUTTON|A)$/.test(document.activeElement.tagName);
  if (field && !isElsewhere && /^[0-9*#]$/.test(event.key)) { event.preventDefault(); write(field.value + event.key); }
});
if (sms) setInterval(async () => {
  const text = await fetch(sms.dataset.from).then((answer) => answer.text()).catch(() => null);
  if (text !== null && text !== sms.dataset.shown) sms.innerHTML = sms.dataset.shown = text;
}, 2000);
`;
const DIGEST = createHash("sha256").update(SCRIPT).digest("base64");
const POLICY =
  `default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${DIGEST}'; connect-src 'self'; ` +
  "form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

const STYLE = `${COLOURS}
:root {
  --shell: #2b3138; --shell-edge: #14181c; --key: #3b434c; --key-ink: #f3f5f7; --lcd: #c9d8b6;
  --lcd-ink: #1c2a16; --lcd-line: #9fb18a;
}
@media (prefers-color-scheme: dark) {
  :root {
    --shell: #20262d; --shell-edge: #39434e; --key: #303943; --lcd: #a9bc93; --lcd-ink: #14200f;
    --lcd-line: #86996f;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; max-width: 900px; padding: 20px 16px 48px; background: var(--paper); color: var(--ink);
  font: 16px/1.5 system-ui, sans-serif; overflow-wrap: anywhere;
}
.top { display: flex; align-items: center; justify-content: space-between; }
h1 { font-size: 1.6rem; line-height: 1.2; margin: 0; }
h2 { font-size: 1.1rem; margin: 0 0 8px; }
a { color: var(--brand); min-height: 44px; display: flex; align-items: center; }
.about, small, label { color: var(--soft); font-size: .875rem; }
.about { margin: 4px 0 16px; }
.owner { display: flex; flex-wrap: wrap; gap: 8px 12px; align-items: end; margin-bottom: 24px; }
.owner div { flex: 1 1 130px; max-width: 220px; }
label { display: block; margin-bottom: 4px; }
.owner button { flex: 1 1 150px; max-width: 220px; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
input, select, button {
  font: inherit; min-height: 44px; border-radius: 8px; border: 1px solid var(--line); background: var(--card);
  color: var(--ink); padding: 0 12px;
}
.owner input, .owner select { width: 100%; }
button { cursor: pointer; }
:focus-visible { outline: 3px solid var(--info); outline-offset: 1px; }
main { display: grid; gap: 32px; grid-template-columns: minmax(0, 1fr); justify-items: center; }
main > div { width: min(100%, 300px); }
.messages { width: 100%; min-width: 0; }
@media (min-width: 720px) { main { grid-template-columns: 300px minmax(0, 1fr); align-items: start; } }
.handset {
  background: var(--shell); border: 2px solid var(--shell-edge); border-radius: 36px 36px 48px 48px;
  padding: 18px 20px 28px; display: grid; gap: 14px;
  box-shadow: 0 12px 32px rgb(0 0 0 / .25), inset 0 2px 0 rgb(255 255 255 / .08);
}
.ear { width: 64px; height: 6px; border-radius: 3px; background: var(--shell-edge); justify-self: center; }
.display {
  background: var(--lcd); color: var(--lcd-ink); border: 4px solid var(--shell-edge); border-radius: 12px;
  padding: 8px 10px 10px; min-height: 264px; display: flex; flex-direction: column; gap: 6px;
  font: 15px/1.35 ui-monospace, "DejaVu Sans Mono", monospace;
}
.bar {
  margin: 0; display: flex; justify-content: space-between; font-size: 13px;
  border-bottom: 1px solid var(--lcd-line); padding-bottom: 4px;
}
.signal { display: inline-flex; align-items: end; gap: 2px; margin-right: 4px; }
.signal i { width: 3px; background: var(--lcd-ink); }
.signal i:nth-child(1) { height: 4px; }
.signal i:nth-child(2) { height: 7px; }
.signal i:nth-child(3) { height: 10px; }
.signal i:nth-child(4) { height: 13px; }
.text { flex: 1; white-space: pre-wrap; }
.idle .text { display: grid; place-items: center; }
.own { font-size: 18px; }
.display input {
  width: 100%; min-height: 38px; border: 0; border-top: 1px solid var(--lcd-line); border-radius: 0;
  background: transparent; color: inherit; padding: 4px 2px 0; font: inherit; font-size: 20px;
}
.display input:focus { outline: 0; box-shadow: inset 0 -2px 0 var(--lcd-ink); }
.calls, .keys { display: grid; grid-template-columns: repeat(3, 1fr); gap: 8px; }
.handset button {
  background: var(--key); color: var(--key-ink); border-color: var(--shell-edge); border-radius: 14px;
  padding: 0 4px;
}
.handset button:active { transform: translateY(1px); }
.handset .go { background: #14713f; color: #fff; font-weight: 600; }
.handset .end { background: #a8281f; color: #fff; font-weight: 600; }
.keys button { min-height: 50px; line-height: 1.05; display: grid; align-content: center; justify-items: center; }
.keys b { font-size: 20px; }
.keys small { color: inherit; opacity: .75; font-size: 11px; letter-spacing: .08em; min-height: 1em; }
.fault {
  background: var(--bad-soft); color: var(--bad); border-radius: 12px; padding: 12px 16px; margin: 12px 0 0;
  font-size: .875rem;
}
.write { margin-bottom: 16px; }
.write div { display: flex; gap: 8px; }
.write input { flex: 1; min-width: 0; }
.write button {
  background: var(--brand); border-color: var(--brand); color: var(--paper); font-weight: 600;
  white-space: nowrap;
}
.empty {
  background: var(--card); border: 1px dashed var(--line); border-radius: 12px; padding: 32px 16px;
  text-align: center; color: var(--soft); margin: 0;
}
ol { list-style: none; margin: 0; padding: 0; display: grid; gap: 12px; }
li {
  background: var(--card); border: 1px solid var(--line); border-radius: 14px 14px 14px 4px;
  padding: 10px 14px; margin-right: 32px;
}
li.out {
  background: var(--brand-soft); border-color: transparent; border-radius: 14px 14px 4px 14px;
  margin: 0 0 0 32px;
}
li p { margin: 0; white-space: pre-wrap; font-variant-numeric: tabular-nums; }
`;
