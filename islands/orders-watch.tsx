// Keeps the states in a list of orders true while the page is open: it looks, ever more rarely, and changes the marks in
// place, so that nothing that somebody is doing on the page is disturbed.
import { useEffect, useState } from "react";
import type { OrderStatus } from "../src/shared/domain.ts";
import { CHIP_OF_STATUS } from "../src/shared/status-chips.ts";

/** What the page shows of the orders that may still change, by id. */
type Props = { statuses: Record<string, OrderStatus> };

const FIRST_SECONDS = 4;
const LAST_SECONDS = 60;

export function OrdersWatch({ statuses }: Props) {
  const [isWatching, setWatching] = useState(false);
  useEffect(() => {
    const shown = { ...statuses };
    let pauseSeconds = FIRST_SECONDS;
    let timer: ReturnType<typeof setTimeout>;
    const look = async () => {
      // Nobody looks at a hidden page, and its data is dear.
      if (!document.hidden && (await update(shown))) pauseSeconds = FIRST_SECONDS;
      pauseSeconds = Math.min(LAST_SECONDS, pauseSeconds * 1.3);
      if (Object.keys(shown).length > 0) timer = setTimeout(look, pauseSeconds * 1000);
      else setWatching(false);
    };
    setWatching(true);
    timer = setTimeout(look, pauseSeconds * 1000);
    return () => clearTimeout(timer);
  }, [statuses]);
  return isWatching ? <p className="small soft">Updates by itself</p> : null;
}

/** Whether anything has changed. What is over is not looked at any more. */
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

/** None when they cannot be told: offline, or logged out. */
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
