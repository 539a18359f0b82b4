// Keeps an order's page true while the order is on its way: when its status changes, the page is loaded anew.
import { useEffect, useState } from "react";

type Props = { orderId: number; status: string };

const FIRST_SECONDS = 4;
const LAST_SECONDS = 60;

export function OrderWatch({ orderId, status }: Props) {
  const [isWatching, setWatching] = useState(false);
  useEffect(() => {
    let pauseSeconds = FIRST_SECONDS;
    let timer: ReturnType<typeof setTimeout>;
    const look = async () => {
      // Nobody looks at a hidden page, and its data is dear.
      if (!document.hidden) {
        const now = await statusNow(orderId);
        if (now !== null && now !== status) return location.reload();
      }
      pauseSeconds = Math.min(LAST_SECONDS, pauseSeconds * 1.3);
      timer = setTimeout(look, pauseSeconds * 1000);
    };
    setWatching(true);
    timer = setTimeout(look, pauseSeconds * 1000);
    return () => clearTimeout(timer);
  }, [orderId, status]);
  return isWatching ? (
    <span className="small soft">Updates by itself</span>
  ) : (
    <a className="button quiet tiny" href={`/orders/${orderId}`}>
      Refresh
    </a>
  );
}

/** Null when it cannot be told: offline, or logged out. */
async function statusNow(orderId: number): Promise<string | null> {
  try {
    const response = await fetch(`/api/v1/orders/${orderId}`, { headers: { accept: "application/json" } });
    const order: { status?: unknown } = response.ok ? await response.json() : {};
    return typeof order.status === "string" ? order.status : null;
  } catch {
    return null;
  }
}
