// List of orders: an agent's own, and for admins everybody's. Its state is in its address.
import { OrdersWatch } from "../../../../islands/orders-watch.tsx";
import * as drafts from "../../../core/orders/bulk-drafts.ts";
import * as orderQueries from "../../../core/orders/queries.ts";
import { isAdmin, isOpen, limits } from "../../../shared/domain.ts";
import { Island } from "../../island.tsx";
import { type Context, type Leave, type Page, redirect, type View } from "../../page.tsx";
import { AdminDesk } from "../../ui/desk.tsx";
import { DraftList } from "../../ui/draft-list.tsx";
import { clearedPath, FilterForm, readFilter } from "../../ui/order-filter.tsx";
import { OrderTable } from "../../ui/order-table.tsx";
import { Empty, PageLinks, pageOf, Tabs } from "../../ui/parts.tsx";
import { ReportForm } from "../../ui/support.tsx";
import { findUser } from "../../ui/user-field.tsx";
import { BulkMoveForm, countOrders, OrderStatistics } from "./admin-tools.tsx";

export const orderListPages: Page[] = [
  {
    path: "/orders",
    role: "user",
    menu: { agent: "My Orders", admin: "Orders" },
    examples: ["", "?all=1"],
    show: showList,
  },
];

async function showList({ db, by, url }: Context): Promise<View | Leave> {
  const admin = isAdmin(by);
  const showsAll = admin && url.searchParams.get("tab") !== "mine";
  const owner = showsAll ? await findUser(db, url.searchParams.get("user")) : null;
  // The address gets the id, which exports and transitions then use as well.
  if (owner && String(owner.id) !== url.searchParams.get("user"))
    return redirect(withParam(url, "user", String(owner.id)));
  const { cursor, onlyNew, ...filter } = readFilter(url.searchParams);
  const selection = {
    ...filter,
    open: onlyNew,
    userId: showsAll ? filter.userId : by.userId,
    isAdmins: showsAll,
  };
  const [{ rows, isCut }, counts] = await Promise.all([
    orderQueries.search(db, selection, { limit: limits.pageSize + 1, cursor }),
    showsAll ? countOrders(db) : null,
  ]);
  const { shown, older } = pageOf(rows, limits.pageSize);
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  const savedDrafts = showsAll || isFiltered || cursor ? [] : await drafts.list(db, by);
  const currentPath = url.pathname + url.search;
  return {
    title: showsAll ? "All Orders" : "My Orders",
    body: (
      <>
        <div className="head">
          <h1>{showsAll ? "All Orders" : "My Orders"}</h1>
          <a className="button quiet" href={currentPath}>
            Refresh
          </a>
        </div>
        {admin && (
          <Tabs label="Whose orders" tabs={TABS} current={showsAll ? "/orders" : "/orders?tab=mine"} />
        )}
        {counts && <OrderStatistics counts={counts} />}
        <DraftList drafts={savedDrafts} back={currentPath} />
        {filter.bulkOrderId && (
          <p>
            Only the orders of <a href={`/bulk/${filter.bulkOrderId}`}>bulk order #{filter.bulkOrderId}</a>
          </p>
        )}
        <FilterForm url={url} onlyNew={onlyNew} isDesk={showsAll} {...(showsAll && { owner })} />
        <Exports url={url} takesNew={showsAll} />
        {isCut && <CutNote />}
        <section className="card">
          <Rows orders={shown} isDesk={showsAll} isFiltered={isFiltered} url={url} />
        </section>
        {onlyNew && (
          <p className="soft">
            Finished orders are hidden. <a href={withParam(url, "all", "1")}>Show all orders</a>
          </p>
        )}
        <PageLinks url={url} older={older} />
        {!showsAll && (
          <details className="card after">
            <summary>Report an Issue</summary>
            <ReportForm />
          </details>
        )}
        {showsAll && <AdminDesk />}
      </>
    ),
  };
}

type RowsProps = { orders: orderQueries.OrderRow[]; isDesk: boolean; isFiltered: boolean; url: URL };

function Rows({ orders, isDesk, isFiltered, url }: RowsProps) {
  if (orders.length === 0)
    return <NoOrders isFiltered={isFiltered} isDesk={isDesk} clearPath={clearedPath(url)} />;
  return isDesk ? <DeskRows orders={orders} url={url} /> : <OwnRows orders={orders} />;
}

function DeskRows({ orders, url }: { orders: orderQueries.OrderRow[]; url: URL }) {
  const currentPath = url.pathname + url.search;
  return (
    <>
      <BulkMoveForm backTo={currentPath} query={url.search} shownIds={orders.map(({ id }) => id)} />
      <OrderTable orders={orders} showsUser selectForm="bulk-move" returnPath={currentPath} />
    </>
  );
}

/** The status chips of orders on the way update automatically. */
function OwnRows({ orders }: { orders: orderQueries.OrderRow[] }) {
  const open = orders.filter(({ status, paidAt }) => paidAt && (isOpen(status) || status === "DELIVERED"));
  const statuses = Object.fromEntries(open.map(({ id, status }) => [id, status]));
  return (
    <>
      <OrderTable orders={orders} />
      {open.length > 0 && <Island component={OrdersWatch} props={{ statuses }} on="idle" />}
    </>
  );
}

function CutNote() {
  return (
    <p className="note warn" role="status">
      This search took too long, so only the newest orders were searched. Type more digits, or choose dates
      under Filters.
    </p>
  );
}

function withParam(url: URL, name: string, value: string): string {
  const changed = new URLSearchParams(url.search);
  changed.delete("cursor");
  changed.set(name, value);
  return `${url.pathname}?${changed}`;
}

const TABS = [
  ["/orders", "All Orders"],
  ["/orders?tab=mine", "My Orders"],
] as const;

/**
 * The list as a file, with the same filters. New orders are taken as a batch by an admin, and only listed for agents.
 */
function Exports({ url, takesNew }: { url: URL; takesNew: boolean }) {
  const pathOf = (kind: string) => {
    const query = new URLSearchParams(url.search);
    for (const name of ["cursor", "all"]) query.delete(name);
    query.set("kind", kind);
    return `/orders/export?${query}`;
  };
  const operator = url.searchParams.get("operator");
  const takePath = `/admin/desk/new${operator ? `?operator=${encodeURIComponent(operator)}` : ""}`;
  return (
    <p className="actions">
      <a className="button quiet tiny" href={pathOf("all")}>
        Export All
      </a>
      <a className="button quiet tiny" href={takesNew ? takePath : pathOf("new")}>
        Export New Only
      </a>
    </p>
  );
}

type NoOrdersProps = { isFiltered: boolean; isDesk: boolean; clearPath: string };

function NoOrders({ isFiltered, isDesk, clearPath }: NoOrdersProps) {
  if (isFiltered)
    return (
      <Empty>
        <p>No matching orders found{isDesk && "."}</p>
        <p>We searched all orders, including finished ones.</p>
        <a className="button quiet" href={clearPath}>
          Clear
        </a>
      </Empty>
    );
  return (
    <Empty>
      <p>{isDesk ? "No orders available." : "No orders found"}</p>
      {!isDesk && (
        <a className="button" href="/mtn-data">
          Buy Data
        </a>
      )}
    </Empty>
  );
}
