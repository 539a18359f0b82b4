// The admins' dashboard and the moving of orders.
import * as moves from "../../core/moves.ts";
import * as orderLists from "../../core/order-lists.ts";
import * as reports from "../../core/reports.ts";
import { ADMIN_TARGETS, limits } from "../../shared/domain.ts";
import { AppError, catalogue } from "../../shared/errors.ts";
import { SalesChart } from "../charts.tsx";
import { type Context, type Leave, localPath, type Page, readId, redirect, type View } from "../page.tsx";
import { Empty, Money } from "../parts.tsx";
import { OrderTable } from "./order-table.tsx";

export const adminPages: Page[] = [
  { path: "/admin", role: "admin", show: showAdmin },
  { path: "/admin/orders/move", role: "admin", submit: move, bodyBytesMax: 262_144 },
];

export async function showAdmin({ db, url }: Context): Promise<View> {
  const [stats, latest] = await Promise.all([reports.adminStats(db), orderLists.list(db, {}, { limit: 20 })]);
  return {
    title: "Dashboard",
    body: (
      <>
        <div className="head">
          <h1>Dashboard</h1>
          <a className="button quiet" href={url.pathname}>
            Refresh
          </a>
        </div>
        <StatCards stats={stats} />
        <div className="two">
          <section className="card">
            <h2>Sales of the last seven days</h2>
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
          {latest.length === 0 ? (
            <Empty>No orders available.</Empty>
          ) : (
            <OrderTable orders={latest} showsUser movesBackTo="/admin" />
          )}
        </section>
      </>
    ),
  };
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
        <section className="card" key={name}>
          <h2 className="small soft">{name}</h2>
          <p className="figure">{count.toLocaleString("en")}</p>
          {note && <span className="soft small">{note}</span>}
        </section>
      ))}
    </div>
  );
}

/** Moves the chosen orders. A single one says what became of it; several say how many moved and why others did not. */
async function move({ db, by, form, key }: Context): Promise<Leave> {
  const back = localPath(form.get("back"), "/orders");
  const ids = form
    .getAll("ids")
    .map(readId)
    .filter((id) => id !== null);
  if (ids.length === 0) return redirect(back, "!Select at least one order");
  if (ids.length > limits.bulkMoveOrders) throw new AppError("request.too_large");
  const [target, cash] = (form.get("to") ?? "").split(" ");
  const to = ADMIN_TARGETS.find((status) => status === target);
  if (!to) throw new AppError("order.move_not_allowed");
  const { answer } = await moves.move(db, { by, key, ids, to, paidInCash: cash === "cash" });
  return redirect(back, wordsFor(answer, to));
}

function wordsFor(results: moves.MoveResult[], to: string): string {
  const [only] = results;
  if (results.length === 1) {
    if (!only!.refusal) return `Order ${only!.id} status updated to ${to}`;
    return `!Order ${only!.id} was not moved. ${catalogue[only!.refusal].message}.`;
  }
  const refused = results.filter((result) => result.refusal);
  const moved = `${results.length - refused.length} orders moved to ${to}.`;
  const reasons = [...Map.groupBy(refused, (result) => result.refusal!)].map(
    ([code, of]) => `${of.length} not moved: ${catalogue[code].message}.`,
  );
  return `${refused.length > 0 ? "!" : ""}${[moved, ...reasons].join(" ")}`.slice(0, 400);
}
