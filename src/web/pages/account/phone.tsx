// Page of the account's phone, confirmed by a code by SMS, and of its notices and PIN.
import * as phones from "../../../core/identity/phones.ts";
import * as pins from "../../../core/identity/pins.ts";
import { LowBalance, NewPhone, NewPin, PasswordProof, PhoneCode } from "../../../http/schemas/codes.ts";
import { decimal } from "../../../shared/money.ts";
import { spacedMsisdn } from "../../../shared/msisdn.ts";
import { actionsOf, type Context, type Page, type Refused, redirect, type View } from "../../page.tsx";
import { Action, refusedFor } from "../../ui/action.tsx";
import { Field, Moment, RefusalNote } from "../../ui/parts.tsx";
import { CurrentPassword, RemovalForm } from "./current-password.tsx";
import { PinCard, removePin, setPin } from "./pin.tsx";

const actions = actionsOf({
  number: {
    fields: NewPhone,
    run: async ({ db, by, request, addressOf, codeKeys }, fields) => {
      await phones.sendCode(db, codeKeys, { by, address: addressOf(request), ...fields });
      return redirect("/profile/phone");
    },
  },
  code: {
    fields: PhoneCode,
    run: async ({ db, by, codeKeys }, fields) => {
      const { msisdn } = await phones.confirm(db, codeKeys, { by, ...fields });
      return redirect("/profile/phone", `${spacedMsisdn(msisdn)} is confirmed.`);
    },
  },
  notices: {
    fields: LowBalance,
    run: async ({ db, by, form }, { lowBalance }) => {
      await phones.chooseNotices(db, {
        by,
        wantsRefunds: form.has("refunds"),
        wantsTopUps: form.has("topUps"),
        wantsDeliveries: form.has("deliveries"),
        notifyPurchases: form.has("purchases"),
        lowBalancePesewas: lowBalance,
      });
      return redirect("/profile/phone", "Saved.");
    },
  },
  remove: {
    fields: PasswordProof,
    run: async ({ db, by }, proof) => {
      await phones.remove(db, { by, ...proof });
      return redirect("/profile/phone", "The phone has been removed from your account.");
    },
  },
  pin: { fields: NewPin, run: setPin },
  removePin: { fields: PasswordProof, run: removePin },
});
export type PhoneAction = keyof typeof actions;

export const phonePages: Page[] = [{ path: "/profile/phone", role: "user", show: showPhone, actions }];

async function showPhone({ db, by, viewer, codeKeys }: Context, refused?: Refused): Promise<View> {
  const email = viewer!.email;
  const [{ phone, pendingMsisdn }, choice, pin] = await Promise.all([
    phones.stateOf(db, by.userId),
    phones.purchaseChoice(db, by.userId),
    pins.stateOf(db, by.userId),
  ]);
  return {
    title: "Phone",
    body: (
      <>
        <h1>Phone</h1>
        <p className="soft">
          No other account can use a confirmed phone. A code to it lets you in when you forget your password,
          and with a PIN you can buy from it without internet. Somebody who takes over your SIM gets that code
          too: an <a href="/profile/second-factor">extra login code</a> keeps them out.
        </p>
        <div className="two even">
          <div>
            {pendingMsisdn && (
              <CodeForm msisdn={pendingMsisdn} refused={refusedFor<PhoneAction>("code", refused)} />
            )}
            {phone && (
              <section className="card">
                <h2>Your phone</h2>
                <p className="figure">{spacedMsisdn(phone.msisdn)}</p>
                <p className="small soft">
                  Confirmed <Moment at={phone.provedAt} />
                </p>
                <NoticesForm
                  choice={{ ...phone, ...choice }}
                  refused={refusedFor<PhoneAction>("notices", refused)}
                />
                <RemovalForm
                  action="/profile/phone"
                  actionName="remove"
                  subject="this phone"
                  button="Remove Phone"
                  email={email}
                  refused={refusedFor<PhoneAction>("remove", refused)}
                />
              </section>
            )}
            <section className="card">
              <h2>{phone ? "Change the phone" : pendingMsisdn ? "Another number" : "Confirm a phone"}</h2>
              {codeKeys.channels.sms ? (
                <NumberForm email={email} refused={refusedFor<PhoneAction>("number", refused)} />
              ) : (
                <p className="note warn">SMS cannot be sent at the moment, so no phone can be confirmed.</p>
              )}
            </section>
          </div>
          <PinCard pin={pin} hasPhone={phone !== null} email={email} refused={refused} />
        </div>
        <p>
          <a href="/profile">Back to the profile</a>
        </p>
      </>
    ),
  };
}

function CodeForm({ msisdn, refused }: { msisdn: string; refused: Refused | undefined }) {
  return (
    <section className="card">
      <h2>Enter the code</h2>
      <p>
        We sent an SMS with six digits to <b className="money">{spacedMsisdn(msisdn)}</b>. They are valid for
        10 minutes.
      </p>
      <form method="post" action="/profile/phone" className="fields" noValidate>
        <Action<PhoneAction> name="code" />
        <RefusalNote refused={refused} />
        <Field
          label="Code"
          name="code"
          idPrefix="code"
          refused={refused}
          isSecret
          inputMode="numeric"
          autoComplete="one-time-code"
        />
        <button type="submit">Confirm Phone</button>
      </form>
    </section>
  );
}

type FormProps = { email: string; refused: Refused | undefined };

function NumberForm({ email, refused }: FormProps) {
  return (
    <form method="post" action="/profile/phone" className="fields" noValidate>
      <Action<PhoneAction> name="number" />
      <RefusalNote refused={refused} />
      <Field
        label="Phone number"
        name="msisdn"
        idPrefix="number"
        refused={refused}
        inputMode="tel"
        autoComplete="tel-national"
        placeholder="0541234567"
      />
      <CurrentPassword idPrefix="number" email={email} refused={refused} />
      <button type="submit">Send Code</button>
    </form>
  );
}

type NoticesProps = { choice: phones.Choice; refused: Refused | undefined };

function NoticesForm({ choice, refused }: NoticesProps) {
  const { wantsRefunds, wantsTopUps, wantsDeliveries, notifyPurchases, lowBalancePesewas } = choice;
  return (
    <form method="post" action="/profile/phone" className="fields before" noValidate>
      <Action<PhoneAction> name="notices" />
      <fieldset>
        <legend className="label">Send me an SMS when</legend>
        <label className="check">
          <input type="checkbox" name="purchases" defaultChecked={notifyPurchases} /> an order is accepted
        </label>
        <label className="check">
          <input type="checkbox" name="refunds" defaultChecked={wantsRefunds} /> an order fails and is
          refunded
        </label>
        <label className="check">
          <input type="checkbox" name="topUps" defaultChecked={wantsTopUps} /> my wallet is topped up
        </label>
        <label className="check">
          <input type="checkbox" name="deliveries" defaultChecked={wantsDeliveries} /> an order is delivered
        </label>
      </fieldset>
      <Field
        label="When my balance falls below, in GH₵"
        name="lowBalance"
        idPrefix="notices"
        refused={refused}
        value={lowBalancePesewas === null ? "" : decimal(lowBalancePesewas)}
        inputMode="decimal"
        autoComplete="off"
        placeholder="Never"
        hint="One SMS when a purchase takes it below this. Leave empty for none."
      />
      <button className="quiet" type="submit">
        Save Choice
      </button>
    </form>
  );
}
