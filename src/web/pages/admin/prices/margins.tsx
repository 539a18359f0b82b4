// Margins above the price table: bundles with a price that is too low, and suppliers that raised their prices.
import * as margins from "../../../../core/catalog/margins.ts";
import type { BundleVendor } from "../../../../core/fulfilment/vendor.ts";
import { decimal, percentText, show } from "../../../../shared/money.ts";
import { bundleName } from "../../../../shared/operators.ts";
import type { Context } from "../../../page.tsx";
import { nameOf } from "../../../ui/orders/holder.tsx";
import { RAISE } from "./price-raise.tsx";

/** Nothing while no price is too low and no supplier has raised its own. */
export async function marginsNote({ db, vendors }: Context) {
  const [thinPrices, costRises] = await Promise.all([margins.thinPrices(db), margins.vendorRises(db)]);
  if (thinPrices.length + costRises.length === 0) return null;
  return (
    <section className="note warn margins" id="margins" aria-label="Margins">
      {costRises.length > 0 && (
        <ul className="plain" data-rows="" id="cost_rises">
          {costRises.map((rise) => (
            <CostRise key={rise.vendor} rise={rise} name={nameOf(rise.vendor, vendors)} />
          ))}
        </ul>
      )}
      {thinPrices.length > 0 && (
        <details open={thinPrices.length <= THIN_SHOWN}>
          <summary>
            {thinPrices.length === 1 ? "1 price is too low." : `${thinPrices.length} prices are too low.`}{" "}
            <span className="small">Nothing is sold below its cost unless you allow it by name.</span>
          </summary>
          <ul className="plain" data-rows="" id="thin_prices">
            {thinPrices.map((thin) => (
              <ThinPrice key={thin.productId} thin={thin} vendors={vendors} />
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}

/** More would leave no room for the prices below them. */
const THIN_SHOWN = 3;

function CostRise({ rise, name }: { rise: margins.VendorRise; name: string }) {
  const { vendor, rises } = rise;
  const [one] = rises;
  const raised = (what: string) => (
    <>
      <strong>{name}</strong> raised {what}
      {percentsOf(rise)}
    </>
  );
  return (
    <li>
      {rises.length === 1 ? (
        <span>
          {raised(bundleName(one!))}, {pricesText(one!)}.
        </span>
      ) : (
        <details>
          <summary>{raised(`${rises.length} bundles`)}.</summary>
          <p className="small">
            Since their prices were set: {rises.map((rise) => `${bundleName(rise)} ${pricesText(rise)}`).join(", ")}.
          </p>
        </details>
      )}
      <a className="button quiet tiny" href={`${RAISE}?vendor=${vendor}`}>
        {rises.length === 1 ? "Raise this price …" : "Raise these prices …"}
      </a>
    </li>
  );
}

/** " by 4.2% to 6.0%" */
function percentsOf({ leastPercent, mostPercent }: margins.VendorRise): string {
  if (leastPercent === null || mostPercent === null) return "";
  const [least, most] = [leastPercent, mostPercent].map(percentText);
  return least === most ? ` by ${most}` : ` by ${least} to ${most}`;
}

function pricesText({ beforePesewas, costPesewas }: margins.Rise): string {
  return `${decimal(beforePesewas)} → ${decimal(costPesewas)}`;
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
