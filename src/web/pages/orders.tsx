// My Orders, and for admins everybody's: a list whose whole state is its address.
import * as drafts from "../../core/drafts.ts";
import * as orderLists from "../../core/order-lists.ts";
import type * as users from "../../core/users.ts";
import { ADMIN_TARGETS, isAdmin, limits, OPERATOR_NAMES, OPERATORS, STATUSES } from "../../shared/domain.ts";
import { OrderQuery } from "../../shared/schemas.ts";
import { AdminDesk, marksOf } from "../desk.tsx";
import { type Context, type Leave, type Page, readId, redirect, type View } from "../page.tsx";
import { CHIP_OF_STATUS, Choice, Empty, FormKey, PageLinks, pageOf, SearchField, Tabs } from "../parts.tsx";
import { DraftList } from "./bulk-drafts.tsx";
import { OrderTable } from "./order-table.tsx";
import { ReportForm } from "./support.tsx";
import { UserField, userMeant } from "./user-field.tsx";

export const orderListPages: Page[] = [{ path: "/orders", role: "user", show: showList }];

async function showList({ db, by, url }: Context): Promise<View | Leave> {
  const admin = isAdmin(by);
  const showsAll = admin && url.searchParams.get("tab") !== "mine";
  const owner = showsAll ? await userMeant(db, url.searchParams.get("user")) : null;
  // From here on, also in exports and moves, the address has the id.
  if (owner && String(owner.id) !== url.searchParams.get("user"))
    return redirect(withParam(url, "user", String(owner.id)));
  const { cursor, onlyNew, ...filter } = readFilter(url.searchParams);
  const rows = await orderLists.list(
    db,
    { ...filter, open: onlyNew, userId: showsAll ? filter.userId : by.userId! },
    { limit: limits.pageSize + 1, cursor },
  );
  const { shown, older } = pageOf(rows, limits.pageSize);
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  const kept = showsAll || isFiltered || cursor ? [] : await drafts.list(db, by);
  const here = url.pathname + url.search;
  return {
    title: showsAll ? "All Orders" : "My Orders",
    body: (
      <>
        <h1>{showsAll ? "All Orders" : "My Orders"}</h1>
        {admin && <Tabs label="Whose orders" tabs={TABS} here={showsAll ? "/orders" : "/orders?tab=mine"} />}
        <DraftList of={kept} back={here} />
        {filter.bulkOrderId && (
          <p>
            Only the orders of <a href={`/bulk/${filter.bulkOrderId}`}>bulk order #{filter.bulkOrderId}</a>
          </p>
        )}
        <FilterForm url={url} onlyNew={onlyNew} isDesk={showsAll} {...(showsAll && { owner })} />
        <Exports url={url} takesNew={showsAll} />
        {shown.length === 0 ? (
          <section className="card">
            <NoOrders isFiltered={isFiltered} />
          </section>
        ) : (
          <section className="card">
            {showsAll && <BulkMoveForm backTo={here} query={url.search} />}
            <OrderTable
              orders={shown}
              showsUser={showsAll}
              {...(showsAll && { selectForm: "bulk-move", movesBackTo: here })}
            />
          </section>
        )}
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

/** Part of a filter that cannot be read is left out; a status that was chosen counts more than "only new". */
export function readFilter(params: URLSearchParams) {
  const read = <Name extends keyof typeof OrderQuery.shape>(name: Name) => {
    const given = params.get(name) || undefined;
    return given && OrderQuery.shape[name].safeParse(given).data;
  };
  const status = read("status");
  return {
    search: params.get("search")?.trim().replaceAll("\0", "").slice(0, 100) || undefined,
    status: STATUSES.find((known) => known === status),
    operator: OPERATORS.find((known) => known === read("operator")),
    from: asDate(read("from")),
    to: asDate(read("to")),
    /** For admins; whoever else asks is given their own id by the caller. */
    userId: idAsked(params.get("user")),
    bulkOrderId: idAsked(params.get("bulk")),
    cursor: readId(params.get("cursor")) ?? undefined,
    // The box is ticked by default, so the form says "all" in a hidden field that a ticked box takes back.
    onlyNew: !status && params.getAll("all").at(-1) !== "1",
  };
}

const NOBODYS = 0;

/** What is no id finds nothing: left out, it would be everybody's orders that are exported or moved. */
function idAsked(text: string | null): number | undefined {
  return text?.trim() ? (readId(text.trim()) ?? NOBODYS) : undefined;
}

function asDate(value: unknown): Date | undefined {
  return value instanceof Date && !Number.isNaN(value.getTime()) ? value : undefined;
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

/** The whole list as a file, under the same filters. What is new is taken by an admin, and listed for an agent. */
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

function NoOrders({ isFiltered }: { isFiltered: boolean }) {
  return (
    <Empty>
      <p>{isFiltered ? "No matching orders found" : "No orders found"}</p>
      {!isFiltered && (
        <a className="button" href="/mtn-data">
          Buy Data
        </a>
      )}
    </Empty>
  );
}

type FilterProps = { url: URL; onlyNew: boolean; isDesk?: boolean; owner?: users.User | null };

/** What is chosen rarely is folded away, unless it is in force. With `owner`, even null, one can be asked for. */
export function FilterForm({ url, onlyNew, isDesk, owner }: FilterProps) {
  const value = (name: string) => url.searchParams.get(name) ?? "";
  const hasMore = ["status", "operator", "from", "to", "user"].some((name) => value(name) !== "");
  const kept = owner === undefined ? ["tab", "bulk", "user"] : ["tab", "bulk"];
  return (
    <form method="get" action={url.pathname} className="card filter">
      {kept.map((name) => value(name) && <input key={name} type="hidden" name={name} value={value(name)} />)}
      <SearchField label="Search" value={value("search")} placeholder="Number, ID, status or network" />
      <details open={hasMore}>
        <summary>Filters</summary>
        <div className="row">
          <Choice
            name="status"
            label="Status"
            value={value("status")}
            choices={STATUSES.map((it) => [it, it])}
            marks={isDesk ? marksOf(CHIP_OF_STATUS) : undefined}
          />
          <Choice
            name="operator"
            label="Network"
            value={value("operator")}
            choices={OPERATORS.map((it) => [it, OPERATOR_NAMES[it]])}
            marks={isDesk ? OPERATOR_MARKS : undefined}
          />
          {owner !== undefined && <UserField typed={value("user")} user={owner} />}
          <div>
            <label htmlFor="from">From</label>
            <input id="from" name="from" type="date" defaultValue={value("from")} />
          </div>
          <div>
            <label htmlFor="to">To</label>
            <input id="to" name="to" type="date" defaultValue={value("to")} />
          </div>
        </div>
      </details>
      <div className="actions">
        <input type="hidden" name="all" value="1" />
        <label className="check">
          <input type="checkbox" name="all" value="0" defaultChecked={onlyNew} />
          Show only new
        </label>
        {url.search && <a href={value("tab") ? "/orders?tab=mine" : url.pathname}>Clear</a>}
      </div>
    </form>
  );
}

const OPERATOR_MARKS = Object.fromEntries(OPERATORS.map((operator) => [operator, `dot ${operator}`]));

/** Moves every ticked row or everything that the filter finds, after a look at what that would do. */
function BulkMoveForm({ backTo, query }: { backTo: string; query: string }) {
  return (
    <form method="post" action="/admin/orders/move" id="bulk-move" className="actions bulk">
      <FormKey />
      <input type="hidden" name="back" value={backTo} />
      <input type="hidden" name="bulk" value="yes" />
      <input type="hidden" name="query" value={query} />
      <label className="sr" htmlFor="scope">
        Which orders
      </label>
      <select id="scope" name="scope" className="tiny">
        <option value="ticked">Selected orders</option>
        <option value="matching">All bundles that match</option>
      </select>
      {ADMIN_TARGETS.map((to) => (
        <button
          key={to}
          className={`tiny ${to === "FAILED" ? "danger" : "quiet"}`}
          name="to"
          value={to}
          type="submit"
        >
          {to}
        </button>
      ))}
    </form>
  );
}
