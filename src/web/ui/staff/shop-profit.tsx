// The shop's profit as a figure beside others, and what is to be known about it: what it leaves out, and what still
// waits to be counted.
import type { Profit } from "../../../core/reports/profit-figures.ts";
import type { SpanProfit } from "../../../core/reports/shop-profit.ts";
import { compared } from "../../../shared/lists/measures.ts";
import { show } from "../../../shared/money.ts";
import { type ChosenSpan, daysText } from "../day-span.tsx";
import { PageLink } from "../frame/permitted.tsx";
import { Figure, Money } from "../parts.tsx";

type ShopProfitProps = { earned: SpanProfit; span: ChosenSpan; url: URL; isCompared: boolean };

/** The profit of a span, compared with the span before, with a link to the page that has all of it. */
export function ShopProfit({ earned, span, url, isCompared }: ShopProfitProps) {
  const { total, totalBefore } = earned;
  const path = profitPath(url);
  return (
    <Figure
      name={total.feesPesewas === null ? "Profit before fees and losses" : "Profit"}
      note={
        <span className="soft small">
          {isCompared && (
            <>
              {compared("amount", total.profitPesewas, totalBefore.profitPesewas)} in the {daysText(span.length)}{" "}
              before.{" "}
            </>
          )}
          {total.uncostedPesewas > 0 && `${show(total.uncostedPesewas)} of sales has no known cost. `}
          <a href={path}>See profit</a>
        </span>
      }
    >
      {show(total.profitPesewas)}
    </Figure>
  );
}

/** The page of the shop's profit, with the days and the network of this address. */
function profitPath({ searchParams }: URL): string {
  const query = new URLSearchParams();
  for (const name of ["range", "from", "to", "operator"]) {
    const value = searchParams.get(name);
    if (value) query.set(name, value);
  }
  return query.size === 0 ? "/admin/profit" : `/admin/profit?${query}`;
}

/** What is not in the figures: sales and losses without a known cost, and days that are still to be counted. */
export function ProfitNotes({ total, waitingDays }: SpanProfit) {
  return (
    <>
      {total.uncostedPesewas > 0 && <UncostedSales {...total} />}
      {total.uncostedLosses > 0 && (
        <p className="note warn">
          Of {total.uncostedLosses === 1 ? "1 loss" : `${total.uncostedLosses.toLocaleString("en")} losses`} the cost is
          not known, so profit leaves it out. <PageLink href="/admin/losses">Delivered after refund</PageLink>
        </p>
      )}
      {waitingDays > 0 && (
        <p className="note info" role="status">
          {waitingDays === 1 ? "1 of these days is" : `${waitingDays.toLocaleString("en")} of these days are`} still to
          be counted, because something on {waitingDays === 1 ? "it" : "them"} is new or has changed. Refresh in a
          minute.
        </p>
      )}
    </>
  );
}

function UncostedSales({ uncostedPesewas, uncostedOrders }: Profit) {
  const orders = uncostedOrders === 1 ? "1 order" : `${uncostedOrders.toLocaleString("en")} orders`;
  return (
    <p className="note warn">
      <Money pesewas={uncostedPesewas} /> of sales ({orders}) has no known cost, so profit leaves it out.{" "}
      <PageLink href="/admin/prices">See the costs</PageLink>
    </p>
  );
}
