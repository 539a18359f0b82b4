// The developers' page of the vendors' simulator: switches as buttons, and the lists of orders and deliveries.
import { escapeHTML } from "bun";
import { VENDOR_CODES, VENDORS } from "../../../src/gateways/vendors/index.ts";
import { show } from "../../../src/shared/money.ts";
import { spacedMsisdn } from "../../../src/shared/phones/msisdn.ts";
import type { Call, Reply, Routes } from "../http.ts";
import { button, pageOf } from "../page.ts";
import type { VendorSimulator } from "./vendors.ts";
import { switchesSchema } from "./vendors-control.ts";
import { LINE_NAMES, referenceOf } from "./vendors-depot.ts";
import { MAGIC } from "./vendors-magic.ts";
import { LINES, type Order, type SwitchChange } from "./vendors-types.ts";

const ROWS = 60;

/** Plain forms; a button carries the change that it makes, or the seconds that it lets pass. */
export function pageRoutes(simulator: () => VendorSimulator): Routes {
  return {
    "GET /": () => pageOf("Vendor simulator", "Vendors", overview(simulator()), { refreshes: true, style: STYLE }),
    "POST /": (call) => press(simulator(), call),
  };
}

async function press(vendors: VendorSimulator, call: Call): Promise<Reply> {
  const fields = new URLSearchParams(call.text);
  const [change, seconds, resend] = ["change", "seconds", "deliver"].map((name) => fields.get(name));
  if (change) vendors.switch(switchesSchema.parse(JSON.parse(change)));
  if (seconds) await vendors.advance(Number(seconds));
  if (resend) await vendors.move(resend, "completed", true);
  return { status: 303, headers: { location: "/" }, body: "" };
}

function overview(vendors: VendorSimulator): string {
  const orders = vendors.orders().reverse();
  const arrived = vendors.deliveries().reduce((sum, { count }) => sum + count, 0);
  return `${facts(vendors, orders.length, arrived)}
<form method="post">${switchesOf(vendors)}</form>
<h2>Orders</h2>
${orders.length === 0 ? "<p>No orders yet.</p>" : table(orders.slice(0, ROWS))}
${orders.length > ROWS ? `<p class="small">${orders.length - ROWS} older orders are not shown.</p>` : ""}
<h2>Effects of a number's last four digits</h2>
${magic()}`;
}

function facts(vendors: VendorSimulator, orders: number, arrived: number): string {
  const { now, floats, floatEmpty } = vendors.switches();
  const webhooks = vendors.webhooks();
  const acknowledged = webhooks.filter(({ answers }) => answers.some((answer) => answer !== null && answer < 300));
  const entries = [
    ["Vendor clock (UTC)", now.replace("T", " ").slice(5, 19)],
    ["Ordered", String(orders)],
    ["Arrived", String(arrived)],
    ["Webhooks accepted", `${acknowledged.length} of ${webhooks.length}`],
    ...VENDOR_CODES.map((code) => [`Balance at ${VENDORS[code].name}`, floatEmpty ? "empty" : show(floats[code])]),
  ];
  const items = entries.map(
    ([name, value]) => `<div><dt>${escapeHTML(name!)}</dt><dd>${escapeHTML(value!)}</dd></div>`,
  );
  return `<dl>${items.join("")}</dl>`;
}

function switchesOf(vendors: VendorSimulator): string {
  const now = vendors.switches();
  const flip = (name: "floatEmpty" | "holdDelivery" | "webhooks" | "refundedEvents", label: string) =>
    change({ [name]: !now[name] }, label, now[name]);
  const groups: [string, string[]][] = [
    [
      "Clock",
      [
        ...[0, 1, 60, 600].map((speed) => change({ speed }, speed === 0 ? "Stop" : `×${speed}`, now.speed === speed)),
        ...[
          ["60", "+1 min"],
          ["3600", "+1 h"],
          ["86400", "+1 day"],
        ].map(([seconds, label]) => button("seconds", seconds!, label!)),
      ],
    ],
    [
      "Out of service",
      LINES.map((line) => change({ down: toggled(now.down, line) }, LINE_NAMES[line], now.down.includes(line))),
    ],
    [
      "Faults",
      [
        flip("floatEmpty", "Balance empty"),
        flip("holdDelivery", "Hold delivery"),
        change({ rate: now.rate === null ? 5 : null }, "5 calls a minute", now.rate === 5),
        change({ priceDrift: now.priceDrift === 0 ? 6 : 0 }, "Prices +6 %", now.priceDrift !== 0),
      ],
    ],
    ["Notifications", [flip("webhooks", "Webhooks"), flip("refundedEvents", "Including refunds")]],
  ];
  return groups
    .map(([name, buttons]) => `<fieldset><legend>${name}</legend>${buttons.join("\n")}</fieldset>`)
    .join("\n");
}

function change(to: SwitchChange, label: string, isOn: boolean): string {
  const value = escapeHTML(JSON.stringify(to));
  return `<button name="change" value="${value}" aria-pressed="${isOn}">${escapeHTML(label)}</button>`;
}

function toggled<T>(all: readonly T[], one: T): T[] {
  return all.includes(one) ? all.filter((other) => other !== one) : [...all, one];
}

function table(orders: Order[]): string {
  const heads = ["Time", "Vendor", "Number", "Bundle", "Reference", "Cost", "State", "Arrived"];
  const headings = heads.map((head) => `<th scope="col">${head}</th>`);
  return `<div class="wide"><table><thead><tr>${headings.join("")}</tr></thead>
<tbody>${orders.map(row).join("\n")}</tbody></table></div>`;
}

function row(order: Order): string {
  const cells = [
    new Date(order.createdAt).toISOString().slice(11, 19),
    VENDORS[order.vendor].name,
    spacedMsisdn(`233${order.phone.slice(1)}`),
    `${LINE_NAMES[order.line]} ${order.volumeMb / 1000} GB`,
    referenceOf(order),
    show(order.pricePesewas),
  ].map((text) => `<td>${escapeHTML(text)}</td>`);
  const deliver = `<form method="post">${button("deliver", referenceOf(order), "Deliver")}</form>`;
  const arrived =
    order.delivered === 0 ? deliver : order.delivered === 1 ? "once" : `<strong>${order.delivered} times</strong>`;
  const state = `<span class="state ${order.status}">${order.status}</span>`;
  return `<tr>${cells.join("")}<td>${state}</td><td>${arrived}</td></tr>`;
}

function magic(): string {
  const entries = Object.entries(MAGIC).map(
    ([ending, { description }]) => `<dt>…${ending}</dt><dd>${escapeHTML(description)}</dd>`,
  );
  return `<dl class="magic">${entries.join("")}</dl>`;
}

const STYLE = `
main { max-width: 76rem; }
h2 { font-size: 1rem; margin: 1.5rem 0 .5rem; }
dl { display: grid; grid-template-columns: repeat(auto-fill, minmax(9.5rem, 1fr)); gap: .75rem; margin: .75rem 0; }
dt { font-size: .8125rem; color: #4a5a68; }
dd { font-weight: 600; font-variant-numeric: tabular-nums; }
form { display: flex; flex-wrap: wrap; margin-top: 0; }
fieldset { display: flex; flex-wrap: wrap; gap: .375rem; }
button { padding: 0 .75rem; min-height: 2.25rem; cursor: pointer; }
button[aria-pressed="true"] { background: #14202b; border-color: #14202b; color: #fff; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .875rem; white-space: nowrap; }
th, td { text-align: left; padding: .375rem .75rem .375rem 0; border-top: 1px solid #d5dde3; }
th { color: #4a5a68; font-weight: 600; border-top: 0; }
td { font-variant-numeric: tabular-nums; }
td button { min-height: 1.75rem; padding: 0 .5rem; }
.state { padding: .125rem .5rem; border-radius: 1rem; background: #e3e9ee; }
.state.completed { background: #d3f0dd; }
.state.failed, .state.refunded { background: #fbdcd8; }
.state.held, .state.waiting { background: #fff0c2; }
.magic { grid-template-columns: max-content 1fr; gap: .25rem 1rem; }
.magic dd { font-weight: 400; }
`;
