// Current delivery times in one line, for the buying page.
import { type DeliveryTime, durationText } from "../../../core/fulfilment/delivery-times.ts";
import type { Operator } from "../../../shared/domain.ts";

export function DeliveryLine({ operator, times }: { operator: Operator; times: DeliveryTime[] }) {
  const time = times.find((it) => it.operator === operator);
  return (
    <p className="small soft">
      <a href="/status">{time ? textOf(time) : UNKNOWN}</a>
    </p>
  );
}

const UNKNOWN = "Too few deliveries lately to tell how long";

function textOf({ medianSeconds, slowSeconds }: DeliveryTime): string {
  if (medianSeconds === null || slowSeconds === null) return UNKNOWN;
  const [usual, rare] = [minutesText(medianSeconds), minutesText(slowSeconds)];
  return rare === usual ? `Usually under ${usual}` : `Usually under ${usual}, rarely over ${rare}`;
}

/** Seconds are more than a buyer wants to know. */
function minutesText(seconds: number): string {
  return seconds <= 60 ? "1 minute" : durationText(seconds);
}
