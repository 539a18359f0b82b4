// Check of a bulk list: its total, the questions about all of it, the lines to fix, and the button that places the good
// ones. It has an address of its own until it is placed or forgotten.
import { z } from "zod";
import { PlaceProgress } from "../../../../islands/place-progress.tsx";
import * as drafts from "../../../core/orders/bulk-drafts.ts";
import { FIGURE_MEANINGS, OTHER_NETWORK_MEANINGS } from "../../../shared/bulk-bundles.ts";
import { fixLines, removeLines } from "../../../shared/bulk-text.ts";
import { limits } from "../../../shared/domain.ts";
import { AppError } from "../../../shared/errors/app-error.ts";
import { decimal, show } from "../../../shared/money.ts";
import { Sheet } from "../../html.tsx";
import { Island } from "../../island.tsx";
import {
  actionsOf,
  type Context,
  type Leave,
  type Page,
  type Refused,
  readId,
  redirect,
  type View,
} from "../../page.tsx";
import { Figure, FormKey, Money, RefusalNote } from "../../ui/parts.tsx";
import { type BulkList, quoteList, readLines } from "../../upload/bulk-list.ts";
import { FixForm, GoodLines } from "./bulk-rows.tsx";

const Change = z.object({
  version: z.string().transform(Number),
  figures: z.enum(FIGURE_MEANINGS).optional(),
  otherNetworks: z.enum(OTHER_NETWORK_MEANINGS).optional(),
  allowDuplicate: z.literal("yes").optional(),
});

const actions = actionsOf({
  check: { fields: Change, run: (context, fields) => change(context, fields, fixedLines) },
  remove: { fields: Change, run: (context, fields) => change(context, fields, keptLines) },
});
export type ListAction = keyof typeof actions;

export const checkPages: Page[] = [
  {
    path: "/bulk/check/:id",
    role: "user",
    subject: "draft",
    bodyBytesMax: limits.bulkBodyBytes,
    show: (context, refused) => showCheck(context, readId(context.params.id), refused),
    actions,
  },
];

/** Shows the check; a placed list redirects to its orders. Throws draft.not_found. */
export async function showCheck(
  context: Context,
  draftId: number | null,
  refused?: Refused,
): Promise<View | Leave> {
  const draft = await draftOf(context, draftId);
  if (draft.bulkOrderId !== null)
    return redirect(`/bulk/${draft.bulkOrderId}`, "This list has been placed. These are its orders.");
  const list = await quoteList(context, draft);
  const n = (count: number) => count.toLocaleString("en");
  return {
    title: "Check list",
    body: (
      <>
        <Sheet name="bulk" />
        <div className="head">
          <div>
            <h1>Check list</h1>
            <p className="soft">Nothing has been placed or paid yet.</p>
          </div>
          <a className="button quiet" href={`/bulk?draft=${draft.id}`}>
            Change the list
          </a>
        </div>
        <RefusalNote refused={refused} />
        <RefusedLines refused={refused} />
        <div className="grid">
          <Figure name="Good lines">{n(list.good.length)}</Figure>
          <Figure name="Lines to fix">{n(list.toFix.length)}</Figure>
          {list.unanswered.length > 0 && (
            <Figure name="Waiting for your answer">{n(list.unanswered.length)}</Figure>
          )}
          {list.repeated.length > 0 && <Figure name="Repeated">{n(list.repeated.length)}</Figure>}
          <Figure name="You pay">
            <Money pesewas={list.totalPesewas} />
          </Figure>
        </div>
        <ShortNote list={list} />
        <PlaceForms list={list} />
        <FixForm list={list} />
        <GoodLines rows={list.good} />
      </>
    ),
  };
}

async function draftOf({ db, by }: Context, draftId: number | null): Promise<drafts.Draft> {
  if (draftId === null) throw new AppError("draft.not_found");
  return drafts.get(db, by, draftId);
}

const REFUSED_SHOWN = 20;

function RefusedLines({ refused }: { refused: Refused | undefined }) {
  const lines = refused?.error.details?.lines ?? [];
  if (lines.length === 0) return null;
  return (
    <ul className="error">
      {lines.slice(0, REFUSED_SHOWN).map((line) => (
        <li key={line.line}>
          Order {line.line}: {line.message}
        </li>
      ))}
      {lines.length > REFUSED_SHOWN && (
        <li>and {(lines.length - REFUSED_SHOWN).toLocaleString("en")} more</li>
      )}
    </ul>
  );
}

/** The missing amount, with a link to top up and return to this list. */
function ShortNote({ list }: { list: BulkList }) {
  const { draft, totalPesewas, balancePesewas, availablePesewas } = list;
  const missingPesewas = totalPesewas - availablePesewas;
  const isHeld = availablePesewas < balancePesewas;
  if (missingPesewas <= 0) return null;
  const query = new URLSearchParams({ amount: decimal(missingPesewas), back: `/bulk/check/${draft.id}` });
  return (
    <div className="note bad" role="alert">
      <p>
        Not enough money in your wallet: its {isHeld ? "available balance" : "balance"} is{" "}
        <Money pesewas={availablePesewas} />
        {isHeld && `, and ${show(balancePesewas - availablePesewas)} is held`}. You need{" "}
        <Money pesewas={missingPesewas} /> more for all of them.
      </p>
      <p className="actions">
        <a className="button" href={`/wallet/top-up?${query}`}>
          Top up <Money pesewas={missingPesewas} />
        </a>
      </p>
    </div>
  );
}

/** Places exactly what is shown, identified by the list's id, version and total, or saves all of it. */
function PlaceForms({ list }: { list: BulkList }) {
  const { draft, rows, good, affordable, affordablePesewas, balancePesewas } = list;
  const count = affordable.length;
  const restCount = rows.length - count;
  const label =
    count === good.length
      ? `Place Bulk Orders (${count})`
      : `Place the first ${count} ${count === 1 ? "order" : "orders"}`;
  return (
    <section className={`card stripe ${draft.operator}`}>
      {count > 0 && (
        <form method="post" action="/bulk" encType="multipart/form-data" className="fields">
          <FormKey />
          <input type="hidden" name="draft" value={draft.id} />
          <input type="hidden" name="version" value={draft.version} />
          <input type="hidden" name="count" value={count} />
          <input type="hidden" name="totalPesewas" value={affordablePesewas} />
          <p className="actions">
            <button type="submit">
              {label}
              {restCount > 0 && `, keep ${restCount.toLocaleString("en")} as a draft`}
            </button>
            <span className="soft">
              You pay <Money pesewas={affordablePesewas} />. Balance after:{" "}
              <Money pesewas={balancePesewas - affordablePesewas} />.
            </span>
          </p>
          <Island component={PlaceProgress} props={{ lineCount: count }} on="load" />
        </form>
      )}
      <form method="post" action="/bulk/drafts">
        <FormKey />
        <input type="hidden" name="draft" value={draft.id} />
        <input type="hidden" name="list" value="as it is" />
        <button className="quiet" type="submit">
          Save for later
        </button>
      </form>
    </section>
  );
}

/** Saves the answers about the whole list and the changed lines, and shows the list again. */
async function change(
  context: Context,
  { version, allowDuplicate, ...answers }: z.output<typeof Change>,
  linesOf: (list: BulkList, form: URLSearchParams) => string,
): Promise<Leave> {
  const { db, by, form, params } = context;
  const draft = await draftOf(context, readId(params.id));
  const checkPath = `/bulk/check/${draft.id}`;
  if (draft.bulkOrderId !== null) return redirect(checkPath);
  if (version !== draft.version) throw new AppError("bulk.list_changed");
  const lines = linesOf(await quoteList(context, draft), form);
  const { length: lineCount } = await readLines(lines, by.userId);
  await drafts.answer(db, {
    by,
    draftId: draft.id,
    version,
    answers: { ...answers, allowsRepeats: allowDuplicate === "yes" },
    lines,
    lineCount,
  });
  return redirect(checkPath);
}

function fixedLines({ draft, rows }: BulkList, form: URLSearchParams): string {
  const fixes = [...form].flatMap(([name, value]): [number, string][] => {
    const index = /^fix\.(\d{1,5})$/.exec(name)?.[1];
    const row = index === undefined ? undefined : rows[Number(index)];
    return row && row.text !== value ? [[row.index, value]] : [];
  });
  return fixes.length === 0 ? draft.lines : fixLines(draft.lines, rows, new Map(fixes));
}

/** The lines without the ones to fix and the repeated ones. */
function keptLines({ draft, rows, toFix, repeated }: BulkList): string {
  const removed = [...toFix, ...repeated].map(({ index }) => index);
  return removeLines(draft.lines, rows, removed);
}
