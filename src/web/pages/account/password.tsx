// Page to change the account's password.
import * as profile from "../../../core/identity/profile.ts";
import { PasswordChange } from "../../../http/schemas/accounts.ts";
import { isStaff } from "../../../shared/rights.ts";
import { type Context, type Leave, type Page, type Refused, redirect, type View } from "../../page.tsx";
import { PASSWORD_AGAIN, readConfirmed } from "../../read-fields.ts";
import { Field, Once, RefusalNote } from "../../ui/fields.tsx";
import { Form } from "../../ui/form.tsx";
import { OwnPage } from "../../ui/frame/own-page.tsx";
import { CurrentPassword } from "./current-password.tsx";

export const passwordPages: Page[] = [
  {
    path: "/profile/password",
    role: "user",
    palette: ["Change my password"],
    show: showPassword,
    submit: changePassword,
  },
];

async function showPassword({ viewer, by }: Context, refused?: Refused): Promise<View> {
  const secret = { type: "password", isSecret: true, autoComplete: "new-password" };
  const hint = `At least ${isStaff(by) ? 12 : 6} characters`;
  return {
    title: "Password",
    body: (
      <OwnPage title="Password" intro="Your other devices are logged out when you change it.">
        <section className="card">
          <Form to="/profile/password" refused={refused} idPrefix="password" className="fields" noValidate>
            <RefusalNote />
            <CurrentPassword email={viewer!.email}>
              <Field label="New password" name="password" hint={hint} {...secret} />
              <Field label="Confirm new password" name="confirmPassword" {...secret} />
            </CurrentPassword>
            <button type="submit" data-sending="Saving…">
              Change Password
            </button>
            <Once />
          </Form>
        </section>
        <p className="small soft">
          Forgotten it? Log out, and <a href="/forgot-password">set a new one with a code</a>.
        </p>
      </OwnPage>
    ),
  };
}

async function changePassword({ db, by, viewer, form }: Context): Promise<Leave> {
  const fields = readConfirmed(PasswordChange, form, PASSWORD_AGAIN);
  await profile.changePassword(db, { by, sessionId: viewer!.sessionId, ...fields });
  return redirect("/profile", "Your password has been changed. Your other devices are logged out.");
}
