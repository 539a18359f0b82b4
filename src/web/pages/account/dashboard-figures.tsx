// The dashboard's figures: today's, and those since the account began.
import type * as reports from "../../../core/reports/reports.ts";
import { changePercent, gigabytes } from "../../../shared/lists/measures.ts";
import { Money } from "../../ui/parts.tsx";

type TodayProps = {
  day: reports.Day;
  /** Null for an agent without selling prices. */
  profitPesewas: number | null;
};

/** Today's figures in one row. */
export function Today({ day, profitPesewas }: TodayProps) {
  return (
    <dl className="card today">
      <div>
        <dt>Sales today</dt>
        <dd>
          <Money pesewas={day.salesPesewas} />
        </dd>
      </div>
      <div>
        <dt>Orders today</dt>
        <dd>{day.orders.toLocaleString("en")}</dd>
      </div>
      {profitPesewas !== null && (
        <div>
          <dt>Profit today</dt>
          <dd>
            <Money pesewas={profitPesewas} />
          </dd>
        </div>
      )}
    </dl>
  );
}

/** What the agent has sold since the beginning. */
export function AllTime({ overview }: { overview: reports.Overview }) {
  const totalMb = Object.values(overview.volumeMbByOperator).reduce((sum, volumeMb) => sum + volumeMb, 0);
  const { thisMonth, lastMonth, lastMonthSoFarMb } = overview;
  const change = changePercent(thisMonth.volumeMb, lastMonthSoFarMb);
  return (
    <section className="card">
      <div className="head">
        <h2>All time</h2>
        <a href="/orders">View Orders</a>
      </div>
      <dl className="facts">
        <dt>Orders</dt>
        <dd className="money">{overview.ordersCount.toLocaleString("en")}</dd>
        <dt>
          Total spent <span className="small">without failed orders</span>
        </dt>
        <dd>
          <Money pesewas={overview.salesPesewas} />
        </dd>
        <dt>Data sold</dt>
        <dd className="money">{gigabytes(totalMb)}</dd>
        <dt>This month</dt>
        <dd>
          {gigabytes(thisMonth.volumeMb)}
          {change && <span className="small soft"> {change} on the same days of last month</span>}
        </dd>
        <dt>Last month</dt>
        <dd>{gigabytes(lastMonth.volumeMb)}</dd>
      </dl>
    </section>
  );
}
