// Admins' page of vendors and routes.
import { z } from "zod";
import { compareRoutes } from "../../../core/fulfilment/route-comparison.ts";
import { moveWaiting } from "../../../core/fulfilment/routing.ts";
import type { BundleVendor } from "../../../core/fulfilment/vendor.ts";
import * as vendors from "../../../core/fulfilment/vendors.ts";
import * as settings from "../../../core/platform/settings.ts";
import { familyName } from "../../../shared/operators.ts";
import { actionsOf, type Context, type Page, type Refused, redirect, type View } from "../../page.tsx";
import { Action, refusedFor } from "../../ui/action.tsx";
import { Empty, Field, Moment, Money } from "../../ui/parts.tsx";
import { Routes, routesIn } from "./vendor-routes.tsx";

const Which = z.object({ code: z.string() });
const Pausing = Which.extend({
  words: z.string().trim().min(1, "Say why").max(200, "At most 200 characters"),
});

const NOTHING_MOVED =
  "!Nothing was moved: no other sender is in their routes. Pause this vendor or change the routes, then move them.";

const actions = actionsOf({
  pause: {
    fields: Pausing,
    run: async ({ db, by }, { code, words: note }) => {
      await vendors.setPause(db, { by, code, note });
      return redirect(
        "/admin/vendors",
        "Paused. New orders go to the next in their route; waiting orders stay here until you resume it or move them.",
      );
    },
  },
  resume: {
    fields: Which,
    run: async ({ db, by }, { code }) => {
      await vendors.setPause(db, { by, code, note: null });
      return redirect("/admin/vendors", "Resumed: orders are sent there again.");
    },
  },
  route: {
    run: async (context) => {
      const { db, by, form, vendors: known } = context;
      await settings.change(db, { by, values: routesIn(form, known) });
      return redirect("/admin/vendors", `Routes saved. ${await moveAll(context)}`);
    },
  },
  move: {
    fields: Which,
    run: async ({ db, by, vendors: known }, { code }) => {
      const { moved, left } = await moveWaiting(db, known, { by, code });
      return redirect("/admin/vendors", moved > 0 ? movedText(moved, left) : NOTHING_MOVED);
    },
  },
});
export type VendorAction = keyof typeof actions;

export const vendorPages: Page[] = [
  {
    path: "/admin/vendors",
    right: "delivery.manage",
    menu: { admin: "Vendors", group: "Shop", icon: "vendors" },
    palette: ["Pause a vendor", "Set routes"],
    show: showVendors,
    actions,
  },
];

const PAUSES = {
  float_empty:
    "Our balance there is too low. Top it up: we try one order a minute, and sending resumes automatically.",
  key_refused: "It refuses our key. Fix the key, then resume.",
  admin: "Paused by hand.",
} as const;

export function pauseText(state: vendors.VendorState | undefined): string {
  if (!state?.pausedFor) return "";
  return `${PAUSES[state.pausedFor]}${state.pausedMessage ? ` (${state.pausedMessage})` : ""}`;
}

async function showVendors({ db, vendors: known, vendorAddress }: Context, refused?: Refused): Promise<View> {
  const [states, values, routes, waiting] = await Promise.all([
    vendors.states(db),
    settings.all(db),
    compareRoutes(db),
    vendors.waiting(db),
  ]);
  return {
    title: "Vendors",
    body: (
      <>
        <h1>Vendors</h1>
        <section className="card">
          {known.length === 0 ? (
            <Empty>
              No vendor is configured, so every order waits at the desk. Set the address and key of one in the
              environment.
            </Empty>
          ) : (
            <ul className="rows">
              {known.map((vendor) => (
                <VendorLine
                  key={vendor.code}
                  vendor={vendor}
                  state={states.get(vendor.code)}
                  waiting={waiting.get(vendor.code)}
                  address={vendorAddress(vendor.code)}
                  refused={refused}
                />
              ))}
            </ul>
          )}
        </section>
        <Routes {...{ values, routes, known }} refused={refusedFor<VendorAction>("route", refused)} />
      </>
    ),
  };
}

type VendorLineProps = {
  vendor: BundleVendor;
  state: vendors.VendorState | undefined;
  waiting: vendors.Waiting | undefined;
  address: string | null;
  refused: Refused | undefined;
};

function VendorLine({ vendor, state, waiting, address, refused }: VendorLineProps) {
  const { code, name, can } = vendor;
  const isPaused = Boolean(state?.pausedFor);
  const ownRefusal =
    refused?.values.get("code") === code ? refusedFor<VendorAction>("pause", refused) : undefined;
  return (
    <li className="operator">
      <strong>{name}</strong>
      <span className={`chip ${isPaused ? "warn" : "good"}`}>{isPaused ? "Paused" : "Ready"}</span>
      <span className="small">
        {state?.balancePesewas != null && state.balanceAt ? (
          <>
            Our balance there: <Money pesewas={state.balancePesewas} />{" "}
            <span className="soft">
              at <Moment at={state.balanceAt} />
            </span>
          </>
        ) : (
          <span className="soft">Our balance there is not known</span>
        )}
      </span>
      {isPaused && (
        <span className="small">
          <bdi>{pauseText(state)}</bdi>
        </span>
      )}
      {waiting && <WaitingOrders vendor={vendor} waiting={waiting} />}
      <details>
        <summary>About {name}</summary>
        <dl className="facts">
          <dt>Its name in routes</dt>
          <dd>
            <code>{code}</code>
          </dd>
          <dt>Sends</dt>
          <dd>{can.lines.map((family) => familyName(family)).join(", ")}</dd>
          <dt>Calls a minute</dt>
          <dd>{can.callsPerMinute}</dd>
          <dt>Orders in a call</dt>
          <dd>{can.batchMax}</dd>
          <dt>Address for its webhooks</dt>
          <dd>
            {address ? (
              <code className="breaks">{address}</code>
            ) : (
              "Set BASE_URL, so that it can reach the shop"
            )}
          </dd>
        </dl>
      </details>
      <form method="post" action="/admin/vendors">
        <Action<VendorAction> name={isPaused ? "resume" : "pause"} />
        <input type="hidden" name="code" value={code} />
        <div className="row">
          {!isPaused && <Field label="Reason" name="words" idPrefix={code} refused={ownRefusal} required />}
          <button className="quiet" type="submit">
            {isPaused ? `Resume ${name}` : `Pause ${name}`}
          </button>
        </div>
      </form>
    </li>
  );
}

/** The orders waiting for a vendor, their first deadline, and a button that moves them to other senders. */
function WaitingOrders({ vendor, waiting }: { vendor: BundleVendor; waiting: vendors.Waiting }) {
  const { count, amountPesewas, firstDeadline, unclear } = waiting;
  return (
    <div className="small">
      {count > 0 && (
        <>
          <strong>{orderCount(count)} waiting</strong>, <Money pesewas={amountPesewas} />.{" "}
          {firstDeadline && (
            <>
              The first is refunded automatically at <Moment at={firstDeadline} /> unless delivered.{" "}
            </>
          )}
          <form method="post" action="/admin/vendors">
            <Action<VendorAction> name="move" />
            <input type="hidden" name="code" value={vendor.code} />
            <button className="quiet small" type="submit">
              Move waiting orders
            </button>
          </form>
        </>
      )}
      {unclear > 0 && (
        <span className="soft">
          {orderCount(unclear)} that {vendor.name} may have: {unclear === 1 ? "it stays" : "they stay"} here
          while we keep checking.
        </span>
      )}
    </div>
  );
}

function orderCount(count: number): string {
  return count === 1 ? "1 order" : `${count.toLocaleString("en")} orders`;
}

/** Takes all waiting orders to the senders of the current routes. Returns the notice. */
async function moveAll({ db, by, vendors: known }: Context): Promise<string> {
  let moved = 0;
  for (const { code } of known) moved += (await moveWaiting(db, known, { by, code })).moved;
  return moved > 0
    ? `Moved ${orderCount(moved)} that ${moved === 1 ? "was" : "were"} waiting.`
    : "They apply to orders from now on.";
}

function movedText(moved: number, left: number): string {
  const verb = left === 1 ? "stays" : "stay";
  const staying = left > 0 ? ` ${orderCount(left)} ${verb}: no other sender is in the route.` : "";
  return `${orderCount(moved)} moved.${staying}`;
}
