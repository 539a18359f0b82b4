// Admins' transitions of orders: a single one at once, many after a preview.
import * as holders from "../../../../core/fulfilment/holders.ts";
import * as orderQueries from "../../../../core/orders/queries.ts";
import * as statusChanges from "../../../../core/orders/status-changes.ts";
import type * as transitions from "../../../../core/orders/transitions.ts";
import { ADMIN_TARGETS, limits, type OrderStatus, SENDERS } from "../../../../shared/domain.ts";
import { AppError } from "../../../../shared/errors/app-error.ts";
import { errors } from "../../../../shared/errors/codes.ts";
import { sentence } from "../../../../shared/text.ts";
import { type Context, type Leave, localPath, type Page, readId, redirect, type View } from "../../../page.tsx";
import { Field } from "../../../ui/fields.tsx";
import { Form } from "../../../ui/form.tsx";
import { PageLink } from "../../../ui/frame/permitted.tsx";
import { RefundWarning } from "../../../ui/orders/holder.tsx";
import { readFilter } from "../../../ui/orders/order-filter.tsx";
import { Money } from "../../../ui/parts.tsx";

export const movePages: Page[] = [
  {
    path: "/admin/orders/move",
    right: "orders.work",
    under: "/orders",
    submit: move,
    bodyBytesMax: 262_144,
  },
];

type Chosen = {
  ids: number[];
  isMore: boolean;
  /** The number of AFA registrations that also match; they are not moved. */
  registrations: number;
};

/** Takes the chosen orders; several from the list only after a preview. */
async function move(context: Context): Promise<View | Leave> {
  const { db, by, form, key } = context;
  const back = localPath(form.get("back"), "/orders");
  const chosen = await chosenIn(db, form);
  const { ids } = chosen;
  if (ids.length === 0) return redirect(back, "!Select at least one order");
  if (ids.length > limits.bulkMoveOrders) throw new AppError("request.too_large");
  const [target, ...flags] = (form.get("to") ?? "").split(" ");
  const to = ADMIN_TARGETS.find((status) => status === target);
  if (!to) throw new AppError("order.move_not_allowed");
  const reason = (form.get("reason") ?? "").trim().slice(0, 300);
  const isSure = form.get("sure") === "yes";
  if (form.get("bulk") === "yes" && !isSure) return askToConfirm(context, chosen, to, back);
  if (to === "FAILED" && reason === "") {
    if (isSure) return askToConfirm(context, chosen, to, back, "Tell the buyers why their orders fail");
    return redirect(back, `!Enter a reason for failing order ${ids[0]}: its buyer reads it. Nothing was moved.`);
  }
  if (to === "FAILED" && !isSure && (await isHeld(db, ids)))
    return askToConfirm(context, chosen, to, back, undefined, reason);
  const via = SENDERS.find((sender) => flags.includes(sender));
  const paidInCash = flags.includes("cash");
  const { answer } = await statusChanges.move(db, {
    by,
    key,
    ids,
    to,
    paidInCash,
    via,
    ...(reason && { reason }),
  });
  if (to !== "PROCESSING") return redirect(back, resultText(answer, to));
  if (via === "route") return redirect(back, resultText(answer, BY_ROUTE));
  const batchId = await batchOf(db, answer);
  const moved = resultText(answer, to).replace(/\.?$/, ".");
  if (!batchId) return redirect(back, resultText(answer, to));
  const yours = `${moved} Batch ${batchId} under Orders, To send by hand is yours to send.`;
  return redirect(ids.length > 1 ? `/admin/desk/${batchId}` : back, yours);
}

/** Whether a vendor or a batch may still deliver one of these orders: its refund is confirmed first. */
async function isHeld(db: Context["db"], ids: number[]): Promise<boolean> {
  return [...(await holders.ofOrders(db, ids)).values()].some(holders.mayDeliver);
}

/** The desk batch that the moved orders are in now, or null. */
async function batchOf(db: Context["db"], results: transitions.TransitionResult[]): Promise<number | null> {
  const moved = results.find(({ refusal }) => refusal === null);
  if (!moved) return null;
  return (await holders.ofOrders(db, [moved.id])).get(moved.id)?.batchId ?? null;
}

/** The ticked orders, the rows of the page, or all orders that match the list's filter. */
async function chosenIn(db: Context["db"], form: URLSearchParams): Promise<Chosen> {
  if (form.get("scope") === "matching") {
    const { cursor: _, onlyNew, ...filter } = readFilter(new URLSearchParams(form.get("query") ?? ""));
    return orderQueries.idsMatching(db, { ...filter, open: onlyNew, isAdmins: true });
  }
  // "shown" are the rows of the page as the admin saw it.
  const ids = (form.get("scope") === "shown" ? form.getAll("shown") : form.getAll("ids"))
    .flatMap((text) => text.split(","))
    .map(readId)
    .filter((id) => id !== null);
  return { ids, isMore: false, registrations: 0 };
}

/** The preview of a transition of many orders, with the button that confirms it. */
async function askToConfirm(
  { db, by, vendors }: Context,
  { ids, isMore, registrations }: Chosen,
  to: OrderStatus,
  back: string,
  problem?: string,
  reason = "",
): Promise<View> {
  const [preview, held] = await Promise.all([
    // The form below has a field for the reason.
    statusChanges.preview(db, { by, ids, to, ...(to === "FAILED" && { reason: "from the form below" }) }),
    to === "FAILED" ? holders.ofOrders(db, ids) : new Map<number, holders.Holder>(),
  ]);
  const stillHeld = [...held.values()].filter(holders.mayDeliver);
  return {
    title: `Move orders to ${to}`,
    ...(problem && { status: 422 }),
    body: (
      <div className="card narrow">
        <h1>Move orders to {to}</h1>
        {problem && <p className="note bad">{problem}</p>}
        {isMore && (
          <p className="note warn">
            More than {count(limits.bulkMoveOrders)} match: these are the newest. Repeat this for the others.
          </p>
        )}
        {stillHeld.length === 1 && <RefundWarning holder={stillHeld[0]} vendors={vendors} />}
        {stillHeld.length > 1 && (
          <p className="note warn">
            {count(stillHeld.filter(holders.isInBatch).length)} of these are in a desk batch and{" "}
            {count(stillHeld.filter((holder) => !holders.isInBatch(holder)).length)} with a supplier: they may still be
            delivered. Then the refund is recorded as a loss.
          </p>
        )}
        <Effects preview={preview} stayingCount={ids.length - preview.movingCount} registrations={registrations} />
        <Form to="/admin/orders/move" sends={{ ids: ids.join(","), back, sure: "yes" }} isOnce className="actions">
          {preview.movingCount > 0 && <SureButtons to={to} count={preview.movingCount} reason={reason} />}
          <a className="button quiet" href={back}>
            Back
          </a>
        </Form>
      </div>
    ),
  };
}

type EffectsProps = { preview: statusChanges.TransitionPreview; stayingCount: number; registrations: number };

function Effects({ preview, stayingCount, registrations }: EffectsProps) {
  return (
    <>
      <dl className="facts before">
        <dt>Will move</dt>
        <dd>
          <strong>{count(preview.movingCount)}</strong>
        </dd>
        <dt>Will not move</dt>
        <dd>{count(stayingCount + registrations)}</dd>
        {preview.refundPesewas > 0 && (
          <>
            <dt>Refunded to wallets</dt>
            <dd>
              <Money pesewas={preview.refundPesewas} />
            </dd>
          </>
        )}
      </dl>
      {preview.refused.map((refused) => (
        <p key={refused.code} className="soft">
          {count(refused.ids.length)}: {errors[refused.code].message.replace(/\.$/, "")}.{" "}
          <OrderLinks ids={refused.ids} />
        </p>
      ))}
      {registrations > 0 && (
        <p className="soft">
          {count(registrations)}: AFA {registrations === 1 ? "registration, which has" : "registrations, which have"}{" "}
          <PageLink isName href="/admin/afa">
            a queue of {registrations === 1 ? "its" : "their"} own
          </PageLink>
          .
        </p>
      )}
    </>
  );
}

const LINKED = 12;

/** The first orders that stay, to look at. */
function OrderLinks({ ids }: { ids: number[] }) {
  return (
    <>
      {ids.slice(0, LINKED).map((id, i) => (
        <span key={id}>
          {i > 0 && ", "}
          <a href={`/orders/${id}`}>#{id}</a>
        </span>
      ))}
      {ids.length > LINKED && ` and ${count(ids.length - LINKED)} more`}
    </>
  );
}

function SureButtons({ to, count: moving, reason }: { to: OrderStatus; count: number; reason: string }) {
  const orders = moving === 1 ? "1 order" : `${count(moving)} orders`;
  if (to === "PROCESSING")
    return (
      <>
        <button name="to" value="PROCESSING route" type="submit">
          Send {orders} by route now
        </button>
        <button className="quiet" name="to" value="PROCESSING desk" type="submit">
          Send {orders} myself
        </button>
      </>
    );
  return (
    <>
      {to === "FAILED" && (
        <Field label="Reason" name="reason" value={reason} required hint="Their buyers can read it" />
      )}
      <button type="submit" name="to" value={to} className={to === "FAILED" ? "danger" : undefined}>
        Move {orders}
      </button>
    </>
  );
}

const BY_ROUTE = "their route";
const count = (figure: number) => figure.toLocaleString("en");

function resultText(results: transitions.TransitionResult[], to: string): string {
  const [only] = results;
  if (results.length === 1) {
    if (!only!.refusal)
      return to === BY_ROUTE
        ? `Order ${only!.id} is being sent by its route.`
        : `Order ${only!.id} status updated to ${to}`;
    return `!Order ${only!.id} was not moved. ${sentence(errors[only!.refusal].message)}`;
  }
  const refused = results.filter((result) => result.refusal);
  const movedCount = results.length - refused.length;
  const moved = `${movedCount} orders ${to === BY_ROUTE ? "are being sent by" : "moved to"} ${to}.`;
  const reasons = [...Map.groupBy(refused, (result) => result.refusal!)].map(
    ([code, group]) => `${group.length} not moved: ${sentence(errors[code].message)}`,
  );
  return `${refused.length > 0 ? "!" : ""}${[moved, ...reasons].join(" ")}`.slice(0, 400);
}
