// Margins above the price table: bundles with a price that is too low, and suppliers that raised their prices.
import * as margins from "../../../../core/catalog/margins.ts";
import type { BundleVendor } from "../../../../core/fulfilment/vendor.ts";
import { decimal, percentText, show } from "../../../../shared/money.ts";
import { bundleName } from "../../../../shared/operators.ts";
import type { Context } from "../../../page.tsx";
import { nameOf } from "../../../ui/orders/holder.tsx";
import { RAISE } from "./price-raise.tsx";

/** Nothing while no price is too low and no supplier has raised its own. */
export async function marginsCard({ db, vendors }: Context) {
  const [thinPrices, costRises] = await Promise.all([margins.thinPrices(db), margins.vendorRises(db)]);
  const count = thinPrices.length + costRises.length;
  if (count === 0) return null;
  return (
    <section className="card" id="margins">
      <h2>Margins ({count})</h2>
      {costRises.length > 0 && (
        <ul className="rows" data-rows="" id="cost_rises">
          {costRises.map((rise) => (
            <CostRise key={rise.vendor} rise={rise} name={nameOf(rise.vendor, vendors)} />
          ))}
        </ul>
      )}
      {thinPrices.length > 0 && (
        <>
          <p className="small soft">Nothing is sold below its cost unless you allow it by name.</p>
          <ul className="rows" data-rows="" id="thin_prices">
            {thinPrices.map((thin) => (
              <ThinPrice key={thin.productId} thin={thin} vendors={vendors} />
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

function CostRise({ rise, name }: { rise: margins.VendorRise; name: string }) {
  const { vendor, rises } = rise;
  const [one] = rises;
  return (
    <li>
      <span>
        <strong>{name}</strong>: {rises.length === 1 ? `${bundleName(one!)} costs` : `${rises.length} bundles cost`}{" "}
        {percentsOf(rise)} since the price was set.{" "}
        <span className="small soft">
          {rises.slice(0, 3).map(riseText).join(", ")}
          {rises.length > 3 && " …"}
        </span>
      </span>
      <a href={`${RAISE}?vendor=${vendor}`}>{rises.length === 1 ? "Raise its prices" : "Raise all by the rise"}</a>
    </li>
  );
}

/** "4.2% to 6.0% more" */
function percentsOf({ leastPercent, mostPercent }: margins.VendorRise): string {
  if (leastPercent === null || mostPercent === null) return "more";
  const [least, most] = [leastPercent, mostPercent].map(percentText);
  return least === most ? `${most} more` : `${least} to ${most} more`;
}

function riseText({ beforePesewas, costPesewas, ...bundle }: margins.Rise): string {
  return `${bundleName(bundle)} ${decimal(beforePesewas)} → ${decimal(costPesewas)}`;
}

function ThinPrice({ thin, vendors }: { thin: margins.ThinPrice; vendors: readonly BundleVendor[] }) {
  const { productId, operator, pricePesewas, costPesewas, neededPesewas, isPaused } = thin;
  const takers = thin.vendors.map((code) => nameOf(code, vendors)).join(", ");
  return (
    <li>
      <span>
        <span className={`dot ${operator}`} aria-hidden="true" /> <strong>{bundleName(thin)}</strong> sells at{" "}
        {decimal(pricePesewas)} (<bdi>{whose(thin)}</bdi>) and costs {decimal(costPesewas)}
        {takers && ` at ${takers}`}.{" "}
        <span className={`chip ${isPaused ? "bad" : "warn"}`}>{isPaused ? "Not sold" : "Small margin"}</span>
      </span>
      <span>
        {thin.tiers.length > 0 && (
          <>
            <a href={`${RAISE}?product=${productId}`}>{`Raise to ${show(neededPesewas)}`}</a>
            {" · "}
          </>
        )}
        <a href={`/admin/products/${productId}`}>Open</a>
        {" · "}
        <a href={`/admin/products/${productId}#below-cost`}>Allow it</a>
      </span>
    </li>
  );
}

/** "Standard, Gold, 2 accounts" */
function whose({ tiers, accounts }: margins.ThinPrice): string {
  const own = accounts === 0 ? [] : [accounts === 1 ? "1 account" : `${accounts} accounts`];
  return [...tiers, ...own].join(", ");
}
