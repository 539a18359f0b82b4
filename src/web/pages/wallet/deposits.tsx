// Manual top-ups: where to send mobile money, the form that reports a deposit, and the report of a delay.
import { z } from "zod";
import { CopyText } from "../../../../islands/copy-text.tsx";
import * as deposits from "../../../core/payments/deposits/deposits.ts";
import * as settings from "../../../core/platform/settings/settings.ts";
import { AppError } from "../../../shared/errors/app-error.ts";
import { show } from "../../../shared/money.ts";
import { Sheet } from "../../html.tsx";
import { Island } from "../../island.tsx";
import { type Context, type Leave, type Page, type Refused, readId, redirect, type View } from "../../page.tsx";
import { readFields } from "../../read-fields.ts";
import { DepositChip } from "../../ui/chips.tsx";
import { Field, RefusalNote, TextArea } from "../../ui/fields.tsx";
import { Form } from "../../ui/form.tsx";
import { Amount, NoPaystackYet } from "../../ui/orders/paying.tsx";
import { Moment, Money } from "../../ui/parts.tsx";

export const depositPages: Page[] = [
  { path: "/wallet/manual", role: "user", show: showManual },
  { path: "/wallet/claims", role: "user", show: showDepositForm, submit: fileDeposit },
  { path: "/wallet/claims/:id/report", role: "user", subject: "deposit", show: showReport, submit: report },
];

const DEPOSITS_SHOWN = 10;

async function showManual({ db, by, viewer, gateway }: Context): Promise<View> {
  const [set, filed] = await Promise.all([
    settings.all(db),
    deposits.list(db, by, { userId: by.userId }, { limit: DEPOSITS_SHOWN }),
  ]);
  return {
    title: "Send mobile money yourself",
    body: (
      <>
        <Sheet name="paying" />
        <Sheet name="payment" />
        <section className="card narrow">
          <p className="small">
            <a href="/wallet/top-up">Top up</a>
          </p>
          <h1>Send mobile money yourself</h1>
          {set.manual_payment_number ? (
            <HowTo settings={set} username={viewer!.username} hasSent={filed.length > 0} />
          ) : gateway.keyState() === "missing" ? (
            <NoPaystackYet manualNumber="" />
          ) : (
            <p className="soft">
              Not offered at the moment. <a href="/wallet/top-up">Top up by a prompt or by card</a>
            </p>
          )}
        </section>
        {filed.length > 0 && (
          <section className="card narrow" id="deposits">
            <Sheet name="rows" />
            <h2>What you have sent</h2>
            <Deposits deposits={filed} />
          </section>
        )}
      </>
    ),
  };
}

type HowToProps = { settings: settings.Settings; username: string; hasSent: boolean };

function HowTo({ settings: set, username, hasSent }: HowToProps) {
  return (
    <>
      <p className="soft">
        Send the money from your own phone, with your username as the reference, then tell us the transaction ID. From
        any other phone it takes longer: somebody has to look at it first.
      </p>
      <dl className="copies before">
        <ToCopy name="Payment number" text={set.manual_payment_number} />
        {set.manual_payment_name && <ToCopy name="Account name" text={set.manual_payment_name} />}
        <ToCopy name="Reference" text={username} />
      </dl>
      <p className="small soft">
        Minimum deposit: <Money pesewas={set.manual_top_up_minimum_pesewas} />
      </p>
      <p className="ways">
        <a className="button" href="/wallet/claims">
          Confirm your transfer
        </a>
        {/* Once something was reported, each deposit has a link of its own. */}
        {!hasSent && <a href="/support#write">Report a delay</a>}
      </p>
    </>
  );
}

function ToCopy({ name, text }: { name: string; text: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <bdi className="money">{text}</bdi>
        <Island component={CopyText} props={{ text, label: `the ${name.toLowerCase()}` }} on="idle" />
      </dd>
    </div>
  );
}

function Deposits({ deposits: filed }: { deposits: deposits.Deposit[] }) {
  return (
    <ul className="rows">
      {filed.map((deposit) => (
        <li key={deposit.id}>
          <Money pesewas={deposit.amountPesewas} />
          <DepositChip deposit={deposit} />
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
    title: "Confirm your transfer",
    body: (
      <div className="card narrow">
        <h1>Confirm your transfer</h1>
        <p className="soft">
          We will look for the transfer {number && `to ${number} `}with the reference <bdi>{viewer!.username}</bdi> and
          credit your wallet.
        </p>
        <RefusalNote refused={refused} />
        <Form to="/wallet/claims" refused={refused} className="fields" noValidate>
          <Field
            label="Transaction ID"
            name="transactionId"
            inputMode="numeric"
            autoComplete="off"
            required
            hint="From the mobile money SMS, digits only"
          />
          <Field
            label="Amount in GH₵"
            name="amount"
            inputMode="decimal"
            autoComplete="off"
            required
            hint={`Minimum ${show(minimumPesewas)}`}
          />
          <button type="submit" data-sending="Reporting…">
            Report deposit
          </button>
        </Form>
        <p className="small after">
          <a href="/wallet/manual">Where to send it</a>
        </p>
      </div>
    ),
  };
}

const NewDeposit = z.object({ transactionId: z.string().max(40), amount: Amount });

async function fileDeposit({ db, by, form }: Context): Promise<Leave> {
  const { transactionId, amount } = readFields(NewDeposit, form);
  await deposits.file(db, { by, transactionId, amountPesewas: amount });
  return redirect("/wallet/manual", "Thank you. We will look for your transfer and credit your wallet.");
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
        <Form to={`/wallet/claims/${deposit.id}/report`} refused={refused} isOnce className="fields" noValidate>
          <TextArea label="What should we know?" name="message" maxLength={1000} />
          <button type="submit" data-sending="Sending…">
            Send to support
          </button>
        </Form>
      </div>
    ),
  };
}

const Report = z.object({ message: z.string().trim().min(1, "Say what happened").max(1000) });

async function report(context: Context): Promise<Leave> {
  const { message } = readFields(Report, context.form);
  const { db, by, key } = context;
  await deposits.reportDelay(db, { by, key, depositId: idOf(context), message });
  return redirect("/wallet/manual", "Your report has been sent. Support will answer.");
}
