// List of orders: for admins everybody's as a table, for agents their own as rows. Its state is in its address.
import * as orderQueries from "../../../core/orders/queries.ts";
import { isOpen, limits } from "../../../shared/domain.ts";
import { hasRight } from "../../../shared/rights.ts";
import { type Context, type Leave, type Page, redirect, type View } from "../../page.tsx";
import { PageLink, Permit } from "../../ui/frame/permitted.tsx";
import { AdminDesk } from "../../ui/orders/desk.tsx";
import { OrderChips } from "../../ui/orders/order-chips.tsx";
import { clearedPath, FilterForm, type OrderFilters, readFilter } from "../../ui/orders/order-filter.tsx";
import { OrderTable } from "../../ui/orders/order-table.tsx";
import { PageLinks, pageOf } from "../../ui/paged.tsx";
import { Empty } from "../../ui/parts.tsx";
import { KeptViews, readViews, SaveView } from "../../ui/staff/kept-views.tsx";
import { findUser } from "../../ui/staff/user-field.tsx";
import { BulkMoveForm, countOrders, OrderStatistics } from "./admin-tools.tsx";
import { CutNote, exportPath, OWN_PATH, showChanges, showOwn } from "./own-orders.tsx";

export const orderListPages: Page[] = [
  {
    path: "/orders",
    role: "user",
    menu: { agent: "My Orders", admin: "Orders", inBar: true, icon: "orders" },
    tab: { section: "Orders", label: "All" },
    examples: ["", "?all=1"],
    show: (context) =>
      hasRight(context.by, "orders.see") && context.url.searchParams.get("tab") !== "mine"
        ? showDesk(context)
        : showOwn(context),
  },
  { path: "/orders/changes", role: "user", examples: [], show: showChanges },
];

async function showDesk(context: Context): Promise<View | Leave> {
  const { db, url } = context;
  const owner = await findUser(db, url.searchParams.get("user"));
  // The address gets the id, which exports and transitions then use as well.
  if (owner && String(owner.id) !== url.searchParams.get("user"))
    return redirect(withParam(url, "user", String(owner.id)));
  const filters = readFilter(url.searchParams);
  const { cursor, onlyNew, ...filter } = filters;
  const selection = { ...filter, open: onlyNew, isAdmins: true };
  const mayBeOldestFirst = isOfWaiting(filters);
  const isOldestFirst = mayBeOldestFirst && url.searchParams.get("order") === "oldest";
  const [{ rows, isCut }, counts, views] = await Promise.all([
    orderQueries.search(db, selection, { limit: limits.pageSize + 1, cursor, isOldestFirst }),
    countOrders(db),
    readViews(context, "/orders"),
  ]);
  const { shown, older } = pageOf(rows, limits.pageSize);
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  return {
    body: (
      <>
        <OrderStatistics counts={counts} />
        <KeptViews {...views} />
        <FilterForm url={url} onlyNew={onlyNew} owner={owner} />
        {/* What a search finds as it is typed takes its place. */}
        <div data-live="found">
          <OrderChips url={url} filters={filters} owner={owner} />
          <SaveView {...views} />
          {isCut && <CutNote />}
          <section className="card">
            <div className="head">
              {shown.length > 0 && <BulkMove orders={shown} url={url} />}
              <ListTools url={url} isOldestFirst={mayBeOldestFirst ? isOldestFirst : null} />
            </div>
            {shown.length === 0 ? (
              <NoOrders isFiltered={isFiltered} clearPath={clearedPath(url)} />
            ) : (
              <DeskRows orders={shown} url={url} />
            )}
          </section>
          {onlyNew && (
            <p className="soft">
              Finished orders are hidden. <a href={withParam(url, "all", "1")}>Show all orders</a>
            </p>
          )}
          <PageLinks {...{ url, older, isOldestFirst }} />
        </div>
        <AdminDesk />
      </>
    ),
  };
}

/** Whether all orders of a list wait for something: there the oldest may come first. A search has its own order. */
function isOfWaiting({ search, status, unpaid, onlyNew }: OrderFilters): boolean {
  return !search && (onlyNew || unpaid === true || (status !== undefined && isOpen(status)));
}

type RowsProps = { orders: orderQueries.OrderRow[]; url: URL };

function BulkMove({ orders, url }: RowsProps) {
  return (
    <Permit right="orders.work">
      <BulkMoveForm backTo={url.pathname + url.search} query={url.search} shownIds={orders.map(({ id }) => id)} />
    </Permit>
  );
}

function DeskRows({ orders, url }: RowsProps) {
  return (
    <Permit right="orders.work" otherwise={<OrderTable orders={orders} showsUser />}>
      <OrderTable orders={orders} showsUser selectForm="bulk-move" returnPath={url.pathname + url.search} />
    </Permit>
  );
}

function withParam(url: URL, name: string, value: string | null): string {
  const changed = new URLSearchParams(url.search);
  for (const former of ["cursor", name]) changed.delete(former);
  if (value) changed.set(name, value);
  return `${url.pathname}?${changed}`;
}

type ToolsProps = {
  url: URL;
  /** Null where the sequence cannot be chosen. */
  isOldestFirst: boolean | null;
};

/**
 * Turns the list round, reloads it, or gives it as a file, with the same filters; takes new orders as a batch; leads to
 * one's own.
 */
function ListTools({ url, isOldestFirst }: ToolsProps) {
  const operator = url.searchParams.get("operator");
  const takePath = `/admin/desk/new${operator ? `?operator=${encodeURIComponent(operator)}` : ""}`;
  return (
    <div className="actions">
      {isOldestFirst !== null && (
        <a className="button quiet tiny" href={withParam(url, "order", isOldestFirst ? null : "oldest")}>
          {isOldestFirst ? "Newest first" : "Oldest first"}
        </a>
      )}
      <a className="button quiet tiny" href={url.pathname + url.search}>
        Refresh
      </a>
      <a className="button quiet tiny" href={exportPath(url, "all")}>
        Export All
      </a>
      <PageLink className="button quiet tiny" href={takePath}>
        Export New Only
      </PageLink>
      <a className="button quiet tiny" href={OWN_PATH}>
        My Orders
      </a>
    </div>
  );
}

function NoOrders({ isFiltered, clearPath }: { isFiltered: boolean; clearPath: string }) {
  if (!isFiltered)
    return (
      <Empty>
        <p>No orders available.</p>
      </Empty>
    );
  return (
    <Empty>
      <p>No matching orders found.</p>
      <p>We searched all orders, including finished ones.</p>
      <a className="button quiet" href={clearPath}>
        Clear
      </a>
    </Empty>
  );
}
