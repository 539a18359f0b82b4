// Page of a placed bulk order: the progress of its delivery, its orders, and its result as a file.
import * as bulkResults from "../../../core/orders/bulk-results.ts";
import * as orderQueries from "../../../core/orders/queries.ts";
import { toCsv } from "../../../shared/csv.ts";
import { isAdmin, limits, type OrderStatus, STATUSES } from "../../../shared/domain.ts";
import { AppError } from "../../../shared/errors/app-error.ts";
import { decimal } from "../../../shared/money.ts";
import { type Context, type Download, type Page, readId, type View } from "../../page.tsx";
import { sheetFile, sheetNumber } from "../../sheet.ts";
import { OrderTable } from "../../ui/order-table.tsx";
import { Figure, Moment, Money, PageLinks, pageOf, StatusChip } from "../../ui/parts.tsx";

export const bulkResultPages: Page[] = [
  { path: "/bulk/:id", role: "user", subject: "bulkOrder", show: showResult },
  { path: "/bulk/:id/export", role: "user", subject: "bulkOrder", examples: [], show: exportResult },
];

function idOf({ id }: Record<string, string>): number {
  const bulkOrderId = readId(id);
  if (!bulkOrderId) throw new AppError("bulk.not_found");
  return bulkOrderId;
}

async function showResult({ db, by, params, url }: Context): Promise<View> {
  const result = await bulkResults.get(db, by, idOf(params));
  const cursor = readId(url.searchParams.get("cursor")) ?? undefined;
  const rows = await orderQueries.list(
    db,
    { bulkOrderId: result.id, userId: result.userId },
    { limit: limits.pageSize + 1, cursor },
  );
  const { shown, older } = pageOf(rows, limits.pageSize);
  const showsUser = result.userId !== by.userId;
  return {
    title: `Bulk order #${result.id}`,
    body: (
      <>
        <p className="small">
          <a href="/orders">{isAdmin(by) ? "All Orders" : "My Orders"}</a>
        </p>
        <div className="head">
          <div>
            <h1>Bulk order #{result.id}</h1>
            <p className="soft">
              <Moment at={result.createdAt} />
              {showsUser && (
                <>
                  , by <bdi>{result.username}</bdi>
                </>
              )}
            </p>
          </div>
          <div className="actions">
            <a className="button quiet" href={`/bulk/${result.id}/export`}>
              Download the result
            </a>
            <a className="button quiet" href={`/orders?bulk=${result.id}&all=1`}>
              Search its orders
            </a>
          </div>
        </div>
        <Delivery result={result} />
        <section className="card">
          <h2>Orders</h2>
          <OrderTable orders={shown} showsUser={showsUser} />
        </section>
        <PageLinks url={url} older={older} />
      </>
    ),
  };
}

function Delivery({ result }: { result: bulkResults.BulkResult }) {
  const { counts, lines } = result;
  const countOf = (...statuses: OrderStatus[]) =>
    statuses.reduce((sum, status) => sum + (counts[status] ?? 0), 0);
  const [delivered, failed] = [countOf("DELIVERED", "COMPLETED"), countOf("FAILED")];
  const n = (count: number) => count.toLocaleString("en");
  return (
    <>
      <div className="grid">
        <Figure name="Orders">{n(lines)}</Figure>
        <Figure name="Paid from the wallet">
          <Money pesewas={result.amountPesewas} />
        </Figure>
        <Figure name="Delivered">{n(delivered)}</Figure>
        <Figure
          name="Failed"
          note={failed > 0 && <p className="small soft">The money is back in the wallet.</p>}
        >
          {n(failed)}
        </Figure>
      </div>
      <section className="card">
        <div className="head">
          <label htmlFor="delivery">
            {n(delivered)} of {n(lines)} delivered
          </label>
          <a className="button quiet tiny" href={`/bulk/${result.id}`}>
            Refresh
          </a>
        </div>
        <progress id="delivery" max={lines} value={delivered} />
        <p className="counts">
          {STATUSES.filter((status) => counts[status]).map((status) => (
            <span key={status}>
              <StatusChip status={status} isPaid /> {n(counts[status]!)}
            </span>
          ))}
        </p>
      </section>
    </>
  );
}

const TITLES = ["Number", "Quantity", "Amount", "Order ID", "Status", "Reason"];

async function exportResult({ db, by, params }: Context): Promise<Download> {
  const { id } = await bulkResults.get(db, by, idOf(params));
  async function* pieces() {
    yield toCsv([TITLES]);
    for await (const batch of bulkResults.lines(db, id)) yield toCsv(batch.map(cellsOf));
  }
  return sheetFile(`bulk-order-${id}.csv`, pieces());
}

function cellsOf({ msisdn, quantity, amountPesewas, id, status, reason }: bulkResults.ResultLine) {
  return [sheetNumber(msisdn), quantity, decimal(amountPesewas), id, status, reason];
}
