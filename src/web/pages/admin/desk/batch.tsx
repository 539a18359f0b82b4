// Page of a desk batch: what is to be sent, its file for the portal, and its results, which can be undone for a while.
import { z } from "zod";
import * as desk from "../../../../core/fulfilment/desk/desk.ts";
import * as passing from "../../../../core/fulfilment/desk/desk-passing.ts";
import * as results from "../../../../core/fulfilment/desk/desk-results.ts";
import { limits } from "../../../../shared/domain.ts";
import { AppError } from "../../../../shared/errors/app-error.ts";
import { csvHeaders, toCsv } from "../../../../shared/lists/csv.ts";
import { does } from "../../../does.ts";
import {
  type Answer,
  actionsOf,
  type Context,
  type Download,
  type Page,
  type Refused,
  readId,
  redirect,
  type View,
} from "../../../page.tsx";
import { refusedFor } from "../../../ui/action.tsx";
import { RefusalNote } from "../../../ui/fields.tsx";
import { OperatorTag } from "../../../ui/frame/icons.tsx";
import { LiveUpdates, markAnswer, wantsMark } from "../../../ui/frame/live.tsx";
import { linesToSend, SEND_TITLES } from "../../../ui/orders/order-files.tsx";
import { Moment } from "../../../ui/parts.tsx";
import { When } from "../../../ui/when.tsx";
import { BatchTable, OddSizes, SizeGroups } from "./batch-orders.tsx";
import { PassingForms } from "./batch-passing.tsx";
import { type Preview, Rest, readResults, restText } from "./batch-reading.ts";
import { isMarked, ResultForms, WaitingResults } from "./batch-results.tsx";
import { OpenChip, TimeLeft } from "./desk.tsx";

const batchId = ({ params }: Context) => idOf(params);
const actions = {
  ...actionsOf({
    report: { run: takeIn },
    rest: {
      fields: Rest,
      run: async ({ db, by, key, params }, { to, reason, count: expectedCount }) => {
        const batchId = idOf(params);
        const command = { by, key, batchId, to, ...(reason && { reason }), expectedCount };
        const { answer } = await results.closeRest(db, command);
        return redirect(`/admin/desk/${batchId}`, restText(to, answer));
      },
    },
    undo: {
      fields: z.object({ resultId: z.coerce.number().int().positive() }),
      run: async ({ db, by, key, params }, { resultId }) => {
        await results.undo(db, { by, key, resultId });
        const notice = "Undone: nothing was moved, refunded or sent.";
        return redirect(`/admin/desk/${idOf(params)}?again=${resultId}`, notice);
      },
    },
  }),
  passOn: does(
    passing.passOn,
    ({ batchId, toUserId }, { takenBy }, { by }) => {
      const whose = toUserId === by.userId ? "yours" : `${takenBy}'s`;
      return redirect(`/admin/desk/${batchId}`, `Batch ${batchId} is ${whose} now.`);
    },
    { batchId },
  ),
  release: does(desk.release, (_, { returned }) => redirect("/admin/desk", `${returned} returned to the desk.`), {
    batchId,
  }),
};
export type BatchAction = keyof typeof actions;

export const batchPages: Page[] = [
  { path: "/admin/desk/:id/file", right: "orders.work", subject: "batch", examples: [], show: downloadBatch },
  {
    path: "/admin/desk/:id",
    right: "orders.work",
    tab: { section: "Orders", under: "/admin/desk" },
    subject: "batch",
    bodyBytesMax: limits.bulkBodyBytes,
    uploadBytesMax: limits.bulkUploadBytes,
    show: showBatch,
    actions,
  },
];

async function downloadBatch({ db, by, params }: Context): Promise<Download> {
  const orders = await desk.download(db, { by, batchId: idOf(params) });
  return {
    pieces: [toCsv([SEND_TITLES, ...orders.flatMap(linesToSend)])],
    headers: csvHeaders("new_orders.csv"),
  };
}

/** Saves results once somebody has seen what they would do; those that move no order are taken in at once. */
async function takeIn(context: Context): Promise<Answer> {
  const { db, by, key, form, params } = context;
  const batchId = idOf(params);
  const preview = await readResults(context, batchId);
  if (!preview.isConfirmed) return showBatch(context, undefined, preview);
  const { lines, text, unusedText: unused, movingCount: expectedCount } = preview;
  const command = { by, key, batchId, lines, typed: text, unused, expectedCount };
  const { answer } = await results.report(db, command);
  const left = unused && answer.waiting ? `?unused=${answer.waiting.resultId}` : "";
  form.delete("results");
  return redirect(`/admin/desk/${batchId}${left}`, preview.savedText);
}

async function showBatch(context: Context, refused?: Refused, preview?: Preview): Promise<Answer> {
  const { db, by, params, url, request } = context;
  const batchId = idOf(params);
  const [{ batch, orders }, waiting] = await Promise.all([desk.batch(db, batchId), results.waitingOf(db, batchId)]);
  const path = `/admin/desk/${batch.id}`;
  const mark = `${batch.openCount} ${waiting.map(({ id }) => id).join()}`;
  const live = { path, mark, isOver: waiting.length === 0 };
  if (wantsMark(request)) return markAnswer(live);
  const [applied, colleagues, restored] = await Promise.all([
    results.appliedOf(db, batchId, 5),
    batch.openCount > 0 ? passing.colleagues(db) : [],
    restoredText(context, batchId),
  ]);
  const open = orders.filter(desk.isFree);
  const refunded = orders.filter(({ isRefunded }) => isRefunded).length;
  const body = (
    <>
      <div className="head" data-live="batch-head">
        <div>
          <h2>
            {batch.takenByUserId === by.userId ? "Your batch" : "Batch"} {batch.id} <OpenChip batch={batch} />
          </h2>
          <p className="soft">
            {batch.operator ? <OperatorTag operator={batch.operator} /> : "Several networks"}, taken{" "}
            <Moment at={batch.createdAt} /> by <bdi>{batch.takenBy ?? "a former admin"}</bdi>
            {batch.exportedAt && (
              <>
                , file downloaded <Moment at={batch.exportedAt} />
              </>
            )}
          </p>
        </div>
        {open.length > 0 && (
          <a className={batch.exportedAt || preview ? "button quiet" : "button"} href={`${path}/file`} download>
            Download file
          </a>
        )}
      </div>
      {batch.openCount > 0 && <Deadline batch={batch} />}
      <RefusalNote refused={refusedFor<BatchAction>("undo", refused)} />
      <WaitingResults waiting={waiting} applied={applied} path={path} />
      {waiting.length > 0 && <LiveUpdates {...live} />}
      <OddSizes orders={open} />
      {refunded > 0 && (
        <p className="note warn">
          {refunded} of these {refunded === 1 ? "was" : "were"} refunded. If one was delivered anyway, enter its result:
          it is recorded as a loss, and its refund can be taken back on its page.
        </p>
      )}
      {open.length > 0 && !preview && <SizeGroups orders={open} />}
      {(batch.openCount > 0 || refunded > 0) && (
        <ResultForms {...{ path, open, refused, preview, restored }} isWhole={open.length === orders.length} />
      )}
      {open.length > 0 && <PassingForms {...{ batch, by, colleagues, path, refused }} />}
      <Orders {...{ orders, path }} isFolded={!preview && isMarked(open)} showsAll={url.searchParams.has("all")} />
    </>
  );
  return { title: `Batch ${batch.id}`, body, ...(isUseless(preview) && { status: 422 }) } satisfies View;
}

/** Whether none of the lines is about an open order. */
function isUseless(preview: Preview | undefined): boolean {
  return (
    preview !== undefined &&
    preview.movingCount + preview.lost.length + preview.pending.length + preview.phrases.length === 0
  );
}

type OrdersProps = Parameters<typeof BatchTable>[0] & { isFolded: boolean };

/** Its orders one by one; folded away while each open one stands with its result above. */
function Orders({ isFolded, ...table }: OrdersProps) {
  const count = table.orders.length.toLocaleString("en");
  return (
    <details className="card" open={!isFolded}>
      <summary>
        <h2>Orders ({count})</h2>
      </summary>
      <div data-live="batch-orders">
        <BatchTable {...table} />
      </div>
    </details>
  );
}

/** The deadline for a batch's results, as a warning once it is near. */
function Deadline({ batch }: { batch: desk.Batch }) {
  const { deadline } = batch;
  const state = desk.dueState(batch);
  if (state === "overdue")
    return (
      <p className="note warn">
        This batch was due by{" "}
        <strong>
          <When at={deadline} />
        </strong>
        . Enter the results that you have, or release what was not sent. Nothing is refunded automatically meanwhile.
      </p>
    );
  return (
    <p className={state === "in time" ? "note" : "note warn"}>
      Enter its results within{" "}
      <strong>
        <TimeLeft until={deadline} />
      </strong>{" "}
      (by <When at={deadline} />
      ). Nothing is refunded automatically meanwhile.
    </p>
  );
}

/** Lines that come back into the form: those of undone results, or those that no order could be found for. */
async function restoredText({ db, url }: Context, batchId: number): Promise<string> {
  const [again, unused] = [url.searchParams.get("again"), url.searchParams.get("unused")];
  const resultId = readId(again ?? unused);
  if (!resultId) return "";
  const found = await results.get(db, resultId).catch((error: unknown) => {
    if (error instanceof AppError) return null;
    throw error;
  });
  if (found?.deskBatchId !== batchId) return "";
  return (again ? found.undoneAt && found.typed : found.unused) ?? "";
}

function idOf(params: Record<string, string>): number {
  const id = readId(params.id);
  if (!id) throw new AppError("desk.batch_not_found");
  return id;
}
