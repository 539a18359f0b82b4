// The admins' dashboard.
import * as orderLists from "../../core/order-lists.ts";
import * as reports from "../../core/reports.ts";
import { SalesChart } from "../charts.tsx";
import { AdminDesk } from "../desk.tsx";
import type { Context, Page, View } from "../page.tsx";
import { Empty, Figure, Money, SearchField, Tabs } from "../parts.tsx";
import { OrderTable } from "./order-table.tsx";

export const adminPages: Page[] = [{ path: "/admin", role: "admin", show: showAdmin }];

export async function showAdmin({ db, url }: Context): Promise<View> {
  const [stats, latest] = await Promise.all([reports.adminStats(db), orderLists.list(db, {}, { limit: 20 })]);
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
            <a className="button quiet" href="/admin/settings">
              Settings
            </a>
          </div>
        </div>
        <StatCards stats={stats} />
        <Tabs label="Manage" tabs={tabsOf(stats)} />
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
              <dt>Sales today</dt>
              <dd>
                <Money pesewas={stats.salesTodayPesewas} />
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
        </div>
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
            <OrderTable orders={latest} showsUser movesBackTo="/admin" tallName="Latest orders" />
          )}
        </section>
        <AdminDesk />
      </>
    ),
  };
}

function tabsOf(stats: reports.AdminStats): [path: string, words: string][] {
  const words = (name: string, count: number) => `${name} (${count.toLocaleString("en")})`;
  return [
    ["/orders?all=1", words("Orders", stats.totalOrders)],
    ["/admin/products", words("Products", stats.productsCount)],
    ["/admin/users", words("Users", stats.usersCount)],
    ["/admin/afa", words("AFA", stats.afaCount)],
  ];
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
