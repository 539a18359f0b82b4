// Profile: the account's name, e-mail, password and sessions, with links to its phone, login code and webhooks.
import * as phones from "../../../core/identity/phones.ts";
import * as pins from "../../../core/identity/pins.ts";
import * as profile from "../../../core/identity/profile.ts";
import * as secondFactor from "../../../core/identity/second-factor.ts";
import * as sessions from "../../../core/identity/sessions.ts";
import { PasswordChange, ProfileChange } from "../../../http/schemas/accounts.ts";
import { isAdmin } from "../../../shared/domain.ts";
import { AppError } from "../../../shared/errors/app-error.ts";
import { spacedMsisdn } from "../../../shared/msisdn.ts";
import {
  actionsOf,
  type Context,
  type Leave,
  type Page,
  type Refused,
  readFields,
  redirect,
  type View,
} from "../../page.tsx";
import { refusedFor, submits } from "../../ui/action.tsx";
import { PinChip } from "../../ui/chips.tsx";
import { Field, RefusalNote } from "../../ui/parts.tsx";
import { Logins } from "./logins.tsx";

const actions = actionsOf({
  name: {
    fields: ProfileChange,
    run: async ({ db, by, viewer }, fields) => {
      await profile.rename(db, { by, sessionId: viewer!.sessionId, ...fields });
      return redirect("/profile", "Saved. Your other devices are logged out.");
    },
  },
  password: { run: changePassword },
  end: {
    run: async ({ db, by, form }) => {
      await sessions.endOne(db, by.userId, form.get("login") ?? "");
      return redirect("/profile#logins", "Logged out there.");
    },
  },
  "end-others": {
    run: async ({ db, by, viewer }) => {
      await sessions.endAll(db, by.userId, viewer!.sessionId);
      return redirect("/profile#logins", "Logged out everywhere else.");
    },
  },
});
export type ProfileAction = keyof typeof actions;

export const profilePages: Page[] = [{ path: "/profile", role: "user", show: showProfile, actions }];

async function showProfile({ db, viewer, by }: Context, refused?: Refused): Promise<View> {
  const [{ phone }, pin, factor, logins] = await Promise.all([
    phones.stateOf(db, by.userId),
    pins.stateOf(db, by.userId),
    secondFactor.stateOf(db, by.userId),
    sessions.list(db, by.userId, viewer!.sessionId),
  ]);
  const passwordRefusal = refusedFor<ProfileAction>("password", refused);
  return {
    title: "Profile",
    body: (
      <>
        <h1>Profile</h1>
        <p className="soft">
          To change your name, email or password, enter your current password. Your other devices are logged
          out.
        </p>
        <div className="two even">
          <section className="card">
            <h2>Name and email</h2>
            <NameForm
              username={viewer!.username}
              email={viewer!.email}
              refused={passwordRefusal ? undefined : refused}
            />
          </section>
          <section className="card">
            <h2>Password</h2>
            <PasswordForm email={viewer!.email} charsMin={isAdmin(by) ? 12 : 6} refused={passwordRefusal} />
          </section>
        </div>
        <PhoneCard phone={phone} pin={pin} />
        <section className="card">
          <h2>
            Extra login code{" "}
            {factor ? <span className="chip good">On</span> : <span className="chip">Off</span>}
          </h2>
          <p>
            {factor
              ? "You need a code from your authenticator app to log in."
              : "A code from an app on your phone, after the password: it keeps thieves out."}
          </p>
          <a className="button quiet" href="/profile/second-factor">
            {factor ? "Manage" : "Set Up"}
          </a>
        </section>
        <section className="card">
          <h2>Webhooks</h2>
          <p>Notify your own server as soon as the status of an order changes.</p>
          <a className="button quiet" href="/profile/webhooks">
            Webhooks
          </a>
        </section>
        <Logins logins={logins} />
      </>
    ),
  };
}

type PhoneProps = { phone: phones.PhoneState["phone"]; pin: pins.PinState | null };

function PhoneCard({ phone, pin }: PhoneProps) {
  return (
    <section className="card">
      <h2>Phone</h2>
      {phone ? (
        <>
          <p>
            <b className="money">{spacedMsisdn(phone.msisdn)}</b> <span className="chip good">Confirmed</span>
          </p>
          <p>
            PIN for buying by phone: {pin ? <PinChip pin={pin} /> : <span className="chip">Not set</span>}
          </p>
        </>
      ) : (
        <p>Confirm a phone, so that a code by SMS lets you in when you forget your password.</p>
      )}
      <a className="button quiet" href="/profile/phone">
        {phone ? "Phone and PIN" : "Confirm Phone"}
      </a>
    </section>
  );
}

type NameProps = { username: string; email: string; refused: Refused | undefined };

function NameForm({ username, email, refused }: NameProps) {
  const common = { idPrefix: "name", refused };
  return (
    <form method="post" action="/profile" className="fields" noValidate>
      <RefusalNote refused={refused} />
      <Field label="Username" name="username" value={username} autoComplete="username" {...common} />
      <Field label="Email" name="email" type="email" value={email} autoComplete="email" {...common} />
      <CurrentPassword {...common} />
      <button {...submits<ProfileAction>("name")} type="submit">
        Save
      </button>
    </form>
  );
}

type PasswordProps = { email: string; charsMin: number; refused: Refused | undefined };

function PasswordForm({ email, charsMin, refused }: PasswordProps) {
  const common = { idPrefix: "password", refused };
  const secret = { type: "password", isSecret: true, autoComplete: "new-password", ...common };
  return (
    <form method="post" action="/profile" className="fields" noValidate>
      <RefusalNote refused={refused} />
      {/* Hidden, for password managers: the account that the password belongs to. */}
      <div hidden>
        <Field label="Account" name="account" value={email} autoComplete="username" {...common} />
      </div>
      <Field label="New password" name="password" hint={`At least ${charsMin} characters`} {...secret} />
      <Field label="Confirm new password" name="confirmPassword" {...secret} />
      <CurrentPassword {...common} />
      <button {...submits<ProfileAction>("password")} type="submit">
        Change Password
      </button>
    </form>
  );
}

function CurrentPassword(props: { idPrefix: string; refused: Refused | undefined }) {
  return (
    <Field
      label="Current password"
      name="currentPassword"
      type="password"
      isSecret
      autoComplete="current-password"
      {...props}
    />
  );
}

/** Changes the password. Throws request.invalid when the two new passwords differ. */
async function changePassword({ db, by, viewer, form }: Context): Promise<Leave> {
  if (form.get("password") !== form.get("confirmPassword")) {
    const message = "Passwords don't match";
    throw new AppError("request.invalid", { fields: { confirmPassword: message } }, message);
  }
  const fields = readFields(PasswordChange, form);
  await profile.changePassword(db, { by, sessionId: viewer!.sessionId, ...fields });
  return redirect("/profile", "Your password has been changed. Your other devices are logged out.");
}
