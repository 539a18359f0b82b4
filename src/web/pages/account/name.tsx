// Page to change the account's name and e-mail.
import * as profile from "../../../core/identity/profile.ts";
import { ProfileChange } from "../../../http/schemas/accounts.ts";
import { type Context, type Leave, type Page, type Refused, redirect, type View } from "../../page.tsx";
import { readFields } from "../../read-fields.ts";
import { Field, Once, RefusalNote } from "../../ui/fields.tsx";
import { Form } from "../../ui/form.tsx";
import { OwnPage } from "../../ui/frame/own-page.tsx";
import { CurrentPassword } from "./current-password.tsx";

export const namePages: Page[] = [{ path: "/profile/name", role: "user", show: showName, submit: rename }];

async function showName({ viewer }: Context, refused?: Refused): Promise<View> {
  const { username, email } = viewer!;
  return {
    title: "Name and email",
    body: (
      <OwnPage title="Name and email" intro="Your other devices are logged out when you change them.">
        <section className="card">
          <Form to="/profile/name" refused={refused} idPrefix="name" className="fields" noValidate>
            <RefusalNote />
            <Field label="Username" name="username" value={username} autoComplete="username" />
            <Field
              label="Email"
              name="email"
              type="email"
              value={email}
              autoComplete="email"
              hint="You log in with it"
            />
            <CurrentPassword email={email} />
            <button type="submit" data-sending="Saving…">
              Save
            </button>
            <Once />
          </Form>
        </section>
      </OwnPage>
    ),
  };
}

async function rename({ db, by, viewer, form }: Context): Promise<Leave> {
  await profile.rename(db, { by, sessionId: viewer!.sessionId, ...readFields(ProfileChange, form) });
  return redirect("/profile", "Saved. Your other devices are logged out.");
}
