// Claiming an account that was opened by USSD: the pages that send a code to its phone, and that give it an e-mail and
// a password.
import { SubmitButton } from "../../../../islands/submit-button.tsx";
import * as passwordReset from "../../../core/identity/logins/password-reset.ts";
import { AccountClaim, ClaimPhone } from "../../../http/schemas/codes.ts";
import { readAsking, readDevice } from "../../cookies.ts";
import { Island } from "../../island.tsx";
import { type Context, type Leave, type Page, type Refused, redirect, type View } from "../../page.tsx";
import { PASSWORD_AGAIN, readConfirmed, readFields } from "../../read-fields.ts";
import { Field, RefusalNote } from "../../ui/fields.tsx";
import { Form } from "../../ui/form.tsx";
import { SentCodeField } from "../../ui/frame/code-field.tsx";
import { cheapest, Entry } from "../../ui/frame/entry.tsx";
import { KnownPin } from "../../ui/frame/known-pin.tsx";
import { NewPassword } from "../../ui/frame/new-password.tsx";

export const claimPages: Page[] = [
  { path: "/claim", role: "anyone", show: showPhone, submit: requestCode },
  { path: "/claim/code", role: "anyone", show: showClaim, submit: claim },
];

/** The same notice for everybody, so that it does not reveal whether an account exists. */
const ON_ITS_WAY =
  "If this phone has an account, a code is on its way by SMS. It arrives within a minute or two and is valid for " +
  "10 minutes.";

async function showPhone({ db, codeKeys }: Context, refused?: Refused): Promise<View> {
  return {
    title: "I registered by USSD",
    isPlain: true,
    body: (
      <Entry bundles={await cheapest(db)}>
        <h1>I registered by USSD</h1>
        {codeKeys.channels.sms ? (
          <>
            <p className="soft">
              Give your account an email and a password, to use it here too. We first send a code to your phone.
            </p>
            <RefusalNote refused={refused} />
            <Form to="/claim" refused={refused} className="fields" noValidate>
              <Field label="Phone number" name="msisdn" type="tel" inputMode="tel" autoComplete="tel-national" />
              <Island component={SubmitButton} props={{ label: "Send Code", sending: "Sending..." }} on="load" />
            </Form>
          </>
        ) : (
          <p className="note warn">Codes cannot be sent at the moment.</p>
        )}
        <p className="after">
          <a href="/login">Back to login</a>
        </p>
      </Entry>
    ),
  };
}

async function requestCode(context: Context): Promise<Leave> {
  const { db, form, request, addressOf, codeKeys } = context;
  const { msisdn } = readFields(ClaimPhone, form);
  const device = readDevice(context, request);
  await passwordReset.request(db, codeKeys, { login: msisdn, address: addressOf(request), device });
  const asker = passwordReset.askerCookie(readAsking(context, request), msisdn);
  return { ...redirect(`/claim/code?${new URLSearchParams({ login: msisdn })}`, ON_ITS_WAY), asker };
}

async function showClaim({ db, url }: Context, refused?: Refused): Promise<View> {
  return {
    title: "Your account",
    isPlain: true,
    body: (
      <Entry bundles={await cheapest(db)}>
        <h1>Your account</h1>
        <p className="soft">Enter the code that we sent, and how you want to log in from now on.</p>
        <RefusalNote refused={refused} />
        <Form to="/claim/code" refused={refused} className="fields" noValidate>
          <Field
            label="Phone number"
            name="login"
            value={url.searchParams.get("login") ?? ""}
            type="tel"
            inputMode="tel"
            autoComplete="tel-national"
          />
          <SentCodeField hint="Six digits" />
          <Field label="Email" name="email" type="email" autoComplete="email" />
          <KnownPin />
          <NewPassword />
          <Island component={SubmitButton} props={{ label: "Save", sending: "Saving..." }} on="load" />
        </Form>
        <p className="small soft after">
          No code? <a href="/claim">Request a new one</a>.
        </p>
      </Entry>
    ),
  };
}

async function claim(context: Context): Promise<Leave> {
  const { db, form, request, addressOf, codeKeys, pinKeys } = context;
  const { pin, ...fields } = readConfirmed(AccountClaim, form, PASSWORD_AGAIN);
  await passwordReset.claim(db, codeKeys, {
    ...fields,
    pin: pin === "" ? undefined : { typed: pin, keys: pinKeys },
    address: addressOf(request),
    device: readDevice(context, request),
    asking: readAsking(context, request),
    channel: "web",
  });
  return redirect("/login", "Your account has an email and a password now. Log in with them.");
}
