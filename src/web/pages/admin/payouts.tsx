// Paystack's payouts to the shop's bank, each with its payments, and what Paystack holds by its own balance and by the
// books.
import { z } from "zod";
import * as accounts from "../../../core/ledger/accounts.ts";
import * as payouts from "../../../core/payments/payouts.ts";
import { accraDay, accraSheetMoment } from "../../../shared/accra.ts";
import { toCsv } from "../../../shared/csv.ts";
import { limits } from "../../../shared/domain.ts";
import { AppError } from "../../../shared/errors/app-error.ts";
import { decimal, show } from "../../../shared/money.ts";
import { hasRight } from "../../../shared/rights.ts";
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
import { sheetFile } from "../../sheet.ts";
import { refusedFor, submits } from "../../ui/action.tsx";
import { Field, Figure, FormKey, Moment, Money, PageLinks, pageOf, RefusalNote } from "../../ui/parts.tsx";
import { Amount } from "../../ui/paying.tsx";
import { type Column, Table } from "../../ui/table.tsx";

const PATH = "/admin/payouts";
const PAYMENTS_SHOWN = 200;

const ByHand = z.object({
  settlement: z.string().regex(/^\d{1,20}$/, "Digits only, as on Paystack's dashboard"),
  amount: Amount,
  held: z
    .string()
    .regex(/^-?\d{1,12}$/)
    .transform(Number),
});

const actions = actionsOf({
  read: {
    run: async ({ db, gateway }) => {
      await payouts.syncDue(db, gateway);
      return redirect(PATH, "Paystack's list has been read.");
    },
  },
  book: {
    right: "payments.decide",
    fields: ByHand,
    run: async ({ db, gateway, by, key }, { settlement: providerId, amount: amountPesewas, held }) => {
      const payout = { providerId, amountPesewas, heldPesewas: held };
      await payouts.bookByHand(db, { by, key, domain: gateway.domain, ...payout });
      return redirect(PATH, `${show(amountPesewas)} is booked from Paystack to the bank.`);
    },
  },
});
type PayoutAction = keyof typeof actions;

export const payoutPages: Page[] = [
  {
    path: PATH,
    right: "books.see",
    tab: { section: "Money", label: "Payouts" },
    show: showPayouts,
    actions,
  },
  {
    path: `${PATH}/:id`,
    right: "books.see",
    tab: { section: "Money", under: PATH },
    subject: "payout",
    show: showPayout,
  },
  { path: `${PATH}/:id/export`, right: "books.see", subject: "payout", examples: [], show: exportPayout },
];

async function showPayouts({ db, gateway, url, by }: Context, refused?: Refused): Promise<View> {
  const cursor = readId(url.searchParams.get("cursor")) ?? undefined;
  const [rows, check, heldPesewas] = await Promise.all([
    payouts.list(db, { cursor, limit: limits.pageSize + 1 }),
    payouts.latestCheck(db, gateway.domain),
    accounts.heldByPaystack(db),
  ]);
  const { shown, older } = pageOf(rows, limits.pageSize);
  return {
    title: "Payouts",
    body: (
      <>
        <RefusalNote refused={refused} />
        <BalanceFigures check={check} heldPesewas={heldPesewas} />
        <section className="card">
          <div className="head">
            <p className="soft">
              What Paystack paid to the shop's bank, by its own list. It is read every quarter of an hour.
            </p>
            <form method="post" action={PATH}>
              <button className="tiny second" {...submits<PayoutAction>("read")} type="submit">
                Read the list now
              </button>
            </form>
          </div>
          <Table rows={shown} columns={COLUMNS} empty="Paystack has paid nothing out yet." />
        </section>
        <PageLinks url={url} older={older} />
        {hasRight(by, "payments.decide") && (
          <HandForm heldPesewas={heldPesewas} refused={refusedFor<PayoutAction>("book", refused)} />
        )}
      </>
    ),
  };
}

type BalanceProps = { check: payouts.BalanceCheck | null; heldPesewas: number };

/** What Paystack holds, by itself and by the books; the difference is of the moment of the comparison. */
export function BalanceFigures({ check, heldPesewas }: BalanceProps) {
  const difference = check && check.providerPesewas - check.booksPesewas;
  return (
    <div className="grid">
      <Figure name="Held by Paystack" note={<span className="soft small">by our books</span>}>
        <Money pesewas={heldPesewas} />
      </Figure>
      {check && (
        <>
          <Figure
            name="Paystack's balance"
            note={
              <span className="soft small">
                compared <Moment at={check.createdAt} />
              </span>
            }
          >
            <Money pesewas={check.providerPesewas} />
          </Figure>
          <Figure
            name="Difference"
            note={
              difference === 0 ? (
                <span className="chip good">Agrees</span>
              ) : (
                <a className="small" href="/admin/reconciliation">
                  Compare payments
                </a>
              )
            }
          >
            <Money pesewas={difference!} />
          </Figure>
        </>
      )}
    </div>
  );
}

const TONES: Record<string, string> = { success: "good", failed: "bad" };
const LABELS: Record<string, string> = {
  success: "At the bank",
  failed: "Failed",
  processing: "On its way",
  pending: "Planned",
};

function StatusChip({ status }: { status: string }) {
  return <span className={`chip ${TONES[status] ?? "warn"}`}>{LABELS[status] ?? status}</span>;
}

/** What the payments brought beyond the payout: refunds that Paystack kept back, or a payment that is missing. */
const keptBackOf = ({ amountPesewas, listedPesewas }: payouts.PayoutRow) => listedPesewas - amountPesewas;

const COLUMNS: Column<payouts.PayoutRow>[] = [
  {
    head: "Payout",
    cell: ({ id, providerId, settledAt }) => (
      <a href={`${PATH}/${id}`}>{settledAt ? accraDay(settledAt) : providerId}</a>
    ),
  },
  {
    head: "To the bank",
    isNumber: true,
    cell: ({ amountPesewas }) => (
      <strong>
        <Money pesewas={amountPesewas} />
      </strong>
    ),
  },
  { head: "State", cell: ({ status }) => <StatusChip status={status} /> },
  {
    head: "Fees",
    isNumber: true,
    className: "small",
    cell: ({ feesPesewas }) => (
      <>
        <span className="in-cards soft">Fees </span>
        <Money pesewas={feesPesewas} />
      </>
    ),
  },
  {
    head: "Payments",
    isNumber: "wide",
    className: "small soft",
    cell: ({ payments, isListed }) =>
      isListed ? (payments === 1 ? "1 payment" : `${payments} payments`) : "Being read",
  },
  {
    head: "Difference",
    className: "full small",
    cell: (payout) => <PayoutDifference payout={payout} />,
  },
];

function PayoutDifference({ payout }: { payout: payouts.PayoutRow }) {
  if (!payout.isListed) return null;
  const keptBack = keptBackOf(payout);
  return (
    <>
      {keptBack > 0 && <span className="chip">{show(keptBack)} kept back</span>}
      {keptBack < 0 && <span className="chip warn">{show(-keptBack)} more than its payments</span>}{" "}
      {payout.unknown > 0 && (
        <span className="chip warn">
          {payout.unknown === 1 ? "1 payment is not ours" : `${payout.unknown} payments are not ours`}
        </span>
      )}
    </>
  );
}

function HandForm({ heldPesewas, refused }: { heldPesewas: number; refused: Refused | undefined }) {
  return (
    <details className="card" open={refused !== undefined}>
      <summary>
        <strong>Book a payout by hand</strong>
      </summary>
      <form method="post" action={PATH} className="after">
        <p className="soft">
          Only where Paystack's list does not show it. With its number it is not booked again when it appears.
        </p>
        <FormKey refused={refused} />
        <input type="hidden" name="held" value={heldPesewas} />
        <div className="row">
          <Field
            label="Number of the settlement"
            name="settlement"
            inputMode="numeric"
            autoComplete="off"
            refused={refused}
          />
          <Field
            label="Amount in GH₵"
            name="amount"
            inputMode="decimal"
            autoComplete="off"
            refused={refused}
          />
          <button {...submits<PayoutAction>("book")} type="submit">
            Book it
          </button>
        </div>
      </form>
    </details>
  );
}

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
            <dt>Paid by agents</dt>
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
        <section className="card">
          <div className="head">
            <h2>Payments ({payout.payments})</h2>
            <a href={`${PATH}/${payout.id}/export`}>Download as CSV</a>
          </div>
          <Table rows={shown} columns={PAYMENTS} empty="Its payments have not been read yet." />
        </section>
      </>
    ),
  };
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
  { head: "Paid", isNumber: true, cell: ({ amountPesewas }) => <Money pesewas={amountPesewas} /> },
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
