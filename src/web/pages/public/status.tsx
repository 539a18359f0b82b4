// Public page with the measured delivery times.

import * as operators from "../../../core/catalog/operators.ts";
import {
  COUNT_MIN,
  type DeliveryTime,
  deliveryTimes,
  durationText,
  HOURS,
} from "../../../core/fulfilment/delivery-times.ts";
import type { Operator } from "../../../shared/domain.ts";
import { type Pause, pausedTitle } from "../../../shared/pause.ts";
import type { Context, Page, View } from "../../page.tsx";
import { Moment, OperatorTag } from "../../ui/parts.tsx";

export const statusPages: Page[] = [{ path: "/status", role: "anyone", show: showStatus }];

async function showStatus({ db, viewer }: Context): Promise<View> {
  const [times, states] = await Promise.all([deliveryTimes(db), operators.list(db)]);
  return {
    title: "Delivery now",
    description: "How long data bundles take to arrive at the moment, measured.",
    isPlain: !viewer,
    body: (
      <>
        <h1>Delivery now</h1>
        <p className="soft">
          From payment to arrival, measured over the last {HOURS} hours. As of <Moment at={new Date()} />.
        </p>
        <div className="grid">
          {states.map(({ operator, paused }) => {
            const time = times.find((it) => it.operator === operator)!;
            return <OperatorCard key={operator} operator={operator} time={time} paused={paused} />;
          })}
        </div>
      </>
    ),
  };
}

type CardProps = { operator: Operator; time: DeliveryTime; paused: Pause | null };

function OperatorCard({ operator, time, paused }: CardProps) {
  return (
    <section className={`card stripe ${operator}`}>
      <h2>
        <OperatorTag operator={operator} />{" "}
        <span className={`chip ${paused ? "warn" : "good"}`}>{paused ? pausedTitle(paused) : "On sale"}</span>
      </h2>
      {paused && (
        <p>
          <bdi>{paused.message}</bdi>
        </p>
      )}
      <dl className="facts">
        <dt>Usually within</dt>
        <dd>{time.medianSeconds === null ? "Not known" : durationText(time.medianSeconds)}</dd>
        <dt>At most, nine in ten</dt>
        <dd>{time.slowSeconds === null ? "Not known" : durationText(time.slowSeconds)}</dd>
        <dt>Delivered</dt>
        <dd>{time.count.toLocaleString("en")}</dd>
        <dt>On the way</dt>
        <dd>{time.waitingCount.toLocaleString("en")}</dd>
      </dl>
      {time.medianSeconds === null && (
        <p className="hint">
          Fewer than {COUNT_MIN} were delivered in the last {HOURS} hours: too few to estimate a time.
        </p>
      )}
    </section>
  );
}
