// Price changes: planned ones, which can be taken back, and those that have begun, which can be undone.
import * as priceChanges from "../../../../core/catalog/price-changes.ts";
import type { ListedChange } from "../../../../core/catalog/price-history.ts";
import * as priceHistory from "../../../../core/catalog/price-history.ts";
import { AppError } from "../../../../shared/errors/app-error.ts";
import { show } from "../../../../shared/money.ts";
import { does } from "../../../does.ts";
import {
  type Answer,
  actionsOf,
  type Context,
  localPath,
  type Page,
  type Refused,
  readId,
  redirect,
  type View,
} from "../../../page.tsx";
import { when } from "../../../ui/columns.tsx";
import { RefusalNote } from "../../../ui/fields.tsx";
import { Form } from "../../../ui/form.tsx";
import { PageLink } from "../../../ui/frame/permitted.tsx";
import { paged } from "../../../ui/paged.tsx";
import { Moment, UserLink } from "../../../ui/parts.tsx";
import { type Column, Table } from "../../../ui/table.tsx";

const LIST = "/admin/prices/changes";

const actions = actionsOf({
  undo: does(priceChanges.undo, undone, { changeId: changeIn }),
  takeBack: does(priceChanges.takeBack, () => redirect(LIST, "Cancelled: its prices will not begin."), {
    changeId: changeIn,
  }),
});
type ChangeAction = keyof typeof actions;

export const priceChangePages: Page[] = [
  {
    path: LIST,
    right: "catalog.manage",
    tab: { section: "Bundles", label: "Price changes" },
    show: showChanges,
    actions,
  },
  {
    path: `${LIST}/:id`,
    right: "catalog.manage",
    subject: "priceChange",
    tab: { section: "Bundles", under: LIST },
    show: showChange,
  },
];

async function showChanges({ db, url }: Context, refused?: Refused): Promise<View> {
  const [planned, { shown, links }] = await Promise.all([
    priceHistory.planned(db),
    paged(url, (span) => priceHistory.list(db, span)),
  ]);
  return {
    body: (
      <>
        <RefusalNote refused={refused} />
        {planned.length > 0 && (
          <section className="card">
            <h2>Planned</h2>
            <Table rows={planned} columns={columnsWith("takeBack")} />
          </section>
        )}
        <section className="card">
          <h2>Made</h2>
          <Table rows={shown} columns={columnsWith("undo")} empty="No prices have been changed yet." />
        </section>
        {links}
      </>
    ),
  };
}

const columnsWith = (action: ChangeAction): Column<ListedChange>[] => [
  {
    head: "Change",
    cell: ({ id, count, note }) => (
      <>
        <a href={`${LIST}/${id}`}>{count === 1 ? "1 price" : `${count} prices`}</a> <bdi>{note}</bdi>
      </>
    ),
  },
  when("From", "since"),
  { head: "By", cell: ({ username }) => <bdi>{username ?? "the system"}</bdi> },
  when("Set", "createdAt", { className: "small soft" }),
  {
    head: "Action",
    className: "end",
    cell: (change) =>
      change.undoneById ? (
        <span className="chip">Undone</span>
      ) : (
        <ChangeForm id={change.id} action={action} back={LIST} />
      ),
  },
];

const LABELS: Record<ChangeAction, string> = { undo: "Undo", takeBack: "Take back" };

type FormProps = { id: number; action: ChangeAction; back: string; label?: string | undefined };

/** `label`: instead of the action's own; to undo an undoing is to redo. */
function ChangeForm({ id, action, back, label = LABELS[action] }: FormProps) {
  return (
    <Form<ChangeAction> to={LIST} does={action} sends={{ change: id, back }} isOnce>
      <button className="quiet tiny" type="submit">
        {label}
      </button>
    </Form>
  );
}

/** The last change, with the button that undoes it, for above the table. */
export function LastChange({ change }: { change: ListedChange | null }) {
  if (!change) return null;
  const { id, count, note, username, since, undoesId } = change;
  return (
    <div className="last-change small">
      <p>
        {undoesId ? "Last undone: " : "Last change: "}
        <a href={`${LIST}/${id}`}>{count === 1 ? "1 price" : `${count} prices`}</a>
        {note && (
          <>
            , <bdi>{note}</bdi>
          </>
        )}
        <span className="soft">
          {" "}
          by <bdi>{username ?? "the system"}</bdi>, <Moment at={since} />
        </span>
      </p>
      <ChangeForm id={id} action="undo" label={undoesId ? "Redo" : undefined} back="/admin/prices" />
    </div>
  );
}

/** That prices of the table will change, and when first; nothing while none is planned. */
export function PlannedNote({ planned }: { planned: ListedChange[] }) {
  const [next] = planned;
  if (!next) return null;
  return (
    <p className="note info">
      {planned.length === 1 ? "A change is" : `${planned.length} changes are`} planned
      {planned.length === 1 ? " for " : ", the next for "}
      <Moment at={next.since} />. <a href={LIST}>See it, or take it back</a>
    </p>
  );
}

/** As many as fill three screens of a phone. */
const PRICES_AT_FIRST = 40;

async function showChange({ db, params }: Context): Promise<View> {
  const changeId = readId(params.id) ?? 0;
  const prices = await priceHistory.pricesOf(db, changeId);
  if (prices.length === 0) throw new AppError("price.change_not_found");
  return {
    title: `Change ${changeId}`,
    body: (
      <section className="card">
        <h2>{`Change ${changeId}`}</h2>
        <Table rows={prices} columns={PRICES} className="lines" cardsAtFirst={PRICES_AT_FIRST} />
        <p className="small links">
          <a href={LIST}>All changes</a>
          <PageLink href={`/admin/audit?type=price&id=${changeId}`}>In the log of changes</PageLink>
        </p>
      </section>
    ),
  };
}

const priceText = (pesewas: number | null) => (pesewas === null ? "none of its own" : show(pesewas));

const PRICES: Column<priceHistory.ChangedPrice>[] = [
  {
    head: "Bundle",
    cell: ({ productId, product }) => (
      <a href={`/admin/products/${productId}`}>
        <bdi>{product}</bdi>
      </a>
    ),
  },
  {
    head: "For",
    className: "below",
    cell: ({ tier, userId, account }) =>
      userId === null ? <bdi>{tier}</bdi> : <UserLink userId={userId} username={account} />,
  },
  { head: "Before", isNumber: true, className: "below", cell: ({ beforePesewas }) => priceText(beforePesewas) },
  {
    head: "Price",
    isPlainInCards: true,
    isNumber: true,
    className: "end",
    cell: ({ pricePesewas }) => priceText(pricePesewas),
  },
];

/** The way back, with how many prices are what they were. */
function undone(_: object, { count, left }: priceChanges.Undone, { form }: Context): Answer {
  const text = count === 1 ? "1 price is what it was before." : `${count} prices are what they were before.`;
  const to = localPath(form.get("back"), LIST);
  if (left.length === 0) return redirect(to, text);
  const products = [...new Set(left.map(({ productId }) => productId))];
  const named = products.slice(0, 10).join(", ") + (products.length > 10 ? " and others" : "");
  return redirect(to, `!${text} Left as they are, because they were changed again: products ${named}.`);
}

function changeIn({ form }: Context): number {
  return readId(form.get("change")) ?? 0;
}
