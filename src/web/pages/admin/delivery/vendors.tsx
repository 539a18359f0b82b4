// Admins' page of all vendors, and of the routes.
import { compareRoutes } from "../../../../core/fulfilment/route-comparison.ts";
import { moveWaiting } from "../../../../core/fulfilment/routing.ts";
import type { BundleVendor } from "../../../../core/fulfilment/vendor.ts";
import { type VendorWaiting, waitingByVendor } from "../../../../core/fulfilment/vendor-waiting.ts";
import * as vendors from "../../../../core/fulfilment/vendors.ts";
import * as settings from "../../../../core/platform/settings/settings.ts";
import { actionsOf, type Context, type Page, type Refused, redirect, type View } from "../../../page.tsx";
import { Empty, Moment, Money } from "../../../ui/parts.tsx";
import { PausedChip, pauseText } from "./vendor-facts.tsx";
import { ordersText } from "./vendor-move.tsx";
import { Routes, routesIn } from "./vendor-routes.tsx";

const actions = actionsOf({
  route: {
    run: async (context) => {
      const { db, by, key, form, vendors: known } = context;
      await settings.setRoutes(db, { by, key, values: routesIn(form, known) });
      return redirect("/admin/vendors", `Routes saved. ${await moveAll(context)}`);
    },
  },
});
export type VendorsAction = keyof typeof actions;

export const vendorPages: Page[] = [
  {
    path: "/admin/vendors",
    right: "delivery.manage",
    menu: { admin: "Suppliers", icon: "vendors" },
    palette: ["Pause a supplier", "Set routes"],
    show: showVendors,
    actions,
  },
];

async function showVendors({ db, vendors: known }: Context, refused?: Refused): Promise<View> {
  const [states, values, routes, waiting] = await Promise.all([
    vendors.states(db),
    settings.all(db),
    compareRoutes(db),
    waitingByVendor(db),
  ]);
  return {
    title: "Suppliers",
    body: (
      <>
        <h1>Suppliers</h1>
        <section className="card">
          {known.length === 0 ? (
            <Empty>
              No supplier is configured, so every order waits at the desk. Set the address and key of one in the
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
                />
              ))}
            </ul>
          )}
        </section>
        <Routes {...{ values, routes, known, refused }} />
      </>
    ),
  };
}

type VendorLineProps = {
  vendor: BundleVendor;
  state: vendors.VendorState | undefined;
  waiting: VendorWaiting | undefined;
};

function VendorLine({ vendor: { code, name }, state, waiting }: VendorLineProps) {
  return (
    <li className="operator">
      <strong>
        <a href={`/admin/vendors/${code}`}>{name}</a>
      </strong>
      <PausedChip state={state} />
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
      {state?.pausedFor && (
        <span className="small">
          <bdi>{pauseText(state)}</bdi>
        </span>
      )}
      {waiting && (waiting.count > 0 || waiting.unclear.count > 0) && (
        <span className="small">
          <WaitingText waiting={waiting} />
        </span>
      )}
    </li>
  );
}

/** "12 orders wait, GH₵ 250.80, the first is refunded automatically at 14:05 unless delivered. 2 unclear." */
function WaitingText({ waiting: { count, pesewas, deadline, unclear } }: { waiting: VendorWaiting }) {
  return (
    <>
      {count > 0 && (
        <>
          <strong>
            {ordersText(count)} {count === 1 ? "waits" : "wait"}
          </strong>
          , <Money pesewas={pesewas} />
          {deadline ? (
            <>
              . The first is refunded automatically at <Moment at={deadline} /> unless delivered.{" "}
            </>
          ) : (
            ". "
          )}
        </>
      )}
      {unclear.count > 0 && <span className="soft">{ordersText(unclear.count)} without a clear answer.</span>}
    </>
  );
}

/** Takes all waiting orders to the senders of the current routes. Returns the notice. */
async function moveAll({ db, by, vendors: known }: Context): Promise<string> {
  let moved = 0;
  for (const { code } of known) moved += (await moveWaiting(db, known, { by, code })).moved;
  return moved > 0
    ? `Moved ${ordersText(moved)} that ${moved === 1 ? "was" : "were"} waiting.`
    : "They apply to orders from now on.";
}
