// Admins' dashboard.
import { Fragment } from "react";
import * as attention from "../../../core/fulfilment/attention.ts";
import * as orderQueries from "../../../core/orders/queries.ts";
import * as reports from "../../../core/orders/reports.ts";
import * as shopProfit from "../../../core/orders/shop-profit.ts";
import * as chargebacks from "../../../core/payments/chargebacks.ts";
import * as paymentReviews from "../../../core/payments/reviews.ts";
import * as secondPerson from "../../../core/platform/second-person.ts";
import { accraTime } from "../../../shared/accra.ts";
import { hasRight, type Right } from "../../../shared/rights.ts";
import type { Context, Page, View } from "../../page.tsx";
import { SalesChart } from "../../ui/charts.tsx";
import { AdminDesk } from "../../ui/desk.tsx";
import { OrderTable } from "../../ui/order-table.tsx";
import { Empty, Figure, Moment, Money, SearchField, Tabs } from "../../ui/parts.tsx";
import { PageLink, Permit, usePermissions } from "../../ui/permitted.tsx";

export const adminPages: Page[] = [
  { path: "/admin", right: "shop.see", menu: { admin: "Admin", icon: "home" }, show: showAdmin },
];

export async function showAdmin({ db, by, url }: Context): Promise<View> {
  const [stats, earned, latest, delivery, disputed, reviews, alone] = await Promise.all([
    reports.adminStats(db),
    hasRight(by, "profit.see") ? shopProfit.ofToday(db) : null,
    orderQueries.list(db, {}, { limit: 20 }),
    attention.counts(db),
    chargebacks.open(db),
    paymentReviews.count(db),
    secondPerson.loudActs(db),
  ]);
  const waiting = { ...delivery, chargebacks: disputed.length, reviews };
  return {
    title: "Dashboard",
    body: (
      <>
        <div className="head">
          <h1>Dashboard</h1>
          <div className="actions">
            <a className="button quiet" href={url.pathname}>
              Refresh
            </a>
            <PageLink className="button quiet" href="/admin/settings">
              Settings
            </PageLink>
          </div>
        </div>
        <NeedsAttention counts={waiting} />
        <DoneAlone acts={alone} />
        <StatCards stats={stats} />
        <Tabs label="Manage" tabs={tabsOf(stats)} />
        <Permit right="profit.see">
          <div className="two">
            <section className="card">
              <div className="head">
                <h2>Sales of the last seven days</h2>
                <PageLink href="/admin/statistics">Statistics</PageLink>
              </div>
              <SalesChart days={stats.lastSevenDays} />
            </section>
            {earned && <TheShop stats={stats} earned={earned} />}
          </div>
        </Permit>
        <section className="card">
          <div className="head">
            <h2>Latest orders</h2>
            <a href="/orders?all=1">View All</a>
          </div>
          <form method="get" action="/orders" className="filter before">
            <SearchField label="Search orders" value="" placeholder="Number, user, ID" />
          </form>
          {latest.length === 0 ? (
            <Empty>No orders available.</Empty>
          ) : (
            <OrderTable orders={latest} showsUser returnPath="/admin" tallName="Latest orders" />
          )}
        </section>
        <AdminDesk />
      </>
    ),
  };
}

type Counts = attention.Counts & { chargebacks: number; reviews: number };
/**
 * Singular, plural and page of each kind, the most urgent first: what costs money soonest. Each is for those who may
 * open its page and, if stated, have its right.
 */
const KINDS: [kind: keyof Counts, one: string, many: string, path: string, right?: Right][] = [
  ["chargebacks", "open chargeback", "open chargebacks", "/admin/reversals"],
  ["overdue", "overdue order", "overdue orders", "/admin/delivery"],
  ["batches", "desk batch due", "desk batches due", "/admin/delivery"],
  ["disputes", "order not received", "orders not received", "/admin/support"],
  ["reviews", "payment in review", "payments in review", "/admin/payments?state=review"],
  ["concerns", "concern to look into", "concerns to look into", "/admin/delivery"],
  ["unknown", "unknown outcome", "unknown outcomes", "/admin/delivery"],
  ["late", "late order", "late orders", "/admin/delivery"],
  ["thinPrices", "price too low", "prices too low", "/admin/delivery#margins", "catalog.manage"],
  [
    "costRises",
    "vendor has become dearer",
    "vendors have become dearer",
    "/admin/delivery#margins",
    "catalog.manage",
  ],
  ["deadJobs", "failed job", "failed jobs", "/admin/delivery", "delivery.manage"],
];

function NeedsAttention({ counts }: { counts: Counts }) {
  const { may, mayOpen } = usePermissions();
  const waiting = KINDS.filter(
    ([kind, , , path, right]) => counts[kind] > 0 && mayOpen(path) && (!right || may(right)),
  );
  if (waiting.length === 0) return null;
  return (
    <div className="note warn">
      <strong>Needs attention:</strong>{" "}
      {waiting.map(([kind, one, many, path], at) => (
        <Fragment key={kind}>
          {at > 0 && ", "}
          <a href={path}>
            {counts[kind]} {counts[kind] === 1 ? one : many}
          </a>
        </Fragment>
      ))}
    </div>
  );
}

/** What was done above a limit without a second person; it stays here for a week. */
function DoneAlone({ acts }: { acts: secondPerson.LoneAct[] }) {
  if (acts.length === 0) return null;
  return (
    <section className="note warn">
      <strong>Done alone, because nobody else could agree:</strong>
      <ul>
        {acts.map(({ id, username, summary, createdAt }) => (
          <li key={id}>
            <Moment at={createdAt} />: <bdi>{username}</bdi> did this: <bdi>{summary}</bdi>
          </li>
        ))}
      </ul>
      <p>
        With a second owner, another person must agree. <a href="/admin/users">Add one under Users</a>.
      </p>
    </section>
  );
}

function tabsOf(stats: reports.AdminStats): [path: string, label: string][] {
  const labelFor = (name: string, count: number) => `${name} (${count.toLocaleString("en")})`;
  return [
    ["/orders?all=1", labelFor("Orders", stats.totalOrders)],
    ["/admin/products", labelFor("Products", stats.productsCount)],
    ["/admin/users", labelFor("Users", stats.usersCount)],
    ["/admin/afa", labelFor("AFA", stats.afaCount)],
  ];
}

function TheShop({ stats, earned }: { stats: reports.AdminStats; earned: shopProfit.TodayProfit }) {
  return (
    <section className="card">
      <h2>The shop</h2>
      <dl className="facts">
        <dt>Sales today</dt>
        <dd>
          <Money pesewas={stats.salesTodayPesewas} />
        </dd>
        <dt>Profit today</dt>
        <dd>
          <ProfitToday {...earned} />
        </dd>
        <dt>In agents' wallets</dt>
        <dd>
          <Money pesewas={stats.walletsPesewas} />
        </dd>
        <dt>Users</dt>
        <dd>{stats.usersCount.toLocaleString("en")}</dd>
        <dt>Products on sale</dt>
        <dd>{stats.productsCount.toLocaleString("en")}</dd>
      </dl>
    </section>
  );
}

/** The profit as it was last counted, with what it leaves out, and yesterday's. */
function ProfitToday({ today, yesterday, countedAt }: shopProfit.TodayProfit) {
  if (!countedAt) return <span className="soft">Not counted yet</span>;
  return (
    <>
      <PageLink isName href="/admin/profit">
        <Money pesewas={today.profitPesewas} />
      </PageLink>
      <br />
      <span className="soft small">
        at {accraTime(countedAt)}; yesterday <Money pesewas={yesterday.profitPesewas} />
        {today.uncostedPesewas > 0 && (
          <>
            {" "}
            (<Money pesewas={today.uncostedPesewas} /> of sales has no cost)
          </>
        )}
      </span>
    </>
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
