// One payout of Paystack to the shop's bank with its payments, also as a file.
import * as payouts from "../../../../core/payments/payouts.ts";
import * as reversals from "../../../../core/payments/reversals.ts";
import { accraDay, accraSheetMoment } from "../../../../shared/accra.ts";
import { AppError } from "../../../../shared/errors/app-error.ts";
import { toCsv } from "../../../../shared/lists/csv.ts";
import { decimal, show } from "../../../../shared/money.ts";
import { type Context, type Download, type Page, readId, type View } from "../../../page.tsx";
import { sheetFile } from "../../../sheet.ts";
import { account, money } from "../../../ui/columns.tsx";
import { Moment, Money } from "../../../ui/parts.tsx";
import { type Column, Table } from "../../../ui/table.tsx";
import { keptBackOf, NOT_OURS, StatusChip } from "./payout-state.tsx";

const PATH = "/admin/payouts";
const PAYMENTS_SHOWN = 200;
const DAY_MS = 86_400_000;

export const payoutOnePages: Page[] = [
  {
    path: `${PATH}/:id`,
    right: "books.see",
    tab: { section: "Money", under: PATH },
    subject: "payout",
    show: showPayout,
  },
  { path: `${PATH}/:id/export`, right: "books.see", subject: "payout", examples: [], show: exportPayout },
];

const idOf = ({ params }: Context) => {
  const id = readId(params.id);
  if (!id) throw new AppError("payout.not_found");
  return id;
};

async function showPayout(context: Context): Promise<View> {
  const { db } = context;
  const payout = await payouts.get(db, idOf(context));
  const first = await payouts.paymentsOf(db, payout.id, PAYMENTS_SHOWN).next();
  const shown = first.value ?? [];
  const days = await payouts.daysOf(db, payout);
  const isKeptBack = payout.isListed && keptBackOf(payout) > 0;
  const takenBack = isKeptBack ? await reversals.endedWithin(db, { ...days, domain: payout.domain }) : [];
  return {
    title: `Payout ${payout.providerId}`,
    body: (
      <>
        <div className="head">
          <h2>
            {payout.settledAt ? accraDay(payout.settledAt) : `Payout ${payout.providerId}`}{" "}
            <StatusChip status={payout.status} />
          </h2>
          <a href={PATH}>All payouts</a>
        </div>
        <section className="card">
          <dl className="facts">
            <dt>Paid in</dt>
            <dd>
              <Money pesewas={payout.processedPesewas} />
            </dd>
            <dt>Fees</dt>
            <dd>
              <Money pesewas={-payout.feesPesewas} />
            </dd>
            {payout.isListed && keptBackOf(payout) !== 0 && (
              <>
                <dt>{keptBackOf(payout) > 0 ? "Kept back" : "More than its payments"}</dt>
                <dd>
                  <Money pesewas={-keptBackOf(payout)} />
                </dd>
              </>
            )}
            <dt>To the bank</dt>
            <dd>
              <strong>
                <Money pesewas={payout.amountPesewas} />
              </strong>
            </dd>
            <dt>Number at Paystack</dt>
            <dd>{payout.providerId}</dd>
            <dt>Booked</dt>
            <dd>{payout.bookedAt ? <Moment at={payout.bookedAt} /> : "Not yet"}</dd>
          </dl>
        </section>
        {isKeptBack && <KeptBack keptBackPesewas={keptBackOf(payout)} takenBack={takenBack} />}
        <section className="card">
          <div className="head">
            <h2>Payments ({payout.payments})</h2>
            <a href={`${PATH}/${payout.id}/export`}>Download as CSV</a>
          </div>
          <Table rows={shown} columns={PAYMENTS} empty="Its payments have not been read yet." />
          {payout.unknown > 0 && (
            <p className="hint">
              {NOT_OURS} <a href={`/admin/reconciliation?${comparedDays(days)}`}>Compare these days with Paystack</a>
            </p>
          )}
        </section>
      </>
    ),
  };
}

/** What was given back at Paystack since the payout before, beside what it kept back of this one. */
function KeptBack({ keptBackPesewas, takenBack }: { keptBackPesewas: number; takenBack: reversals.ReversalRow[] }) {
  const openPesewas = keptBackPesewas - takenBack.reduce((sum, { amountPesewas }) => sum + amountPesewas, 0);
  return (
    <section className="card">
      <h2>Kept back: {show(keptBackPesewas)}</h2>
      <p className="soft">
        {openPesewas === 0
          ? "For what was given back since the payout before:"
          : openPesewas > 0
            ? `${show(openPesewas)} more than was given back since the payout before. Ask Paystack what for.`
            : `${show(-openPesewas)} less than was given back since the payout before: the next one may lack the rest.`}
      </p>
      {takenBack.length > 0 && <Table rows={takenBack} columns={TAKEN_BACK} />}
    </section>
  );
}

const TAKEN_BACK: Column<reversals.ReversalRow>[] = [
  account("Agent"),
  money("Amount", "amountPesewas"),
  {
    head: "Kind",
    cell: ({ id, kind }) => (kind === "refund" ? "Refund" : <a href={`/admin/chargebacks/${id}`}>Lost dispute</a>),
  },
  { head: "When", className: "small soft", cell: ({ endedAt }) => endedAt && <Moment at={endedAt} /> },
  {
    head: "Payment",
    className: "small full",
    cell: ({ paymentId, reference }) => <a href={`/admin/payments/${paymentId}`}>{reference}</a>,
  },
];

/** From the first day of the two weeks before at the earliest: what is compared is read page by page. */
function comparedDays({ from, until }: { from: Date; until: Date }): URLSearchParams {
  const last = new Date(until.getTime() - DAY_MS);
  const first = new Date(Math.max(from.getTime() - DAY_MS, last.getTime() - 14 * DAY_MS));
  const [start, end] = [first, last].map((at) => at.toISOString().slice(0, 10));
  return new URLSearchParams({ from: start!, to: end! });
}

const PAYMENTS: Column<payouts.PayoutPayment>[] = [
  {
    head: "Reference",
    className: "full",
    cell: ({ reference, paymentId }) =>
      paymentId === null ? (
        <>
          {reference} <span className="chip warn">Not ours</span>
        </>
      ) : (
        <a href={`/admin/payments/${paymentId}`}>{reference}</a>
      ),
  },
  money("Paid", "amountPesewas"),
  {
    head: "Fee",
    isNumber: true,
    cell: ({ feesPesewas }) => (
      <>
        <span className="in-cards soft">Fee </span>
        <Money pesewas={feesPesewas} />
      </>
    ),
  },
  {
    head: "Net",
    isNumber: true,
    cell: ({ amountPesewas, feesPesewas }) => (
      <>
        <span className="in-cards soft">Net </span>
        <Money pesewas={amountPesewas - feesPesewas} />
      </>
    ),
  },
];

async function exportPayout(context: Context): Promise<Download> {
  const { db } = context;
  const payout = await payouts.get(db, idOf(context));
  async function* pieces() {
    yield toCsv([["Payout", "Paid out", "Reference", "Paystack ID", "Paid", "Fee", "Net", "Ours"]]);
    const date = payout.settledAt ? accraSheetMoment(payout.settledAt) : "";
    for await (const batch of payouts.paymentsOf(db, payout.id))
      yield toCsv(
        batch.map(({ reference, providerId, amountPesewas, feesPesewas, paymentId }) => [
          ...[payout.providerId, date, reference, providerId, decimal(amountPesewas), decimal(feesPesewas)],
          ...[decimal(amountPesewas - feesPesewas), paymentId === null ? "no" : "yes"],
        ]),
      );
  }
  return sheetFile(`payout-${payout.providerId}.csv`, pieces());
}
