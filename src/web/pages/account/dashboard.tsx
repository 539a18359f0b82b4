// Agent's dashboard: balance, sales, recent orders and transactions.

import * as wallet from "../../../core/ledger/wallet.ts";
import * as reports from "../../../core/orders/reports.ts";
import * as settings from "../../../core/platform/settings.ts";
import { OPERATORS } from "../../../shared/domain.ts";
import { changePercent, gigabytes } from "../../../shared/measures.ts";
import { type Context, type Leave, redirect, type View } from "../../page.tsx";
import { SalesChart, UsageRing } from "../../ui/charts.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { HeldAndOwed } from "../../ui/funds.tsx";
import { OrderTable } from "../../ui/order-table.tsx";
import { Empty, Figure, Money } from "../../ui/parts.tsx";
import { ownPhone, TopUpForm } from "../../ui/paying.tsx";
import { WalletTable } from "../../ui/wallet-table.tsx";

export async function showDashboard({ db, by, viewer, url, gateway }: Context): Promise<View | Leave> {
  // Programs may have given this address as the callback of a payment; its parameters prove nothing.
  const reference = url.searchParams.get("reference") ?? url.searchParams.get("trxref");
  if (url.searchParams.has("wallet") && reference)
    return redirect(`/payments/return?reference=${encodeURIComponent(reference)}`);
  const userId = by.userId;
  const [overview, standing, history, minimumPesewas, payerPhone] = await Promise.all([
    reports.overview(db, userId),
    wallet.standing(db, userId),
    wallet.history(db, userId, { limit: 4 }),
    settings.get(db, "top_up_minimum_pesewas"),
    ownPhone(db, userId),
  ]);
  return {
    title: "Dashboard",
    formTargets: [gateway.checkoutOrigin],
    body: (
      <>
        <Dialog id="top-up" title="Top Up Wallet" hasPage>
          <TopUpForm minimumPesewas={minimumPesewas} payerPhone={payerPhone} />
        </Dialog>
        <Welcome name={viewer!.username || viewer!.email} path={url.pathname} />
        <Figures overview={overview} standing={standing} />
        <div className="two">
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
        </div>
        <section className="card">
          <div className="head">
            <h2>Recent orders</h2>
            <a href="/orders?all=1">View All</a>
          </div>
          {overview.recentOrders.length === 0 ? (
            <Empty>
              <p>No orders yet.</p>
              <a className="button" href="/mtn-data">
                Buy Data
              </a>
            </Empty>
          ) : (
            <OrderTable orders={overview.recentOrders} />
          )}
        </section>
        <LatestTransactions history={history} />
      </>
    ),
  };
}

function Welcome({ name, path }: { name: string; path: string }) {
  return (
    <div className="head">
      <div>
        <h1>
          Welcome, <bdi>{name}</bdi>
        </h1>
      </div>
      <div className="actions">
        <a className="button quiet" href={path}>
          Refresh
        </a>
        <a className="button" href="/mtn-data">
          New Order
        </a>
      </div>
    </div>
  );
}

function LatestTransactions({ history }: { history: wallet.WalletEntry[] }) {
  return (
    <section className="card">
      <div className="head">
        <h2>Wallet transactions</h2>
        <a href="/wallet/top-up">Add Funds</a>
      </div>
      {history.length === 0 ? (
        <Empty>
          <p>No transactions yet.</p>
          <a className="button" href="/wallet/top-up">
            Add Funds
          </a>
        </Empty>
      ) : (
        <WalletTable entries={history} />
      )}
    </section>
  );
}

function Figures({ overview, standing }: { overview: reports.Overview; standing: wallet.Standing }) {
  const totalMb = OPERATORS.reduce((sum, operator) => sum + overview.volumeMbByOperator[operator], 0);
  const { thisMonth, lastMonth, lastMonthSoFarMb } = overview;
  const change = changePercent(thisMonth.volumeMb, lastMonthSoFarMb);
  return (
    <div className="grid four">
      <Figure
        name="Wallet balance"
        note={
          <>
            <HeldAndOwed standing={standing} />
            <p className="actions">
              <button className="tiny" type="button" popoverTarget="top-up">
                Top Up
              </button>
              <a className="no-popover button tiny" href="/wallet/top-up">
                Top Up
              </a>
              <a href="/wallet">Statement</a>
            </p>
          </>
        }
      >
        <Money pesewas={standing.balancePesewas} />
      </Figure>
      <Figure name="Orders" note={<a href="/orders">View Orders</a>}>
        {overview.ordersCount.toLocaleString("en")}
      </Figure>
      <Figure name="Total spent" note={<span className="soft small">without failed orders</span>}>
        <Money pesewas={overview.salesPesewas} />
      </Figure>
      <Figure
        name="Data usage"
        note={
          <span className="soft small">
            Sold this month: {gigabytes(thisMonth.volumeMb)}
            {change && `, ${change} on the same days of last month`}. The month before:{" "}
            {gigabytes(lastMonth.volumeMb)}
          </span>
        }
      >
        {gigabytes(totalMb)}
      </Figure>
    </div>
  );
}
