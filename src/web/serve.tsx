// Serving of pages. Every request passes the same steps in the same order: viewer, permission, origin, form, then the
// page's own function; errors are shown on the page or on one of their own.
import * as approvals from "../core/approvals/requests.ts";
import * as freezing from "../core/ledger/freezing.ts";
import * as waits from "../core/ledger/waits.ts";
import * as switches from "../core/overview/switches.ts";
import * as overview from "../core/overview/watch.ts";
import * as budgets from "../core/platform/budgets/budgets.ts";
import { ApprovalNeeded } from "../core/platform/colleagues/second-person.ts";
import * as keptForms from "../core/platform/kept-forms.ts";
import { refusals } from "../core/platform/metrics.ts";
import { isForeign, readForm, readUpload, type Upload } from "../http/requests.ts";
import { limits } from "../shared/domain.ts";
import { AppError } from "../shared/errors/app-error.ts";
import { errors } from "../shared/errors/codes.ts";
import { ACTION } from "../shared/forms.ts";
import { isStaff, requireRight } from "../shared/rights.ts";
import { withoutDirectionMarks } from "../shared/text.ts";
import { badgesOf } from "./badges.ts";
import { confirmationView, confirmByForm } from "./confirmation.tsx";
import {
  afterTopUpCookie,
  askerCookie,
  deviceCookie,
  endedSessionCookie,
  hiddenStepsCookie,
  newEmailCookie,
  noticeCookie,
  pendingLoginCookie,
  readNotice,
  sessionCookie,
  setsSession,
  shownNoticeCookie,
} from "./cookies.ts";
import { Framed, withTabs } from "./framed.tsx";
import { html } from "./html.tsx";
import {
  type Action,
  type Answer,
  type Context,
  type Download,
  forForm,
  type Leave,
  localPath,
  originOf,
  type Page,
  type Refused,
  readFields,
  takesForms,
  type Viewer,
  type WebDeps,
} from "./page.tsx";
import { refusalView } from "./refusal.tsx";

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
  const response = await present(page, context, answered);
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
    headers: error.status === 503 ? { "retry-after": "2" } : headersOf(error),
    // The form to send again may lead to the payment page.
    formTargets: error.status >= 500 ? [deps.gateway.checkoutOrigin] : [],
  });
}

function headersOf({ details }: AppError): Record<string, string> {
  const { retryAfterSeconds: seconds, allowed } = details ?? {};
  return {
    ...(seconds !== undefined && { "retry-after": String(seconds) }),
    ...(allowed !== undefined && { allow: allowed.join(", ") }),
  };
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
  if (context.request.method !== "POST") return page.show!(context, await keptFor(page, context));
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
    const headers = { ...view.headers, ...headersOf(error) };
    return { ...view, headers, title: `Please check: ${view.title}`, status: error.status };
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

async function present(page: Page, context: Context, answered: Answer): Promise<Response> {
  const { path, tab } = page;
  if ("to" in answered) return asRequested(context.request, leave(context, answered));
  if ("pieces" in answered) {
    // Before the first piece is read. What one of our scripts asks for is no file.
    if (context.viewer && "content-disposition" in answered.headers)
      await budgets.spend(context.db, "file.account", context.by.userId);
    return send(context.request, answered);
  }
  const { request, viewer, url } = context;
  const notice = readNotice(context, request);
  const [waiting, frozen, wait, closed] = await Promise.all([
    context.badges(),
    viewer?.isFrozen ? freezing.of(context.db, viewer.by.userId) : null,
    viewer?.isWaiting ? waits.of(context.db, viewer.by) : null,
    viewer ? switches.closedNow(context.db) : [],
  ]);
  const view = tab
    ? withTabs(answered, context.by, {
        ...{ section: tab.section, waiting },
        current: "under" in tab ? tab.under : path,
      })
    : answered;
  const pushKey = context.push?.publicKey ?? null;
  const frame = {
    viewer,
    url,
    origin: originOf(context),
    view,
    notice,
    waiting,
    page,
    pushKey,
    frozen,
    wait,
    closed,
  };
  const response = html(request, <Framed {...frame} />, {
    status: view.status ?? 200,
    headers: { ...view.headers, ...(notice ? {} : offlineCopy(context)) },
    formTargets: view.formTargets ?? [],
  });
  if (notice && request.method !== "HEAD") response.headers.append("set-cookie", shownNoticeCookie(context));
  return response;
}

/** The pages of which the service worker may keep the last copy, for a phone without a connection. */
const KEPT_OFFLINE = ["/", "/dashboard", "/orders", "/wallet", "/buy"];

/** Marks an agent's page as one to keep, with its owner. Not one with a notice, which belongs to its moment. */
function offlineCopy({ request, url, viewer }: Context): Record<string, string> {
  const isKept = request.method === "GET" && url.search === "" && KEPT_OFFLINE.includes(url.pathname);
  return isKept && viewer && !isStaff(viewer.by) ? { "x-offline-copy": String(viewer.by.userId) } : {};
}

/** Reads the first piece before the response begins, so that a failure of the database still gets an error page. */
async function send({ method }: Request, { pieces, headers }: Download): Promise<Response> {
  const reader = piecesOf(pieces);
  const first = await reader.next();
  const encoder = new TextEncoder();
  const put = (controller: ReadableStreamDefaultController, { done, value }: IteratorResult<Piece>) =>
    done ? controller.close() : controller.enqueue(typeof value === "string" ? encoder.encode(value) : value);
  const body = new ReadableStream({
    start: (controller) => put(controller, first),
    pull: async (controller) => put(controller, await reader.next()),
    cancel: async () => {
      await reader.return(undefined);
    },
  });
  if (method === "HEAD") await body.cancel();
  return new Response(method === "HEAD" ? null : body, {
    headers: { "cache-control": "private, no-store", ...headers },
  });
}

type Piece = string | Uint8Array;

async function* piecesOf(pieces: Download["pieces"]): AsyncGenerator<Piece> {
  yield* pieces;
}

function leave(deps: WebDeps, leaving: Leave): Response {
  const { to, notice, undo, session, pendingLogin, afterTopUp, newEmail, device, hidesSteps } = leaving;
  const { approvalId, asker } = leaving;
  const headers = new Headers({ location: to, "cache-control": "no-store" });
  if (notice) headers.append("set-cookie", noticeCookie(deps, notice, undo, approvalId));
  if (afterTopUp !== undefined) headers.append("set-cookie", afterTopUpCookie(deps, afterTopUp));
  if (session !== undefined) {
    headers.append("set-cookie", session === null ? endedSessionCookie(deps) : sessionCookie(deps, session));
  }
  if (newEmail !== undefined) headers.append("set-cookie", newEmailCookie(deps, newEmail));
  if (hidesSteps) headers.append("set-cookie", hiddenStepsCookie(deps));
  if (pendingLogin !== undefined) headers.append("set-cookie", pendingLoginCookie(deps, pendingLogin));
  if (asker !== undefined) headers.append("set-cookie", askerCookie(deps, asker));
  if (device !== undefined) headers.append("set-cookie", deviceCookie(deps, device));
  return new Response(null, { status: 303, headers });
}

/** For our own scripts, which ask for JSON because they cannot see a redirect: its target as JSON. */
function asRequested(request: Request, redirect: Response): Response {
  if (request.headers.get("accept") !== "application/json") return redirect;
  const { location, ...headers } = Object.fromEntries(redirect.headers);
  const json = Response.json({ to: location }, { headers });
  for (const cookie of redirect.headers.getSetCookie()) json.headers.append("set-cookie", cookie);
  return json;
}
