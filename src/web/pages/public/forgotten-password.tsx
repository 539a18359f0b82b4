// Forgotten password: the pages that request a code, and that set a new password with it.
import { SubmitButton } from "../../../../islands/submit-button.tsx";
import * as passwordReset from "../../../core/identity/logins/password-reset.ts";
import * as support from "../../../core/support/requests.ts";
import { ForgottenPassword, PasswordResetPage } from "../../../http/schemas/codes.ts";
import { parseMsisdn } from "../../../shared/phones/msisdn.ts";
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
import { Contacts } from "../../ui/staff/support.tsx";

export const forgottenPages: Page[] = [
  { path: "/forgot-password", role: "anyone", show: showRequest, submit: requestCode },
  { path: "/reset-password", role: "anyone", show: showReset, submit: reset },
];

/** The same notice for everybody, so that it does not reveal whether an account exists. */
const ON_ITS_WAY =
  "If there is such an account, a code is on its way. It arrives within a minute or two and is valid for 10 minutes.";

async function showRequest({ db, codeKeys }: Context, refused?: Refused): Promise<View> {
  const [contacts, bundles] = await Promise.all([support.contacts(db), cheapest(db)]);
  const { sms, email } = codeKeys.channels;
  return {
    title: "Forgot password",
    isPlain: true,
    body: (
      <Entry bundles={bundles}>
        <h1>Forgot password</h1>
        {sms || email ? (
          <>
            <p className="soft">
              {email && "Enter the email of your account, and we will send a code to it. "}
              {sms && "If you have confirmed a phone in your profile, you can enter its number instead."}
            </p>
            <RefusalNote refused={refused} />
            <Form to="/forgot-password" refused={refused} className="fields" noValidate>
              <Field label="Email or phone number" name="login" autoComplete="username" />
              <Island component={SubmitButton} props={{ label: "Send Code", sending: "Sending..." }} on="load" />
            </Form>
            <h2 className="after">No access to either?</h2>
          </>
        ) : (
          <p className="note warn">Codes cannot be sent at the moment.</p>
        )}
        <p>Contact support. Write from the email address of your account, so that they know it is you.</p>
        <Contacts {...contacts} />
        <p className="after">
          <a href="/login">Back to login</a>
        </p>
      </Entry>
    ),
  };
}

async function requestCode(context: Context): Promise<Leave> {
  const { db, form, request, addressOf, codeKeys } = context;
  const { login } = readFields(ForgottenPassword, form);
  await passwordReset.request(db, codeKeys, {
    login,
    address: addressOf(request),
    device: readDevice(context, request),
  });
  const asker = passwordReset.askerCookie(readAsking(context, request), login);
  return { ...redirect(`/reset-password?${new URLSearchParams({ login })}`, ON_ITS_WAY), asker };
}

async function showReset({ db, url }: Context, refused?: Refused): Promise<View> {
  const login = refused?.values.get("login") ?? url.searchParams.get("login") ?? "";
  return {
    title: "New password",
    isPlain: true,
    body: (
      <Entry bundles={await cheapest(db)}>
        <h1>New password</h1>
        <p className="soft">Enter the code that we sent, and choose a new password.</p>
        <RefusalNote refused={refused} />
        <Form to="/reset-password" refused={refused} className="fields" noValidate>
          <Field label="Email or phone number" name="login" value={login} autoComplete="username" />
          <SentCodeField hint="Six digits" />
          {parseMsisdn(login) && <KnownPin />}
          <NewPassword />
          <Island component={SubmitButton} props={{ label: "Set Password", sending: "Saving..." }} on="load" />
        </Form>
        <p className="small soft after">
          No code? Check your spam folder, or <a href="/forgot-password">request a new one</a>.
        </p>
      </Entry>
    ),
  };
}

async function reset(context: Context): Promise<Leave> {
  const { db, form, request, addressOf, codeKeys, pinKeys } = context;
  const { pin, ...fields } = readConfirmed(PasswordResetPage, form, PASSWORD_AGAIN);
  await passwordReset.reset(db, codeKeys, {
    ...fields,
    pin: pin === "" ? undefined : { typed: pin, keys: pinKeys },
    address: addressOf(request),
    device: readDevice(context, request),
    asking: readAsking(context, request),
    channel: "web",
  });
  return {
    ...redirect("/login", "Your password has been changed. Log in with the new one."),
    // A reset ends all sessions, including this browser's.
    session: null,
  };
}
