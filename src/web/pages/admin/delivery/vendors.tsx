// Admins' page of all vendors, and of the routes.
import { z } from "zod";
import { hourlyCosts } from "../../../../core/fulfilment/balance-forecast.ts";
import { compareRoutes } from "../../../../core/fulfilment/route-comparison.ts";
import { moveWaiting } from "../../../../core/fulfilment/routing.ts";
import type { BundleVendor, VendorBalance } from "../../../../core/fulfilment/vendor.ts";
import { type VendorWaiting, waitingByVendor } from "../../../../core/fulfilment/vendor-waiting.ts";
import * as vendors from "../../../../core/fulfilment/vendors.ts";
import { subjectsOf } from "../../../../core/overview/waiting.ts";
import * as budgets from "../../../../core/platform/budgets/budgets.ts";
import * as settings from "../../../../core/platform/settings/settings.ts";
import { AppError } from "../../../../shared/errors/app-error.ts";
import { VendorCode } from "../../../../shared/inputs.ts";
import { show } from "../../../../shared/money.ts";
import { ordersText } from "../../../../shared/text.ts";
import { type Answer, actionsOf, type Context, type Page, type Refused, redirect, type View } from "../../../page.tsx";
import { Form } from "../../../ui/form.tsx";
import { PageLink } from "../../../ui/frame/permitted.tsx";
import { Empty, Moment, Money } from "../../../ui/parts.tsx";
import { lasting } from "../../../ui/staff/lasting.ts";
import { ROUTES_PATH, SETUP_PATH } from "../../../ui/staff/set-up.tsx";
import { undoable } from "../../../undo.ts";
import { PausedChip, pauseText } from "./vendor-facts.tsx";
import { Routes, routesIn } from "./vendor-routes.tsx";

const actions = actionsOf({
  route: {
    run: async (context) => {
      const { db, by, key, form, vendors: known } = context;
      await settings.setRoutes(db, { by, key, values: routesIn(form, known) });
      return saved(context, "Routes saved.");
    },
  },
  first: {
    fields: z.object({ vendor: VendorCode }),
    run: async (context, { vendor: code }) => {
      const { db, by, key, vendors: known } = context;
      const vendor = vendorOf(known, code);
      await settings.setRoutes(db, { by, key, values: vendors.routesVia(await settings.all(db), vendor) });
      return saved(context, `${vendor.name} sends ${namesOf(vendor)} first now.`);
    },
  },
  test: {
    fields: z.object({ vendor: VendorCode }),
    run: async ({ db, vendors: known }, { vendor: code }) => {
      const vendor = vendorOf(known, code);
      await budgets.spend(db, "provider.key", code);
      const answer = await vendors.checkFloat(db, vendor);
      return redirect(ROUTES_PATH, testedText(vendor, answer, (await vendors.states(db)).get(code)));
    },
  },
});
export type VendorsAction = keyof typeof actions;

function vendorOf(known: readonly BundleVendor[], code: string): BundleVendor {
  const vendor = known.find((one) => one.code === code);
  if (!vendor) throw new AppError("vendor.not_found");
  return vendor;
}

/** What a supplier answered to a question for our balance, and what comes next. */
function testedText({ name }: BundleVendor, answer: VendorBalance, state: vendors.VendorState | undefined): string {
  if (answer.kind === "found") {
    const next = state?.pausedFor ? " It is still paused: open it to resume." : "";
    return `${name} takes the key. Our balance there is ${show(answer.balancePesewas)}.${next}`;
  }
  const reason = answer.message ? ` It says: “${answer.message}”.` : "";
  if (answer.kind === "refused")
    return `!${name} refuses the key.${reason} Enter the right one under Settings, Set up.`;
  return `!${name} gives no clear answer.${reason} Try again in a minute.`;
}

export const vendorPages: Page[] = [
  {
    path: ROUTES_PATH,
    right: "delivery.manage",
    menu: { admin: "Suppliers", icon: "vendors" },
    palette: ["Pause a supplier", "Set routes"],
    show: showVendors,
    actions,
  },
];

async function showVendors({ db, vendors: known }: Context, refused?: Refused): Promise<View> {
  const [states, values, routes, waiting, costs, waitFor] = await Promise.all([
    vendors.states(db),
    settings.all(db),
    compareRoutes(db),
    waitingByVendor(db),
    hourlyCosts(db),
    subjectsOf(db, "vendors_paused"),
  ]);
  const line = (vendor: BundleVendor) => (
    <VendorLine
      key={vendor.code}
      vendor={vendor}
      state={states.get(vendor.code)}
      waiting={waiting.get(vendor.code)}
      costs={costs.get(vendor.code)}
    />
  );
  const stopped = known.filter(({ code }) => waitFor.includes(code));
  return {
    body: (
      <>
        <h1>Suppliers</h1>
        <section className="card">
          {known.length === 0 ? (
            <Empty>
              <p>No supplier is configured, so every order waits at the desk.</p>
              <PageLink href="/admin/setup#keys">Enter the keys of one</PageLink>
            </Empty>
          ) : (
            <>
              {stopped.length > 0 && (
                <ul className="rows" data-rows="" id="vendors_paused">
                  {stopped.map(line)}
                </ul>
              )}
              <ul className="rows" data-rows="">
                {known.filter((vendor) => !stopped.includes(vendor)).map(line)}
              </ul>
            </>
          )}
        </section>
        {known
          .filter(({ code }) => vendors.familiesVia(values, code).length === 0)
          .map((vendor) => (
            <Idle key={vendor.code} vendor={vendor} />
          ))}
        <Routes {...{ values, routes, known, refused }} />
      </>
    ),
  };
}

/** A supplier that no route has, with the button that puts it first wherever it can send. */
function Idle({ vendor }: { vendor: BundleVendor }) {
  const { code, name } = vendor;
  return (
    <Form<VendorsAction> to={ROUTES_PATH} does="first" sends={{ vendor: code }} isOnce className="note warn">
      <p>
        {name} is in no route yet, so it gets no orders. Choose below, or let it send {namesOf(vendor)}, with those who
        send them now after it.
      </p>
      <button type="submit">Send them by {name} first</button>
    </Form>
  );
}

/** "MTN, AT iShare, Telecel": what a supplier can send. */
const namesOf = (vendor: BundleVendor) =>
  vendors
    .familiesFor(vendor)
    .map(({ name }) => name)
    .join(", ");

type VendorLineProps = {
  vendor: BundleVendor;
  state: vendors.VendorState | undefined;
  waiting: VendorWaiting | undefined;
  costs: readonly number[] | undefined;
};

function VendorLine({ vendor: { code, name }, state, waiting, costs }: VendorLineProps) {
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
            {costs && !state.pausedFor && lasting(state.balancePesewas, state.balanceAt, costs).text}
          </>
        ) : (
          <span className="soft">Our balance there is not known yet: test it</span>
        )}
      </span>
      <Form<VendorsAction> to={ROUTES_PATH} does="test" sends={{ vendor: code }} isOnce className="end">
        <button className="tiny quiet" type="submit">
          Test now <span className="sr">{name}</span>
        </button>
      </Form>
      {state?.pausedFor && (
        <span className="small">
          <bdi>{pauseText(state)}</bdi>{" "}
          {state.pausedFor === "key_refused" && <PageLink href={`${SETUP_PATH}/${code}`}>Enter the key</PageLink>}
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

async function saved(context: Context, notice: string): Promise<Answer> {
  return undoable(context, settings.setRoutes, redirect(ROUTES_PATH, `${notice} ${await moveAll(context)}`));
}

/** Takes all waiting orders to the senders of the current routes. Returns the notice. */
export async function moveAll({ db, by, vendors: known }: Context): Promise<string> {
  let moved = 0;
  for (const { code } of known) moved += (await moveWaiting(db, known, { by, code })).moved;
  return moved > 0
    ? `Moved ${ordersText(moved)} that ${moved === 1 ? "was" : "were"} waiting.`
    : "They apply to orders from now on. Next: try each key with Test now, then buy one bundle yourself.";
}
