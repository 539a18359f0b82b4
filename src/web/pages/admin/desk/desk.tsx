// Desk page: the orders waiting to be sent by hand, and the batches taken.
import { z } from "zod";
import * as desk from "../../../../core/fulfilment/desk/desk.ts";
import { accraMoment, ageText } from "../../../../shared/accra.ts";
import { limits, type Operator } from "../../../../shared/domain.ts";
import { Operator as OperatorCode } from "../../../../shared/inputs.ts";
import { orderedBundleWithin } from "../../../../shared/operators.ts";
import { ordersText } from "../../../../shared/text.ts";
import { type Context, type Leave, type Page, type Refused, redirect, type View } from "../../../page.tsx";
import { readValues } from "../../../read-fields.ts";
import { Field, RefusalNote } from "../../../ui/fields.tsx";
import { Form } from "../../../ui/form.tsx";
import { OperatorTag } from "../../../ui/frame/icons.tsx";
import { Empty } from "../../../ui/parts.tsx";
import { type Column, Table } from "../../../ui/table.tsx";
import { When } from "../../../ui/when.tsx";

export const deskPages: Page[] = [
  {
    path: "/admin/desk",
    right: "orders.work",
    tab: { section: "Orders", label: "To send by hand" },
    palette: ["Take a batch"],
    show: showDesk,
    submit: takeBatch,
  },
];

async function showDesk({ db, by }: Context, refused?: Refused): Promise<View> {
  const [waiting, open, done] = await Promise.all([desk.waiting(db), desk.openBatches(db, by), desk.doneBatches(db)]);
  const waitingCount = waiting.reduce((sum, { count }) => sum + count, 0);
  return {
    body: (
      <>
        <RefusalNote refused={refused} />
        {open.length > 0 && (
          <section className="card" id="desk_batches">
            <h2>Open batches</h2>
            <Table rows={open} columns={batchColumns(by.userId)} className="lines" />
          </section>
        )}
        <section className="card" id="desk_orders">
          <div className="head">
            <h2>Waiting to be sent by hand{waitingCount > 0 && ` (${waitingCount.toLocaleString("en")})`}</h2>
            <a className="button quiet tiny" href="/admin/desk/new">
              Take all new orders
            </a>
          </div>
          {waiting.length === 0 ? (
            <Empty>Nothing is waiting. Paid orders that suppliers do not send come here.</Empty>
          ) : (
            <ul className="rows waiting">
              {waiting.map((network) => (
                <WaitingRow key={network.operator} network={network} refused={refused} />
              ))}
            </ul>
          )}
        </section>
        {done.length > 0 && (
          <details className="fold">
            <summary>
              Finished batches ({done.length < limits.pageSize ? done.length : `newest ${done.length}`})
            </summary>
            <section className="card">
              <Table rows={done} columns={batchColumns(by.userId).filter(isOfFinished)} className="lines" />
            </section>
          </details>
        )}
      </>
    ),
  };
}

type RowProps = { network: desk.WaitingNetwork; refused: Refused | undefined };

/** What waits of a network, and the form that takes some of it: all sizes and as much as fits, unless changed. */
function WaitingRow({ network: { operator, count, since, deadline, sizes }, refused }: RowProps) {
  const own = refused?.values.get("operator") === operator ? refused : undefined;
  const chosen = own?.values.getAll("sizes");
  const noSize = own?.error.details?.fields?.sizes;
  return (
    <li>
      <p className="operator">
        <strong>
          <OperatorTag operator={operator} />
        </strong>
        <span>{ordersText(count)}</span>
        <span className="small soft">
          oldest <Age since={since} />
          {deadline && <Due at={deadline} />}
        </span>
      </p>
      <Form to="/admin/desk" refused={own} sends={{ operator }} idPrefix={operator.toLowerCase()} isOnce>
        <fieldset className="sizes" data-rows="" aria-invalid={noSize ? true : undefined}>
          <legend className="small soft">Sizes</legend>
          {noSize && <p className="error">{noSize}</p>}
          {sizes.map((size) => (
            <label key={size.key} className="check" data-count={size.count}>
              <input
                type="checkbox"
                name="sizes"
                value={size.key}
                defaultChecked={chosen === undefined || chosen.includes(size.key)}
              />
              <bdi>{sizeName(operator, size)}</bdi> <span className="soft">{size.count.toLocaleString("en")}</span>
            </label>
          ))}
        </fieldset>
        <div className="row">
          <Field
            label="Take the oldest"
            name="countMax"
            type="number"
            min={1}
            max={limits.deskBatchOrders}
            value={String(Math.min(count, limits.deskBatchOrders))}
            required
          />
          <button type="submit">Take a batch</button>
        </div>
      </Form>
    </li>
  );
}

/** "2 h 48 min", with the moment as its tooltip. */
function Age({ since }: { since: Date }) {
  return (
    <time dateTime={since.toISOString()} title={accraMoment(since)}>
      {ageText(since, new Date())}
    </time>
  );
}

/** The time left to the first deadline, marked when it is near or past. */
function Due({ at }: { at: Date }) {
  return (
    <>
      {at > new Date() && (
        <>
          , first due in <TimeLeft until={at} />
        </>
      )}{" "}
      <DueChip deadline={at} />
    </>
  );
}

function DueChip({ deadline }: Pick<desk.Batch, "deadline">) {
  const state = desk.dueState({ deadline });
  if (state === "in time") return null;
  return (
    <span className={`chip ${state === "overdue" ? "bad" : "warn"}`}>
      {state === "overdue" ? "Overdue" : "Due soon"}
    </span>
  );
}

/** A size as people name it: "5GB", or "BigTime 15GB" where a network sells two kinds. */
export function sizeName(
  operator: Operator,
  { family, productSize }: Pick<desk.WaitingSize, "family" | "productSize">,
): string {
  return orderedBundleWithin({ operator, family, productSize });
}

const batchColumns = (viewerId: number): Column<desk.Batch>[] => [
  {
    head: "Batch",
    className: "leads",
    cell: ({ id, takenByUserId }) => (
      <>
        <a href={`/admin/desk/${id}`}>Batch {id}</a>
        {takenByUserId === viewerId && <span className="soft"> yours</span>}
      </>
    ),
  },
  {
    head: "Operator",
    isPlainInCards: true,
    cell: ({ operator }) => (operator ? <OperatorTag operator={operator} /> : "Several"),
  },
  {
    head: "Orders",
    isPlainInCards: true,
    isNumber: "wide",
    className: "below",
    cell: ({ orders }) => (
      <>
        {orders.toLocaleString("en")}
        <span className="in-cards"> {orders === 1 ? "order" : "orders"}</span>
      </>
    ),
  },
  { head: "Results", isPlainInCards: true, className: "end", cell: (batch) => <OpenChip batch={batch} /> },
  {
    head: "Time left",
    className: "below small soft",
    cell: ({ openCount, deadline }) => openCount > 0 && <TimeLeft until={deadline} />,
  },
  {
    head: "Taken",
    isPlainInCards: true,
    className: "below",
    cell: ({ createdAt, takenBy }) => (
      <>
        <span className="in-cards">taken </span>
        <When at={createdAt} /> by <bdi>{takenBy ?? "somebody who has left"}</bdi>
      </>
    ),
  },
  {
    head: "Actions",
    // A card is a link as a whole.
    className: "end in-rows",
    cell: ({ id, openCount }) =>
      openCount > 0 && (
        <a className="button quiet tiny" href={`/admin/desk/${id}#results`}>
          Enter results
        </a>
      ),
  },
];

/** A finished batch has no time left and nothing to do. */
function isOfFinished({ head }: Column<desk.Batch>): boolean {
  return head !== "Time left" && head !== "Actions";
}

/** "1 h 15 min", or nothing once it is over: a chip says so. */
export function TimeLeft({ until }: { until: Date }) {
  const now = new Date();
  return until > now && <time dateTime={until.toISOString()}>{ageText(now, until)}</time>;
}

export function OpenChip({ batch }: { batch: desk.Batch }) {
  if (batch.releasedAt) return <span className="chip">Released</span>;
  if (batch.openCount === 0) return <span className="chip good">Done</span>;
  return (
    <>
      <span className="chip" data-count={batch.openCount}>
        {batch.openCount} open
      </span>{" "}
      <DueChip deadline={batch.deadline} />
    </>
  );
}

const Taking = z.object({
  operator: OperatorCode,
  sizes: z.array(z.string().max(100)).min(1, "Choose at least one size").max(200),
  countMax: z.coerce
    .number(`Enter a number from 1 to ${limits.deskBatchOrders}`)
    .int()
    .min(1, "At least 1")
    .max(limits.deskBatchOrders, `At most ${limits.deskBatchOrders}`),
});

async function takeBatch({ db, by, key, form }: Context): Promise<Leave> {
  const { answer } = await desk.take(db, { by, key, ...readTaking(form) });
  const { batchId, orders } = answer;
  const subject = orders === 1 ? "1 order is" : `${orders} orders are`;
  return redirect(`/admin/desk/${batchId}`, `Batch ${batchId}: ${subject} yours to send. Nobody else gets them.`);
}

function readTaking(form: URLSearchParams): z.output<typeof Taking> {
  return readValues(Taking, { ...Object.fromEntries(form), sizes: form.getAll("sizes") });
}
