// Table: rows on a wide screen, cards on a phone, with the same cells in the same order.
import { Fragment, type ReactNode } from "react";
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
  /** The heading that a row stands below, with those beside it that have the same. */
  groupOf?: (row: Row) => string;
  /** How many of the rows a phone shows as cards until all are asked for; with headings, those of each are folded. */
  cardsAtFirst?: number;
  /** Content below the rows, within the frame. */
  children?: ReactNode;
};

/**
 * The table, in a frame that scrolls when the rows are wider than the page. `data-rows` marks it, as all lists, for the
 * keys that walk rows (islands/parts/row-keys.ts).
 */
export function Table<Row>(props: Props<Row>) {
  const { rows, columns, empty, className, groupOf, cardsAtFirst = Infinity, children } = props;
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
          {groupOf && rows.length > 1 ? <Groups {...props} groupOf={groupOf} /> : <Rows {...props} />}
        </table>
        {!groupOf && rows.length > cardsAtFirst && (
          <label className="check show-all">
            <input type="checkbox" /> Show all {rows.length.toLocaleString("en")}
          </label>
        )}
        {children}
      </div>
    </>
  );
}

function Rows<Row>({ rows, columns, idOf, cardsAtFirst = Infinity }: Props<Row>) {
  return (
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
  );
}

/** The rows below their headings. On a phone a long table has only those of its first heading, unless they are many. */
function Groups<Row>({ groupOf, cardsAtFirst = Infinity, ...table }: Props<Row> & { groupOf: (row: Row) => string }) {
  const groups: [heading: string, rows: Row[]][] = [];
  for (const row of table.rows) {
    const last = groups.at(-1);
    if (last?.[0] === groupOf(row)) last[1].push(row);
    else groups.push([groupOf(row), [row]]);
  }
  const isFolded = table.rows.length > cardsAtFirst;
  return groups.map(([heading, rows], index) => (
    <Fragment key={heading}>
      <tbody className="group">
        <tr>
          <th colSpan={table.columns.length} scope="rowgroup">
            {isFolded ? (
              <label>
                <input type="checkbox" defaultChecked={index === 0 && rows.length <= cardsAtFirst} />
                <Heading heading={heading} count={rows.length} />
              </label>
            ) : (
              <Heading heading={heading} count={rows.length} />
            )}
          </th>
        </tr>
      </tbody>
      <Rows {...table} rows={rows} />
    </Fragment>
  ));
}

function Heading({ heading, count }: { heading: string; count: number }) {
  return (
    <>
      <bdi>{heading}</bdi> <span className="soft">{count}</span>
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
