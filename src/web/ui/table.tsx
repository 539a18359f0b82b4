// Table: rows on a wide screen, cards on a phone, with the same cells in the same order.
import type { ReactNode } from "react";
import { Sheet } from "../html.tsx";
import { Empty } from "./parts.tsx";

export type Column<Row> = {
  head: ReactNode;
  cell: (row: Row) => ReactNode;
  /** In cards its heading is left out: a title or a status says by itself what it is. */
  isPlainInCards?: boolean;
  /** Aligns figures to the right; "wide" only does so in rows, not in cards. */
  isNumber?: boolean | "wide";
  /** Its link is the page of the row itself, and a cell before it has another one: keys go to this. */
  isMain?: boolean;
  /** CSS classes of the cells: their look, and their position in a card. */
  className?: string;
};

type Props<Row> = {
  rows: readonly Row[];
  columns: readonly Column<Row>[];
  /** Shown instead of an empty table. */
  empty?: ReactNode;
  className?: string;
  /** The id of a row, for links to it. */
  idOf?: (row: Row) => string;
  /** How many of the rows a phone shows as cards until all are asked for. */
  cardsAtFirst?: number;
  /** Content below the rows, within the frame. */
  children?: ReactNode;
};

/**
 * The table, in a frame that scrolls when the rows are wider than the page. `data-rows` marks it, as all lists, for the
 * keys that walk rows (islands/parts/row-keys.ts).
 */
export function Table<Row>({ rows, columns, empty, className, idOf, cardsAtFirst = Infinity, children }: Props<Row>) {
  if (empty !== undefined && rows.length === 0) return <Empty>{empty}</Empty>;
  return (
    <>
      <Sheet name="tables" />
      <div className="scroll">
        <table className={className ? `cards ${className}` : "cards"}>
          <thead>
            <tr>
              {columns.map(({ head, isNumber }, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a table is rendered once.
                <th key={index} className={isNumber ? "num" : undefined}>
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody data-rows="">
            {rows.map((row, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a table is rendered once.
              <tr key={index} id={idOf?.(row)} className={index < cardsAtFirst ? undefined : "later"}>
                {columns.map((column, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: a table is rendered once.
                  <td key={index} {...attributesOf(column)}>
                    {column.cell(row)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
        {rows.length > cardsAtFirst && (
          <label className="check show-all">
            <input type="checkbox" /> Show all {rows.length.toLocaleString("en")}
          </label>
        )}
        {children}
      </div>
    </>
  );
}

function attributesOf<Row>(column: Column<Row>) {
  return {
    className: classesOf(column),
    "data-head": headOf(column),
    "data-main": column.isMain ? "" : undefined,
  };
}

/** The heading that a cell shows in a card; none for a cell without one, or that says by itself what it is. */
function headOf<Row>({ head, isPlainInCards }: Column<Row>): string | undefined {
  return typeof head === "string" && !["", "Actions"].includes(head) && !isPlainInCards ? head : undefined;
}

function classesOf<Row>({ isNumber, className }: Column<Row>): string | undefined {
  const classes = isNumber === "wide" ? [className, "wide-num"] : [isNumber && "num", className];
  return classes.filter(Boolean).join(" ") || undefined;
}
