// The cookies of the pages: the session, a login between its two steps, and the notice that is shown once after a success.
import { DEVICE_SECONDS, type Device } from "../core/devices.ts";
import { SECOND_STEP_SECONDS, SESSION_SECONDS } from "../core/sessions.ts";
import { cookie, cookieName } from "../shared/http.ts";
import type { WebDeps } from "./page.tsx";

/** What the browser holds: who is logged in, a login that waits for its second step, and what is said once. */
export const SESSION_COOKIE = "session";
export const PENDING_LOGIN = "login";
const DEVICE = "device";
const NOTICE = "notice";
/** A browser refuses a cookie over 4,096 bytes, and a letter may take nine of them. */
const NOTICE_CHARS_MAX = 400;

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
export function readDevice(settings: Settings & Pick<WebDeps, "deviceMeans">, request: Request): Device {
  return { means: settings.deviceMeans, cookie: readCookie(settings, request, DEVICE) };
}

/** A notice for the next page; one that begins with "!" is a warning. */
export function noticeCookie(settings: Settings, notice: string): string {
  return setCookie(
    settings,
    NOTICE,
    encodeURIComponent(notice.slice(0, NOTICE_CHARS_MAX).toWellFormed()),
    60,
  );
}

export function shownNoticeCookie(settings: Settings): string {
  return setCookie(settings, NOTICE, "", 0);
}

/** Whatever the cookie holds is only ever shown as text. */
export function readNotice(settings: Settings, request: Request): string | null {
  try {
    const notice = decodeURIComponent(readCookie(settings, request, NOTICE) ?? "");
    return notice.slice(0, NOTICE_CHARS_MAX) || null;
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
