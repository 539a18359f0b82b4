// Live updates of the statuses in a list of orders. It checks less and less often, and changes the chips in place, so
// that it does not disturb whatever somebody is doing on the page.
import { useEffect, useState } from "react";
import type { OrderStatus } from "../src/shared/domain.ts";
import { CHIP_OF_STATUS } from "../src/shared/status-chips.ts";

/** The statuses on the page of orders that may still change, by id. */
type Props = { statuses: Record<string, OrderStatus> };

const FIRST_SECONDS = 4;
const LAST_SECONDS = 60;

export function OrdersWatch({ statuses }: Props) {
  const [isLive, setLive] = useState(false);
  useEffect(() => {
    const shown = { ...statuses };
    let pauseSeconds = FIRST_SECONDS;
    let timer: ReturnType<typeof setTimeout>;
    const check = async () => {
      // Nobody sees a hidden page, and mobile data is expensive.
      if (!document.hidden && (await update(shown))) pauseSeconds = FIRST_SECONDS;
      pauseSeconds = Math.min(LAST_SECONDS, pauseSeconds * 1.3);
      if (Object.keys(shown).length > 0) timer = setTimeout(check, pauseSeconds * 1000);
      else setLive(false);
    };
    setLive(true);
    timer = setTimeout(check, pauseSeconds * 1000);
    return () => clearTimeout(timer);
  }, [statuses]);
  return isLive ? <p className="small soft">Updates by itself</p> : null;
}

/** Updates the chips; returns whether anything changed. Finished orders are no longer watched. */
async function update(shown: Record<string, OrderStatus>): Promise<boolean> {
  let hasChanged = false;
  for (const { id, status } of await newest()) {
    if (!(id in shown) || shown[id] === status) continue;
    mark(id, status);
    hasChanged = true;
    if (status === "COMPLETED" || status === "FAILED") delete shown[id];
    else shown[id] = status;
  }
  return hasChanged;
}

type Order = { id: number; status: OrderStatus };

/** Empty if the orders are unavailable: offline, or logged out. */
async function newest(): Promise<Order[]> {
  try {
    const response = await fetch("/api/v1/orders?limit=50", { headers: { accept: "application/json" } });
    const orders: unknown = response.ok ? await response.json() : [];
    return Array.isArray(orders) ? orders : [];
  } catch {
    return [];
  }
}

function mark(id: number, status: OrderStatus): void {
  const state = document.querySelector(`[data-order="${id}"]`);
  if (!state) return;
  const chip = document.createElement("span");
  chip.className = `chip ${CHIP_OF_STATUS[status]}`;
  chip.textContent = status;
  state.replaceChildren(chip);
}
