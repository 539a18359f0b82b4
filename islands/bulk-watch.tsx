// The delivery of a bulk order, counted live: it checks less and less often, and not at all while nobody looks.
import { useEffect, useState } from "react";
import { type OrderStatus, STATUSES } from "../src/shared/domain.ts";
import { CHIP_OF_STATUS } from "../src/shared/orders/status-chips.ts";

type Counts = Partial<Record<OrderStatus, number>>;
type Props = {
  bulkOrderId: number;
  lines: number;
  /** Its orders by status. */
  counts: Counts;
};

const FIRST_SECONDS = 4;
const LAST_SECONDS = 60;

export function BulkWatch({ bulkOrderId, lines, counts: initially }: Props) {
  const [counts, setCounts] = useState(initially);
  const [isLive, setLive] = useState(false);
  useEffect(() => {
    let shown = initially;
    let pauseSeconds = FIRST_SECONDS;
    let timer: ReturnType<typeof setTimeout>;
    const check = async () => {
      // Nobody sees a hidden page, and mobile data is expensive.
      const now = document.hidden ? null : await countsNow(bulkOrderId);
      pauseSeconds = Math.min(LAST_SECONDS, pauseSeconds * 1.3);
      if (now && STATUSES.some((status) => now[status] !== shown[status])) {
        shown = now;
        setCounts(now);
        pauseSeconds = FIRST_SECONDS;
      }
      next();
    };
    const next = () => {
      const isOver = sum(shown, "COMPLETED", "FAILED") === lines;
      setLive(!isOver);
      if (!isOver) timer = setTimeout(check, pauseSeconds * 1000);
    };
    next();
    return () => clearTimeout(timer);
  }, [bulkOrderId, lines, initially]);
  const [delivered, failed] = [sum(counts, "DELIVERED", "COMPLETED"), sum(counts, "FAILED")];
  const n = (count: number) => count.toLocaleString("en");
  return (
    <>
      <dl className="tally after">
        <Figure name="On the way" count={lines - delivered - failed} />
        <Figure name="Delivered" count={delivered} kind="good" />
        <Figure name="Failed" count={failed} kind={failed > 0 ? "bad" : ""} />
      </dl>
      <label htmlFor="delivery">
        {n(delivered)} of {n(lines)} delivered
      </label>
      <progress id="delivery" max={lines} value={delivered} />
      <p className="counts">
        {STATUSES.filter((status) => counts[status]).map((status) => (
          <span key={status}>
            <span className={`chip ${CHIP_OF_STATUS[status]}`}>{status}</span> {n(counts[status]!)}
          </span>
        ))}
      </p>
      {failed > 0 && <p className="small">The money of failed orders is back in the wallet.</p>}
      {isLive ? (
        <p className="small soft">Updates by itself</p>
      ) : (
        <a className="button quiet tiny" href={`/bulk/${bulkOrderId}`}>
          Refresh
        </a>
      )}
    </>
  );
}

function Figure({ name, count, kind = "" }: { name: string; count: number; kind?: string }) {
  return (
    <div className={kind}>
      <dt>{name}</dt>
      <dd>{count.toLocaleString("en")}</dd>
    </div>
  );
}

function sum(counts: Counts, ...statuses: OrderStatus[]): number {
  return statuses.reduce((total, status) => total + (counts[status] ?? 0), 0);
}

/** Null if the counts are unavailable: offline, or logged out. */
async function countsNow(bulkOrderId: number): Promise<Counts | null> {
  try {
    const response = await fetch(`/bulk/${bulkOrderId}/counts`, { headers: { accept: "application/json" } });
    return response.ok && response.headers.get("content-type")?.includes("json") ? await response.json() : null;
  } catch {
    return null;
  }
}
