// Page of the account's phone, confirmed by a code by SMS.
import * as phoneWaits from "../../../core/identity/phones/phone-waits.ts";
import * as phones from "../../../core/identity/phones/phones.ts";
import { isEverywhere } from "../../../core/ledger/waits.ts";
import * as optOuts from "../../../core/messaging/opt-outs.ts";
import { NewPhone, PasswordProof, PhoneCode } from "../../../http/schemas/codes.ts";
import { spacedMsisdn } from "../../../shared/phones/msisdn.ts";
import { actionsOf, type Context, type Page, type Refused, redirect, type View } from "../../page.tsx";
import { refusedFor } from "../../ui/action.tsx";
import { Field, Once, RefusalNote } from "../../ui/fields.tsx";
import { Form } from "../../ui/form.tsx";
import { SentCodeField } from "../../ui/frame/code-field.tsx";
import { StoppedSince } from "../../ui/frame/opt-out.tsx";
import { OwnPage } from "../../ui/frame/own-page.tsx";
import { Moment } from "../../ui/parts.tsx";
import { WaitNote } from "../../ui/waits.tsx";
import { CurrentPassword, RemovalForm } from "./current-password.tsx";

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
  allowSms: {
    run: async ({ db, by }) => {
      await optOuts.allowOwn(db, { by });
      return redirect("/profile/phone", "Your phone gets SMS notices again.");
    },
  },
  remove: {
    fields: PasswordProof,
    run: async ({ db, by }, proof) => {
      await phones.remove(db, { by, ...proof });
      return redirect("/profile/phone", "The phone has been removed from your account.");
    },
  },
});
type PhoneAction = keyof typeof actions;

export const phonePages: Page[] = [{ path: "/profile/phone", role: "user", show: showPhone, actions }];

async function showPhone({ db, by, viewer, codeKeys }: Context, refused?: Refused): Promise<View> {
  const email = viewer!.email;
  const { phone, pendingMsisdn } = await phones.stateOf(db, by.userId);
  const optOut = phone && (await optOuts.latestOf(db, phone.msisdn));
  const wait = phone && (await phoneWaits.of(db, by.userId));
  return {
    title: "Phone",
    body: (
      <OwnPage title="Phone" intro="Get back in if you forget your password, and buy without internet.">
        {pendingMsisdn && <CodeForm msisdn={pendingMsisdn} refused={refused} />}
        {wait && !isEverywhere(wait) && <WaitNote wait={wait} />}
        {optOut && !optOut.endedAt && <Stopped optOut={optOut} />}
        {phone && <YourPhone phone={phone} email={email} refused={refused} />}
        <section className="card">
          <h2>{phone ? "Change the phone" : pendingMsisdn ? "Another number" : "Confirm a phone"}</h2>
          {codeKeys.channels.sms ? (
            <NumberForm email={email} refused={refused} />
          ) : (
            <p className="note warn">SMS cannot be sent at the moment, so no phone can be confirmed.</p>
          )}
        </section>
        <p className="small soft">
          No other account can use a confirmed phone. If someone steals your SIM, they get the code too: an{" "}
          <a href="/profile/second-factor">extra login code</a> keeps them out.
        </p>
      </OwnPage>
    ),
  };
}

/** The number stopped SMS notices, and the way back. */
function Stopped({ optOut }: { optOut: optOuts.OptOut }) {
  return (
    <section className="card" id="sms">
      <h2>No SMS notices</h2>
      <p>
        This number has stopped our SMS <StoppedSince optOut={optOut} />. It gets no notices about orders and money.
        Codes, statements, replies to your own SMS, and notices that protect your account still come.
      </p>
      <Form<PhoneAction> to="/profile/phone" does="allowSms">
        <button type="submit">Get SMS again</button>
      </Form>
      <p className="hint">
        You can also text START to the number that takes BUY and BAL.
        {optOut.source === "gateway" && " If SMS still do not come, your network blocks them: ask it."}
      </p>
    </section>
  );
}

type YourProps = {
  phone: NonNullable<phones.PhoneState["phone"]>;
  email: string;
  refused: Refused | undefined;
};

function YourPhone({ phone, email, refused }: YourProps) {
  return (
    <section className="card">
      <h2>Your phone</h2>
      <p className="figure">{spacedMsisdn(phone.msisdn)}</p>
      <p className="small soft">
        Confirmed <Moment at={phone.provedAt} />
      </p>
      {/* The addresses that these parts had before they got pages of their own. */}
      <p className="actions" id="pin">
        <a className="button quiet" href="/profile/pin">
          USSD PIN
        </a>
        <a className="button quiet" href="/profile/notices">
          SMS and warnings
        </a>
      </p>
      <RemovalForm<PhoneAction>
        action="/profile/phone"
        actionName="remove"
        subject="this phone"
        button="Remove Phone"
        email={email}
        refused={refusedFor<PhoneAction>("remove", refused)}
      />
    </section>
  );
}

function CodeForm({ msisdn, refused }: { msisdn: string; refused: Refused | undefined }) {
  return (
    <section className="card">
      <h2>Enter the code</h2>
      <p>
        We sent an SMS with six digits to <b className="money">{spacedMsisdn(msisdn)}</b>. They are valid for 10
        minutes.
      </p>
      <Form<PhoneAction>
        to="/profile/phone"
        does="code"
        refused={refused}
        idPrefix="code"
        className="fields"
        noValidate
      >
        <RefusalNote />
        <SentCodeField />
        <button type="submit" data-sending="Checking…">
          Confirm Phone
        </button>
        <Once />
      </Form>
    </section>
  );
}

type FormProps = { email: string; refused: Refused | undefined };

function NumberForm({ email, refused }: FormProps) {
  return (
    <Form<PhoneAction>
      to="/profile/phone"
      does="number"
      refused={refused}
      idPrefix="number"
      className="fields"
      noValidate
    >
      <RefusalNote />
      <Field label="Phone number" name="msisdn" inputMode="tel" autoComplete="tel-national" placeholder="0541234567" />
      <CurrentPassword email={email} />
      <button type="submit" data-sending="Sending…">
        Send Code
      </button>
      <Once />
    </Form>
  );
}
