// Reconciliation page: Paystack's list of payments compared with our books.
import { z } from "zod";
import * as accounts from "../../../../core/ledger/accounts.ts";
import * as openDifferences from "../../../../core/payments/open-differences.ts";
import * as payouts from "../../../../core/payments/payouts.ts";
import {
  compare,
  type Difference,
  type Reconciliation,
  settleDifferences,
} from "../../../../core/payments/reconciliation.ts";
import type { ByUser } from "../../../../shared/domain.ts";
import { hasRight } from "../../../../shared/rights.ts";
import { does } from "../../../does.ts";
import { type Context, type Leave, type Page, type Refused, redirect, type View } from "../../../page.tsx";
import { text } from "../../../ui/columns.tsx";
import { DayFields } from "../../../ui/day-fields.tsx";
import { Form } from "../../../ui/form.tsx";
import { Permit } from "../../../ui/frame/permitted.tsx";
import { Figure, Moment, Money } from "../../../ui/parts.tsx";
import { ReasonFold } from "../../../ui/staff/reason-fold.tsx";
import { type Column, Table } from "../../../ui/table.tsx";
import { BalanceFigures, NOT_OURS } from "./payout-state.tsx";

const PATH = "/admin/reconciliation";

const actions = {
  settle: { right: "payments.decide", run: fix },
  close: does(openDifferences.close, () => redirect(PATH, "Closed, with your reason.")),
} as const;
type ReconciliationAction = keyof typeof actions;

export const reconciliationPages: Page[] = [
  {
    path: PATH,
    right: "books.see",
    tab: { section: "Money", label: "Bank", part: "Compare with Paystack" },
    examples: ["", "?from=2026-01-01&to=2030-01-01"],
    show: showReconciliation,
    actions,
  },
];

const DAY_MS = 86_400_000;
const OPEN_SHOWN = 100;
const Day = z.iso.date().transform((day) => new Date(day));

/** From the start of one day to the end of another; by default today and the two days before. */
function rangeOf(from: string | null, to: string | null): { from: Date; to: Date } {
  const today = new Date(Math.floor(Date.now() / DAY_MS) * DAY_MS);
  const first = Day.safeParse(from).data ?? new Date(today.getTime() - 2 * DAY_MS);
  const last = Day.safeParse(to).data ?? today;
  return { from: first, to: new Date(last.getTime() + DAY_MS) };
}

async function showReconciliation({ db, by, gateway, url, form }: Context, refused?: Refused): Promise<View> {
  const param = (name: string) => form.get(name) ?? url.searchParams.get(name);
  const range = rangeOf(param("from"), param("to"));
  const hasRange = param("from") !== null;
  const day = (date: Date) => date.toISOString().slice(0, 10);
  const [check, heldPesewas, open] = await Promise.all([
    payouts.latestCheck(db, gateway.domain),
    accounts.heldByPaystack(db),
    hasRange ? [] : openDifferences.list(db, OPEN_SHOWN),
  ]);
  const comparison = hasRange ? await compare(db, gateway, { by, ...range }) : null;
  const days = { from: day(range.from), to: day(new Date(range.to.getTime() - DAY_MS)) };
  return {
    body: (
      <>
        <form method="get" action={PATH} className="card">
          <p className="soft">
            Compares the payments listed by Paystack, and the fees it kept, with the ones booked here.
          </p>
          <div className="row">
            <DayFields first={days.from} last={days.to} />
            <button type="submit">Compare</button>
          </div>
        </form>
        {!comparison && <BalanceFigures check={check} heldPesewas={heldPesewas} />}
        {open.length > 0 && <OpenDifferences rows={open} by={by} refused={refused} />}
        {comparison && <Comparison comparison={comparison} days={days} />}
      </>
    ),
  };
}

function Comparison({ comparison, days }: { comparison: Reconciliation; days: { from: string; to: string } }) {
  const canFix = comparison.differences.some(
    ({ kind }) => kind === "not_credited" || kind === "not_reversed" || kind === "fee_not_booked",
  );
  return (
    <>
      <div className="grid">
        <Figure
          name="Paid at Paystack"
          note={<span className="soft small">{paymentsOf(comparison.providerCount)}</span>}
        >
          <Money pesewas={comparison.providerPesewas} />
        </Figure>
        <Figure name="Credited here" note={<span className="soft small">{paymentsOf(comparison.creditedCount)}</span>}>
          <Money pesewas={comparison.creditedPesewas} />
        </Figure>
        <Figure name="Fees" note={<span className="soft small">kept by Paystack, the shop's cost</span>}>
          <Money pesewas={comparison.feesPesewas} />
        </Figure>
        <Figure name="Held by Paystack" note={<span className="soft small">after fees, by our books, all time</span>}>
          <Money pesewas={comparison.heldPesewas} />
        </Figure>
      </div>
      {comparison.differences.length === 0 ? (
        <p className="note good">No differences.</p>
      ) : (
        <section className="card">
          <h2>Differences ({comparison.differences.length})</h2>
          <Table rows={comparison.differences} columns={DIFFERENCES} />
          {comparison.differences.some(({ kind }) => kind === "not_ours") && <p className="hint">{NOT_OURS}</p>}
          {canFix && (
            <Permit right="payments.decide">
              <Form<ReconciliationAction> to={PATH} does="settle" sends={days} className="actions after">
                <button type="submit">Settle what Paystack confirms</button>
              </Form>
            </Permit>
          )}
        </section>
      )}
    </>
  );
}

type OpenProps = { rows: openDifferences.OpenDifference[]; by: ByUser; refused: Refused | undefined };

/** What comparisons found, and no later one found settled: as many as the menu counts. */
function OpenDifferences({ rows, by, refused }: OpenProps) {
  const columns = hasRight(by, "payments.decide") ? [...OPEN, closing(refused)] : OPEN;
  return (
    <section className="card" id="differences">
      <h2>Differences that wait ({rows.length})</h2>
      <p className="soft">One goes as soon as a comparison of its days no longer finds it.</p>
      <Table rows={rows} columns={columns} />
      {rows.some(({ kind }) => kind === "not_ours") && <p className="hint">{NOT_OURS}</p>}
    </section>
  );
}

const KINDS: Record<Difference["kind"], string> = {
  not_ours: "Paid at Paystack, and not a payment of this shop",
  not_credited: "Paid at Paystack, and not credited here",
  not_at_provider: "Credited here, and not paid at Paystack",
  other_amount: "Another amount was paid than credited",
  not_reversed: "Given back at Paystack, and still credited here",
  not_refunded: "Marked as refunded here, and not refunded at Paystack",
  fee_not_booked: "Paystack's fee is not booked here",
  other_fee: "Another fee is booked here than Paystack kept",
};

const OPEN: Column<openDifferences.OpenDifference>[] = [
  { head: "Difference", className: "full", cell: ({ kind }) => KINDS[kind] },
  { head: "Amount", isNumber: true, cell: ({ amountPesewas }) => orDash(amountPesewas) },
  { head: "Found", className: "small soft", cell: ({ foundAt }) => <Moment at={foundAt} /> },
  {
    head: "Reference",
    className: "small full",
    cell: ({ reference, paymentId }) =>
      paymentId === null ? reference : <a href={`/admin/payments/${paymentId}`}>{reference}</a>,
  },
  {
    head: "Compare",
    className: "small",
    cell: ({ since, foundAt }) => <a href={`${PATH}?${daysOf(since, foundAt)}`}>Compare its days</a>,
  },
];

const closing = (refused: Refused | undefined): Column<openDifferences.OpenDifference> => ({
  head: "Actions",
  className: "full",
  cell: ({ reference, kind }) => (
    <ReasonFold<ReconciliationAction>
      to={PATH}
      does="close"
      sends={{ reference, kind }}
      row="reference"
      idPrefix={`difference-${kind}-${reference}`}
      refused={refused}
      button="Close"
      label="How it was settled"
      placeholder="Paid for airtime by a link; refunded on the dashboard"
    />
  ),
});

function daysOf(since: Date, until: Date): URLSearchParams {
  const [from, to] = [since, until].map((at) => at.toISOString().slice(0, 10));
  return new URLSearchParams({ from: from!, to: to! });
}

function paymentsOf(count: number): string {
  return count === 1 ? "1 payment" : `${count} payments`;
}

const orDash = (pesewas: number | null) => (pesewas === null ? "–" : <Money pesewas={pesewas} />);

const DIFFERENCES: Column<Difference>[] = [
  text("Difference", "message", { className: "full" }),
  { head: "At Paystack", isNumber: true, cell: ({ providerPesewas }) => orDash(providerPesewas) },
  { head: "Here", isNumber: true, cell: ({ creditedPesewas }) => orDash(creditedPesewas) },
  text("Reference", "reference", { className: "small soft full" }),
];

async function fix({ db, by, gateway, form }: Context): Promise<Leave> {
  const { from, to } = rangeOf(form.get("from"), form.get("to"));
  const before = await settleDifferences(db, gateway, { by, from, to });
  const query = new URLSearchParams({ from: form.get("from") ?? "", to: form.get("to") ?? "" });
  const remaining = before.differences.length;
  const notice =
    remaining === 0
      ? "Everything agrees now."
      : remaining === 1
        ? "!One difference remains, with its reason below."
        : `!${remaining} differences remain, with their reasons below.`;
  return redirect(`${PATH}?${query}`, notice);
}
