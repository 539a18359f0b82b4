// A list as a table: rows where there is room, cards on a phone, with the same cells in the same order.
import type { ReactNode } from "react";
import { Empty } from "./parts.tsx";

export type Column<Row> = {
  head: ReactNode;
  cell: (row: Row) => ReactNode;
  /** Figures stand below each other; "wide" ones only where there is room, and follow what is before them in a card. */
  isNumber?: boolean | "wide";
  /** The classes of its cells: how they look, and their place in a card. */
  className?: string;
};

type Props<Row> = {
  rows: readonly Row[];
  columns: readonly Column<Row>[];
  /** What is said when there are no rows; without it the table stands empty. */
  empty?: ReactNode;
  /** Told apart from other tables by the stylesheet. */
  className?: string;
  /** What a row is found by in an address. */
  idOf?: (row: Row) => string;
  /** Below the rows, within their frame. */
  children?: ReactNode;
};

/** The columns with their rows, in a frame that scrolls when they are wider than the page. */
export function Table<Row>({ rows, columns, empty, className, idOf, children }: Props<Row>) {
  if (empty !== undefined && rows.length === 0) return <Empty>{empty}</Empty>;
  return (
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
        <tbody>
          {rows.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a table is rendered once.
            <tr key={index} id={idOf?.(row)}>
              {columns.map((column, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a table is rendered once.
                <td key={index} className={classesOf(column)}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {children}
    </div>
  );
}

function classesOf<Row>({ isNumber, className }: Column<Row>): string | undefined {
  const classes = isNumber === "wide" ? [className, "wide-num"] : [isNumber && "num", className];
  return classes.filter(Boolean).join(" ") || undefined;
}
