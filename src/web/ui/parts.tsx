// Basic components of the pages besides the fields of forms, each a plain function of its props.

import type { ReactNode } from "react";
import { accraMoment } from "../../shared/accra.ts";
import type { OrderStatus } from "../../shared/domain.ts";
import { show } from "../../shared/money.ts";
import { CHIP_OF_STATUS } from "../../shared/orders/status-chips.ts";
import { PageLink } from "./frame/permitted.tsx";

export function Money({ pesewas }: { pesewas: number }) {
  return <span className="money">{show(pesewas)}</span>;
}

export function StatusChip({ status, isPaid }: { status: OrderStatus; isPaid: boolean }) {
  return (
    <>
      <span className={`chip ${CHIP_OF_STATUS[status]}`}>
        <span>{status}</span>
      </span>
      {!isPaid && status !== "FAILED" && <span className="chip"> Unpaid</span>}
    </>
  );
}

/** A link to a user's page, for admins. */
export function UserLink({ userId, username }: { userId: number; username: string | null }) {
  return (
    <PageLink isName href={`/admin/users/${userId}`}>
      <bdi>{username}</bdi>
    </PageLink>
  );
}

/** A moment, readable by people and programs. */
export function Moment({ at }: { at: Date }) {
  return <time dateTime={at.toISOString()}>{accraMoment(at)}</time>;
}

/** A deadline, marked once it has passed. */
export function Deadline({ at }: { at: Date }) {
  return (
    <>
      <Moment at={at} /> {at.getTime() <= Date.now() && <span className="chip bad">Overdue</span>}
    </>
  );
}

type FigureProps = { name: string; children: ReactNode; note?: ReactNode };

/** A figure of a dashboard, with its name above and a note below. */
export function Figure({ name, children, note }: FigureProps) {
  return (
    <section className="card">
      <h2 className="small soft">{name}</h2>
      <p className="figure">{children}</p>
      {note}
    </section>
  );
}

export function Empty({ children }: { children: ReactNode }) {
  return <div className="empty">{children}</div>;
}
