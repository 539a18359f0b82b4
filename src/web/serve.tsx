// Serving of pages. Every request passes the same steps in the same order: viewer, permission, origin, form, then the
// page's own function; errors are shown on the page or on one of their own.
import * as freezing from "../core/ledger/freezing.ts";
import * as overview from "../core/overview/watch.ts";
import * as budgets from "../core/platform/budgets/budgets.ts";
import * as keptForms from "../core/platform/kept-forms.ts";
import { isForeign, readForm, readUpload, type Upload } from "../http/requests.ts";
import { limits } from "../shared/domain.ts";
import { AppError } from "../shared/errors/app-error.ts";
import { errors } from "../shared/errors/codes.ts";
import { isStaff, requireRight } from "../shared/rights.ts";
import { withoutDirectionMarks } from "../shared/text.ts";
import { answerForm } from "./answer-form.ts";
import { badgesOf } from "./badges.ts";
import { endedSessionCookie, setsSession } from "./cookies.ts";
import { Framed } from "./framed.tsx";
import { html } from "./html.tsx";
import {
  type Answer,
  type Context,
  type Leave,
  type Page,
  type Refused,
  takesForms,
  type Viewer,
  type WebDeps,
} from "./page.tsx";
import { refusalHeaders, refusalView } from "./refusal.tsx";
import { leave, respond } from "./respond.tsx";

/** What is known of a request when it fails, for the page that says so. */
type RequestState = { viewer: Viewer | null; form: URLSearchParams; page?: Page };
const requestStates = new WeakMap<Request, RequestState>();

/** Responds to a request for a page. Throws AppError only when the page cannot show it itself. */
export async function servePage(
  deps: WebDeps,
  page: Page,
  request: Request,
  params: Record<string, string>,
): Promise<Response> {
  const url = new URL(request.url);
  requestStates.set(request, { viewer: null, form: new URLSearchParams(), page });
  const { viewer, hasEnded } = await viewerOf(deps, request);
  requestStates.set(request, { viewer, form: new URLSearchParams(), page });
  const isPost = request.method === "POST";
  if (isPost && isForeign(request, deps.baseUrl)) throw new AppError("request.foreign_origin");
  if (page.role !== "anyone" && !viewer) {
    const next = isPost ? await keepSent(deps, page, request) : url.pathname + url.search;
    return leave(deps, toLogin(page, next, hasEnded));
  }
  if (viewer?.mustEnrol && !page.isForEnrolment) return leave(deps, { to: "/profile/second-factor" });
  if (page.right) requireRight(viewer!.by, page.right);
  if (page.right && isPost && viewer!.isFrozen) await freezing.refuse(deps.db, viewer!.by.userId);
  if (viewer) await spendForWork(deps, page, { viewer, url, isPost });
  const { form, files } = isPost ? await readSent(request, page) : NOTHING_SENT;
  requestStates.set(request, { viewer, form, page });
  const context: Context = {
    ...deps,
    request,
    url,
    params,
    viewer,
    form,
    files,
    key: { scope: `web:${page.path}`, key: form.get("key") || crypto.randomUUID() },
    get by() {
      return viewer!.by;
    },
    badges: async (isLive) => (viewer ? badgesOf(deps.db, viewer.by, isLive) : {}),
  };
  const answered = await answer(page, context);
  // What somebody of the staff has done may no longer wait, and its next page must not say so.
  if (isPost && viewer && isStaff(viewer.by)) overview.changed(deps.db);
  const response = await respond(page, context, answered);
  if (hasEnded && !setsSession(deps, response)) response.headers.append("set-cookie", endedSessionCookie(deps));
  return response;
}

/** Counts what takes more work than a page: a search, and what is long to read. Throws request.rate_limited. */
async function spendForWork(
  { db }: WebDeps,
  page: Page,
  { viewer, url, isPost }: { viewer: Viewer; url: URL; isPost: boolean },
): Promise<void> {
  const { userId } = viewer.by;
  if (SEARCHES.some((name) => url.searchParams.get(name))) await budgets.spend(db, "search.account", userId);
  if (isPost && (page.uploadBytesMax || page.bodyBytesMax)) await budgets.spend(db, "list.account", userId);
}

/** The parameters of pages that search. */
const SEARCHES = ["search", "q"];

/** The page for an error that no form can show. */
export function refusalPage(deps: WebDeps, request: Request, error: AppError): Response {
  const state = requestStates.get(request) ?? { viewer: null, form: new URLSearchParams() };
  const { viewer, form, page } = state;
  const url = new URL(request.url);
  const isForCustomers = page?.forCustomers !== undefined && viewer === null;
  const requestId = deps.requestIdOf(request);
  const view = refusalView({ url, form, error, viewer, isForCustomers, requestId });
  const origin = deps.baseUrl ?? url.origin;
  const frame = { viewer, url, origin, view, notice: null, ...(isForCustomers && { page }) };
  return html(request, <Framed {...frame} />, {
    status: error.status,
    headers: error.status === 503 ? { "retry-after": "2" } : refusalHeaders(error),
    // The form to send again may lead to the payment page.
    formTargets: error.status >= 500 ? [deps.gateway.checkoutOrigin] : [],
  });
}

/** The response to an undeclared address: 404 for files, else a redirect to the viewer's dashboard or the login. */
export async function unknownPage(deps: WebDeps, request: Request): Promise<Response> {
  const { viewer, hasEnded } = await viewerOf(deps, request);
  requestStates.set(request, { viewer, form: new URLSearchParams() });
  const { pathname } = new URL(request.url);
  const isPage = request.method === "GET" || request.method === "HEAD";
  if (!isPage || /\.[a-z0-9]+$/i.test(pathname)) return refusalPage(deps, request, new AppError("request.not_found"));
  if (viewer) return leave(deps, { to: "/dashboard" });
  return leave(deps, hasEnded ? sessionEnded("/login") : { to: "/login" });
}

async function answer(page: Page, context: Context): Promise<Answer> {
  if (context.request.method === "POST") return answerForm(page, context);
  return page.show!(context, await keptFor(page, context));
}

/** The kept values of this page's form, from before its sender had to log in or top up. */
async function keptFor(page: Page, { db, url, viewer }: Context): Promise<Refused | undefined> {
  const token = url.searchParams.get("kept");
  if (!token || !viewer || !takesForms(page)) return undefined;
  const values = await keptForms.read(db, { path: url.pathname, token, userId: viewer.by.userId });
  if (!values) return undefined;
  const message = "Nothing has been sent yet. What you typed is still here: check it and send it.";
  return { values, error: new AppError("request.invalid", undefined, message), isKept: true };
}

async function viewerOf(deps: WebDeps, request: Request): Promise<{ viewer: Viewer | null; hasEnded: boolean }> {
  try {
    return { viewer: await deps.identify(request), hasEnded: false };
  } catch (error) {
    if (error instanceof AppError && error.code === "auth.session_ended") return { viewer: null, hasEnded: true };
    throw error;
  }
}

/** Keeps the form of somebody who is not logged in. Returns the address that restores it, or the page's. */
async function keepSent(deps: WebDeps, page: Page, request: Request): Promise<string> {
  const { pathname } = new URL(request.url);
  if (!page.show) return pathname;
  const { form } = await readSent(request, page);
  const address = deps.addressOf(request);
  const token = await keptForms.keep(deps.db, { path: pathname, form, userId: null, address });
  return token ? `${pathname}?kept=${token}` : pathname;
}

function toLogin(page: Page, next: string, hasEnded: boolean): Leave {
  const target = page.show && next !== "/dashboard" ? next : "";
  const to = target ? `/login?next=${encodeURIComponent(target)}` : "/login";
  return hasEnded ? sessionEnded(to) : { to };
}

function sessionEnded(to: string): Leave {
  return { to, notice: `!${errors["auth.session_ended"].message}`, session: null };
}

const NOTHING_SENT: Upload = { form: new URLSearchParams(), files: new Map() };

async function readSent(request: Request, page: Page): Promise<Upload> {
  const bytesMax = page.bodyBytesMax ?? limits.bodyBytes;
  const { form: sent, files } = page.uploadBytesMax
    ? await readUpload(request, page.uploadBytesMax, bytesMax)
    : { form: await readForm(request, bytesMax), files: NOTHING_SENT.files };
  // Postgres cannot store NUL, and nobody types one.
  const form = new URLSearchParams(
    [...sent].map(([name, value]) => [name, withoutDirectionMarks(value.replaceAll("\0", ""))]),
  );
  const key = form.get("key") ?? "";
  if (key.length > limits.keyChars || /[^\x21-\x7e]/.test(key)) throw new AppError("request.key_invalid");
  return { form, files };
}
