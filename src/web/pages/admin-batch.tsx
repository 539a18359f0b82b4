// One batch of the desk: its file for whoever sends it, and what came of it.
import { z } from "zod";
import * as desk from "../../core/desk.ts";
import { csvHeaders, toCsv } from "../../shared/csv.ts";
import { limits, orderedBundle } from "../../shared/domain.ts";
import { AppError } from "../../shared/errors.ts";
import { spacedMsisdn } from "../../shared/msisdn.ts";
import { withoutTurns } from "../../shared/text.ts";
import {
  type Context,
  type Download,
  type Leave,
  type Page,
  type Refused,
  readFields,
  readId,
  redirect,
  refusedFor,
  type View,
} from "../page.tsx";
import { Empty, Field, Moment, Money, OperatorTag, RefusalNote, StatusChip, TextArea } from "../parts.tsx";
import { resultsOf, textOfUpload } from "../reading.ts";
import { OpenChip } from "./admin-desk.tsx";
import { DeliveryFrame } from "./admin-vendors.tsx";
import { linesToSend, SEND_TITLES } from "./exports.tsx";

export const batchPages: Page[] = [
  { path: "/admin/desk/:id/file", role: "admin", show: downloadBatch },
  {
    path: "/admin/desk/:id",
    role: "admin",
    bodyBytesMax: limits.bulkBodyBytes,
    uploadBytesMax: limits.bulkUploadBytes,
    show: showBatch,
    submit: changeBatch,
  },
];

async function downloadBatch({ db, params }: Context): Promise<Download> {
  const { batch, orders } = await desk.batch(db, idOf(params));
  const open = orders.filter(({ isOpen }) => isOpen);
  return {
    pieces: [toCsv([SEND_TITLES, ...open.flatMap(linesToSend)])],
    headers: csvHeaders(`new_orders_batch_${batch.id}.csv`),
  };
}

async function showBatch({ db, params }: Context, refused?: Refused): Promise<View> {
  const { batch, orders } = await desk.batch(db, idOf(params));
  return {
    title: `Batch ${batch.id}`,
    body: (
      <DeliveryFrame here="/admin/desk">
        <div className="head">
          <div>
            <h2>
              Batch {batch.id} <OpenChip batch={batch} />
            </h2>
            <p className="soft">
              <OperatorTag operator={batch.operator} />, taken <Moment at={batch.createdAt} /> by{" "}
              <bdi>{batch.takenBy ?? "somebody who left"}</bdi>
            </p>
          </div>
          {batch.openCount > 0 && (
            <a className="button" href={`/admin/desk/${batch.id}/file`} download>
              Download new_orders.csv
            </a>
          )}
        </div>
        {batch.openCount > 0 && <BatchForms batch={batch} refused={refused} />}
        <section className="card">
          <h2>Orders</h2>
          {orders.length === 0 ? (
            <Empty>All of it went back to the desk.</Empty>
          ) : (
            <BatchTable orders={orders} />
          )}
        </section>
      </DeliveryFrame>
    ),
  };
}

function BatchForms({ batch, refused }: { batch: desk.Batch; refused: Refused | undefined }) {
  const action = `/admin/desk/${batch.id}`;
  const report = refusedFor("report", refused);
  return (
    <div className="two">
      <form method="post" action={action} encType="multipart/form-data" className="card fields">
        <input type="hidden" name="do" value="report" />
        <h2>What came of it</h2>
        <RefusalNote refused={report} />
        <TextArea
          label="Results"
          name="results"
          rows={8}
          maxLength={limits.bulkBodyBytes}
          refused={report}
          hint="Paste the portal's result: a line for each number, with its status, as in 0541234567,delivered or 0541234567,5,failed,Turbonet SIM. Failed ones are refunded at once."
        />
        <Field
          label="Or the portal's file"
          name="file"
          type="file"
          refused={report}
          isSecret
          hint="CSV, text or Excel (.xlsx), with the same columns. Its lines come below those that are pasted."
        />
        <button type="submit">Take in results</button>
      </form>
      <div>
        <form method="post" action={action} className="card fields">
          <h2>The rest ({batch.openCount})</h2>
          <RefusalNote refused={refusedFor("rest", refused)} />
          <input type="hidden" name="do" value="rest" />
          <Field
            label="Reason, if they failed"
            name="reason"
            refused={refusedFor("rest", refused)}
            hint="Their buyers read it"
          />
          <div className="actions">
            <button name="to" value="DELIVERED" type="submit">
              All delivered
            </button>
            <button className="danger" name="to" value="FAILED" type="submit">
              All failed, refund
            </button>
          </div>
        </form>
        <form method="post" action={action} className="card fields">
          <input type="hidden" name="do" value="release" />
          <p className="soft">Not sent after all? What is left goes back to the desk, for another batch.</p>
          <button className="quiet" type="submit">
            Release what is left
          </button>
        </form>
      </div>
    </div>
  );
}

function BatchTable({ orders }: { orders: desk.BatchOrder[] }) {
  return (
    <div className="scroll">
      <table className="cards">
        <thead>
          <tr>
            <th>Order</th>
            <th>Number</th>
            <th>Bundle</th>
            <th>Amount</th>
            <th>Status</th>
          </tr>
        </thead>
        <tbody>
          {orders.map((order) => (
            <tr key={order.id}>
              <td>
                <a href={`/orders/${order.id}`}>#{order.id}</a>
              </td>
              <td className="money">{spacedMsisdn(order.msisdn)}</td>
              <td>
                <bdi>
                  {orderedBundle(order)}
                  {order.quantity > 1 && ` × ${order.quantity}`}
                </bdi>
              </td>
              <td>
                <Money pesewas={order.amountPesewas} />
              </td>
              <td>
                <StatusChip status={order.status} isPaid={order.paidAt !== null} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const Rest = z
  .object({
    to: z.enum(["DELIVERED", "FAILED"]),
    reason: z.string().trim().max(200, "At most 200 characters").default(""),
  })
  .refine(({ to, reason }) => to === "DELIVERED" || reason !== "", {
    path: ["reason"],
    message: "Say why they failed, for their buyers",
  });

async function changeBatch(context: Context): Promise<Leave> {
  const { db, by, form, params } = context;
  const batchId = idOf(params);
  const here = `/admin/desk/${batchId}`;
  switch (form.get("do")) {
    case "report":
      return redirect(here, await takeIn(context, batchId));
    case "rest": {
      const { to, reason } = readFields(Rest, form);
      const count = await desk.closeRest(db, { by, batchId, to, reason: reason || null });
      return redirect(here, to === "FAILED" ? `${count} failed and refunded.` : `${count} delivered.`);
    }
    case "release": {
      const count = await desk.release(db, { by, batchId });
      return redirect("/admin/desk", `${count} went back to the desk.`);
    }
    default:
      throw new AppError("request.invalid");
  }
}

const UNMATCHED = {
  not_in_batch: "no open order of this batch",
  ambiguous: "several orders for this number: give the size as well",
  partly: "only a part of its order",
} as const;
const UNMATCHED_SHOWN = 5;

async function takeIn(context: Context, batchId: number): Promise<string> {
  const { db, by, form } = context;
  await addFile(context);
  const { lines, problems } = await resultsOf(form.get("results") ?? "", by.userId!);
  if (problems.length > 0 || lines.length === 0) {
    const words =
      problems.length > 0
        ? problems
            .slice(0, UNMATCHED_SHOWN)
            .map(({ line, message }) => `Line ${line}: ${message}`)
            .join(". ")
        : "Paste at least one line, or choose a file";
    throw new AppError("request.invalid", { fields: { results: words } }, words);
  }
  const { delivered, failed, unmatched } = await desk.report(db, { by, batchId, lines });
  const done = `${delivered.length} delivered, ${failed.length} failed and refunded.`;
  if (unmatched.length === 0) return done;
  const shown = unmatched.slice(0, UNMATCHED_SHOWN).map(({ line, why }) => `line ${line}: ${UNMATCHED[why]}`);
  return `!${done} ${unmatched.length} changed nothing: ${shown.join("; ")}`;
}

/**
 * Puts the lines of the form's file below those that were pasted, so that what is wrong with one can be mended there.
 * Throws request.invalid beside the file when it cannot be read, or is no file of results at all.
 */
async function addFile({ form, files, by }: Context): Promise<void> {
  const file = files.get("file");
  if (!file) return;
  const text = withoutTurns((await textOfUpload(file, by.userId!)).replaceAll("\0", "")).trim();
  if ((await resultsOf(text, by.userId!)).lines.length === 0) {
    const words = /\d{9}/.test(text.replace(/[ -]/g, ""))
      ? "No line of this file has a phone number and says delivered or failed. Its columns are number, status, and perhaps size and reason."
      : "There is no column of phone numbers in this file.";
    throw new AppError("request.invalid", { fields: { file: words } }, words);
  }
  const typed = (form.get("results") ?? "").trimEnd();
  form.set("results", typed === "" ? text : `${typed}\n${withoutHeading(text)}`);
}

/** Without its first line, when that has no digit: below other lines a heading would be one that cannot be read. */
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
