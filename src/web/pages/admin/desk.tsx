// Desk page: the orders waiting to be sent by hand, and the batches taken.
import { z } from "zod";
import * as desk from "../../../core/fulfilment/desk.ts";
import { Operator } from "../../../http/schemas/common.ts";
import { limits } from "../../../shared/domain.ts";
import {
  type Context,
  type Leave,
  type Page,
  type Refused,
  readFields,
  redirect,
  type View,
} from "../../page.tsx";
import { OperatorTag } from "../../ui/icons.tsx";
import { Empty, Field, FormKey, Moment, RefusalNote } from "../../ui/parts.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { When } from "../../ui/when.tsx";

export const deskPages: Page[] = [
  {
    path: "/admin/desk",
    right: "orders.work",
    tab: { section: "Delivery", label: "Desk" },
    show: showDesk,
    submit: takeBatch,
  },
];

async function showDesk({ db }: Context, refused?: Refused): Promise<View> {
  const [waiting, batches] = await Promise.all([desk.waiting(db), desk.batches(db)]);
  return {
    title: "Desk",
    body: (
      <>
        <RefusalNote refused={refused} />
        <section className="card">
          <h2>Waiting to be sent by hand</h2>
          {waiting.length === 0 ? (
            <Empty>Nothing is waiting. Paid orders come here when their route includes the desk.</Empty>
          ) : (
            <ul className="rows">
              {waiting.map(({ operator, count, since }) => (
                <li key={operator} className="operator">
                  <strong>
                    <OperatorTag operator={operator} />
                  </strong>
                  <span>
                    {count.toLocaleString("en")} {count === 1 ? "order" : "orders"}
                  </span>
                  <span className="small soft">
                    oldest since <Moment at={since} />
                  </span>
                  <form method="post" action="/admin/desk">
                    <FormKey refused={refused} />
                    <input type="hidden" name="operator" value={operator} />
                    <div className="row">
                      <Field
                        label="At most"
                        name="countMax"
                        idPrefix={operator.toLowerCase()}
                        type="number"
                        min={1}
                        max={limits.deskBatchOrders}
                        value={String(Math.min(count, 40))}
                        required
                      />
                      <button type="submit">Take a batch</button>
                    </div>
                  </form>
                </li>
              ))}
            </ul>
          )}
        </section>
        <p>
          <a href="/admin/desk/new">Take all new orders, whatever their route</a>
        </p>
        <section className="card">
          <h2>Batches</h2>
          <Table rows={batches} columns={BATCHES} empty="No batch has been taken yet." />
        </section>
      </>
    ),
  };
}

const BATCHES: Column<desk.Batch>[] = [
  { head: "Batch", cell: ({ id }) => <a href={`/admin/desk/${id}`}>Batch {id}</a> },
  { head: "Operator", cell: ({ operator }) => (operator ? <OperatorTag operator={operator} /> : "Several") },
  { head: "Orders", cell: ({ orders }) => orders },
  { head: "Open", cell: (batch) => <OpenChip batch={batch} /> },
  {
    head: "Taken",
    className: "full",
    cell: ({ createdAt, takenBy }) => (
      <>
        <When at={createdAt} /> by <bdi>{takenBy ?? "a former admin"}</bdi>
      </>
    ),
  },
];

export function OpenChip({ batch }: { batch: desk.Batch }) {
  if (batch.releasedAt) return <span className="chip">Released</span>;
  if (batch.openCount === 0) return <span className="chip good">Done</span>;
  const state = desk.dueState(batch);
  return (
    <>
      <span className="chip warn">{batch.openCount} open</span>{" "}
      {state !== "in time" && (
        <span className={`chip ${state === "overdue" ? "bad" : "warn"}`}>
          {state === "overdue" ? "Overdue" : "Due soon"}
        </span>
      )}
    </>
  );
}

const Taking = z.object({
  operator: Operator,
  countMax: z.coerce
    .number(`Enter a number from 1 to ${limits.deskBatchOrders}`)
    .int()
    .min(1, "At least 1")
    .max(limits.deskBatchOrders, `At most ${limits.deskBatchOrders}`),
});

async function takeBatch({ db, by, key, form }: Context): Promise<Leave> {
  const { answer } = await desk.take(db, { by, key, ...readFields(Taking, form) });
  const { batchId, orders } = answer;
  const subject = orders === 1 ? "1 order is" : `${orders} orders are`;
  return redirect(
    `/admin/desk/${batchId}`,
    `Batch ${batchId}: ${subject} yours to send. Nobody else gets them.`,
  );
}
