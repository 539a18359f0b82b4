// The rows of the shop's profit by one dimension, each leading to the page of what it is about.
import type { ReactNode } from "react";
import type { BundleVendor } from "../../../../core/fulfilment/vendor.ts";
import type { ProfitRow } from "../../../../core/reports/profit-figures.ts";
import type { Dimension, Sort } from "../../../../core/reports/shop-profit-by.ts";
import { DESK } from "../../../../shared/domain.ts";
import { percentText, show } from "../../../../shared/money.ts";
import { allOperators } from "../../../../shared/operators.ts";
import { dayText } from "../../../ui/charts.tsx";
import { pathWith, readSpan } from "../../../ui/day-span.tsx";
import { PageLink } from "../../../ui/frame/permitted.tsx";
import { nameOf } from "../../../ui/orders/holder.tsx";
import { type Column, Table } from "../../../ui/table.tsx";
import { Ways } from "../../../ui/tabs.tsx";

/** The dimensions as tabs, headings and columns call them. */
export const DIMENSION_NAMES: Record<Dimension, { one: string; heading: string }> = {
  day: { one: "Day", heading: "By day" },
  product: { one: "Bundle", heading: "By bundle" },
  operator: { one: "Network", heading: "By network" },
  vendor: { one: "Supplier", heading: "By supplier" },
  agent: { one: "Agent", heading: "By agent" },
  tier: { one: "Group", heading: "By group" },
};

const SORT_NAMES: Record<Sort, string> = { profit: "Most profit", sales: "Most sales" };

/** The rows with vendors by their names, where the core has codes. */
export function named(rows: ProfitRow[], by: Dimension, vendors: readonly BundleVendor[]): ProfitRow[] {
  if (by !== "vendor") return rows;
  return rows.map((row) => (row.name === row.key ? { ...row, name: nameOf(row.key, vendors) } : row));
}

/** Two weeks of days. */
const ROWS_AT_FIRST = 14;

type TableProps = { rows: ProfitRow[]; url: URL; by: Dimension; sort: Sort | undefined };

/** The table, with the choice of its order. */
export function ProfitTable({ rows, url, by, sort }: TableProps) {
  const sorts = Object.entries(SORT_NAMES).map(([it, label]) => [pathWith(url, { sort: it }), label] as const);
  const newest = pathWith(url, { sort: null });
  return (
    <>
      {rows.length > 1 && (
        <Ways
          label="In order of"
          ways={by === "day" ? [[newest, "Newest"], ...sorts] : sorts}
          current={sort ? pathWith(url, { sort }) : newest}
        />
      )}
      <Table
        rows={rows}
        columns={columnsOf(rows, url, by)}
        className="lines"
        cardsAtFirst={ROWS_AT_FIRST}
        empty="Nothing was sold on these days."
      />
    </>
  );
}

/** What no row has is left out. */
function columnsOf(rows: ProfitRow[], url: URL, by: Dimension): Column<ProfitRow>[] {
  const figure = (head: string, value: (row: ProfitRow) => ReactNode, className = "money below") => ({
    ...{ head, isNumber: true, className },
    cell: (row: ProfitRow) => <FigureCell name={head}>{value(row)}</FigureCell>,
  });
  const known = (pesewas: number) => (pesewas === 0 ? null : show(pesewas));
  return [
    {
      head: DIMENSION_NAMES[by].one,
      className: "name",
      cell: (row) => <RowName row={row} by={by} url={url} />,
    },
    figure("Profit", ({ profitPesewas }) => <strong>{show(profitPesewas)}</strong>, "money end"),
    figure("Margin", ({ marginPercent }) => percentText(marginPercent), "below"),
    figure("Sales", ({ amountPesewas }) => show(amountPesewas)),
    figure("Cost", ({ costPesewas }) => show(costPesewas)),
    ...(rows.some(spentOn) ? [figure("Fees and losses", (row) => known(spentOn(row)))] : []),
    ...(rows.some(uncostedOf) ? [figure("No known cost", (row) => known(uncostedOf(row)))] : []),
    figure("Orders", (row) => <OrdersLink row={row} by={by} url={url} />, "below"),
  ];
}

const uncostedOf = ({ uncostedPesewas }: ProfitRow) => uncostedPesewas;
const spentOn = ({ feesPesewas, lossesPesewas }: ProfitRow) => (feesPesewas ?? 0) + (lossesPesewas ?? 0);

/** A figure with its name, which only cards show; nothing where there is none. */
function FigureCell({ name, children }: { name: string; children: ReactNode }) {
  if (children === null) return null;
  return (
    <>
      <span className="in-cards small soft">{name} </span>
      {children}
    </>
  );
}

type NameProps = { row: ProfitRow; by: Dimension; url: URL };

function RowName({ row: { key, name }, by, url }: NameProps) {
  if (key === null) return <span className="soft">{name}</span>;
  const path = pathTo(key, by, url);
  const text = by === "day" ? dayText(name) : <bdi>{name}</bdi>;
  if (path === null) return text;
  return (
    <PageLink isName href={path}>
      {text}
    </PageLink>
  );
}

/** The number of orders, which opens them where the list can be of just these. */
function OrdersLink({ row: { key, name, orders }, by, url }: NameProps) {
  const { first, last, operator } = readSpan(url);
  const count = orders.toLocaleString("en");
  const days = by === "day" ? { from: key, to: key } : { from: first, to: last };
  const of = { day: {}, operator: { operator: key }, agent: { user: key }, product: { search: name } }[by as string];
  if (!of || key === null) return count;
  const list = Object.entries({ all: "1", ...(operator && { operator }), ...days, ...of });
  return (
    <PageLink isName href={`/orders?${new URLSearchParams(list as string[][])}`} title="With those that failed">
      {count}
    </PageLink>
  );
}

/** The page about a row; a day leads to its bundles. */
function pathTo(key: string, by: Dimension, url: URL): string | null {
  switch (by) {
    case "day":
      return pathWith(url, { from: key, to: key, range: null, by: "product", sort: null });
    case "product":
      return `/admin/products/${key}`;
    case "operator":
      return allOperators().some(({ code }) => code === key) ? `/admin/networks/${key}` : null;
    case "vendor":
      if (key === "") return null;
      return key === DESK ? "/admin/desk" : "/admin/vendors";
    case "agent":
      return `/admin/users/${key}`;
    case "tier":
      return "/admin/prices/tiers";
  }
}
