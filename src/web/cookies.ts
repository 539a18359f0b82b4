// The cookies of the pages: the session, a login between its two steps, and the notice that is shown once after a success.
import { DEVICE_SECONDS, type Device } from "../core/identity/devices.ts";
import { SECOND_STEP_SECONDS, SESSION_SECONDS } from "../core/identity/sessions.ts";
import { cookie, cookieName } from "../http/requests.ts";
import { localPath, type Undo, type WebDeps } from "./page.tsx";

/** What the browser holds: who is logged in, a login that waits for its second step, and what is said once. */
export const SESSION_COOKIE = "session";
export const PENDING_LOGIN = "login";
const DEVICE = "device";
const NOTICE = "notice";
/** A browser refuses a cookie over 4,096 bytes, and a letter may take nine of them. */
const NOTICE_CHARS_MAX = 400;
const NEW_EMAIL = "new_email";
/** Where a top-up that was started from another page leads on to, when it is through. */
const AFTER_TOP_UP = "after_top_up";
const AFTER_TOP_UP_SECONDS = 2 * 3600;

type Settings = Pick<WebDeps, "baseUrl">;

export function sessionCookie(settings: Settings, token: string): string {
  return setCookie(settings, SESSION_COOKIE, token, SESSION_SECONDS);
}

export function endedSessionCookie(settings: Settings): string {
  return setCookie(settings, SESSION_COOKIE, "", 0);
}

/** The token of the session, or null. */
export function readSession(settings: Settings, request: Request): string | null {
  return readCookie(settings, request, SESSION_COOKIE);
}

/** Whether an answer says anything about the session already. */
export function setsSession({ baseUrl }: Settings, { headers }: Response): boolean {
  const name = cookieName(SESSION_COOKIE, baseUrl);
  return headers.getSetCookie().some((line) => line.startsWith(`${name}=`));
}

/** A login that waits for its code; null: it waits no more. */
export function pendingLoginCookie(settings: Settings, token: string | null): string {
  return setCookie(settings, PENDING_LOGIN, token ?? "", token ? SECOND_STEP_SECONDS : 0);
}

/** The token of a login that waits for its code, or null. */
export function readPendingLogin(settings: Settings, request: Request): string | null {
  return readCookie(settings, request, PENDING_LOGIN);
}

/** What says, long after a login, who has logged in with this browser. */
export function deviceCookie(settings: Settings, value: string): string {
  return setCookie(settings, DEVICE, value, DEVICE_SECONDS);
}

/** The browser as one that may have been logged in with before. */
export function readDevice(settings: Settings & Pick<WebDeps, "deviceKeys">, request: Request): Device {
  return { keys: settings.deviceKeys, cookie: readCookie(settings, request, DEVICE) };
}

/** A notice for the next page; one that begins with "!" is a warning. */
export function noticeCookie(settings: Settings, notice: string, undo?: Undo): string {
  const offer = undo ? `undo ${undo.orderId} ${undo.untilMs} ` : "";
  const text = encodeURIComponent(offer + notice.slice(0, NOTICE_CHARS_MAX).toWellFormed());
  return setCookie(settings, NOTICE, text, 60);
}

export function shownNoticeCookie(settings: Settings): string {
  return setCookie(settings, NOTICE, "", 0);
}

export type Notice = { text: string; undo: Undo | null };

/** Whatever the cookie holds is only ever shown as text; an order is taken back by its owner alone. */
export function readNotice(settings: Settings, request: Request): Notice | null {
  const stored = readText(settings, request, NOTICE) ?? "";
  const [offer, orderId, untilMs] = /^undo ([1-9]\d{0,14}) (\d{1,15}) /.exec(stored) ?? [];
  const text = stored.slice(offer?.length ?? 0).slice(0, NOTICE_CHARS_MAX);
  if (!text) return null;
  return { text, undo: offer ? { orderId: Number(orderId), untilMs: Number(untilMs) } : null };
}

/** The e-mail address of an account that was just opened, for the login that follows. */
export function newEmailCookie(settings: Settings, email: string): string {
  return setCookie(settings, NEW_EMAIL, encodeURIComponent(email.slice(0, 254)), 600);
}

/** It is only ever put into a field. */
export function readNewEmail(settings: Settings, request: Request): string | null {
  return readText(settings, request, NEW_EMAIL);
}

/** Remembers where the next top-up leads on to; null: nowhere in particular. */
export function afterTopUpCookie(settings: Settings, path: string | null): string {
  return setCookie(
    settings,
    AFTER_TOP_UP,
    path ? encodeURIComponent(path) : "",
    path ? AFTER_TOP_UP_SECONDS : 0,
  );
}

/** A path on this shop, or null. */
export function readAfterTopUp(settings: Settings, request: Request): string | null {
  return localPath(readText(settings, request, AFTER_TOP_UP), "") || null;
}

/** What a cookie of letters holds; null for none, and for what nobody here wrote. */
function readText(settings: Settings, request: Request, name: string): string | null {
  try {
    return decodeURIComponent(readCookie(settings, request, name) ?? "") || null;
  } catch {
    return null;
  }
}

function readCookie({ baseUrl }: Settings, request: Request, name: string): string | null {
  return cookie(request, cookieName(name, baseUrl)) || null;
}

function setCookie({ baseUrl }: Settings, name: string, value: string, seconds: number): string {
  const secure = baseUrl?.startsWith("https:") ? "; Secure" : "";
  return `${cookieName(name, baseUrl)}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`;
}
