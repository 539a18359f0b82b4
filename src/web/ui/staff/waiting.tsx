// The lists on Today: what waits for a person, and what the shop lacks.

import { WAITING, type WaitingKind } from "../../../core/overview/kinds.ts";
import type { Missing } from "../../../core/overview/setup.ts";
import { countText, isUrgent, labelOf, pageOf, sharesOf, type Waiting } from "../../../core/overview/waiting.ts";
import { accraShort, ageText } from "../../../shared/accra.ts";
import { show } from "../../../shared/money.ts";
import { Icon } from "../frame/icons.tsx";
import { PageLink } from "../frame/permitted.tsx";

type Props = { rows: readonly Waiting[]; missing: readonly Missing[]; viewerId: number };

/**
 * What the shop lacks, then each kind that waits with its number, age, money and deadline, and how many of it the
 * viewer or others have taken, linked to where the work is done. All is well only where nothing is missing.
 */
export function WaitingList({ rows, missing, viewerId }: Props) {
  if (missing.length > 0)
    return (
      <>
        <MissingList missing={missing} />
        <p className="small">
          <PageLink href="/admin/setup">All that your shop needs</PageLink>
        </p>
        {rows.length > 0 && <Rows rows={rows} viewerId={viewerId} />}
      </>
    );
  if (rows.length === 0)
    return (
      <div className="calm">
        <Icon name="done" />
        <p>
          <strong>Nothing waits.</strong> <span className="soft">Orders go out, and nobody needs an answer.</span>
        </p>
      </div>
    );
  return <Rows rows={rows} viewerId={viewerId} />;
}

function MissingList({ missing }: { missing: readonly Missing[] }) {
  return (
    <ul className="note warn missing">
      {missing.map(({ name, effect, to }) => (
        <li key={name}>
          <strong>
            {to ? (
              <PageLink isName href={to}>
                {name}
              </PageLink>
            ) : (
              name
            )}
            .
          </strong>{" "}
          {effect}
        </li>
      ))}
    </ul>
  );
}

function Rows({ rows, viewerId }: Pick<Props, "rows" | "viewerId">) {
  return (
    <ul className="waits" data-rows="">
      {rows.map((row) => (
        <li key={row.kind}>
          <a href={pageOf(row)} className={isUrgent(row) ? "urgent" : undefined}>
            <span className="many">{countText(row)}</span> <span>{labelOf(row)}</span>{" "}
            <span className="particulars">
              <span className="about">{aboutOf(row, viewerId)}</span>{" "}
              {row.deadline && <DeadlineChip at={row.deadline} />}
            </span>{" "}
            <span className="do">{WAITING[row.kind].verb}</span>
          </a>
        </li>
      ))}
    </ul>
  );
}

/** What lines do not part. */
const whole = (text: string) => text.replaceAll(" ", "\u00a0");

/** "1 yours · oldest 2 h 10 min · GH₵ 120.00". */
function aboutOf(row: Waiting, viewerId: number): string {
  const { kind, count, isMore, since, pesewas, orders } = row;
  const { own, others } = sharesOf(row, viewerId);
  const age = since && ageText(since, new Date());
  const event = (WAITING[kind] as WaitingKind).since;
  return [
    own > 0 && (own === count ? "yours" : `${own} yours`),
    others > 0 && (others === count ? "with others" : `${others} with others`),
    orders !== null && `${orders.toLocaleString("en")} ${orders === 1 ? "order waits" : "orders wait"}`,
    age && event && `${count === 1 ? event : `oldest ${event}`} ${whole(`${age} ago`)}`,
    age && !event && whole(count === 1 ? `for ${age}` : `oldest ${age}`),
    pesewas !== null && pesewas > 0 && `${isMore ? "more than " : ""}${whole(show(pesewas))}`,
  ]
    .filter(Boolean)
    .join(" · ");
}

function DeadlineChip({ at }: { at: Date }) {
  const leftMs = at.getTime() - Date.now();
  const colour = leftMs <= 0 ? "bad" : leftMs < 2 * 3_600_000 ? "warn" : "";
  return (
    <span className={`chip by ${colour}`}>
      {leftMs <= 0 ? "Overdue since " : "By "}
      <time dateTime={at.toISOString()}>{accraShort(at, new Date())}</time>
    </span>
  );
}
