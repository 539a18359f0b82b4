// Live updates of an order's page: it checks the status and reloads the page when that changes.
import { useEffect, useState } from "react";

type Props = { orderId: number; status: string };

const FIRST_SECONDS = 4;
const LAST_SECONDS = 60;

export function OrderWatch({ orderId, status }: Props) {
  const [isLive, setLive] = useState(false);
  useEffect(() => {
    let pauseSeconds = FIRST_SECONDS;
    let timer: ReturnType<typeof setTimeout>;
    const check = async () => {
      // Nobody sees a hidden page, and mobile data is expensive.
      if (!document.hidden) {
        const now = await statusNow(orderId);
        if (now !== null && now !== status) return location.reload();
      }
      pauseSeconds = Math.min(LAST_SECONDS, pauseSeconds * 1.3);
      timer = setTimeout(check, pauseSeconds * 1000);
    };
    setLive(true);
    timer = setTimeout(check, pauseSeconds * 1000);
    return () => clearTimeout(timer);
  }, [orderId, status]);
  return isLive ? (
    <span className="small soft">Updates by itself</span>
  ) : (
    <a className="button quiet tiny" href={`/orders/${orderId}`}>
      Refresh
    </a>
  );
}

/** Null if the status is unavailable: offline, or logged out. */
async function statusNow(orderId: number): Promise<string | null> {
  try {
    const response = await fetch(`/api/v1/orders/${orderId}`, { headers: { accept: "application/json" } });
    const order: { status?: unknown } = response.ok ? await response.json() : {};
    return typeof order.status === "string" ? order.status : null;
  } catch {
    return null;
  }
}
