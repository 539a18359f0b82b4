// An agent's list of orders: one search, chips for the state, rows by days, and a script that keeps it up to date.
import { OrdersWatch } from "../../../../islands/orders-watch.tsx";
import * as drafts from "../../../core/buying/bulk-drafts.ts";
import * as ownList from "../../../core/orders/own-list.ts";
import * as orderQueries from "../../../core/orders/queries.ts";
import { searchHint } from "../../../core/orders/search.ts";
import { limits } from "../../../shared/domain.ts";
import { isFinal, stateOf } from "../../../shared/orders/order-states.ts";
import { hasRight } from "../../../shared/rights.ts";
import { Sheet } from "../../html.tsx";
import { Island } from "../../island.tsx";
import { type Context, type Download, readId, type View } from "../../page.tsx";
import { buyPath } from "../../paths.ts";
import { DraftList } from "../../ui/orders/draft-list.tsx";
import { clearedPath, readFilter } from "../../ui/orders/order-filter.tsx";
import { MoreTools, OrderFinder, pathWith } from "../../ui/orders/order-finder.tsx";
import { OrderRows, OrdersByDay } from "../../ui/orders/order-rows.tsx";
import { PageLinks, pageOf } from "../../ui/paged.tsx";
import { Empty } from "../../ui/parts.tsx";

/** The own orders of staff, for whom `/orders` has everybody's. */
export const OWN_PATH = "/orders?tab=mine";

/** The finished orders below the unfinished ones, so that the list is never almost empty. */
const FILLED_TO = 10;

export async function showOwn(context: Context): Promise<View> {
  const { by, url } = context;
  const list = await readList(context);
  const { filter, onlyNew, isCut, shown, older, savedDrafts } = list;
  const currentPath = url.pathname + url.search;
  return {
    title: "My Orders",
    isAlone: true,
    body: (
      <>
        <Sheet name="orders" />
        <div className="list-head">
          <h1>My Orders</h1>
          <MoreTools url={url} userId={by.userId} exportPath={(kind) => exportPath(url, kind)} />
        </div>
        {hasRight(by, "orders.see") && (
          <p>
            <a href="/orders">All Orders</a>
          </p>
        )}
        <OrderFinder url={url} onlyNew={onlyNew} counts={list.counts} />
        <DraftList drafts={savedDrafts} back={currentPath} />
        {filter.bulkOrderId && (
          <p>
            Only the orders of <a href={`/bulk/${filter.bulkOrderId}`}>bulk order #{filter.bulkOrderId}</a>
          </p>
        )}
        <SearchNote search={filter.search} isCut={isCut} />
        <div className="own-orders">
          <Watch list={list} path={currentPath} />
          {shown.length > 0 ? <OrdersByDay orders={shown} names={list.names} /> : <NoOrders list={list} url={url} />}
          <PageLinks url={url} older={older} />
          {onlyNew && <Finished list={list} url={url} />}
        </div>
      </>
    ),
  };
}

type List = Awaited<ReturnType<typeof readList>>;

async function readList({ db, by, url }: Context) {
  const { cursor, onlyNew, ...filter } = readFilter(url.searchParams);
  const selection = { ...filter, open: onlyNew, userId: by.userId, isAdmins: false };
  const { status, unpaid, ...narrowing } = filter;
  const isNarrowed = Object.values(narrowing).some((value) => value !== undefined);
  const isFiltered = isNarrowed || status !== undefined || unpaid !== undefined;
  const isArrival = onlyNew && !isFiltered && !cursor;
  const [{ rows, isCut }, counts, newest, savedDrafts] = await Promise.all([
    orderQueries.searchOwn(db, selection, { limit: limits.pageSize + 1, cursor }),
    isNarrowed ? null : ownList.unfinished(db, by.userId),
    isArrival ? orderQueries.searchOwn(db, { userId: by.userId }, { limit: 2 * FILLED_TO }) : null,
    isFiltered || cursor ? [] : drafts.list(db, by),
  ]);
  const { shown, older } = pageOf(rows, limits.pageSize);
  const finished = (newest?.rows ?? [])
    .filter(({ id }) => !shown.some((order) => order.id === id))
    .slice(0, Math.max(0, FILLED_TO - shown.length));
  const isWhole = !isFiltered && !cursor;
  const names = new Map(
    [...shown, ...finished].flatMap(({ msisdn, customerName: name }) => (name ? [[msisdn, name]] : [])),
  );
  const state = { onlyNew, isFiltered, isWhole, isCut };
  return { ...state, filter, shown, finished, names, older, counts, savedDrafts };
}

/** The path of the list as a file, with the same filters. */
export function exportPath(url: URL, kind: "all" | "new"): string {
  const query = new URLSearchParams(url.search);
  for (const name of ["cursor", "all", "open"]) query.delete(name);
  query.set("kind", kind);
  return `/orders/export?${query}`;
}

function SearchNote({ search, isCut }: { search: string | undefined; isCut: boolean }) {
  if (isCut) return <CutNote />;
  const hint = search && searchHint(search);
  return hint ? (
    <p className="note info" role="status">
      {hint}
    </p>
  ) : null;
}

export function CutNote() {
  return (
    <p className="note warn" role="status">
      This search took too long, so only the newest orders were searched. Type more digits, or choose dates.
    </p>
  );
}

/** Keeps the states up to date and offers new orders. New ones belong to the beginning of a list without filters. */
function Watch({ list, path }: { list: List; path: string }) {
  const { shown, finished, isWhole, onlyNew } = list;
  const all = [...shown, ...finished];
  const states = Object.fromEntries(
    all
      .map((order) => [order.id, stateOf(order)] as const)
      .filter(([, state]) => !isFinal(state))
      .slice(0, limits.pageSize),
  );
  const newestId = isWhole ? Math.max(0, ...all.map(({ id }) => id)) : null;
  if (newestId === null && Object.keys(states).length === 0) return null;
  return <Island component={OrdersWatch} props={{ states, newestId, isOpenOnly: onlyNew, path }} on="idle" />;
}

/** For the list's script: the present states of its orders, and the number of new ones. */
export async function showChanges({ db, by, url }: Context): Promise<Download> {
  const { searchParams } = url;
  const after = searchParams.get("after");
  const ids = (searchParams.get("ids") ?? "").slice(0, 1_000).split(",").map(readId);
  const changes = await ownList.changes(db, by.userId, {
    newestId: after === "0" ? 0 : readId(after),
    isOpenOnly: searchParams.get("open") === "1",
    ids: ids.filter((id) => id !== null),
  });
  return { pieces: [JSON.stringify(changes)], headers: { "content-type": "application/json" } };
}

/** What "show only new" hides, and how to see it; nothing before the first order. */
function Finished({ list, url }: { list: List; url: URL }) {
  const { filter, isWhole, shown, finished, names } = list;
  if (isWhole && shown.length + finished.length === 0) return null;
  return (
    <section className="finished">
      {finished.length > 0 && (
        <>
          <h2 className="row-day">Latest</h2>
          <OrderRows orders={finished} names={names} label="Latest" />
        </>
      )}
      <p className="soft">
        {finished.length > 0 ? "Latest only." : "Finished orders are hidden."}{" "}
        <a href={pathWith(url, filter.search ? "" : "all=1")}>Show all orders</a>
      </p>
    </section>
  );
}

function NoOrders({ list, url }: { list: List; url: URL }) {
  const { filter, onlyNew, isFiltered, finished } = list;
  if (filter.unpaid && !filter.search) return <Nothing text="Nothing waits to be paid." />;
  if (isFiltered)
    return (
      <Empty>
        <p>No matching orders found</p>
        {filter.search && !onlyNew && <p>We searched all orders, including finished ones.</p>}
        <a className="button quiet" href={clearedPath(url)}>
          Clear
        </a>
      </Empty>
    );
  if (onlyNew && finished.length > 0) return <Nothing text="Nothing is open: all orders are finished." />;
  return (
    <Empty>
      <p>No orders found</p>
      <p>Your sales appear here.</p>
      <a className="button" href={buyPath()}>
        Buy Data
      </a>
    </Empty>
  );
}

function Nothing({ text }: { text: string }) {
  return (
    <Empty>
      <p>{text}</p>
      <a className="button" href={buyPath()}>
        Buy Data
      </a>
    </Empty>
  );
}
