// Columns of tables, by what their cells show of a row's field.
import { Moment, Money, UserLink } from "./parts.tsx";
import type { Column } from "./table.tsx";
import { When } from "./when.tsx";

type Look = Omit<Column<never>, "head" | "cell">;
/** The fields of a row that are of this type. */
type FieldOf<Row, T> = { [Name in keyof Row]-?: Row[Name] extends T ? Name : never }[keyof Row];

/** An amount of money, in line with those above and below. */
export function money<Row>(head: string, field: FieldOf<Row, number>, look?: Look): Column<Row> {
  return { head, isNumber: true, ...look, cell: (row) => <Money pesewas={row[field] as number} /> };
}

/** A moment, as short as it is clear. */
export function when<Row>(head: string, field: FieldOf<Row, Date>, look?: Look): Column<Row> {
  return { head, ...look, cell: (row) => <When at={row[field] as Date} /> };
}

/** A moment with its date and time. */
export function moment<Row>(head: string, field: FieldOf<Row, Date>, look?: Look): Column<Row> {
  return { head, ...look, cell: (row) => <Moment at={row[field] as Date} /> };
}

/** A text or number of ours. */
export function text<Row>(head: string, field: FieldOf<Row, string | number | null>, look?: Look): Column<Row> {
  return { head, ...look, cell: (row) => row[field] as string | number | null };
}

/** A text that somebody typed. */
export function typed<Row>(head: string, field: FieldOf<Row, string | null>, look?: Look): Column<Row> {
  return { head, ...look, cell: (row) => <bdi>{row[field] as string | null}</bdi> };
}

/** The account that a row is of, with a link to its page. */
export function account<Row extends { userId: number; username: string | null }>(head: string): Column<Row> {
  return { head, cell: ({ userId, username }) => <UserLink {...{ userId, username }} /> };
}
