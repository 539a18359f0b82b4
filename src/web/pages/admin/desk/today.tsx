// Today, the first page of staff: what is to be done, today beside yesterday, delivery now, a forecast, the latest
// orders, and the figures of all time.

import { Fragment } from "react";
import { hourlyCosts } from "../../../../core/fulfilment/balance-forecast.ts";
import * as vendors from "../../../../core/fulfilment/vendors.ts";
import { list } from "../../../../core/orders/queries.ts";
import { connections } from "../../../../core/overview/connections.ts";
import { type DayAhead, dayAhead, type Sold } from "../../../../core/overview/day-ahead.ts";
import { missing, steps } from "../../../../core/overview/setup.ts";
import * as overview from "../../../../core/overview/today.ts";
import { seenBy, seesMoney, sharesOf, type Waiting, waiting, waitingFor } from "../../../../core/overview/waiting.ts";
import * as budgets from "../../../../core/platform/budgets/budgets.ts";
import * as loneActs from "../../../../core/platform/colleagues/lone-acts.ts";
import type * as reports from "../../../../core/reports/reports.ts";
import { adminStats } from "../../../../core/reports/reports.ts";
import * as salesHistory from "../../../../core/reports/sales-history.ts";
import { accraDay, accraTime, accraWeekday, ageText } from "../../../../shared/accra.ts";
import { decimal } from "../../../../shared/money.ts";
import { operatorName } from "../../../../shared/operators.ts";
import { hasRight } from "../../../../shared/rights.ts";
import { ordersText } from "../../../../shared/text.ts";
import { Sheet } from "../../../html.tsx";
import type { Context, Page, View } from "../../../page.tsx";
import { HoursChart, SalesChart } from "../../../ui/charts.tsx";
import { PageLink } from "../../../ui/frame/permitted.tsx";
import { AdminDesk } from "../../../ui/orders/desk.tsx";
import { OrderTable } from "../../../ui/orders/order-table.tsx";
import { Empty, Figure, Moment, Money } from "../../../ui/parts.tsx";
import { lasting } from "../../../ui/staff/lasting.ts";
import { SetUpCard } from "../../../ui/staff/set-up.tsx";
import { WaitingList } from "../../../ui/staff/waiting.tsx";
import { type Column, Table } from "../../../ui/table.tsx";
import { Tabs, Ways } from "../../../ui/tabs.tsx";

export const adminPages: Page[] = [
  {
    path: "/admin",
    right: "shop.see",
    menu: { admin: "Today", icon: "home" },
    show: showAdmin,
  },
];

const LATEST_SHOWN = 5;
/** From this hour on, what is expected of the day says nothing more. */
const EVENING = "22:00";

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
        <ToDo {...{ by, url, rows, lacks }} />
        <DoneAlone acts={alone} />
        <div className="two even">
          <SoFar {...{ figures, isMoneyShown }} hasProfit={hasRight(by, "profit.see")} />
          <div>
            <section className="card">
              <h2>Delivery in the last hour</h2>
              <Table rows={delivery} columns={deliveryColumns(delivery)} className="lines delivery" />
            </section>
            <Forecast
              {...{ balances, isMoneyShown }}
              ahead={accraTime(new Date()) < EVENING ? ahead : null}
              today={figures.today}
            />
          </div>
        </div>
        <Tabs label="Manage" tabs={tabsOf(stats)} current="/orders?all=1" />
        <LatestOrders orders={latest} />
        <details className="fold">
          <summary>All-time figures</summary>
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
  { baseUrl, by }: Context,
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
            <h2>To do</h2>
            <WaitingList rows={rows} missing={[]} viewerId={by.userId} />
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
        Today{" "}
        <small className="soft">
          <span className="sr">Dashboard, </span>
          {accraWeekday(new Date())} {accraDay(new Date())}
        </small>
      </h1>
      <div className="actions">
        <a className="button quiet tiny" href={url.pathname + url.search}>
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

type ToDoProps = Pick<Context, "by" | "url"> & { rows: readonly Waiting[]; lacks: Awaited<ReturnType<typeof missing>> };

/** What waits: all of it, or what is the viewer's or nobody's. */
function ToDo({ by, url, rows, lacks }: ToDoProps) {
  const isMine = url.searchParams.get("show") === "mine";
  const shown = isMine ? rows.filter((row) => row.isMore || sharesOf(row, by.userId).others < row.count) : rows;
  return (
    <section className="card">
      <div className="head">
        <h2>To do</h2>
        {(isMine || rows.some(({ holders }) => holders.length > 0)) && (
          <Ways label="Whose" ways={WHOSE} current={isMine ? MINE : ALL} />
        )}
        <a className="small" href="/profile/waiting">
          Notices
        </a>
      </div>
      {shown.length < rows.length && shown.length + lacks.length === 0 ? (
        <p className="soft">Others have taken everything that waits.</p>
      ) : (
        <WaitingList rows={shown} missing={lacks} viewerId={by.userId} />
      )}
    </section>
  );
}

const [ALL, MINE] = ["/admin", "/admin?show=mine"];
const WHOSE = [
  [ALL, "All"],
  [MINE, "For me"],
] as const;

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
      <div className="head">
        <h2>Latest orders</h2>
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
  const ofToday = `from=${salesHistory.today()}&to=${salesHistory.today()}`;
  return (
    <section className="card">
      <h2>Today until {accraTime(measuredAt)}</h2>
      <dl className="beside">
        {isMoneyShown && (
          <div>
            <dt>
              <PageLink isName href={`/admin/statistics?${ofToday}`}>
                Sales
              </PageLink>
            </dt>
            <dd className="figure">
              <Money pesewas={today.salesPesewas} />
            </dd>
            <Beside now={today.salesPesewas} then={yesterday.salesPesewas}>
              {decimal(yesterday.salesPesewas)}
            </Beside>
          </div>
        )}
        {hasProfit && (
          <div>
            <dt>
              <PageLink isName href={`/admin/profit?${ofToday}`}>
                Profit
              </PageLink>
            </dt>
            <dd className="figure">
              <Money pesewas={today.earnedPesewas} />
            </dd>
            <Beside now={today.earnedPesewas} then={yesterday.earnedPesewas}>
              {decimal(yesterday.earnedPesewas)}
            </Beside>
          </div>
        )}
        <div>
          <dt>
            <PageLink isName href={`/orders?all=1&${ofToday}`} title="With those that failed">
              Orders
            </PageLink>
          </dt>
          <dd className="figure">{today.orders.toLocaleString("en")}</dd>
          <Beside now={today.orders} then={yesterday.orders}>
            {yesterday.orders.toLocaleString("en")}
          </Beside>
        </div>
      </dl>
      {hasProfit && (
        <p className="small soft">
          Profit before fees and losses
          {uncostedPesewas > 0 && (
            <>
              , without <Money pesewas={uncostedPesewas} /> of sales whose cost is not known
            </>
          )}
          .
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

type ForecastProps = { ahead: DayAhead | null; balances: Balance[]; today: overview.Sums; isMoneyShown: boolean };

/** What the rest of the day may bring, as far as the last weeks tell, and how long balances last; or nothing. */
function Forecast({ ahead, balances, today, isMoneyShown }: ForecastProps) {
  if (!ahead && balances.length === 0) return null;
  const weekday = accraWeekday(new Date());
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
      <h2>Forecast</h2>
      <dl className="facts">
        {ahead && (
          <>
            {ahead.byNow.orders > 0 && (
              <>
                <dt title={`The average of ${ahead.days < 4 ? "three of " : ""}the last four ${weekday}s`}>
                  A usual {weekday} at this time
                </dt>
                <dd>{sold(ahead.byNow)}</dd>
              </>
            )}
            <dt>Expected today</dt>
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
      {children} yesterday
      {isShown && ` (${percent > 0 ? "+" : "−"}${Math.abs(percent)}%)`}
    </dd>
  );
}

/** Whether deliveries were on time is left out where no network has promised a time. */
function deliveryColumns(rows: overview.DeliveryNow[]): Column<overview.DeliveryNow>[] {
  const isPromised = rows.some(({ onTimePercent }) => onTimePercent !== null);
  return isPromised ? DELIVERY : DELIVERY.filter((column) => column !== ON_TIME);
}

const ON_TIME: Column<overview.DeliveryNow> = {
  head: "On time",
  isNumber: true,
  className: "below",
  cell: ({ onTimePercent }) => (onTimePercent === null ? "–" : `${onTimePercent}%`),
};

const DELIVERY: Column<overview.DeliveryNow>[] = [
  {
    head: "Network",
    cell: ({ operator }) => (
      <>
        <span className={`dot ${operator}`} aria-hidden="true" />{" "}
        <a href={`/orders?operator=${operator}`} title={`Open orders of ${operatorName(operator)}`}>
          {operatorName(operator)}
        </a>
      </>
    ),
  },
  { head: "Delivered", isNumber: true, className: "below", cell: ({ count }) => count.toLocaleString("en") },
  {
    head: "Median",
    isNumber: true,
    className: "below",
    cell: ({ medianSeconds }) => (medianSeconds === null ? "–" : shortDuration(medianSeconds)),
  },
  ON_TIME,
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
    ["/admin/users", labelFor("Agents", stats.agentsCount)],
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
          <dt>Agents</dt>
          <dd>{stats.agentsCount.toLocaleString("en")}</dd>
          <dt>Bundles on sale</dt>
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
