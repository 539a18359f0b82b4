// Cookies of the pages: the session, a login between its two steps, the known device, and the notice for the next page.
import { ASKER_SECONDS, type Browser } from "../core/identity/logins/asking-browsers.ts";
import { DEVICE_SECONDS, type Device } from "../core/identity/logins/devices.ts";
import { SECOND_STEP_SECONDS, SESSION_SECONDS } from "../core/identity/logins/sessions.ts";
import { cookie, cookieName } from "../http/requests.ts";
import { localPath, type Undo, type WebDeps } from "./page.tsx";

export const SESSION_COOKIE = "session";
export const PENDING_LOGIN = "login";
const DEVICE = "device";
const ASKER = "asker";
const NOTICE = "notice";
/** Browsers refuse a cookie over 4,096 bytes, and an encoded character takes up to nine. */
const NOTICE_CHARS_MAX = 400;
const NEW_EMAIL = "new_email";
const HIDES_STEPS = "hides_steps";
/** The page to return to after a top-up. */
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

/** Whether a response already sets or ends the session. */
export function setsSession({ baseUrl }: Settings, { headers }: Response): boolean {
  const name = cookieName(SESSION_COOKIE, baseUrl);
  return headers.getSetCookie().some((line) => line.startsWith(`${name}=`));
}

/** A login waiting for its code; null ends it. */
export function pendingLoginCookie(settings: Settings, token: string | null): string {
  return setCookie(settings, PENDING_LOGIN, token ?? "", token ? SECOND_STEP_SECONDS : 0);
}

/** The token of a login waiting for its code, or null. */
export function readPendingLogin(settings: Settings, request: Request): string | null {
  return readCookie(settings, request, PENDING_LOGIN);
}

/** Identifies, long after a login, the accounts that have used this browser. */
export function deviceCookie(settings: Settings, value: string): string {
  return setCookie(settings, DEVICE, value, DEVICE_SECONDS);
}

/** The browser as a device, known or not. */
export function readDevice(settings: Settings & Pick<WebDeps, "deviceKeys">, request: Request): Device {
  return { keys: settings.deviceKeys, cookie: readCookie(settings, request, DEVICE) };
}

/** Names a browser that has asked for a code, until the code is no longer valid. */
export function askerCookie(settings: Settings, value: string): string {
  return setCookie(settings, ASKER, value, ASKER_SECONDS);
}

/** The browser as one that may have asked for a code. */
export function readAsking(settings: Settings & Pick<WebDeps, "deviceKeys">, request: Request): Browser {
  return { keys: settings.deviceKeys, cookie: readCookie(settings, request, ASKER) };
}

/** A notice for the next page; one that begins with "!" is a warning. */
export function noticeCookie(settings: Settings, notice: string, undo?: Undo, approvalId?: number): string {
  const about = approvalId === undefined ? "" : `approval ${approvalId} `;
  const offer = undo ? `undo ${undo.of} ${undo.id} ${undo.untilMs} ` : about;
  const text = encodeURIComponent(offer + notice.slice(0, NOTICE_CHARS_MAX).toWellFormed());
  return setCookie(settings, NOTICE, text, 60);
}

export function shownNoticeCookie(settings: Settings): string {
  return setCookie(settings, NOTICE, "", 0);
}

export type Notice = {
  text: string;
  undo: Undo | null;
  /** The request for a second person that it is about. */
  approvalId: number | null;
};

/**
 * The notice and its undo, or null. Safe whatever the cookie holds: it is shown as text, and only whoever did something
 * can take it back.
 */
export function readNotice(settings: Settings, request: Request): Notice | null {
  const stored = readText(settings, request, NOTICE) ?? "";
  const [offer, of = "", id, untilMs] = /^undo ([a-z_.]+) ([1-9]\d{0,14}) (\d{1,15}) /.exec(stored) ?? [];
  const [about, approvalId] = /^approval ([1-9]\d{0,14}) /.exec(stored) ?? [];
  const text = stored.slice((offer ?? about)?.length ?? 0).slice(0, NOTICE_CHARS_MAX);
  if (!text) return null;
  return {
    text,
    undo: offer ? { of, id: Number(id), untilMs: Number(untilMs) } : null,
    approvalId: about ? Number(approvalId) : null,
  };
}

/** The e-mail address of a new account, for the login that follows. */
export function newEmailCookie(settings: Settings, email: string): string {
  return setCookie(settings, NEW_EMAIL, encodeURIComponent(email.slice(0, 254)), 600);
}

/** The e-mail address of a new account, or null. Only fills in a field. */
export function readNewEmail(settings: Settings, request: Request): string | null {
  return readText(settings, request, NEW_EMAIL);
}

/** Hides the first steps on the dashboard of this browser. */
export function hiddenStepsCookie(settings: Settings): string {
  return setCookie(settings, HIDES_STEPS, "1", 365 * 86_400);
}

/** Whether somebody has hidden the first steps in this browser. */
export function readHidesSteps(settings: Settings, request: Request): boolean {
  return readCookie(settings, request, HIDES_STEPS) !== null;
}

/** Sets the page to return to after the next top-up; null clears it. */
export function afterTopUpCookie(settings: Settings, path: string | null): string {
  return setCookie(settings, AFTER_TOP_UP, path ? encodeURIComponent(path) : "", path ? AFTER_TOP_UP_SECONDS : 0);
}

/** The page to return to after a top-up: a path on this shop, or null. */
export function readAfterTopUp(settings: Settings, request: Request): string | null {
  return localPath(readText(settings, request, AFTER_TOP_UP), "") || null;
}

/** The decoded text of a cookie; null when it is missing or not ours. */
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
