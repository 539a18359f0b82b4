// Bundle pages: one operator's bundles, bought one by one from the wallet.
import { z } from "zod";
import * as products from "../../../core/catalog/products.ts";
import { deliveryTimes } from "../../../core/fulfilment/delivery-times.ts";
import * as wallet from "../../../core/ledger/wallet.ts";
import * as orders from "../../../core/orders/buy.ts";
import * as unpaidOrders from "../../../core/orders/unpaid-orders.ts";
import * as settings from "../../../core/platform/settings.ts";
import { OPERATOR_NAMES, type Operator, orderedBundle } from "../../../shared/domain.ts";
import { AppError } from "../../../shared/errors/app-error.ts";
import { decimal } from "../../../shared/money.ts";
import { guessOperator, parseMsisdn, spacedMsisdn } from "../../../shared/msisdn.ts";
import { endText, pausedText } from "../../../shared/pause.ts";
import {
  type Context,
  type Leave,
  type Page,
  type Refused,
  readFields,
  redirect,
  type View,
} from "../../page.tsx";
import { DeliveryLine } from "../../ui/delivery-line.tsx";
import { HeldAndOwed } from "../../ui/funds.tsx";
import { Money } from "../../ui/parts.tsx";
import { PATHS, readPackage } from "./packages.tsx";
import { PurchaseForm } from "./purchase-form.tsx";

const missing = "Select package and enter number";
const Purchase = z.object({
  productId: readPackage(missing),
  msisdn: z.string(missing).trim().min(1, missing).max(40, "msisdn.invalid"),
  quantity: z
    .string()
    .trim()
    .regex(/^\d{1,6}$/, "order.quantity_invalid")
    .transform(Number)
    .default(1),
  allowNetwork: z.literal("yes").optional(),
  allowDuplicate: z.literal("yes").optional(),
});

export const bundlePages: Page[] = (Object.keys(PATHS) as Operator[]).map((operator) => ({
  path: PATHS[operator],
  role: "user",
  menu: { agent: OPERATOR_NAMES[operator], operator },
  show: (context, refused) => showBundles(context, operator, refused),
  submit: (context) => buy(context, operator),
}));

async function buy({ db, by, form, key }: Context, operator: Operator): Promise<Leave> {
  const { productId: chosen, msisdn, quantity, allowNetwork, allowDuplicate } = readFields(Purchase, form);
  if (!allowNetwork) checkNetwork(msisdn, operator);
  const expectedPesewas = chosen.pricePesewas && chosen.pricePesewas * quantity;
  const line = { productId: chosen.productId, msisdn, quantity, operator, expectedPesewas };
  const purchase = { by, key, line, allowDuplicate: allowDuplicate === "yes" };
  if (form.get("pay") === "momo") {
    const created = await unpaidOrders.create(db, purchase);
    return redirect(`/checkout?order=${created.answer.id}`);
  }
  const { answer } = await orders.buy(db, purchase);
  const { id, msisdn: to, paidAt } = answer.order;
  const holdSeconds = await settings.get(db, "dispatch_hold_seconds");
  const bought = `Order #${id}, ${orderedBundle(answer.order, quantity)} for ${spacedMsisdn(to)}`;
  return {
    to: "/orders",
    notice: `Paid with wallet successfully. ${bought}, is on its way.`,
    undo: { orderId: id, untilMs: paidAt!.getTime() + holdSeconds * 1000 },
  };
}

/** Throws order.operator_mismatch for another network's number, so that it is confirmed: it may have been ported. */
function checkNetwork(typed: string, operator: Operator): void {
  const msisdn = parseMsisdn(typed);
  const looksLike = msisdn && guessOperator(msisdn);
  if (!looksLike || looksLike === operator) return;
  const message = `${spacedMsisdn(msisdn)} looks like ${OPERATOR_NAMES[looksLike]}`;
  throw new AppError("order.operator_mismatch", { fields: {}, looksLike }, message);
}

async function showBundles({ db, by, url }: Context, operator: Operator, refused?: Refused): Promise<View> {
  const [bundles, standing, times] = await Promise.all([
    products.list(db, operator),
    wallet.standing(db, by.userId),
    deliveryTimes(db),
  ]);
  const name = OPERATOR_NAMES[operator];
  return {
    title: `${name} data`,
    body: (
      <>
        <div className="head">
          <div>
            <h1>{name} data</h1>
            <PriceRange bundles={bundles} />
            <DeliveryLine operator={operator} times={times} />
          </div>
          <a className="purse" href="/wallet">
            <span className="small soft">Wallet balance</span>
            <strong>
              <Money pesewas={standing.balancePesewas} />
            </strong>
          </a>
        </div>
        <HeldAndOwed standing={standing} />
        <PausedNote bundles={bundles} name={name} />
        {bundles.length === 0 ? (
          <p className="card empty">No {name} bundles are on sale at the moment.</p>
        ) : (
          <>
            <section className={`card stripe ${operator}`}>
              <h2>Buy one bundle</h2>
              <PurchaseForm
                operator={operator}
                bundles={bundles}
                balancePesewas={standing.availablePesewas}
                prefill={url.searchParams}
                refused={refused}
              />
            </section>
            <p>
              <a href={`/bulk?operator=${operator}`}>Buy for many numbers at once</a>
            </p>
          </>
        )}
      </>
    ),
  };
}

function PriceRange({ bundles }: { bundles: products.ProductOnSale[] }) {
  if (bundles.length === 0) return null;
  const prices = bundles.map((bundle) => bundle.pricePesewas);
  const ends = [...new Set([Math.min(...prices), Math.max(...prices)])];
  return <p className="soft money">{ends.map((pesewas) => `₵${decimal(pesewas)}`).join(" – ")}</p>;
}

/** The pauses of the operator or of some of its bundles, with their messages and ends. */
function PausedNote({ bundles, name }: { bundles: products.ProductOnSale[]; name: string }) {
  const pauses = bundles.map(({ paused }) => paused).filter((paused) => paused !== null);
  if (pauses.length === 0) return null;
  const isAll = pauses.length === bundles.length;
  const distinct = [...Map.groupBy(pauses, (pause) => `${pausedText(pause)} ${pause.message}`).values()];
  const ends = new Set(pauses.map((pause) => pausedText(pause)));
  const isOneEnd = ends.size === 1;
  return (
    <div className="note warn">
      <strong>
        {isAll ? `${name} bundles are` : `Some ${name} bundles are`} {isOneEnd ? [...ends] : "paused"}
      </strong>
      {distinct.map(([pause]) => (
        <div key={`${pause!.until} ${pause!.message}`}>
          <bdi>{pause!.message}</bdi>
          {!isOneEnd && pause!.until && <span className="soft"> (until {endText(pause!.until)})</span>}
        </div>
      ))}
    </div>
  );
}
