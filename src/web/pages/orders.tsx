// My Orders, and for admins everybody's; one order with its timeline; cancelling it.
import * as moves from "../../core/moves.ts";
import * as orderLists from "../../core/order-lists.ts";
import type * as orders from "../../core/orders.ts";
import { isAdmin, OPERATOR_NAMES, OPERATORS, STATUSES } from "../../shared/domain.ts";
import { AppError } from "../../shared/errors.ts";
import { show } from "../../shared/money.ts";
import { spacedMsisdn } from "../../shared/msisdn.ts";
import { OrderQuery } from "../../shared/schemas.ts";
import { type Context, type Page, type Refused, redirect, type View } from "../page.tsx";
import { Empty, FormKey, Moment, Money, OlderLink, OperatorTag, RefusalNote, StatusChip } from "../parts.tsx";
import { MoveButtons, OrderTable } from "./order-table.tsx";

const ROWS = 50;

export const orderPages: Page[] = [
  { path: "/orders", role: "user", show: showList },
  { path: "/orders/:id", role: "user", show: showOne, submit: cancel },
];

async function showList({ db, by, url }: Context): Promise<View> {
  const admin = isAdmin(by);
  const showsAll = admin && url.searchParams.get("tab") !== "mine";
  const filter = readFilter(url);
  const open = url.searchParams.get("all") !== "1" && !filter.status;
  const query = { ...filter, open, userId: showsAll ? undefined : by.userId! };
  const { cursor, ...rest } = query;
  const rows = await orderLists.list(db, rest, { limit: ROWS, cursor });
  const isFiltered = Boolean(filter.search || filter.status || filter.operator || filter.from || filter.to);
  const here = url.pathname + url.search;
  return {
    title: showsAll ? "All Orders" : "My Orders",
    body: (
      <>
        <h1>{showsAll ? "All Orders" : "My Orders"}</h1>
        {admin && (
          <nav className="tabs" aria-label="Whose orders">
            <a href="/orders" aria-current={showsAll ? "page" : undefined}>
              All Orders
            </a>
            <a href="/orders?tab=mine" aria-current={showsAll ? undefined : "page"}>
              My Orders
            </a>
          </nav>
        )}
        <FilterForm url={url} open={open} />
        {rows.length === 0 ? (
          <div className="card">
            <Empty>
              <p>{isFiltered ? "No matching orders found" : "No orders found"}</p>
              {open && (
                <p className="small">
                  Finished orders are hidden. <a href={withParam(url, "all", "1")}>Show all orders</a>
                </p>
              )}
            </Empty>
          </div>
        ) : (
          <section className="card">
            {showsAll && <BulkMoveForm backTo={here} />}
            <OrderTable
              orders={rows}
              showsUser={showsAll}
              {...(showsAll && { selectForm: "bulk-move", movesBackTo: here })}
            />
          </section>
        )}
        <OlderLink url={url} rows={rows} limit={ROWS} />
      </>
    ),
  };
}

/** A filter that does not parse is no filter; the address is the only state. */
function readFilter(url: URL) {
  const given = Object.fromEntries([...url.searchParams].filter(([, value]) => value !== ""));
  const parsed = OrderQuery.omit({ limit: true, open: true }).safeParse(given);
  return parsed.success ? parsed.data : {};
}

function withParam(url: URL, name: string, value: string): string {
  const changed = new URLSearchParams(url.search);
  changed.set(name, value);
  return `${url.pathname}?${changed}`;
}

function FilterForm({ url, open }: { url: URL; open: boolean }) {
  const value = (name: string) => url.searchParams.get(name) ?? "";
  return (
    <form method="get" action="/orders" className="card fields">
      {value("tab") && <input type="hidden" name="tab" value={value("tab")} />}
      <div className="row">
        <div>
          <label htmlFor="search">Search</label>
          <input
            id="search"
            name="search"
            type="search"
            defaultValue={value("search")}
            placeholder="Number, ID, status"
          />
        </div>
        <div>
          <label htmlFor="status">Status</label>
          <select id="status" name="status" defaultValue={value("status")}>
            <option value="">Any</option>
            {STATUSES.map((status) => (
              <option key={status}>{status}</option>
            ))}
          </select>
        </div>
        <div>
          <label htmlFor="operator">Network</label>
          <select id="operator" name="operator" defaultValue={value("operator")}>
            <option value="">Any</option>
            {OPERATORS.map((operator) => (
              <option key={operator} value={operator}>
                {OPERATOR_NAMES[operator]}
              </option>
            ))}
          </select>
        </div>
        <div>
          <label htmlFor="from">From</label>
          <input id="from" name="from" type="date" defaultValue={value("from")} />
        </div>
        <div>
          <label htmlFor="to">To</label>
          <input id="to" name="to" type="date" defaultValue={value("to")} />
        </div>
      </div>
      <div className="actions">
        <label className="check">
          <input type="checkbox" name="all" value="1" defaultChecked={!open} />
          Show finished orders too
        </label>
        <button className="quiet" type="submit">
          Search
        </button>
        {url.search && (
          <a href={value("tab") ? "/orders?tab=mine" : "/orders"} className="small">
            Clear
          </a>
        )}
      </div>
    </form>
  );
}

function BulkMoveForm({ backTo }: { backTo: string }) {
  return (
    <form method="post" action="/admin/orders/move" id="bulk-move" className="actions">
      <FormKey />
      <input type="hidden" name="back" value={backTo} />
      <span className="soft small">Selected orders:</span>
      {(["PROCESSING", "DELIVERED", "COMPLETED", "FAILED"] as const).map((to) => (
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

async function showOne({ db, by, params, url }: Context, refused?: Refused): Promise<View> {
  const id = Number(params.id);
  if (!Number.isSafeInteger(id) || id < 1) throw new AppError("order.not_found");
  const order = await orderLists.get(db, by, id);
  const timeline = await orderLists.events(db, id);
  const canCancel = order.userId === by.userId && (order.status === "PENDING" || order.status === "PAID");
  return {
    title: `Order #${id}`,
    body: (
      <>
        <div className="head">
          <div>
            <h1>Order #{id}</h1>
            <StatusChip status={order.status} isPaid={order.paidAt !== null} />
          </div>
          {isAdmin(by) && <MoveButtons order={order} backTo={url.pathname} />}
        </div>
        <RefusalNote refused={refused} />
        <div className="two">
          <section className="card">
            <h2>What happened</h2>
            <Timeline order={order} events={timeline} />
          </section>
          <section className={`card stripe ${order.operator}`}>
            <h2>Receipt</h2>
            <Facts order={order} showsUser={isAdmin(by)} />
            {canCancel && (
              <form method="post" action={`/orders/${id}`}>
                <FormKey />
                <p className="hint">Nobody has been handed this order yet.</p>
                <button className="danger wide" type="submit">
                  {order.paidAt ? "Cancel and get the money back" : "Cancel order"}
                </button>
              </form>
            )}
          </section>
        </div>
        <p>
          <a href="/orders">All orders</a>
        </p>
      </>
    ),
  };
}

async function cancel({ db, by, key, params }: Context): Promise<Response> {
  const id = Number(params.id);
  const { answer } = await moves.cancel(db, { by, key, orderId: id });
  const back = answer.order.refundedAt ? ` ${show(answer.order.amountPesewas)} is back in your wallet.` : "";
  return redirect(`/orders/${id}`, `Order #${id} is cancelled.${back}`);
}

function Facts({ order, showsUser }: { order: orderLists.OrderRow; showsUser: boolean }) {
  const METHODS = { wallet: "Wallet", paystack: "Paystack", cash: "Cash" } as const;
  return (
    <dl className="facts">
      {showsUser && (
        <>
          <dt>User</dt>
          <dd>
            <bdi>{order.username}</bdi> (#{order.userId})
          </dd>
        </>
      )}
      <dt>Number</dt>
      <dd className="money">{spacedMsisdn(order.msisdn)}</dd>
      <dt>Bundle</dt>
      <dd>
        <OperatorTag operator={order.operator} /> {order.productName} {order.productSize}
      </dd>
      <dt>Price</dt>
      <dd>
        <Money pesewas={order.unitPricePesewas} /> × {order.quantity}
      </dd>
      <dt>Amount</dt>
      <dd>
        <strong>
          <Money pesewas={order.amountPesewas} />
        </strong>
      </dd>
      <dt>Paid</dt>
      <dd>{order.paymentMethod ? METHODS[order.paymentMethod] : "Not yet"}</dd>
      <dt>Ordered</dt>
      <dd>
        <Moment at={order.createdAt} />
      </dd>
    </dl>
  );
}

function Timeline({ order, events }: { order: orders.Order; events: orders.OrderEvent[] }) {
  return (
    <ol className="steps">
      <Step at={order.createdAt}>Ordered</Step>
      {order.paidAt && <Step at={order.paidAt}>Paid {show(order.amountPesewas)}</Step>}
      {events.map((event) => (
        <Step key={event.id} at={event.createdAt} note={event.toStatus ? event.note : null}>
          {event.toStatus ?? event.note}
        </Step>
      ))}
      {order.refundedAt && <Step at={order.refundedAt}>{show(order.amountPesewas)} back in the wallet</Step>}
    </ol>
  );
}

function Step({ at, note, children }: { at: Date; note?: string | null; children: React.ReactNode }) {
  return (
    <li>
      <strong>{children}</strong>
      {note && <div>{note}</div>}
      <div className="small soft">
        <Moment at={at} />
      </div>
    </li>
  );
}
