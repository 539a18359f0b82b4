// Manual top-ups: where to send mobile money, the form that reports a deposit, and the report of a delay.
import { z } from "zod";
import * as deposits from "../../../core/payments/deposits.ts";
import * as settings from "../../../core/platform/settings.ts";
import { AppError } from "../../../shared/errors/app-error.ts";
import { show } from "../../../shared/money.ts";
import {
  type Context,
  type Leave,
  type Page,
  type Refused,
  readFields,
  readId,
  redirect,
  type View,
} from "../../page.tsx";
import { Field, FormKey, Moment, Money, RefusalNote, TextArea } from "../../ui/parts.tsx";
import { Amount } from "../../ui/paying.tsx";

export const depositPages: Page[] = [
  { path: "/wallet/claims", role: "user", show: showDepositForm, submit: fileDeposit },
  { path: "/wallet/claims/:id/report", role: "user", subject: "deposit", show: showReport, submit: report },
];

const DEPOSITS_SHOWN = 10;

type Manual = {
  number: string;
  name: string;
  minimumPesewas: number;
  username: string;
  deposits: deposits.Deposit[];
};

/** The data of the wallet page's part about manual top-ups. */
export async function manualTopUp({ db, by, viewer }: Context): Promise<Manual> {
  const [number, name, minimumPesewas, filed] = await Promise.all([
    settings.get(db, "manual_payment_number"),
    settings.get(db, "manual_payment_name"),
    settings.get(db, "manual_top_up_minimum_pesewas"),
    deposits.list(db, { userId: by.userId }, { limit: DEPOSITS_SHOWN }),
  ]);
  return { number, name, minimumPesewas, username: viewer!.username, deposits: filed };
}

export function ManualTopUp({ number, name, minimumPesewas, username, deposits: filed }: Manual) {
  return (
    <section className="card" id="manual">
      <h2>Send mobile money yourself</h2>
      {number ? (
        <>
          <dl className="facts before">
            <dt>Payment number</dt>
            <dd className="money">{number}</dd>
            <dt>Account name</dt>
            <dd>
              <bdi>{name}</bdi>
            </dd>
            <dt>Reference</dt>
            <dd>
              <bdi>{username}</bdi>
            </dd>
            <dt>Minimum deposit</dt>
            <dd>
              <Money pesewas={minimumPesewas} />
            </dd>
          </dl>
          <p className="actions">
            <a className="button quiet" href="/wallet/claims">
              I have sent money
            </a>
            {filed.length === 0 && <a href="/support#write">Report a delay</a>}
          </p>
        </>
      ) : (
        <p className="soft">Not offered at the moment. Use Top Up instead.</p>
      )}
      {filed.length > 0 && <Deposits deposits={filed} />}
    </section>
  );
}

const CHIPS = {
  open: ["warn", "Waiting"],
  approved: ["good", "In your wallet"],
  refused: ["bad", "Refused"],
};

function Deposits({ deposits: filed }: { deposits: deposits.Deposit[] }) {
  return (
    <ul className="rows">
      {filed.map((deposit) => (
        <li key={deposit.id}>
          <Money pesewas={deposit.amountPesewas} />
          <span className={`chip ${CHIPS[deposit.state][0]}`}>{CHIPS[deposit.state][1]}</span>
          <span className="soft small">
            {deposit.transactionId}, <Moment at={deposit.createdAt} />
          </span>
          {deposit.reason && <bdi className="small">{deposit.reason}</bdi>}
          {deposit.state === "open" && <a href={`/wallet/claims/${deposit.id}/report`}>Report a delay</a>}
        </li>
      ))}
    </ul>
  );
}

async function showDepositForm({ db, viewer }: Context, refused?: Refused): Promise<View> {
  const [number, minimumPesewas] = await Promise.all([
    settings.get(db, "manual_payment_number"),
    settings.get(db, "manual_top_up_minimum_pesewas"),
  ]);
  return {
    title: "I have sent money",
    body: (
      <div className="card narrow">
        <h1>I have sent money</h1>
        <p className="soft">
          We will look for the transfer {number && `to ${number} `}with the reference{" "}
          <bdi>{viewer!.username}</bdi> and credit your wallet.
        </p>
        <RefusalNote refused={refused} />
        <form method="post" action="/wallet/claims" className="fields" noValidate>
          <Field
            label="Transaction ID"
            name="transactionId"
            inputMode="numeric"
            autoComplete="off"
            refused={refused}
            required
            hint="From the mobile money SMS, digits only"
          />
          <Field
            label="Amount in GH₵"
            name="amount"
            inputMode="decimal"
            autoComplete="off"
            refused={refused}
            required
            hint={`Minimum ${show(minimumPesewas)}`}
          />
          <button type="submit">Report deposit</button>
        </form>
        <p className="small after">
          <a href="/wallet">Wallet</a>
        </p>
      </div>
    ),
  };
}

const NewDeposit = z.object({ transactionId: z.string().max(40), amount: Amount });

async function fileDeposit({ db, by, form }: Context): Promise<Leave> {
  const { transactionId, amount } = readFields(NewDeposit, form);
  await deposits.file(db, { by, transactionId, amountPesewas: amount });
  return redirect("/wallet", "Thank you. We will look for your transfer and credit your wallet.");
}

function idOf({ params }: Context): number {
  const id = readId(params.id);
  if (!id) throw new AppError("claim.not_found");
  return id;
}

async function showReport(context: Context, refused?: Refused): Promise<View> {
  const deposit = await deposits.get(context.db, context.by, idOf(context));
  return {
    title: "Report a delay",
    body: (
      <div className="card narrow">
        <h1>Report a delay</h1>
        <p className="soft">
          Your transfer {deposit.transactionId} of <Money pesewas={deposit.amountPesewas} />, reported{" "}
          <Moment at={deposit.createdAt} />.
        </p>
        <RefusalNote refused={refused} />
        <form method="post" action={`/wallet/claims/${deposit.id}/report`} className="fields" noValidate>
          <FormKey refused={refused} />
          <TextArea label="What should we know?" name="message" maxLength={1000} refused={refused} />
          <button type="submit">Send to support</button>
        </form>
      </div>
    ),
  };
}

const Report = z.object({ message: z.string().trim().min(1, "Say what happened").max(1000) });

async function report(context: Context): Promise<Leave> {
  const { message } = readFields(Report, context.form);
  const { db, by, key } = context;
  await deposits.reportDelay(db, { by, key, depositId: idOf(context), message });
  return redirect("/wallet", "Your report has been sent. Support will answer.");
}
