// Moving orders, as an admin: one at once, many after a look at what that would do.
import * as moves from "../../core/moves.ts";
import * as orderLists from "../../core/order-lists.ts";
import { catalogue } from "../../shared/catalogue.ts";
import { ADMIN_TARGETS, limits, type OrderStatus } from "../../shared/domain.ts";
import { AppError } from "../../shared/errors.ts";
import { type Context, type Leave, localPath, type Page, readId, redirect, type View } from "../page.tsx";
import { FormKey, Money } from "../parts.tsx";
import { readFilter } from "./orders.tsx";

export const movePages: Page[] = [
  { path: "/admin/orders/move", role: "admin", submit: move, bodyBytesMax: 262_144 },
];

type Chosen = { ids: number[]; isMore: boolean };

/** Moves the chosen orders; several from the list only after what would become of them was shown. */
async function move({ db, by, form, key }: Context): Promise<View | Leave> {
  const back = localPath(form.get("back"), "/orders");
  const { ids, isMore } = await chosenIn(db, form);
  if (ids.length === 0) return redirect(back, "!Select at least one order");
  if (ids.length > limits.bulkMoveOrders) throw new AppError("request.too_large");
  const [target, cash] = (form.get("to") ?? "").split(" ");
  const to = ADMIN_TARGETS.find((status) => status === target);
  if (!to) throw new AppError("order.move_not_allowed");
  if (form.get("bulk") === "yes" && form.get("sure") !== "yes")
    return ask({ ids, isMore }, to, back, await moves.preview(db, { by, ids, to }));
  const { answer } = await moves.move(db, { by, key, ids, to, paidInCash: cash === "cash" });
  return redirect(back, wordsFor(answer, to));
}

/** The ticked orders, or everything that the list's filter finds. */
async function chosenIn(db: Context["db"], form: URLSearchParams): Promise<Chosen> {
  if (form.get("scope") === "matching") {
    const { cursor: _, onlyNew, ...filter } = readFilter(new URLSearchParams(form.get("query") ?? ""));
    return orderLists.idsMatching(db, { ...filter, open: onlyNew, isAdmins: true });
  }
  // The rows of the page, as it was when it was looked at.
  const ids = (form.get("scope") === "shown" ? form.getAll("shown") : form.getAll("ids"))
    .flatMap((text) => text.split(","))
    .map(readId)
    .filter((id) => id !== null);
  return { ids, isMore: false };
}

function ask({ ids, isMore }: Chosen, to: OrderStatus, back: string, seen: moves.MovePreview): View {
  const refusedCount = ids.length - seen.movingCount;
  return {
    title: `Move orders to ${to}`,
    body: (
      <div className="card narrow">
        <h1>Move orders to {to}</h1>
        {isMore && (
          <p className="note warn">
            More than {count(limits.bulkMoveOrders)} match: these are the newest of them. Repeat it for the
            others.
          </p>
        )}
        <dl className="facts before">
          <dt>Will move</dt>
          <dd>
            <strong>{count(seen.movingCount)}</strong>
          </dd>
          <dt>Will stay as they are</dt>
          <dd>{count(refusedCount)}</dd>
          {seen.refundPesewas > 0 && (
            <>
              <dt>Goes back to wallets</dt>
              <dd>
                <Money pesewas={seen.refundPesewas} />
              </dd>
            </>
          )}
        </dl>
        {seen.refused.map((refused) => (
          <p key={refused.code} className="soft">
            {count(refused.count)}: {catalogue[refused.code].message}.
          </p>
        ))}
        <form method="post" action="/admin/orders/move" className="actions">
          <FormKey />
          <input type="hidden" name="ids" value={ids.join(",")} />
          <input type="hidden" name="to" value={to} />
          <input type="hidden" name="back" value={back} />
          <input type="hidden" name="sure" value="yes" />
          {seen.movingCount > 0 && (
            <button type="submit" className={to === "FAILED" ? "danger" : undefined}>
              Move {count(seen.movingCount)} orders
            </button>
          )}
          <a className="button quiet" href={back}>
            Back
          </a>
        </form>
      </div>
    ),
  };
}

const count = (figure: number) => figure.toLocaleString("en");

function wordsFor(results: moves.MoveResult[], to: string): string {
  const [only] = results;
  if (results.length === 1) {
    if (!only!.refusal) return `Order ${only!.id} status updated to ${to}`;
    return `!Order ${only!.id} was not moved. ${catalogue[only!.refusal].message}.`;
  }
  const refused = results.filter((result) => result.refusal);
  const moved = `${results.length - refused.length} orders moved to ${to}.`;
  const reasons = [...Map.groupBy(refused, (result) => result.refusal!)].map(
    ([code, of]) => `${of.length} not moved: ${catalogue[code].message}.`,
  );
  return `${refused.length > 0 ? "!" : ""}${[moved, ...reasons].join(" ")}`.slice(0, 400);
}
