// Today, the first page of staff: what waits, today beside yesterday, delivery now, what the day brings, the latest
// orders, and all orders ever.

import { Fragment } from "react";
import { hourlyCosts } from "../../../../core/fulfilment/balance-forecast.ts";
import * as vendors from "../../../../core/fulfilment/vendors.ts";
import { list } from "../../../../core/orders/queries.ts";
import { connections } from "../../../../core/overview/connections.ts";
import { type DayAhead, dayAhead, type Sold } from "../../../../core/overview/day-ahead.ts";
import { missing, steps } from "../../../../core/overview/setup.ts";
import * as overview from "../../../../core/overview/today.ts";
import { seenBy, seesMoney, type Waiting, waiting, waitingFor } from "../../../../core/overview/waiting.ts";
import * as budgets from "../../../../core/platform/budgets/budgets.ts";
import * as loneActs from "../../../../core/platform/colleagues/lone-acts.ts";
import type * as reports from "../../../../core/reports/reports.ts";
import { adminStats } from "../../../../core/reports/reports.ts";
import { accraDay, accraTime, accraWeekday, ageText } from "../../../../shared/accra.ts";
import { operatorName } from "../../../../shared/operators.ts";
import { hasRight } from "../../../../shared/rights.ts";
import { ordersText } from "../../../../shared/text.ts";
import { Sheet } from "../../../html.tsx";
import type { Context, Page, View } from "../../../page.tsx";
import { HoursChart, SalesChart } from "../../../ui/charts.tsx";
import { SearchField } from "../../../ui/fields.tsx";
import { OperatorTag } from "../../../ui/frame/icons.tsx";
import { PageLink } from "../../../ui/frame/permitted.tsx";
import { AdminDesk } from "../../../ui/orders/desk.tsx";
import { OrderTable } from "../../../ui/orders/order-table.tsx";
import { Empty, Figure, Moment, Money } from "../../../ui/parts.tsx";
import { lasting } from "../../../ui/staff/lasting.ts";
import { SetUpCard } from "../../../ui/staff/set-up.tsx";
import { WaitingList } from "../../../ui/staff/waiting.tsx";
import { type Column, Table } from "../../../ui/table.tsx";
import { Tabs } from "../../../ui/tabs.tsx";

export const adminPages: Page[] = [
  {
    path: "/admin",
    right: "shop.see",
    menu: { admin: "Today", icon: "home" },
    show: showAdmin,
  },
];

const LATEST_SHOWN = 10;

export async function showAdmin(context: Context): Promise<View> {
  const { db, by, url } = context;
  const setUp = { ...context, channels: context.codeKeys.channels };
  const isMoneyShown = seesMoney(by);
  const [waits, own, lacks, alone, figures, delivery, ahead, balances, stats, latest] = await Promise.all([
    waiting(db, { isFresh: true }),
    waitingFor(db, by),
    missing(db, setUp),
    loneActs.loudActs(db),
    overview.today(db),
    overview.deliveryNow(db),
    dayAhead(db),
    hasRight(by, "delivery.manage") ? balancesOf(context) : [],
    adminStats(db),
    list(db, {}, { limit: LATEST_SHOWN }),
  ]);
  // The next look knows.
  if (context.gateway.keyState() === "unknown" && (await budgets.trySpend(db, "provider.key", "paystack")))
    void context.gateway.balance();
  const isNew = stats.totalOrders === 0 && lacks.length > 0 && hasRight(by, "settings.change");
  const rows = [...own, ...seenBy(by, waits)];
  if (isNew) return newShop(context, rows, alone, await Promise.all([steps(db, setUp), connections(db, setUp)]));
  return {
    title: "Today",
    body: (
      <div className="today">
        <Sheet name="today" />
        <Head {...{ by, url }} />
        <section className="card">
          <div className="head">
            <h2>What waits</h2>
            <a className="small" href="/profile/waiting">
              Notices
            </a>
          </div>
          <WaitingList rows={rows} missing={lacks} />
        </section>
        <DoneAlone acts={alone} />
        <div className="two even">
          <SoFar figures={figures} isMoneyShown={isMoneyShown} hasProfit={hasRight(by, "profit.see")} />
          <div>
            <section className="card">
              <h2>Delivery in the last hour</h2>
              <Table rows={delivery} columns={DELIVERY} className="lines delivery" />
            </section>
            <Ahead {...{ ahead, balances, isMoneyShown }} today={figures.today} />
          </div>
        </div>
        <Tabs label="Manage" tabs={tabsOf(stats)} current="/orders?all=1" />
        <LatestOrders orders={latest} />
        <details className="fold">
          <summary>All orders ever, and the shop</summary>
          <StatCards stats={stats} />
          {isMoneyShown && <TheShop stats={stats} />}
        </details>
        <AdminDesk />
      </div>
    ),
  };
}

/** Today of a shop that has sold nothing yet, for its owner: what it needs, and no page of zeros. */
function newShop(
  { baseUrl }: Context,
  rows: readonly Waiting[],
  alone: loneActs.LoneAct[],
  [all, connected]: [Awaited<ReturnType<typeof steps>>, Awaited<ReturnType<typeof connections>>],
): View {
  return {
    title: "Today",
    body: (
      <div className="today">
        <Sheet name="today" />
        <h1>Welcome to your shop</h1>
        <p className="soft">Sales, orders and what waits will be here once you have sold the first bundle.</p>
        {rows.length > 0 && (
          <section className="card">
            <h2>What waits</h2>
            <WaitingList rows={rows} missing={[]} />
          </section>
        )}
        <DoneAlone acts={alone} />
        <SetUpCard steps={all} baseUrl={baseUrl} lastWebhookAt={connected[0]!.workedAt} />
      </div>
    ),
  };
}

function Head({ by, url }: Pick<Context, "by" | "url">) {
  return (
    <div className="head">
      <h1>
        Today <small className="soft">Dashboard, {accraDay(new Date())}</small>
      </h1>
      <div className="actions">
        <a className="button quiet tiny" href={url.pathname}>
          Refresh
        </a>
        {hasRight(by, "settings.change") && (
          <a className="button quiet tiny" href="/admin/settings">
            Settings
          </a>
        )}
      </div>
    </div>
  );
}

/** What was done above a limit without a second person, and costs that were lowered; both stay here for a week. */
function DoneAlone({ acts }: { acts: loneActs.LoneAct[] }) {
  const [reported, alone] = [true, false].map((isReported) =>
    acts.filter((act) => loneActs.isReported(act) === isReported),
  ) as [loneActs.LoneAct[], loneActs.LoneAct[]];
  return (
    <>
      {alone.length > 0 && (
        <section className="note warn">
          <strong>Done alone, because nobody else could agree:</strong>
          <Acts acts={alone} />
          <p>
            With a second owner, another person must agree. <PageLink href="/admin/staff">Add one under Team</PageLink>.
          </p>
        </section>
      )}
      {reported.length > 0 && (
        <section className="note warn">
          <strong>Costs were lowered, so that one person may sell for less:</strong>
          <Acts acts={reported} />
        </section>
      )}
    </>
  );
}

function Acts({ acts }: { acts: loneActs.LoneAct[] }) {
  return (
    <ul>
      {acts.map(({ id, username, summary, createdAt }) => (
        <li key={id}>
          <Moment at={createdAt} />: <bdi>{username}</bdi> did this: <bdi>{summary}</bdi>
        </li>
      ))}
    </ul>
  );
}

function LatestOrders({ orders }: { orders: Awaited<ReturnType<typeof list>> }) {
  return (
    <section className="card">
      <div className="head latest">
        <h2>Latest orders</h2>
        <form method="get" action="/orders" className="filter">
          <SearchField label="Search orders" value="" placeholder="Number, user, ID" />
        </form>
        <a href="/orders?all=1">View All</a>
      </div>
      {orders.length === 0 ? (
        <Empty>No orders available.</Empty>
      ) : (
        <OrderTable orders={orders} showsUser returnPath="/admin" />
      )}
    </section>
  );
}

type SoFarProps = { figures: overview.Today; isMoneyShown: boolean; hasProfit: boolean };

/** Sales, profit and orders of today, each beside yesterday's at the same time. */
function SoFar({ figures, isMoneyShown, hasProfit }: SoFarProps) {
  const { today, yesterday, salesByHour, uncostedPesewas, measuredAt } = figures;
  return (
    <section className="card">
      <div className="head">
        <h2>Today until {accraTime(measuredAt)}</h2>
        {hasProfit && <a href="/admin/profit">Profit</a>}
      </div>
      <dl className="beside">
        {isMoneyShown && (
          <div>
            <dt>Sales</dt>
            <dd className="figure">
              <Money pesewas={today.salesPesewas} />
            </dd>
            <Beside now={today.salesPesewas} then={yesterday.salesPesewas}>
              <Money pesewas={yesterday.salesPesewas} />
            </Beside>
          </div>
        )}
        {hasProfit && (
          <div>
            <dt>Profit before fees</dt>
            <dd className="figure">
              <Money pesewas={today.earnedPesewas} />
            </dd>
            <Beside now={today.earnedPesewas} then={yesterday.earnedPesewas}>
              <Money pesewas={yesterday.earnedPesewas} />
            </Beside>
          </div>
        )}
        <div>
          <dt>Orders</dt>
          <dd className="figure">{today.orders.toLocaleString("en")}</dd>
          <Beside now={today.orders} then={yesterday.orders}>
            {yesterday.orders.toLocaleString("en")}
          </Beside>
        </div>
      </dl>
      {hasProfit && uncostedPesewas > 0 && (
        <p className="small soft">
          The profit leaves out <Money pesewas={uncostedPesewas} /> of sales without a known cost.
        </p>
      )}
      {isMoneyShown && <HoursChart {...salesByHour} />}
    </section>
  );
}

type Balance = { code: string; name: string; balancePesewas: number; lasts: ReturnType<typeof lasting> };

/** Our balance with each supplier that has sold enough to say how long it lasts. */
async function balancesOf({ db, vendors: known }: Context): Promise<Balance[]> {
  const [states, costs] = await Promise.all([vendors.states(db), hourlyCosts(db)]);
  return known.flatMap(({ code, name }) => {
    const { pausedFor, balancePesewas = null, balanceAt = null } = states.get(code) ?? {};
    const hourly = costs.get(code);
    if (pausedFor || balancePesewas === null || balanceAt === null || !hourly) return [];
    return [{ code, name, balancePesewas, lasts: lasting(balancePesewas, balanceAt, hourly) }];
  });
}

type AheadProps = { ahead: DayAhead | null; balances: Balance[]; today: overview.Sums; isMoneyShown: boolean };

/** What the day brings, as far as the last weeks tell; nothing where they tell too little. */
function Ahead({ ahead, balances, today, isMoneyShown }: AheadProps) {
  if (!ahead && balances.length === 0) return null;
  const sold = ({ orders, salesPesewas }: Sold) => (
    <>
      {ordersText(orders)}
      {isMoneyShown && (
        <>
          , <Money pesewas={salesPesewas} />
        </>
      )}
    </>
  );
  return (
    <section className="card">
      <h2>What the day brings</h2>
      <dl className="facts">
        {ahead && (
          <>
            <dt>A usual {accraWeekday(new Date())} by now</dt>
            <dd>{sold(ahead.byNow)}</dd>
            <dt>Today in all, about</dt>
            <dd>{sold(endOf(ahead, today))}</dd>
          </>
        )}
        {balances.map(({ code, name, balancePesewas, lasts }) => (
          <Fragment key={code}>
            <dt>
              <a href={`/admin/vendors/${code}`}>{name}</a>
            </dt>
            <dd>
              <Money pesewas={balancePesewas} />
              {lasts.text} {lasts.isSoon && <span className="chip warn">Top up</span>}
            </dd>
          </Fragment>
        ))}
      </dl>
      {ahead && (
        <p className="small soft after">
          The average of {ahead.days < 4 && "three of "}the last four {accraWeekday(new Date())}s.
        </p>
      )}
    </section>
  );
}

/** What was sold today, and what a usual day sells from now on. */
function endOf({ byNow, inAll }: DayAhead, today: Sold): Sold {
  return {
    orders: today.orders + inAll.orders - byNow.orders,
    salesPesewas: today.salesPesewas + inAll.salesPesewas - byNow.salesPesewas,
  };
}

/** Yesterday's figure at this time, and by how much today's differs where that says something. */
function Beside({ now, then, children }: { now: number; then: number; children: React.ReactNode }) {
  const percent = then > 0 ? Math.round((100 * (now - then)) / then) : null;
  const isShown = percent !== null && percent !== 0 && Math.abs(percent) < 1000;
  return (
    <dd className="small soft">
      yesterday by now {children}
      {isShown && ` (${percent > 0 ? "+" : "−"}${Math.abs(percent)}%)`}
    </dd>
  );
}

const DELIVERY: Column<overview.DeliveryNow>[] = [
  {
    head: "Network",
    cell: ({ operator }) => (
      <a href={`/orders?operator=${operator}`} title={`Open orders of ${operatorName(operator)}`}>
        <OperatorTag operator={operator} />
      </a>
    ),
  },
  { head: "Delivered", isNumber: true, className: "below", cell: ({ count }) => count.toLocaleString("en") },
  {
    head: "Half within",
    isNumber: true,
    className: "below",
    cell: ({ medianSeconds }) => (medianSeconds === null ? "–" : shortDuration(medianSeconds)),
  },
  {
    head: "On time",
    isNumber: true,
    className: "below",
    cell: ({ onTimePercent }) => (onTimePercent === null ? "–" : `${onTimePercent}%`),
  },
  { head: "Waiting", isNumber: true, cell: ({ waitingCount }) => waitingCount.toLocaleString("en") },
  {
    head: "Oldest paid",
    isNumber: true,
    cell: ({ waitingSince }) => (waitingSince ? ageText(waitingSince, new Date()) : "–"),
  },
];

/** "40 s", "24 min", "3 h". */
function shortDuration(seconds: number): string {
  if (seconds < 90) return `${seconds} s`;
  return seconds < 5400 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`;
}

function tabsOf(stats: reports.AdminStats): [path: string, label: string][] {
  const labelFor = (name: string, count: number) => `${name} (${count.toLocaleString("en")})`;
  return [
    ["/orders?all=1", labelFor("Orders", stats.totalOrders)],
    ["/admin/prices", labelFor("Bundles", stats.productsCount)],
    ["/admin/users", labelFor("Agents", stats.usersCount)],
  ];
}

function TheShop({ stats }: { stats: reports.AdminStats }) {
  return (
    <div className="two">
      <section className="card">
        <div className="head">
          <h2>Sales of the last seven days</h2>
          <a href="/admin/statistics">Statistics</a>
        </div>
        <SalesChart days={stats.lastSevenDays} />
      </section>
      <section className="card">
        <h2>The shop</h2>
        <dl className="facts">
          <dt>In agents' wallets</dt>
          <dd>
            <Money pesewas={stats.walletsPesewas} />
          </dd>
          <dt>Users</dt>
          <dd>{stats.usersCount.toLocaleString("en")}</dd>
          <dt>Products on sale</dt>
          <dd>{stats.onSaleCount.toLocaleString("en")}</dd>
          <dt>AFA registrations</dt>
          <dd>{stats.afaCount.toLocaleString("en")}</dd>
        </dl>
      </section>
    </div>
  );
}

function StatCards({ stats }: { stats: reports.AdminStats }) {
  const { byStatus } = stats;
  const cards: [name: string, count: number, note?: string][] = [
    ["Total Orders", stats.totalOrders],
    ["Processing", byStatus.PROCESSING],
    ["Delivered", byStatus.DELIVERED],
    ["Completed", byStatus.COMPLETED, `${stats.successPercent}% success`],
    ["Pending", byStatus.PENDING + byStatus.PAID],
    ["Failed", byStatus.FAILED, `${stats.failurePercent}% of all`],
  ];
  return (
    <div className="grid six">
      {cards.map(([name, count, note]) => (
        <Figure key={name} name={name} note={note && <span className="soft small">{note}</span>}>
          {count.toLocaleString("en")}
        </Figure>
      ))}
    </div>
  );
}
