// Pages to sign up, log in and log out.
import { ShowPassword } from "../../../../islands/show-password.tsx";
import { SubmitButton } from "../../../../islands/submit-button.tsx";
import * as devices from "../../../core/identity/logins/devices.ts";
import * as secondStep from "../../../core/identity/logins/second-factor-login.ts";
import * as sessions from "../../../core/identity/logins/sessions.ts";
import * as users from "../../../core/identity/users.ts";
import { SignUp } from "../../../http/schemas/accounts.ts";
import { LogInAtOnce } from "../../../http/schemas/codes.ts";
import { AppError } from "../../../shared/errors/app-error.ts";
import { readDevice, readNewEmail, readNotice } from "../../cookies.ts";
import { Island } from "../../island.tsx";
import { type Context, type Leave, localPath, type Page, type Refused, redirect, type View } from "../../page.tsx";
import { homePath } from "../../paths.ts";
import { PASSWORD_AGAIN, readConfirmed, readFields } from "../../read-fields.ts";
import { Field, RefusalNote } from "../../ui/fields.tsx";
import { Form } from "../../ui/form.tsx";
import { CodeField } from "../../ui/frame/code-field.tsx";
import { cheapest, Entry } from "../../ui/frame/entry.tsx";
import { toFirstOwner } from "./first-owner.tsx";
import { toSecondStep } from "./second-factor-step.tsx";

async function showSignUp(context: Context, refused?: Refused): Promise<View | Leave> {
  const { db, viewer } = context;
  if (viewer) return redirect("/dashboard");
  // Whoever sees a shop without an owner is mostly its owner, who would sign up as an agent of it by mistake.
  const first = await toFirstOwner(context);
  if (first) return first;
  return {
    title: "Create Account",
    isPlain: true,
    body: (
      <Entry bundles={await cheapest(db)}>
        <h1>Create Account</h1>
        <p className="soft">Free, with no setup fee. You need an email address and a password.</p>
        <RefusalNote refused={refused} />
        <Form to="/signup" refused={refused} className="fields" noValidate>
          <Field label="Username" name="username" autoComplete="username" />
          <Field label="Email" name="email" type="email" autoComplete="email" />
          <Field
            label="Password"
            name="password"
            type="password"
            isSecret
            inside={<Island component={ShowPassword} props={{ name: "password", label: "Password" }} on="load" />}
            autoComplete="new-password"
            hint="At least 6 characters"
          />
          <Field
            label="Confirm password"
            name="confirmPassword"
            type="password"
            isSecret
            inside={
              <Island
                component={ShowPassword}
                props={{ name: "confirmPassword", label: "Confirm password" }}
                on="load"
              />
            }
            autoComplete="new-password"
          />
          <p className="small soft">
            By creating an account you agree to our <a href="/privacy">privacy notice</a>.
          </p>
          <Island
            component={SubmitButton}
            props={{ label: "Create Account", sending: "Creating Account..." }}
            on="load"
          />
        </Form>
        <p className="small soft">
          Already have an account? <a href="/login">Sign in</a>. <a href="/claim">I registered by USSD</a>
        </p>
      </Entry>
    ),
  };
}

async function submitSignUp({ db, form, request, addressOf }: Context): Promise<Leave> {
  const fields = readConfirmed(SignUp, form, PASSWORD_AGAIN);
  await users.signUp(db, { ...fields, address: addressOf(request), channel: "web" });
  return { to: "/login", notice: "Account created successfully! Please log in.", newEmail: fields.email };
}

async function showLogIn(context: Context, refused?: Refused): Promise<View | Leave> {
  const { db, viewer, url, request } = context;
  if (viewer) return redirect("/dashboard");
  const first = await toFirstOwner(context);
  if (first) return first;
  const next = localPath(refused?.values.get("next") ?? url.searchParams.get("next"), "");
  const reason = refused || readNotice(context, request) ? null : "Log in to continue.";
  const kept = /[?&]kept=/.test(next) ? "What you typed is saved and will be back after you log in." : null;
  return {
    title: "Login",
    isPlain: true,
    body: (
      <Entry bundles={await cheapest(db)}>
        <h1>Login</h1>
        {next && (reason || kept) && <p className="note info">{[reason, kept].filter(Boolean).join(" ")}</p>}
        <RefusalNote refused={refused} />
        <Form to="/login" refused={refused} sends={{ next: next || null }} className="fields" noValidate>
          <Field
            label="Email"
            name="email"
            type="email"
            value={readNewEmail(context, request) ?? ""}
            autoComplete="email"
          />
          <Field
            label="Password"
            name="password"
            type="password"
            isSecret
            inside={<Island component={ShowPassword} props={{ name: "password", label: "Password" }} on="load" />}
            autoComplete="current-password"
          />
          {sessions.isLockedOut(refused?.error) && <CodeField idPrefix="login" hint={LOCKED_OUT_HINT} />}
          <Island component={SubmitButton} props={{ label: "Login", sending: "Logging in..." }} on="load" />
        </Form>
        <p className="small">
          <a href="/forgot-password">Forgot Password?</a>
        </p>
        <p className="small soft">
          New here? <a href="/signup">Sign Up</a>. <a href="/claim">I registered by USSD</a>
        </p>
      </Entry>
    ),
  };
}

const LOCKED_OUT_HINT =
  "If you have set up an extra login code, enter it with your password to log in now. If not, wait, use another " +
  "network, or use a browser that you have logged in with before.";

async function submitLogIn(context: Context): Promise<Leave> {
  const { db, form, request, addressOf, sign, factorKeys } = context;
  const fields = readFields(LogInAtOnce, form);
  const userAgent = request.headers.get("user-agent") ?? "";
  const device = readDevice(context, request);
  try {
    const attempt = { ...fields, address: addressOf(request), device, userAgent };
    const session = await secondStep.logIn(db, factorKeys, attempt);
    const home = homePath(session.user);
    return {
      to: localPath(form.get("next"), home),
      session: await sign(session.id),
      device: await devices.cookieAfterLogin(db, device, session.user.id),
    };
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "auth.second_factor_required") throw error;
    return toSecondStep(error, localPath(form.get("next"), ""));
  }
}

/** Logs out only from our own form or a typed address, because a link elsewhere must not log anybody out. */
async function showLogOut(context: Context): Promise<View | Leave> {
  const { viewer, request } = context;
  const site = request.headers.get("sec-fetch-site");
  const isIntended = site === null || site === "same-origin" || site === "none";
  // A browser that prefetches declares it, and must not end the session.
  if (viewer && isIntended && !request.headers.has("sec-purpose")) return endSession(context);
  if (viewer) {
    return {
      title: "Logout",
      body: (
        <div className="card narrow">
          <h1>Log out?</h1>
          <Form to="/logout">
            <button className="wide" type="submit">
              Logout
            </button>
          </Form>
        </div>
      ),
    };
  }
  return {
    title: "Logged out",
    isPlain: true,
    headers: { refresh: "2.5; url=/login" },
    body: (
      <div className="card narrow">
        <h1>You have been logged out</h1>
        <p role="status">Redirecting you to the login page...</p>
        <a className="button wide" href="/login">
          Login
        </a>
      </div>
    ),
  };
}

async function endSession({ db, viewer }: Context): Promise<Leave> {
  if (viewer) await sessions.logOut(db, viewer.sessionId);
  return { to: "/logout", session: null };
}

export const accountPages: Page[] = [
  { path: "/signup", role: "anyone", show: showSignUp, submit: submitSignUp },
  { path: "/login", role: "anyone", show: showLogIn, submit: submitLogIn },
  { path: "/logout", role: "anyone", isForEnrolment: true, show: showLogOut, submit: endSession },
];
