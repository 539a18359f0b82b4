// Desk batches whose results are due, on the page of what needs attention.
import * as desk from "../../../core/fulfilment/desk.ts";
import { Deadline } from "../../ui/parts.tsx";
import { PageLink } from "../../ui/permitted.tsx";

export function DueBatches({ batches }: { batches: desk.Batch[] }) {
  const overdue = batches.filter((batch) => desk.dueState(batch) === "overdue").length;
  return (
    <section className="card">
      <h2>Desk batches that are due ({batches.length})</h2>
      <p className="soft">
        {overdue > 0 && `${overdue} overdue. `}
        Their orders are not refunded automatically: enter their results, or release them.
      </p>
      <ul className="rows">
        {batches.map((batch) => (
          <li key={batch.id}>
            <strong>
              <PageLink isName href={`/admin/desk/${batch.id}`}>
                Batch {batch.id}
              </PageLink>
            </strong>
            <span>
              {batch.openCount} of {batch.orders} open, taken by{" "}
              <bdi>{batch.takenBy ?? "somebody who has left"}</bdi>
            </span>
            <span className="small">
              due <Deadline at={batch.deadline} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
