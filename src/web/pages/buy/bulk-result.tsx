// Page of a placed bulk order: what it cost, its delivery as it happens, its orders, and its result as a file.
import { BulkWatch } from "../../../../islands/bulk-watch.tsx";
import * as bulkResults from "../../../core/buying/bulk-results.ts";
import * as contacts from "../../../core/identity/contacts.ts";
import * as orderQueries from "../../../core/orders/queries.ts";
import { AppError } from "../../../shared/errors/app-error.ts";
import { sizeText } from "../../../shared/lists/bulk-names.ts";
import { toCsv } from "../../../shared/lists/csv.ts";
import { decimal } from "../../../shared/money.ts";
import { orderedBundle } from "../../../shared/operators.ts";
import { hasRight } from "../../../shared/rights.ts";
import { Sheet } from "../../html.tsx";
import { Island } from "../../island.tsx";
import { type Context, type Download, type Page, readId, type View } from "../../page.tsx";
import { whatsAppPath } from "../../paths.ts";
import { sheetFile, sheetNumber } from "../../sheet.ts";
import { NetworkBadge } from "../../ui/frame/icons.tsx";
import { OrderRows } from "../../ui/orders/order-rows.tsx";
import { OrderTable } from "../../ui/orders/order-table.tsx";
import { paged } from "../../ui/paged.tsx";
import { Moment, Money } from "../../ui/parts.tsx";

export const bulkResultPages: Page[] = [
  { path: "/bulk/:id", role: "user", subject: "bulkOrder", show: showResult },
  { path: "/bulk/:id/export", role: "user", subject: "bulkOrder", examples: [], show: exportResult },
  { path: "/bulk/:id/counts", role: "user", subject: "bulkOrder", examples: [], show: sendCounts },
];

function idOf({ id }: Record<string, string>): number {
  const bulkOrderId = readId(id);
  if (!bulkOrderId) throw new AppError("bulk.not_found");
  return bulkOrderId;
}

async function showResult({ db, by, params, url }: Context): Promise<View> {
  const result = await bulkResults.get(db, by, idOf(params));
  const [{ shown, links }, bundles] = await Promise.all([
    paged(url, (span) => orderQueries.list(db, { bulkOrderId: result.id, userId: result.userId }, span)),
    bulkResults.bundles(db, result.id),
  ]);
  const showsUser = result.userId !== by.userId;
  const numbers = shown.map(({ msisdn }) => msisdn);
  const names = await contacts.namesOf(db, result.userId, numbers);
  const { id: bulkOrderId, lines, counts } = result;
  return {
    title: `Bulk order #${bulkOrderId}`,
    body: (
      <>
        <Sheet name="bulk" />
        <Head result={result} showsUser={showsUser} isForAdmin={hasRight(by, "orders.see")} />
        <section className="card">
          <p>
            <strong>
              {lines.toLocaleString("en")} {lines === 1 ? "order" : "orders"} · <Money pesewas={result.amountPesewas} />
            </strong>{" "}
            <span className="soft">paid from the wallet</span>
          </p>
          <Bought bundles={bundles} />
          <Island component={BulkWatch} props={{ bulkOrderId, lines, counts }} on="idle" />
          <div className="actions after">
            {!showsUser && (
              <a className="button" href="/bulk">
                Another list
              </a>
            )}
            <a className="button quiet" href={whatsAppPath(shareText(result, bundles))} rel="noreferrer">
              Share on WhatsApp
            </a>
            <a className="button quiet" href={`/bulk/${bulkOrderId}/export`}>
              Download the result
            </a>
          </div>
        </section>
        <section className="card">
          <div className="head">
            <h2>Orders</h2>
            <a href={`/orders?bulk=${bulkOrderId}&all=1`}>Search its orders</a>
          </div>
          {showsUser ? (
            <OrderTable orders={shown} showsUser />
          ) : (
            <OrderRows orders={shown} names={names} label="Orders" />
          )}
        </section>
        {links}
      </>
    ),
  };
}

type HeadProps = { result: bulkResults.BulkResult; showsUser: boolean; isForAdmin: boolean };

function Head({ result, showsUser, isForAdmin }: HeadProps) {
  return (
    <>
      <p className="small">
        <a href="/orders">{isForAdmin ? "All Orders" : "My Orders"}</a>
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
            {result.reference !== null && (
              <>
                , reference <bdi>{result.reference}</bdi>
              </>
            )}
          </p>
        </div>
      </div>
    </>
  );
}

function Bought({ bundles }: { bundles: bulkResults.BoughtBundle[] }) {
  return (
    <ul className="bought">
      {bundles.map((bundle) => (
        <li key={`${orderedBundle(bundle)} ${bundle.volumeMb}`}>
          <NetworkBadge operator={bundle.operator} />
          <span>
            {bundle.quantity.toLocaleString("en")} × <bdi>{orderedBundle(bundle)}</bdi>
          </span>
        </li>
      ))}
    </ul>
  );
}

/** For whoever gave the list: what was sent and how far it is, without the agent's prices. */
function shareText({ lines, counts }: bulkResults.BulkResult, bundles: bulkResults.BoughtBundle[]): string {
  const volumeMb = bundles.reduce((sum, bundle) => sum + (bundle.volumeMb ?? 0) * bundle.quantity, 0);
  const isKnown = bundles.every((bundle) => bundle.volumeMb !== null);
  const { DELIVERED = 0, COMPLETED = 0, FAILED = 0 } = counts;
  const arrived = DELIVERED + COMPLETED;
  const onTheWay = lines - arrived - FAILED;
  const n = (count: number) => count.toLocaleString("en");
  const states = [
    arrived > 0 && `${n(arrived)} delivered`,
    onTheWay > 0 && `${n(onTheWay)} on the way`,
    FAILED > 0 && `${n(FAILED)} failed`,
  ].filter(Boolean);
  const numbers = `${n(lines)} ${lines === 1 ? "number" : "numbers"}`;
  return `${numbers}${isKnown ? `, ${sizeText(volumeMb)} in all` : ""}: ${states.join(", ")}.`;
}

/** The statuses of its orders, for the open page. */
async function sendCounts({ db, by, params }: Context): Promise<Download> {
  const { counts } = await bulkResults.get(db, by, idOf(params));
  return { pieces: [JSON.stringify(counts)], headers: { "content-type": "application/json" } };
}

const TITLES = ["Number", "Quantity", "Amount", "Order ID", "Status", "Reason", "Reference"];

async function exportResult({ db, by, params }: Context): Promise<Download> {
  const { id } = await bulkResults.get(db, by, idOf(params));
  async function* pieces() {
    yield toCsv([TITLES]);
    for await (const batch of bulkResults.lines(db, id)) yield toCsv(batch.map(cellsOf));
  }
  return sheetFile(`bulk-order-${id}.csv`, pieces());
}

function cellsOf({ msisdn, quantity, amountPesewas, id, status, ...more }: bulkResults.ResultLine) {
  return [sheetNumber(msisdn), quantity, decimal(amountPesewas), id, status, more.reason, more.reference];
}
