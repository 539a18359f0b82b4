// Second step of the login. Between the steps the browser holds a token in a cookie; no page contains the password.
import { SubmitButton } from "../../../../islands/submit-button.tsx";
import * as devices from "../../../core/identity/logins/devices.ts";
import * as secondStep from "../../../core/identity/logins/second-factor-login.ts";
import { SecondStep } from "../../../http/schemas/codes.ts";
import { AppError } from "../../../shared/errors/app-error.ts";
import { readDevice, readPendingLogin } from "../../cookies.ts";
import { Island } from "../../island.tsx";
import { type Context, type Leave, localPath, type Page, type Refused, redirect, type View } from "../../page.tsx";
import { homePath } from "../../paths.ts";
import { readValues } from "../../read-fields.ts";
import { RefusalNote } from "../../ui/fields.tsx";
import { Form } from "../../ui/form.tsx";
import { CodeField } from "../../ui/frame/code-field.tsx";
import { cheapest, Entry } from "../../ui/frame/entry.tsx";

const PATH = "/login/code";

export const secondStepPages: Page[] = [{ path: PATH, role: "anyone", examples: [], show: showStep, submit: finish }];

/** The redirect to the second step, after a correct password. */
export function toSecondStep({ details }: AppError, next: string): Leave {
  const to = next ? `${PATH}?next=${encodeURIComponent(next)}` : PATH;
  return { to, pendingLogin: details?.token as string };
}

async function showStep({ db, viewer, request, url, baseUrl }: Context, refused?: Refused): Promise<View | Leave> {
  if (viewer) return redirect("/dashboard");
  if (!readPendingLogin({ baseUrl }, request)) return redirect("/login");
  const next = localPath(refused?.values.get("next") ?? url.searchParams.get("next"), "");
  return {
    title: "Enter the code",
    isPlain: true,
    body: (
      <Entry bundles={await cheapest(db)}>
        <h1>Enter the code</h1>
        <p className="soft">Open your authenticator app and type the code it shows for DataFie.</p>
        <RefusalNote refused={refused} />
        <Form to={PATH} refused={refused} sends={{ next: next || null }} idPrefix="step" className="fields" noValidate>
          <CodeField hint="Lost your phone? Enter a recovery code instead." />
          <Island component={SubmitButton} props={{ label: "Login", sending: "Logging in..." }} on="load" />
        </Form>
        <p className="small">
          <a href="/login">Start again</a>
        </p>
      </Entry>
    ),
  };
}

async function finish(context: Context): Promise<Leave> {
  const { db, form, request, addressOf, sign, factorKeys } = context;
  const token = readPendingLogin(context, request);
  if (!token) return redirect("/login");
  const proof = readValues(SecondStep, { token, code: form.get("code") ?? "" });
  const userAgent = request.headers.get("user-agent") ?? "";
  try {
    const device = readDevice(context, request);
    const attempt = { ...proof, address: addressOf(request), device, userAgent };
    const session = await secondStep.finish(db, factorKeys, attempt);
    const home = homePath(session.user);
    return {
      to: localPath(form.get("next"), home),
      session: await sign(session.id),
      pendingLogin: null,
      device: await devices.cookieAfterLogin(db, device, session.user.id),
    };
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "auth.second_step_ended") throw error;
    return { to: "/login", notice: `!${error.message}`, pendingLogin: null };
  }
}
