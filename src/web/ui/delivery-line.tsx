// Current delivery times in one line, for the bundle pages.
import { type DeliveryTime, durationText } from "../../core/fulfilment/delivery-times.ts";
import { OPERATOR_NAMES, type Operator } from "../../shared/domain.ts";

export function DeliveryLine({ operator, times }: { operator: Operator; times: DeliveryTime[] }) {
  const time = times.find((it) => it.operator === operator);
  if (!time || time.medianSeconds === null || time.slowSeconds === null) {
    return (
      <p className="small soft">
        Too few recent {OPERATOR_NAMES[operator]} deliveries to estimate a time.{" "}
        <a href="/status">Delivery now</a>
      </p>
    );
  }
  return (
    <p className="small soft">
      Usually within {durationText(time.medianSeconds)}, rarely over {durationText(time.slowSeconds)} now.{" "}
      <a href="/status">Delivery now</a>
    </p>
  );
}
