// Today's prices for visitors: a board with the usual sizes of all networks side by side, and every price below a fold.
import type { ProductOnSale } from "../../../core/catalog/products.ts";
import { type DeliveryTime, durationText, HOURS } from "../../../core/fulfilment/delivery-times.ts";
import { accraDay } from "../../../shared/accra.ts";
import type { Operator } from "../../../shared/domain.ts";
import { decimal } from "../../../shared/money.ts";
import { familyName, familyOf, operatorCodes, operatorName } from "../../../shared/operators.ts";
import { pausedText } from "../../../shared/pause.ts";
import { NetworkBadge } from "../../ui/frame/icons.tsx";
import { Money } from "../../ui/parts.tsx";
import { priceRows } from "./price-rows.ts";

/** More prices of a network than this are for those who are logged in. */
const PRICES_MAX = 40;

type BoardProps = { bundles: ProductOnSale[]; times: DeliveryTime[] };

/** The usual sizes with their prices, and how soon each network's bundles arrive at the moment. */
export function PriceBoard({ bundles, times }: BoardProps) {
  const rows = priceRows(bundles);
  if (rows.length === 0) return null;
  // Says nothing while no network has enough deliveries to measure.
  const isMeasured = times.some(({ medianSeconds }) => medianSeconds !== null);
  return (
    <section className="board" aria-labelledby="prices">
      <h2 id="prices">
        Today's prices <span className="small">in GH₵, {accraDay(new Date())}</span>
      </h2>
      <table>
        <thead>
          <tr>
            <th scope="col">
              <span className="sr">Size</span>
            </th>
            {operatorCodes().map((operator) => (
              <th key={operator} scope="col" className={operator}>
                <NetworkBadge operator={operator} />
                {operatorName(operator)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ volumeMb, size, bundles }) => (
            <tr key={volumeMb}>
              <th scope="row">{size}</th>
              {operatorCodes().map((operator) => (
                <td key={operator} className={operator}>
                  <Price bundle={bundles[operator]} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
        {isMeasured && <Arrival times={times} />}
      </table>
      {isMeasured && (
        <p className="small">
          The usual time from payment to arrival, measured over the last {HOURS} hours.{" "}
          <a href="/status">Deliveries right now</a>
        </p>
      )}
    </section>
  );
}

function Price({ bundle }: { bundle: ProductOnSale | undefined }) {
  if (!bundle) return <span className="soft">–</span>;
  if (bundle.paused) return <span className="small soft">{pausedText(bundle.paused)}</span>;
  return <span className="money">{decimal(bundle.pricePesewas)}</span>;
}

function Arrival({ times }: { times: DeliveryTime[] }) {
  const timeOf = (operator: Operator) => times.find((time) => time.operator === operator)?.medianSeconds;
  return (
    <tfoot>
      <tr>
        <th scope="row">Takes</th>
        {operatorCodes().map((operator) => {
          const seconds = timeOf(operator);
          return (
            <td key={operator} className={operator}>
              {seconds == null ? <span className="soft">–</span> : durationText(seconds)}
            </td>
          );
        })}
      </tr>
    </tfoot>
  );
}

/** Every price, by network and family. */
export function AllPrices({ bundles }: { bundles: ProductOnSale[] }) {
  if (bundles.length === 0) return null;
  return (
    <details className="card all-prices">
      <summary>{bundles.length === 1 ? "Today's price" : `All ${bundles.length} prices of today`}</summary>
      <div className="networks">
        {operatorCodes().map((operator) => (
          <NetworkPrices
            key={operator}
            operator={operator}
            bundles={bundles.filter((bundle) => bundle.operator === operator)}
          />
        ))}
      </div>
    </details>
  );
}

function NetworkPrices({ operator, bundles }: { operator: Operator; bundles: ProductOnSale[] }) {
  if (bundles.length === 0) return null;
  const families = [...Map.groupBy(bundles.slice(0, PRICES_MAX), familyOf)];
  return (
    <section>
      <h3>
        <NetworkBadge operator={operator} /> {operatorName(operator)}
      </h3>
      {families.map(([family, some]) => (
        <div key={family}>
          {families.length > 1 && <h4>{familyName(family)}</h4>}
          <ul>
            {some.map(({ id, size, pricePesewas, paused }) => (
              <li key={id}>
                {size} {paused ? <span className="soft">{pausedText(paused)}</span> : <Money pesewas={pricePesewas} />}
              </li>
            ))}
          </ul>
        </div>
      ))}
      {bundles.length > PRICES_MAX && <p className="soft">The others after you log in.</p>}
    </section>
  );
}
