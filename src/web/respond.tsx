// Responses: a page in its frame, a redirect with its cookies, and a file piece by piece.
import * as freezing from "../core/ledger/freezing.ts";
import * as waits from "../core/ledger/waits.ts";
import * as switches from "../core/overview/switches.ts";
import * as budgets from "../core/platform/budgets/budgets.ts";
import { isStaff } from "../shared/rights.ts";
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
  shownNoticeCookie,
} from "./cookies.ts";
import { Framed, withTabs } from "./framed.tsx";
import { html } from "./html.tsx";
import { type Answer, type Context, type Download, type Leave, originOf, type Page, type WebDeps } from "./page.tsx";

/** The response for what a page or its form has answered. Throws request.rate_limited for too many files. */
export async function respond(page: Page, context: Context, answered: Answer): Promise<Response> {
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
  const view = viewer ? withTabs(answered, viewer.by, page, waiting) : answered;
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

/** The redirect, with its cookies. */
export function leave(deps: WebDeps, leaving: Leave): Response {
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
