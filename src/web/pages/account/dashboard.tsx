// Agent's dashboard: the wallet and the next sale first, then today, the latest orders, and the figures.

import * as recipients from "../../../core/buying/recipients.ts";
import * as products from "../../../core/catalog/products.ts";
import * as contacts from "../../../core/identity/contacts.ts";
import * as pins from "../../../core/identity/phones/pins.ts";
import * as wallet from "../../../core/ledger/wallet.ts";
import * as settings from "../../../core/platform/settings/settings.ts";
import * as profit from "../../../core/reports/profit.ts";
import * as reports from "../../../core/reports/reports.ts";
import { readHidesSteps } from "../../cookies.ts";
import { Sheet } from "../../html.tsx";
import { type Context, type Leave, type Page, redirect, type View } from "../../page.tsx";
import { buyPath } from "../../paths.ts";
import { SalesChart, UsageRing } from "../../ui/charts.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { areStepsOver, FirstSteps, type Steps } from "../../ui/frame/first-steps.tsx";
import { Icon } from "../../ui/frame/icons.tsx";
import { HeldAndOwed } from "../../ui/funds.tsx";
import { OrderRows, RepeatLink } from "../../ui/orders/order-rows.tsx";
import { ownPhone, TopUpForm } from "../../ui/orders/paying.tsx";
import { QuickBuy } from "../../ui/orders/quick-buy.tsx";
import { WalletRows } from "../../ui/orders/wallet-table.tsx";
import { Empty, Money } from "../../ui/parts.tsx";
import { AllTime, Today } from "./dashboard-figures.tsx";

export const dashboardPages: Page[] = [
  {
    path: "/dashboard/first-steps",
    role: "user",
    submit: async () => ({ to: "/dashboard", hidesSteps: true }),
  },
];

const ORDERS_SHOWN = 5;
const TRANSACTIONS_SHOWN = 4;
/** While a number is typed. */
const NUMBERS_OFFERED = 20;

export async function showDashboard(context: Context): Promise<View | Leave> {
  const { url, viewer, gateway } = context;
  // Programs may have given this address as the callback of a payment; its parameters prove nothing.
  const reference = url.searchParams.get("reference") ?? url.searchParams.get("trxref");
  if (url.searchParams.has("wallet") && reference)
    return redirect(`/payments/return?reference=${encodeURIComponent(reference)}`);
  const { overview, standing, history, minimumPesewas, payerPhone, steps, names, ...selling } = await read(context);
  return {
    title: "Dashboard",
    formTargets: [gateway.checkoutOrigin],
    body: (
      <>
        <Sheet name="dashboard" />
        <Dialog id="top-up" title="Top Up Wallet" hasPage>
          <TopUpForm minimumPesewas={minimumPesewas} payerPhone={payerPhone} />
        </Dialog>
        <Welcome name={viewer!.username || viewer!.email} path={url.pathname} />
        <div className="board">
          <div>
            <Hero standing={standing} averageDayPesewas={averageDayOf(overview.lastSevenDays)} />
            {overview.ordersCount > 0 && (
              <Today day={overview.lastSevenDays.at(-1)!} profitPesewas={selling.profitPesewas} />
            )}
            <QuickBuy bundles={selling.bundles} habits={selling.habits} names={names} />
            <RepeatLink orders={overview.recentOrders} />
          </div>
          <div>
            {steps && !steps.hasSold && <FirstSteps {...steps} />}
            {(overview.ordersCount > 0 || !steps) && <LatestOrders orders={overview.recentOrders} names={names} />}
          </div>
          <div>
            {steps?.hasSold && <FirstSteps {...steps} />}
            <Sales overview={overview} />
          </div>
          <div>
            {history.length > 0 && <LatestTransactions history={history} />}
            {overview.ordersCount > 0 && <AllTime overview={overview} />}
          </div>
        </div>
      </>
    ),
  };
}

/** Nothing before the first sale. */
function Sales({ overview }: { overview: reports.Overview }) {
  if (overview.salesPesewas === 0) return null;
  return (
    <>
      <section className="card">
        <div className="head">
          <h2>Sales of the last seven days</h2>
          <a href="/statistics">Sales history</a>
        </div>
        <SalesChart days={overview.lastSevenDays} />
      </section>
      <section className="card">
        <h2>Network usage</h2>
        <UsageRing volumeMb={overview.volumeMbByOperator} />
      </section>
    </>
  );
}

async function read(context: Context) {
  const { db, by } = context;
  const userId = by.userId;
  const [overview, standing, history, minimumPesewas, payerPhone] = await Promise.all([
    reports.overview(db, userId, ORDERS_SHOWN),
    wallet.standing(db, userId),
    wallet.history(db, userId, { limit: TRANSACTIONS_SHOWN }),
    settings.get(db, "top_up_minimum_pesewas"),
    ownPhone(db, userId),
  ]);
  const [bundles, habits, profitPesewas] = await Promise.all([
    products.listFor(db, userId),
    recipients.habits(db, userId, NUMBERS_OFFERED),
    profit.todayProfit(db, userId),
  ]);
  const numbers = [...overview.recentOrders, ...habits.recipients].map(({ msisdn }) => msisdn);
  const names = await contacts.namesOf(db, userId, numbers);
  const steps = await readSteps(context, {
    hasPhone: payerPhone?.isConfirmed === true,
    hasMoney: history.length > 0,
    hasSold: overview.salesPesewas > 0,
    orderCount: overview.ordersCount,
  });
  return {
    overview,
    standing,
    history,
    minimumPesewas,
    payerPhone,
    steps,
    names,
    bundles,
    habits,
    profitPesewas,
  };
}

type Known = Omit<Steps, "hasPin"> & { orderCount: number };

/** Null when they are over or hidden. */
async function readSteps(context: Context, { orderCount, ...known }: Known): Promise<Steps | null> {
  const { db, by, request } = context;
  if (readHidesSteps(context, request) || areStepsOver({ ...known, hasPin: false }, orderCount)) return null;
  const steps = { ...known, hasPin: await pins.hasPin(db, by.userId) };
  return areStepsOver(steps, orderCount) ? null : steps;
}

function Welcome({ name, path }: { name: string; path: string }) {
  return (
    <div className="welcome">
      <h1>
        Dashboard{" "}
        <small className="soft">
          Welcome, <bdi>{name}</bdi>
        </small>
      </h1>
      <a className="button quiet" href={path} aria-label="Refresh" title="Refresh">
        <Icon name="refresh" />
      </a>
    </div>
  );
}

/** The sales of an average day, without today. */
function averageDayOf(days: reports.Overview["lastSevenDays"]): number {
  const before = days.slice(0, -1);
  return Math.round(before.reduce((sum, { salesPesewas }) => sum + salesPesewas, 0) / before.length);
}

type HeroProps = { standing: wallet.Standing; averageDayPesewas: number };

function Hero({ standing, averageDayPesewas }: HeroProps) {
  return (
    <section className="hero">
      <div className="hero-head">
        <h2>Wallet balance</h2>
        <a href="/wallet">Statement</a>
      </div>
      <p className="figure">
        <Money pesewas={standing.balancePesewas} />
      </p>
      <HeldAndOwed standing={standing} />
      {standing.availablePesewas < averageDayPesewas && (
        <p className="warn-text small">
          Less than you sell on an average day (<Money pesewas={averageDayPesewas} />)
        </p>
      )}
      <p className="actions">
        <a className="button" href={buyPath()}>
          <Icon name="buy" /> New Order
        </a>
        <button className="quiet" type="button" popoverTarget="top-up">
          <Icon name="plus" /> Top Up
        </button>
        <a className="no-popover button quiet" href="/wallet/top-up">
          <Icon name="plus" /> Top Up
        </a>
      </p>
    </section>
  );
}

type LatestProps = { orders: reports.Overview["recentOrders"]; names: ReadonlyMap<string, string> };

function LatestOrders({ orders, names }: LatestProps) {
  return (
    <section className="card recent">
      <div className="head">
        <h2>Recent orders</h2>
        <a href="/orders?all=1">View All</a>
      </div>
      {orders.length === 0 ? (
        <Empty>
          <p>No orders yet.</p>
          <a className="button" href={buyPath()}>
            Buy Data
          </a>
        </Empty>
      ) : (
        <OrderRows orders={orders} names={names} label="Recent orders" />
      )}
    </section>
  );
}

function LatestTransactions({ history }: { history: wallet.WalletEntry[] }) {
  return (
    <section className="card">
      <div className="head">
        <h2>Wallet transactions</h2>
        <a href="/wallet/top-up">Top up</a>
      </div>
      <WalletRows entries={history} />
    </section>
  );
}
