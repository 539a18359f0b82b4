// Public page with the measured delivery times.

import * as operators from "../../../core/catalog/operators/operators.ts";
import * as products from "../../../core/catalog/products.ts";
import {
  COUNT_MIN,
  type DeliveryTime,
  deliveryTimes,
  durationText,
  HOURS,
} from "../../../core/fulfilment/delivery-times.ts";
import type { Operator } from "../../../shared/domain.ts";
import { operatorName } from "../../../shared/operators.ts";
import { type Pause, pausedTitle } from "../../../shared/pause.ts";
import { Sheet } from "../../html.tsx";
import type { Context, Page, View } from "../../page.tsx";
import { NetworkBadge } from "../../ui/frame/icons.tsx";
import { Moment } from "../../ui/parts.tsx";

export const statusPages: Page[] = [{ path: "/status", role: "anyone", show: showStatus }];

async function showStatus({ db, viewer }: Context): Promise<View> {
  const [times, states, bundles] = await Promise.all([deliveryTimes(db), operators.list(db), products.list(db)]);
  const sold = new Set(bundles.filter(({ paused }) => paused === null).map(({ operator }) => operator));
  return {
    title: "Deliveries right now",
    description: "How long data bundles take to arrive at the moment, by network, measured.",
    isPlain: !viewer,
    body: (
      <div className="status">
        <Sheet name="public" />
        <div className="kente" aria-hidden="true" />
        <h1>Deliveries right now</h1>
        <p className="soft">
          From payment to arrival, measured over the last {HOURS} hours. As of <Moment at={new Date()} />.
        </p>
        <div className="grid">
          {states.map(({ operator, paused }) => {
            const time = times.find((it) => it.operator === operator)!;
            return <OperatorCard key={operator} {...{ operator, time, paused }} isSold={sold.has(operator)} />;
          })}
        </div>
      </div>
    ),
  };
}

type CardProps = {
  operator: Operator;
  time: DeliveryTime;
  paused: Pause | null;
  /** Whether any of its bundles can be bought now. */
  isSold: boolean;
};

function OperatorCard({ operator, time, paused, isSold }: CardProps) {
  const colour = paused ? "warn" : isSold ? "good" : "";
  return (
    <section className={`card stripe ${operator}`}>
      <h2>
        <NetworkBadge operator={operator} /> {operatorName(operator)}{" "}
        <span className={`chip ${colour}`}>
          {paused ? pausedTitle(paused) : isSold ? "On sale" : "Nothing on sale"}
        </span>
      </h2>
      {paused && (
        <p>
          <bdi>{paused.message}</bdi>
        </p>
      )}
      <p className="usual">
        <span className="small soft">Usually within</span>
        {time.medianSeconds === null ? (
          <strong className="soft">Not known</strong>
        ) : (
          <strong>{durationText(time.medianSeconds)}</strong>
        )}
      </p>
      <p className="soft">
        {time.slowSeconds === null
          ? `Fewer than ${COUNT_MIN} arrived in the last ${HOURS} hours: too few to measure.`
          : `Nine of ten arrive within ${durationText(time.slowSeconds)}.`}
      </p>
      <dl className="facts">
        <dt>Delivered</dt>
        <dd>{time.count.toLocaleString("en")}</dd>
        <dt>On the way</dt>
        <dd>{time.waitingCount.toLocaleString("en")}</dd>
      </dl>
    </section>
  );
}
