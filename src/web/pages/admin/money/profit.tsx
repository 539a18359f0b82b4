// The shop's profit over any days, beside the days before: what was sold, what it cost, and which days, bundles,
// networks, vendors, agents and tiers it came from.
import type { Profit } from "../../../../core/reports/profit-figures.ts";
import * as salesHistory from "../../../../core/reports/sales-history.ts";
import * as shopProfit from "../../../../core/reports/shop-profit.ts";
import * as shopProfitBy from "../../../../core/reports/shop-profit-by.ts";
import { compared } from "../../../../shared/lists/measures.ts";
import { percentText, show } from "../../../../shared/money.ts";
import { Sheet } from "../../../html.tsx";
import type { Context, Download, Page, View } from "../../../page.tsx";
import {
  type ChosenSpan,
  daysText,
  FileLinks,
  isSpanCompared,
  pathWith,
  readSpan,
  SpanChoice,
  SpanText,
} from "../../../ui/day-span.tsx";
import { Empty, Figure } from "../../../ui/parts.tsx";
import { SpanChart } from "../../../ui/span-chart.tsx";
import { ProfitNotes } from "../../../ui/staff/shop-profit.tsx";
import { Tabs } from "../../../ui/tabs.tsx";
import { profitFile } from "./profit-file.ts";
import { DIMENSION_NAMES, named, ProfitTable } from "./profit-table.tsx";

const PATH = "/admin/profit";

export const profitPages: Page[] = [
  {
    path: PATH,
    right: "profit.see",
    tab: { section: "Reports", label: "Profit" },
    examples: ["", ...shopProfitBy.DIMENSIONS.map((by) => `?by=${by}`)],
    show: showProfit,
  },
  { path: `${PATH}/export`, right: "profit.see", examples: [], show: exportProfit },
];

/** The file has every row, up to here; the rest is summed in one more. */
const FILE_ROWS_MAX = 20_000;

type Query = ChosenSpan & { by: shopProfitBy.Dimension; sort: shopProfitBy.Sort | undefined };

/** Reads the address; invalid parts are left out. */
function readQuery(url: URL): Query {
  const get = (name: string) => url.searchParams.get(name);
  const by = shopProfitBy.DIMENSIONS.find((dimension) => dimension === get("by")) ?? "day";
  const sort = shopProfitBy.SORTS.find((it) => it === get("sort"));
  // Days are in their own order until another one is chosen.
  return { ...readSpan(url), by, sort: sort ?? (by === "day" ? undefined : "profit") };
}

async function showProfit({ db, url, vendors }: Context): Promise<View> {
  const query = readQuery(url);
  const [earned, began, rows] = await Promise.all([
    shopProfit.ofSpan(db, query, query),
    salesHistory.beganAfter(db, query),
    shopProfitBy.by(db, query.by, query, query),
  ]);
  const { total, totalBefore } = earned;
  const isCompared = isSpanCompared(query, began);
  const isEmpty = [...earned.profits, ...earned.profitsBefore].every((profit) => profit === 0);
  return {
    body: (
      <>
        <Sheet name="plot" />
        <SpanText span={query} began={began} countedAt={earned.countedAt} />
        <SpanChoice url={url} span={query} kept={{ by: query.by, sort: query.sort ?? "" }} />
        <Totals total={total} totalBefore={isCompared ? totalBefore : null} length={query.length} />
        <ProfitNotes {...earned} />
        {query.length > 1 && (
          <section className="card">
            <h2>Profit per day, GH₵</h2>
            {isEmpty ? (
              <Empty>There is no profit to show on these days.</Empty>
            ) : (
              <SpanChart
                first={query.first}
                last={query.last}
                values={earned.profits}
                before={isCompared ? earned.profitsBefore : []}
                measure="amount"
              />
            )}
          </section>
        )}
        <section className="card">
          <h2>{DIMENSION_NAMES[query.by].heading}</h2>
          <Tabs
            label="Profit by"
            tabs={shopProfitBy.DIMENSIONS.map((by) => [pathOf(url, { by }), DIMENSION_NAMES[by].one])}
            current={pathOf(url, { by: query.by })}
          />
          {query.by !== "day" && <BeforeSpending {...total} />}
          <ProfitTable rows={named(rows, query.by, vendors)} url={url} by={query.by} sort={query.sort} />
        </section>
        <p className="actions">
          <FileLinks url={url} />
        </p>
      </>
    ),
  };
}

/** Another dimension begins in its own order. */
const pathOf = (url: URL, { by }: { by: shopProfitBy.Dimension }) => pathWith(url, { by, sort: null });

type TotalsProps = {
  total: Profit;
  /** Null where it is not compared. */
  totalBefore: Profit | null;
  length: number;
};

function Totals({ total, totalBefore, length }: TotalsProps) {
  const comparedWith = (field: "profitPesewas" | "amountPesewas" | "costPesewas") =>
    totalBefore && (
      <span className="soft small">
        {compared("amount", total[field], totalBefore[field])} in the {daysText(length)} before
      </span>
    );
  const { feesPesewas, lossesPesewas, marginPercent } = total;
  const isBefore = feesPesewas === null;
  return (
    <div className="grid sums">
      <Figure name={isBefore ? "Profit before fees and losses" : "Profit"} note={comparedWith("profitPesewas")}>
        {show(total.profitPesewas)}
      </Figure>
      <Figure
        name="Margin"
        note={
          totalBefore &&
          totalBefore.marginPercent !== null && (
            <span className="soft small">{percentText(totalBefore.marginPercent)} before</span>
          )
        }
      >
        {percentText(marginPercent)}
      </Figure>
      <Figure name="Sales" note={comparedWith("amountPesewas")}>
        {show(total.amountPesewas)}
      </Figure>
      <Figure name="Cost of bundles" note={comparedWith("costPesewas")}>
        {show(total.costPesewas)}
      </Figure>
      {feesPesewas !== null && (
        <Figure name="Payment fees" note={totalBefore && <Before pesewas={totalBefore.feesPesewas} />}>
          {show(feesPesewas)}
        </Figure>
      )}
      {lossesPesewas !== null && (
        <Figure name="Losses" note={totalBefore && <Before pesewas={totalBefore.lossesPesewas} />}>
          {show(lossesPesewas)}
        </Figure>
      )}
    </div>
  );
}

const Before = ({ pesewas }: { pesewas: number | null }) => (
  <span className="soft small">{show(pesewas ?? 0)} before</span>
);

/** Why the rows of a table add up to more than the profit above. */
function BeforeSpending({ feesPesewas, lossesPesewas }: Profit) {
  if (!feesPesewas && !lossesPesewas) return null;
  return (
    <p className="small soft">
      Payment fees and losses ({show((feesPesewas ?? 0) + (lossesPesewas ?? 0))}) belong to days, so the profit in this
      table is before them.
    </p>
  );
}

async function exportProfit({ db, url, vendors }: Context): Promise<Download> {
  const query = readQuery(url);
  const rows = await shopProfitBy.by(db, query.by, query, { ...query, rowsMax: FILE_ROWS_MAX });
  const name = `profit-by-${query.by}-${query.first}-${query.last}`;
  return profitFile(named(rows, query.by, vendors), query.by, { name, url });
}
