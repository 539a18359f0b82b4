// Placing of a checked list: the bar with its total, and the one bulk order that a list becomes.
import { PlaceProgress } from "../../../../islands/place-progress.tsx";
import * as drafts from "../../../core/buying/bulk-drafts.ts";
import * as bulkResults from "../../../core/buying/bulk-results.ts";
import { buyBulk } from "../../../core/buying/buy-bulk.ts";
import * as contacts from "../../../core/identity/contacts.ts";
import { AppError } from "../../../shared/errors/app-error.ts";
import { decimal, show } from "../../../shared/money.ts";
import { Island } from "../../island.tsx";
import { type Context, type Leave, redirect } from "../../page.tsx";
import { submits } from "../../ui/action.tsx";
import { Once } from "../../ui/fields.tsx";
import { Money } from "../../ui/parts.tsx";
import { type BulkList, lineRequest } from "../../upload/bulk-list.ts";
import type { ListAction } from "./bulk-check.tsx";

/** The total, with the button that places exactly what is shown, or the way to the money that is missing. */
export function PlaceBar({ list }: { list: BulkList }) {
  const { draft, good, affordable, affordablePesewas, totalPesewas } = list;
  const missingPesewas = totalPesewas - list.availablePesewas;
  if (good.length === 0) return <Once />;
  const isShort = good.length > affordable.length;
  const query = new URLSearchParams({ amount: decimal(missingPesewas), back: `/bulk/check/${draft.id}` });
  return (
    <div className="pay-bar">
      <input type="hidden" name="count" value={affordable.length} />
      <input type="hidden" name="totalPesewas" value={affordablePesewas} />
      {isShort ? <PartText list={list} /> : <WholeText list={list} />}
      {missingPesewas > 0 && (
        <a className="button" href={`/wallet/top-up?${query}`}>
          Top up {show(missingPesewas)}
        </a>
      )}
      {affordable.length > 0 && <PlaceButton list={list} isShort={isShort} />}
      <Island component={PlaceProgress} props={{ lineCount: affordable.length }} on="load" />
    </div>
  );
}

/** What is paid for all good lines. */
function WholeText({ list }: { list: BulkList }) {
  const { rows, good, balancePesewas, totalPesewas } = list;
  return (
    <p>
      <strong>
        {countText(good.length, "line")} · <Money pesewas={totalPesewas} />
      </strong>
      <span className="small soft">
        You pay <Money pesewas={totalPesewas} />. Balance after: <Money pesewas={balancePesewas - totalPesewas} />.
        {staysText(rows.length - good.length)}
      </span>
    </p>
  );
}

/** What all good lines would cost, and what the first of them do, which can be placed now. */
function PartText({ list }: { list: BulkList }) {
  const { rows, good, affordable, affordablePesewas, balancePesewas, totalPesewas } = list;
  const missingPesewas = totalPesewas - list.availablePesewas;
  const count = affordable.length;
  return (
    <p>
      <strong>
        All {good.length.toLocaleString("en")}: <Money pesewas={totalPesewas} />
        {missingPesewas > 0 && (
          <>
            {" "}
            <span className="money">({show(missingPesewas)} short)</span>
          </>
        )}
      </strong>
      <span className="small soft">
        {count > 0 ? (
          <>
            First {count.toLocaleString("en")}: <Money pesewas={affordablePesewas} />,{" "}
            <Money pesewas={balancePesewas - affordablePesewas} /> left.{staysText(rows.length - count)}
          </>
        ) : (
          <>
            Your balance is <Money pesewas={balancePesewas} />.
          </>
        )}
      </span>
    </p>
  );
}

function staysText(count: number): string {
  if (count === 0) return "";
  return ` ${countText(count, "line")} ${count === 1 ? "stays" : "stay"} in a draft.`;
}

/** On a phone the button is short; what it says in full is for wide screens and for screen readers. */
function PlaceButton({ list: { rows, affordable }, isShort }: { list: BulkList; isShort: boolean }) {
  const count = affordable.length;
  const restCount = rows.length - affordable.length;
  const orders = count === 1 ? "order" : "orders";
  const what = isShort ? `Place the first ${count} ${orders}` : `Place Bulk Orders (${count})`;
  return (
    <button
      type="submit"
      className={isShort ? "quiet" : undefined}
      {...submits<ListAction>("place")}
      data-sending="Placing…"
    >
      <span className="in-full">
        {what}
        {restCount > 0 && `, keep ${restCount.toLocaleString("en")} as a draft`}
      </span>
      <span className="in-short" aria-hidden="true">
        Place {count}
      </span>
    </button>
  );
}

/** What is missing to place all of the list; the bar has the way to it. */
export function ShortNote({ list }: { list: BulkList }) {
  const { totalPesewas, balancePesewas, availablePesewas } = list;
  const isHeld = availablePesewas < balancePesewas;
  if (totalPesewas <= availablePesewas) return null;
  return (
    <p className="note bad">
      Not enough money in your wallet: its {isHeld ? "available balance" : "balance"} is{" "}
      <Money pesewas={availablePesewas} />
      {isHeld && `, and ${show(balancePesewas - availablePesewas)} is held`}. You need{" "}
      <Money pesewas={totalPesewas - availablePesewas} /> more for all of them.
    </p>
  );
}

/** The limit that keeps some of the list from being placed now, as its refusal would say it. */
export function LimitNote({ list: { limit, affordable } }: { list: BulkList }) {
  if (!limit) return null;
  return (
    <p className="note warn" id="limit">
      {limit.message}
      {affordable.length > 0 && ` The first ${countText(affordable.length, "order")} can be placed now.`}
    </p>
  );
}

/**
 * Places the good lines that the wallet covers and the limits let through, all or none. The other lines become a draft
 * in the same commit, so that no line is ever both placed and in a draft, or in neither. The list's id is the
 * idempotency key, so that it is placed once, from however many pages.
 */
export async function place(context: Context, list: BulkList): Promise<Leave> {
  const { db, by, form, key } = context;
  const { draft } = list;
  try {
    if (!isAsShown(list, form)) throw new AppError("bulk.list_changed");
    const rest = restOf(list);
    const { answer } = await buyBulk(db, {
      by,
      key: { scope: key.scope, key: `list ${draft.id}` },
      lines: list.affordable.map(lineRequest),
      allowDuplicate: draft.allowsRepeats,
      alongside: (tx, placed) => drafts.markPlaced(tx, by.userId, placed.bulkOrderId!, rest),
    });
    const kept = rest.lineCount > 0 ? `. Kept as a draft: ${rest.lineCount.toLocaleString("en")}` : "";
    const saved = form.get("saveNames") === "yes" ? await saveNames(context, list) : "";
    return redirect(`/bulk/${answer.bulkOrderId}`, `Created ${answer.orders.length} orders${kept}${saved}`);
  } catch (error) {
    // The same button was pressed at the same moment, perhaps in another tab.
    const { bulkOrderId } = await drafts.get(db, by, draft.id);
    if (error instanceof AppError && bulkOrderId !== null) return toPlaced(context, bulkOrderId);
    throw error;
  }
}

/** Saves the names of the list among the customers. The orders stand, whether there is room for them or not. */
async function saveNames({ db, by }: Context, { newPeople }: BulkList): Promise<string> {
  try {
    const { added } = await contacts.saveAll(db, { by, people: newPeople });
    return `. Saved: ${countText(added, "name")}`;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return `. The names were not saved: ${error.message}`;
  }
}

/** The orders of a list that was placed before. */
export async function toPlaced({ db, by }: Context, bulkOrderId: number): Promise<Leave> {
  const { lines } = await bulkResults.get(db, by, bulkOrderId);
  return redirect(`/bulk/${bulkOrderId}`, `Created ${lines} orders`);
}

/** Whether as many lines are good as were shown, at the same total. */
function isAsShown({ affordable, affordablePesewas }: BulkList, form: URLSearchParams): boolean {
  return (
    affordable.length > 0 &&
    form.get("count") === String(affordable.length) &&
    form.get("totalPesewas") === String(affordablePesewas)
  );
}

function restOf({ draft, rows, affordable }: BulkList): drafts.Rest {
  const placed = new Set(affordable.map(({ index }) => index));
  const others = rows.filter(({ index }) => !placed.has(index));
  const lines = others.map(({ text }) => text).join("\n");
  return { draftId: draft.id, version: draft.version, lines, lineCount: others.length };
}

function countText(count: number, what: string): string {
  return `${count.toLocaleString("en")} ${count === 1 ? what : `${what}s`}`;
}
