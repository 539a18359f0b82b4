// What every page shares: who may see it, how a form is taken in, how a refusal comes back beside its field, and the
// notice that is shown once on the page after a success.
import type { ReactNode } from "react";
import type { z } from "zod";
import type { Db } from "../../db/connect.ts";
import type { Key } from "../core/idempotency.ts";
import { type By, isAdmin, limits } from "../shared/domain.ts";
import { AppError, catalogue, type ErrorCode } from "../shared/errors.ts";
import { cookie, isForeign, readForm } from "../shared/http.ts";
import { html } from "./html.tsx";
import { Document, Shell } from "./layout.tsx";

/** Who looks at a page. */
export type Viewer = { by: By; sessionId: string; isCookie: boolean; username: string; email: string };

export type WebDeps = {
  db: Db;
  baseUrl: string | null;
  /** The viewer by the session cookie; null without one. Throws auth.session_ended for one that is over. */
  identify: (request: Request) => Promise<Viewer | null>;
  addressOf: (request: Request) => string;
  sign: (sessionId: string) => Promise<string>;
  cookieName: string;
  requestIdOf: (request: Request) => string;
};

export type Role = "anyone" | "user" | "admin";

/** What a form came with, when the page is shown again because of a refusal. */
export type Refused = { values: URLSearchParams; error: AppError };

export type Context = WebDeps & {
  request: Request;
  url: URL;
  params: Record<string, string>;
  /** Null only on pages for anyone. */
  viewer: Viewer | null;
  by: By;
  form: URLSearchParams;
  /** The key that came with the form, for commands that move money. */
  key: Key;
};

/** A page's content; it stands in the shell unless it is `bare`. */
export type View = {
  title: string;
  body: ReactNode;
  bare?: boolean;
  status?: number;
  headers?: Record<string, string>;
};

export type Page = {
  path: string;
  role: Role;
  bodyBytesMax?: number;
  /** Shows the page; with `refused`, again, with what was typed and why it was not taken. */
  show?: (context: Context, refused?: Refused) => Promise<View | Response>;
  /** Takes in the page's form. A refusal that it throws is shown by `show`. */
  submit?: (context: Context) => Promise<View | Response>;
};

/** Answers a request for a page. Throws AppError only for what has no page of its own to be shown on. */
export async function servePage(
  deps: WebDeps,
  page: Page,
  request: Request,
  params: Record<string, string>,
): Promise<Response> {
  const url = new URL(request.url);
  const viewer = await viewerOf(deps, request);
  if (page.role !== "anyone" && !viewer) return toLogin(request, url);
  if (page.role === "admin" && !isAdmin(viewer!.by)) throw new AppError("auth.forbidden");
  const isPost = request.method === "POST";
  if (isPost && isForeign(request, deps.baseUrl)) throw new AppError("request.foreign_origin");
  const form = isPost
    ? await readForm(request, page.bodyBytesMax ?? limits.bodyBytes)
    : new URLSearchParams();
  const context: Context = {
    ...deps,
    request,
    url,
    params,
    viewer,
    form,
    key: { scope: `web ${page.path}`, key: form.get("key") || crypto.randomUUID() },
    get by() {
      return viewer!.by;
    },
  };
  if (!isPost) return present(context, await page.show!(context));
  try {
    return await present(context, await page.submit!(context));
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500 || !page.show) throw error;
    const view = await page.show(context, { values: form, error });
    return present(context, view instanceof Response ? view : { ...view, status: error.status });
  }
}

/** Checks a form's fields; throws the refusal with each field's words. */
export function readFields<S extends z.ZodType>(schema: S, form: URLSearchParams): z.output<S> {
  const result = schema.safeParse(Object.fromEntries(form));
  if (result.success) return result.data;
  const fields: Record<string, string> = {};
  const wordsOf = (message: string) => catalogue[message as ErrorCode]?.message ?? message;
  for (const issue of result.error.issues) fields[issue.path.join(".")] ??= wordsOf(issue.message);
  const first = result.error.issues[0]!.message;
  throw new AppError(
    first in catalogue ? (first as ErrorCode) : "request.invalid",
    { fields },
    wordsOf(first),
  );
}

/** Sends the browser on, with a notice for the next page; one that begins with "!" is a warning. */
export function redirect(location: string, notice?: string, headers: [string, string][] = []): Response {
  const all = new Headers([["location", location], ["cache-control", "no-store"], ...headers]);
  if (notice)
    all.append(
      "set-cookie",
      `${NOTICE}=${encodeURIComponent(notice)}; Path=/; Max-Age=60; HttpOnly; SameSite=Lax`,
    );
  return new Response(null, { status: 303, headers: all });
}

/** A path on this shop to go on to, and nothing that a browser could read as another site. */
export function localPath(path: string | null, otherwise: string): string {
  return path && /^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(path) ? path : otherwise;
}

/** A page of its own for a refusal that has no form to stand beside. */
export async function refusalPage(deps: WebDeps, request: Request, error: AppError): Promise<Response> {
  const isFault = error.code === "service.failed";
  const words = isFault ? `${error.message}. Reference ${deps.requestIdOf(request)}` : error.message;
  const headers: Record<string, string> = error.status === 503 ? { "retry-after": "2" } : {};
  const body = (
    <div className="card narrow">
      <h1>
        {error.status === 404 ? "Not found" : error.status === 403 ? "Not allowed" : "That did not work"}
      </h1>
      <p>{words}</p>
      {error.status >= 500 && <p>If you were paying, look at your orders before you try again.</p>}
      <p className="actions">
        <a className="button" href="/dashboard">
          Go to the dashboard
        </a>
      </p>
    </div>
  );
  return html(request, <Document title="DataFie">{<main>{body}</main>}</Document>, {
    status: error.status,
    headers,
  });
}

const NOTICE = "notice";

async function viewerOf(deps: WebDeps, request: Request): Promise<Viewer | null> {
  try {
    return await deps.identify(request);
  } catch (error) {
    if (error instanceof AppError && error.code === "auth.session_ended") return null;
    throw error;
  }
}

function toLogin(request: Request, url: URL): Response {
  const wanted = request.method === "GET" && url.pathname !== "/dashboard" ? url.pathname + url.search : "";
  const next = wanted ? `?next=${encodeURIComponent(wanted)}` : "";
  const hadSession = (request.headers.get("cookie") ?? "").includes("session=");
  return redirect(`/login${next}`, hadSession ? catalogue["auth.session_ended"].message : undefined);
}

async function present({ request, viewer, url }: Context, view: View | Response): Promise<Response> {
  if (view instanceof Response) return view;
  const notice = readNotice(request);
  const body = view.bare ? (
    <main>{view.body}</main>
  ) : (
    <Shell viewer={viewer} path={url.pathname} notice={notice}>
      {view.body}
    </Shell>
  );
  const response = html(request, <Document title={view.title}>{body}</Document>, {
    status: view.status ?? 200,
    headers: view.headers ?? {},
  });
  if (notice && !view.bare)
    response.headers.append("set-cookie", `${NOTICE}=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax`);
  return response;
}

function readNotice(request: Request): string | null {
  const value = cookie(request, NOTICE);
  if (!value || value.length > 600) return null;
  try {
    return decodeURIComponent(value);
  } catch {
    return null;
  }
}
