// Forms: the action that a form names, the proof of who it is, the request for a second person, and a refused form
// with what was typed.
import * as approvals from "../core/approvals/requests.ts";
import { ApprovalNeeded } from "../core/platform/colleagues/second-person.ts";
import * as keptForms from "../core/platform/kept-forms.ts";
import { refusals } from "../core/platform/metrics.ts";
import { AppError } from "../shared/errors/app-error.ts";
import { ACTION } from "../shared/forms.ts";
import { requireRight } from "../shared/rights.ts";
import { confirmationView, confirmByForm } from "./confirmation.tsx";
import { titleOf } from "./navigation.ts";
import { type Action, type Answer, type Context, localPath, type Page, type Refused } from "./page.tsx";
import { readFields } from "./read-fields.ts";
import { refusalHeaders } from "./refusal.tsx";
import { forForm } from "./refused-fields.ts";

/**
 * What a form answers once its sender has proved who they are: what its action gives, the request for a second person,
 * or its page again with what was typed and the refusal. Throws what no page can show.
 */
export async function answerForm(page: Page, context: Context): Promise<Answer> {
  const wrong = page.path === "/confirm" ? null : await confirmByForm(context);
  if (wrong) return confirmationView(context, wrong);
  try {
    return await actOrAsk(page, context);
  } catch (error) {
    if (error instanceof AppError && error.code === "auth.confirm_needed") return confirmationView(context, null);
    if (!(error instanceof AppError) || error.status >= 500 || !page.show) throw error;
    refusals.inc({ door: "web", code: error.code });
    const refused = { values: context.form, error: forForm(error, context.form) };
    const view = await page.show(context, await withWayBack(context, refused));
    if (!("body" in view)) return view;
    const headers = { ...view.headers, ...refusalHeaders(error) };
    return {
      ...view,
      headers,
      title: `Please check: ${view.title ?? titleOf(page, context.by)}`,
      status: error.status,
    };
  }
}

/** Runs the form's action; where a second person must agree, stores the request and says so. */
async function actOrAsk(page: Page, context: Context): Promise<Answer> {
  try {
    return await act(page, context);
  } catch (error) {
    if (!(error instanceof ApprovalNeeded)) throw error;
    const { db, by, key, form, url } = context;
    const { id: approvalId } = await approvals.ask(db, by, error.ask, key);
    const here = page.show ? url.pathname + url.search : "/admin/approvals";
    return { to: localPath(form.get("back"), here), notice: "Asked: somebody else must agree.", approvalId };
  }
}

/** Runs the action that the form names. Throws request.invalid for one that its page does not declare. */
async function act({ submit, submitRight, actions }: Page, context: Context): Promise<Answer> {
  const requested = context.form.get(ACTION);
  if (submit && (requested === null || !actions)) {
    if (submitRight) requireRight(context.by, submitRight);
    return typeof submit === "function" ? submit(context) : actWith(submit, context);
  }
  // An argument follows the name: "remove 2".
  const [name = ""] = (requested ?? "").split(" ");
  const action = actions && Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (!action) throw new AppError("request.invalid");
  return actWith(action, context);
}

async function actWith({ right, fields, run }: Action, context: Context): Promise<Answer> {
  if (right) requireRight(context.by, right);
  return run(context, fields && readFields(fields, context.form));
}

/** Keeps the form of somebody who must top up first, so that it can be restored afterwards. */
async function withWayBack(context: Context, refused: Refused): Promise<Refused> {
  if (refused.error.code !== "wallet.insufficient_balance") return refused;
  const { db, url, by, addressOf, request } = context;
  const { pathname: path } = url;
  const formToKeep = { path, form: refused.values, userId: by.userId, address: addressOf(request) };
  const token = await keptForms.keep(db, formToKeep);
  return { ...refused, back: token ? `${path}?kept=${token}` : path };
}
