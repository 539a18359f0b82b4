// The first page of a shop that nobody owns yet: whoever started it has the code, and makes the owner's account.
import { ShowPassword } from "../../../../islands/show-password.tsx";
import { SubmitButton } from "../../../../islands/submit-button.tsx";
import * as firstOwner from "../../../core/identity/first-owner.ts";
import * as devices from "../../../core/identity/logins/devices.ts";
import * as secondStep from "../../../core/identity/logins/second-factor-login.ts";
import { FirstOwner } from "../../../http/schemas/accounts.ts";
import { readDevice } from "../../cookies.ts";
import { Island } from "../../island.tsx";
import { type Context, type Leave, type Page, type Refused, redirect, type View } from "../../page.tsx";
import { PASSWORD_AGAIN, readConfirmed } from "../../read-fields.ts";
import { Field, RefusalNote } from "../../ui/fields.tsx";
import { Form } from "../../ui/form.tsx";

const PATH = "/first-owner";

export const firstOwnerPages: Page[] = [
  // In a shop with an owner it only leads to the login.
  { path: PATH, role: "anyone", examples: [], show, submit },
];

/** Leads to this page while the shop has no owner; null otherwise. */
export async function toFirstOwner({ db, keyMode }: Context): Promise<Leave | null> {
  return keyMode === "live" && (await firstOwner.isOwnerless(db)) ? redirect(PATH) : null;
}

async function show(context: Context, refused?: Refused): Promise<View | Leave> {
  if (!(await toFirstOwner(context))) return redirect("/login");
  return {
    title: "Your new shop",
    isPlain: true,
    body: (
      <div className="card narrow">
        <h1>Your new shop</h1>
        <p className="soft">
          Nobody owns it yet. Make your account: you add bundles, prices and your team with it. The code is in the
          output of the shop's start, below the line that begins with "Owner".
        </p>
        <RefusalNote refused={refused} />
        <Form to={PATH} refused={refused} className="fields" noValidate>
          <Field label="Code" name="code" hint="Such as K7QF-2M9X-4TRB" autoComplete="off" />
          <Field label="Username" name="username" autoComplete="username" />
          <Field label="Email" name="email" type="email" autoComplete="email" />
          <Secret label="Password" name="password" hint="At least 12 characters" />
          <Secret label="Confirm password" name="confirmPassword" />
          <Island component={SubmitButton} props={{ label: "Open my shop", sending: "Opening..." }} on="load" />
        </Form>
      </div>
    ),
  };
}

function Secret({ label, name, hint }: { label: string; name: string; hint?: string }) {
  return (
    <Field
      {...{ label, name, hint }}
      type="password"
      isSecret
      inside={<Island component={ShowPassword} props={{ name, label }} on="load" />}
      autoComplete="new-password"
    />
  );
}

/** Makes the account and logs it in. */
async function submit(context: Context): Promise<Leave> {
  const { db, form, request, addressOf, sign, factorKeys, codeKeys } = context;
  const fields = readConfirmed(FirstOwner, form, PASSWORD_AGAIN);
  const address = addressOf(request);
  await firstOwner.create(db, codeKeys, { ...fields, address });
  const { email, password } = fields;
  const device = readDevice(context, request);
  const userAgent = request.headers.get("user-agent") ?? "";
  const session = await secondStep.logIn(db, factorKeys, { email, password, address, device, userAgent });
  return {
    ...redirect("/admin", "Your shop is open to you. Here is what it needs before it can sell."),
    session: await sign(session.id),
    device: await devices.cookieAfterLogin(db, device, session.user.id),
  };
}
