// The page about data on a customer's number: its owner, proved by a code, sees and erases it there.
import { z } from "zod";
import { cookieFor } from "../../../core/identity/logins/asking-browsers.ts";
import * as recipients from "../../../core/privacy/recipients.ts";
import { ClaimPhone, PasswordReset } from "../../../http/schemas/codes.ts";
import { parseMsisdn, spacedMsisdn } from "../../../shared/phones/msisdn.ts";
import { readAsking } from "../../cookies.ts";
import { actionsOf, type Context, type Leave, type Page, type Refused, redirect, type View } from "../../page.tsx";
import { readFields } from "../../read-fields.ts";
import { Action } from "../../ui/action.tsx";
import { Field, RefusalNote } from "../../ui/fields.tsx";
import { Form } from "../../ui/form.tsx";
import { SentCodeField } from "../../ui/frame/code-field.tsx";
import { Moment } from "../../ui/parts.tsx";

const Proof = z.object({ msisdn: ClaimPhone.shape.msisdn, code: PasswordReset.shape.code });
type Proof = z.output<typeof Proof>;

const actions = actionsOf({
  show: { fields: Proof, run: showStored },
  erase: { fields: Proof, run: eraseStored },
});
type NumberAction = keyof typeof actions;

export const yourNumberPages: Page[] = [
  { path: "/your-number", role: "anyone", forCustomers: "DataFie", show: showAsk, submit: sendCode },
  { path: "/your-number/code", role: "anyone", forCustomers: "DataFie", show: showCode, actions },
];

const frame = { isPlain: true };

async function showAsk({ codeKeys }: Context, refused?: Refused): Promise<View> {
  return {
    ...frame,
    title: "Your number",
    description: "See or erase what DataFie keeps about your phone number.",
    body: (
      <div className="card narrow">
        <h1>Your number</h1>
        <p className="soft">
          If somebody has bought data for your number here, we keep a record of it. We send a code to the number, so
          that only you can see what it is.
        </p>
        <RefusalNote refused={refused} />
        {codeKeys.channels.sms ? (
          <Form to="/your-number" refused={refused} className="fields">
            <Field label="Phone number" name="msisdn" type="tel" inputMode="tel" autoComplete="tel-national" required />
            <button type="submit">Send code</button>
          </Form>
        ) : (
          <p className="note warn">Codes cannot be sent at the moment. Please try again later.</p>
        )}
        <p className="small after">
          <a href="/privacy">Privacy notice</a>
        </p>
      </div>
    ),
  };
}

async function sendCode(context: Context): Promise<Leave> {
  const { db, form, request, addressOf, codeKeys } = context;
  const { msisdn: typed } = readFields(ClaimPhone, form);
  const msisdn = parseMsisdn(typed)!;
  await recipients.sendCode(db, codeKeys, { msisdn, address: addressOf(request) });
  const to = `/your-number/code?${new URLSearchParams({ number: typed })}`;
  const asker = cookieFor(readAsking(context, request), msisdn);
  return { ...redirect(to, "A code is on its way by SMS. It is valid for 10 minutes."), asker };
}

async function showCode({ url }: Context, refused?: Refused): Promise<View> {
  return {
    ...frame,
    title: "Your number",
    body: (
      <div className="card narrow">
        <h1>Your number</h1>
        <p className="soft">Enter the code that we sent.</p>
        <RefusalNote refused={refused} />
        <Form to="/your-number/code" refused={refused} className="fields">
          {/* It shows a refusal of "erase", too. */}
          <Action<NumberAction> name="show" />
          <Field
            label="Phone number"
            name="msisdn"
            value={url.searchParams.get("number") ?? ""}
            type="tel"
            inputMode="tel"
            required
          />
          <SentCodeField hint="Six digits" required />
          <button type="submit">Show</button>
        </Form>
        <p className="small soft after">
          No code? <a href="/your-number">Request a new one</a>.
        </p>
      </div>
    ),
  };
}

async function showStored(context: Context, { msisdn, code }: Proof): Promise<View> {
  const { db, codeKeys } = context;
  const facts = await recipients.show(db, codeKeys, proofOf(context, { msisdn, code }));
  return {
    ...frame,
    title: "Your number",
    body: (
      <div className="card narrow">
        <h1>{spacedMsisdn(facts.msisdn)}</h1>
        <Facts facts={facts} />
        <h2>Erase</h2>
        <p>
          Names and notes that agents have saved beside your number go, and so do debts that you have paid. SMS to your
          number stop. What stays: the orders, because tax law wants the books of a business for six years, and what you
          still owe somebody.
        </p>
        <Form<NumberAction> to="/your-number/code" does="erase" sends={{ msisdn, code }}>
          <button className="danger" type="submit">
            Erase what need not stay
          </button>
        </Form>
      </div>
    ),
  };
}

function Facts({ facts }: { facts: recipients.NumberFacts }) {
  const { orders, firstAt, lastAt, savedBy, owedTo, isOptedOut } = facts;
  const agents = (count: number) => (count === 1 ? "1 agent" : `${count} agents`);
  return (
    <dl className="facts">
      <dt>Orders</dt>
      <dd>
        {orders === 0 || !firstAt || !lastAt ? (
          "None"
        ) : (
          <>
            {orders.toLocaleString("en")}, from <Moment at={firstAt} /> to <Moment at={lastAt} />
          </>
        )}
      </dd>
      <dt>Your name or a note</dt>
      <dd>{savedBy === 0 ? "Nobody has saved one" : `Saved by ${agents(savedBy)}`}</dd>
      <dt>Open debts</dt>
      <dd>{owedTo === 0 ? "None" : `Noted by ${agents(owedTo)}`}</dd>
      <dt>SMS from us</dt>
      <dd>{isOptedOut ? "Stopped" : "Allowed"}</dd>
    </dl>
  );
}

async function eraseStored(context: Context, proof: Proof): Promise<Leave> {
  const { db, codeKeys } = context;
  const { removed } = await recipients.erase(db, codeKeys, proofOf(context, proof));
  const what = removed === 1 ? "1 entry is erased" : `${removed} entries are erased`;
  return redirect("/your-number", `${what}, and no SMS go to your number any more.`);
}

function proofOf(context: Context, { msisdn, code }: Proof) {
  const { request, addressOf } = context;
  const from = { address: addressOf(request), asking: readAsking(context, request) };
  return { msisdn: parseMsisdn(msisdn)!, code, ...from };
}
