// Page of a desk batch: its file for the portal, and its results.
import { z } from "zod";
import * as desk from "../../../core/fulfilment/desk.ts";
import * as results from "../../../core/fulfilment/desk-results.ts";
import { csvHeaders, toCsv } from "../../../shared/csv.ts";
import { limits } from "../../../shared/domain.ts";
import { AppError } from "../../../shared/errors/app-error.ts";
import {
  actionsOf,
  type Context,
  type Download,
  type Page,
  type Refused,
  readId,
  redirect,
  type View,
} from "../../page.tsx";
import { Action, refusedFor } from "../../ui/action.tsx";
import { OperatorTag } from "../../ui/icons.tsx";
import { linesToSend, SEND_TITLES } from "../../ui/order-files.tsx";
import { Field, Moment, RefusalNote, TextArea } from "../../ui/parts.tsx";
import { Permit } from "../../ui/permitted.tsx";
import { resultsOf, textOfUpload } from "../../upload/reading.ts";
import { BatchTable, OddSizes } from "./batch-orders.tsx";
import { OpenChip } from "./desk.tsx";

const Rest = z
  .object({
    to: z.enum(["DELIVERED", "FAILED"]),
    reason: z.string().trim().max(200, "At most 200 characters").default(""),
    count: z.coerce.number().int(),
  })
  .refine(({ to, reason }) => to === "DELIVERED" || reason !== "", {
    path: ["reason"],
    message: "Tell the buyers why they failed",
  });

const actions = actionsOf({
  report: {
    run: async (context) => {
      const batchId = idOf(context.params);
      return redirect(`/admin/desk/${batchId}`, await takeIn(context, batchId));
    },
  },
  rest: {
    fields: Rest,
    run: async ({ db, by, params }, { to, reason, count: expectedCount }) => {
      const batchId = idOf(params);
      const count = await results.closeRest(db, { by, batchId, to, reason: reason || null, expectedCount });
      const notice = to === "FAILED" ? `${count} failed and refunded.` : `${count} delivered.`;
      return redirect(`/admin/desk/${batchId}`, notice);
    },
  },
  release: {
    run: async ({ db, by, params }) => {
      const count = await desk.release(db, { by, batchId: idOf(params) });
      return redirect("/admin/desk", `${count} returned to the desk.`);
    },
  },
});
type BatchAction = keyof typeof actions;

export const batchPages: Page[] = [
  { path: "/admin/desk/:id/file", right: "orders.work", subject: "batch", examples: [], show: downloadBatch },
  {
    path: "/admin/desk/:id",
    right: "orders.work",
    tab: { section: "Delivery", under: "/admin/desk" },
    subject: "batch",
    bodyBytesMax: limits.bulkBodyBytes,
    uploadBytesMax: limits.bulkUploadBytes,
    show: showBatch,
    actions,
  },
];

async function downloadBatch({ db, params }: Context): Promise<Download> {
  const { orders } = await desk.batch(db, idOf(params));
  const open = orders.filter(({ isOpen }) => isOpen);
  return {
    pieces: [toCsv([SEND_TITLES, ...open.flatMap(linesToSend)])],
    headers: csvHeaders("new_orders.csv"),
  };
}

async function showBatch({ db, params, url }: Context, refused?: Refused): Promise<View> {
  const { batch, orders } = await desk.batch(db, idOf(params));
  const refunded = orders.filter(({ isRefunded }) => isRefunded).length;
  return {
    title: `Batch ${batch.id}`,
    body: (
      <>
        <div className="head">
          <div>
            <h2>
              Batch {batch.id} <OpenChip batch={batch} />
            </h2>
            <p className="soft">
              {batch.operator ? <OperatorTag operator={batch.operator} /> : "Several networks"}, taken{" "}
              <Moment at={batch.createdAt} /> by <bdi>{batch.takenBy ?? "somebody who has left"}</bdi>
            </p>
          </div>
          {batch.openCount > 0 && (
            <a className="button" href={`/admin/desk/${batch.id}/file`} download>
              Download new_orders.csv
            </a>
          )}
        </div>
        {batch.openCount > 0 && <Deadline batch={batch} />}
        <OddSizes orders={orders} />
        {refunded > 0 && (
          <p className="note warn">
            {refunded} of these {refunded === 1 ? "was" : "were"} refunded. If one was delivered anyway, enter
            its result: it is recorded as a loss.
          </p>
        )}
        {(batch.openCount > 0 || refunded > 0) && <BatchForms batch={batch} refused={refused} />}
        <section className="card">
          <h2>Orders</h2>
          <BatchTable
            orders={orders}
            path={`/admin/desk/${batch.id}`}
            showsAll={url.searchParams.has("all")}
          />
        </section>
      </>
    ),
  };
}

/** The deadline for a batch's results, as a warning once it is near. */
function Deadline({ batch }: { batch: desk.Batch }) {
  const state = desk.dueState(batch);
  return (
    <p className={state === "in time" ? "note" : "note warn"}>
      {state === "overdue" ? "This batch was due by " : "Enter its results by "}
      <strong>
        <Moment at={batch.deadline} />
      </strong>
      . Its orders are not refunded automatically while it is open.
      {state === "overdue" && " Enter the results that you have, or release what was not sent."}
    </p>
  );
}

type FormsProps = { batch: desk.Batch; refused: Refused | undefined };

function BatchForms({ batch, refused }: FormsProps) {
  const action = `/admin/desk/${batch.id}`;
  const report = refusedFor<BatchAction>("report", refused);
  return (
    <div className="two">
      <form method="post" action={action} encType="multipart/form-data" className="card fields">
        <Action<BatchAction> name="report" />
        <h2>Results</h2>
        <RefusalNote refused={report} />
        <TextArea
          label="Results"
          name="results"
          rows={8}
          maxLength={limits.bulkBodyBytes}
          refused={report}
          hint={RESULTS_HINT}
        />
        <Field
          label="Or the portal's file"
          name="file"
          type="file"
          refused={report}
          isSecret
          hint="CSV, text or Excel (.xlsx), with the same columns. Its lines are added below the pasted ones."
        />
        <button type="submit">Save results</button>
      </form>
      {batch.openCount > 0 && <RestForms batch={batch} action={action} refused={refused} />}
    </div>
  );
}

const RESULTS_HINT =
  "Paste the portal's result: a line for each number, with its status, as in 0541234567,delivered or " +
  "0541234567,5,failed,Turbonet SIM. Failed ones are refunded at once; pending ones stay in the batch.";

/**
 * The remaining orders, all at once. Needs a second press, because buyers are notified at once and refunds are final.
 */
function RestForms({ batch, action, refused }: FormsProps & { action: string }) {
  const rest = refusedFor<BatchAction>("rest", refused);
  const target = rest?.values.get("to");
  const common = (
    <>
      <Action<BatchAction> name="rest" />
      <input type="hidden" name="count" value={batch.openCount} />
    </>
  );
  return (
    <div>
      <section className="card fields">
        <h2>The rest ({batch.openCount})</h2>
        <RefusalNote refused={rest} />
        <form method="post" action={action}>
          {common}
          <details className="sure">
            <summary className="button">All delivered …</summary>
            <button name="to" value="DELIVERED" type="submit">
              Yes, all {batch.openCount} have arrived
            </button>
          </details>
        </form>
        <Permit right="orders.refund">
          <form method="post" action={action}>
            {common}
            <details className="sure" open={target === "FAILED"}>
              <summary className="button danger">All failed …</summary>
              <Field label="Reason" name="reason" refused={rest} hint="Their buyers can read it" />
              <button className="danger" name="to" value="FAILED" type="submit">
                Fail and refund all {batch.openCount}
              </button>
            </details>
          </form>
        </Permit>
      </section>
      <form method="post" action={action} className="card fields">
        <Action<BatchAction> name="release" />
        <p className="soft">
          Not sent after all? The remaining orders return to the desk, for another batch. Overdue ones are
          then refunded.
        </p>
        <button className="quiet" type="submit">
          Release the rest
        </button>
      </form>
    </div>
  );
}

const UNMATCHED = {
  not_in_batch: "no open order of this batch",
  ambiguous: "several orders for this number: give the size as well",
  partly: "only part of its order",
} as const;
const UNMATCHED_SHOWN = 5;

/** Applies the clear results and returns a notice. Unclear ones stay in the batch, and the notice names their lines. */
async function takeIn(context: Context, batchId: number): Promise<string> {
  const { db, by, form } = context;
  await addFile(context);
  const { lines, problems } = await resultsOf(form.get("results") ?? "", by.userId);
  const unreadable = problems.filter(({ isUnclear }) => !isUnclear);
  if (unreadable.length > 0 || lines.length === 0) {
    const shown = (unreadable.length > 0 ? unreadable : problems).slice(0, UNMATCHED_SHOWN);
    const message =
      shown.length > 0
        ? shown.map(({ line, message }) => `Line ${line}: ${message}`).join(". ")
        : "Paste at least one line, or choose a file";
    throw new AppError("request.invalid", { fields: { results: message } }, message);
  }
  const { delivered, failed, pending, lost, unmatched } = await results.report(db, { by, batchId, lines });
  const sentences = [`${delivered.length} delivered, ${failed.length} failed and refunded.`];
  if (pending.length > 0) sentences.push(`${pending.length} pending: still in this batch.`);
  if (lost.length > 0)
    sentences.push(`${lost.length} delivered after the refund: recorded as a loss, see Delivery, Losses.`);
  const unclear = problems.map(({ line, message }) => `line ${line}: ${message}`);
  const unused = [...unclear, ...unmatched.map(({ line, reason }) => `line ${line}: ${UNMATCHED[reason]}`)];
  if (unused.length > 0)
    sentences.push(`${unused.length} changed nothing: ${unused.slice(0, UNMATCHED_SHOWN).join("; ")}`);
  return `${unused.length > 0 || lost.length > 0 ? "!" : ""}${sentences.join(" ")}`;
}

/**
 * Appends the lines of the form's file to the pasted ones, so that they can be corrected there. Throws request.invalid
 * about the file when it cannot be read or holds no results.
 */
async function addFile({ form, files, by }: Context): Promise<void> {
  const file = files.get("file");
  if (!file) return;
  const text = (await textOfUpload(file, by.userId)).trim();
  if ((await resultsOf(text, by.userId)).lines.length === 0) {
    const message = /\d{9}/.test(text.replace(/[ -]/g, ""))
      ? NO_RESULTS
      : "There is no column of phone numbers in this file.";
    throw new AppError("request.invalid", { fields: { file: message } }, message);
  }
  const typed = (form.get("results") ?? "").trimEnd();
  form.set("results", typed === "" ? text : `${typed}\n${withoutHeading(text)}`);
}

const NO_RESULTS =
  "No line of this file has a phone number and a status: delivered, failed or pending. The columns are number and " +
  "status, then optionally size and reason.";

/** Removes a first line without digits, because below other lines a heading would be invalid. */
function withoutHeading(text: string): string {
  const end = text.search(/[\r\n]/);
  const first = end < 0 ? text : text.slice(0, end);
  return /\d/.test(first) || end < 0 ? text : text.slice(end).trimStart();
}

function idOf(params: Record<string, string>): number {
  const id = readId(params.id);
  if (!id) throw new AppError("desk.batch_not_found");
  return id;
}
