// Lists of rows, each of which is one link: a mark, a name with a line below it, and an amount with a state at its end.
import { Fragment, type ReactNode } from "react";
import { accraAgo, accraDay, accraDayHeading, accraTime, isSameDay } from "../../shared/accra.ts";

export function RowList({ label, children }: { label?: string; children: ReactNode }) {
  return (
    <ul className="row-list" aria-label={label} data-rows="">
      {children}
    </ul>
  );
}

type RowProps = {
  /** Left out for a row that leads nowhere. */
  href?: string | undefined;
  /** A badge or an icon. */
  lead: ReactNode;
  title: ReactNode;
  /** The second line; on wide screens each of its elements has a column of its own. */
  line?: ReactNode;
  amount?: ReactNode;
  state?: ReactNode;
  /** A second link or form, beside the row's own. */
  action?: ReactNode;
};

export function RowLink({ href, lead, title, line, amount, state, action }: RowProps) {
  const Row = href === undefined ? "span" : "a";
  return (
    <li>
      <Row className="row-link" href={href}>
        <span className="lead">{lead}</span>
        <span className="what">
          <strong>{title}</strong> {line && <span className="line">{line}</span>}
        </span>{" "}
        <span className="end">
          {amount} {state}
        </span>
      </Row>
      {action}
    </li>
  );
}

type DaysProps<T> = {
  items: readonly T[];
  /** The moment that says which day an item belongs to. */
  at: (item: T) => Date;
  row: (item: T) => ReactNode;
};

/** Rows under the headings of their days, in the order of the items. */
export function RowsByDay<T>({ items, at, row }: DaysProps<T>) {
  const now = new Date();
  const days: T[][] = [];
  for (const item of items) {
    const day = days.at(-1);
    if (day && isSameDay(at(day[0]!), at(item))) day.push(item);
    else days.push([item]);
  }
  return days.map((day) => {
    const heading = accraDayHeading(at(day[0]!), now);
    return (
      <Fragment key={heading}>
        <h2 className="row-day">{heading}</h2>
        <RowList label={heading}>{day.map(row)}</RowList>
      </Fragment>
    );
  });
}

/** How long ago something was. `hasDay` outside of a list by days: an older moment then has its date. */
export function Ago({ at, hasDay = false }: { at: Date; hasDay?: boolean }) {
  const now = new Date();
  const text = hasDay && !isSameDay(at, now) ? accraDay(at) : accraAgo(at, now);
  // A time of day says all there is to say under the heading of its day, and pages have many.
  if (text === accraTime(at)) return <time>{text}</time>;
  return <time dateTime={at.toISOString()}>{text}</time>;
}
