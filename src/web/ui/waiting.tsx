// What waits for a person, as the list on Today.

import { countText, isUrgent, labelOf, pageOf, type Waiting } from "../../core/overview/waiting.ts";
import { accraShort, ageText } from "../../shared/accra.ts";
import { show } from "../../shared/money.ts";
import { Icon } from "./icons.tsx";

/** Each kind with its number, age, money and deadline, linked to where the work is done. */
export function WaitingList({ rows }: { rows: readonly Waiting[] }) {
  if (rows.length === 0)
    return (
      <div className="calm">
        <Icon name="done" />
        <p>
          <strong>Nothing waits.</strong>{" "}
          <span className="soft">Orders go out, and nobody needs an answer.</span>
        </p>
      </div>
    );
  return (
    <ul className="waits">
      {rows.map((row) => (
        <li key={row.kind}>
          <a href={pageOf(row)} className={isUrgent(row) ? "urgent" : undefined}>
            <span className="many">{countText(row)}</span>{" "}
            <span>
              {labelOf(row)} <span className="about">{aboutOf(row)}</span>
            </span>
            {row.deadline && <DeadlineChip at={row.deadline} />}
          </a>
        </li>
      ))}
    </ul>
  );
}

/** "oldest 2 h 10 min · GH₵ 120.00". */
function aboutOf({ count, isMore, since, pesewas, orders }: Waiting): string {
  const age = since && ageText(since, new Date());
  return [
    orders !== null && `${orders.toLocaleString("en")} ${orders === 1 ? "order waits" : "orders wait"}`,
    age && (count === 1 ? `for ${age}` : `oldest ${age}`),
    pesewas !== null && pesewas > 0 && `${isMore ? "more than " : ""}${show(pesewas)}`,
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
