// The cookies of the pages: the session, a login between its two steps, and the notice that is shown once after a success.
import { SECOND_STEP_SECONDS, SESSION_SECONDS } from "../core/sessions.ts";
import { cookie } from "../shared/http.ts";
import type { WebDeps } from "./page.tsx";

/** Holds the token of a login that waits for its second step. */
export const PENDING_LOGIN = "login";

const NOTICE = "notice";
/** A browser refuses a cookie over 4,096 bytes, and a letter may take nine of them. */
const NOTICE_CHARS_MAX = 400;

type Settings = Pick<WebDeps, "baseUrl" | "cookieName">;

export function sessionCookie(settings: Settings, token: string): string {
  return setCookie(settings, settings.cookieName, token, SESSION_SECONDS);
}

export function endedSessionCookie(settings: Settings): string {
  return setCookie(settings, settings.cookieName, "", 0);
}

/** A login that waits for its code; null: it waits no more. */
export function pendingLoginCookie(settings: Settings, token: string | null): string {
  return setCookie(settings, PENDING_LOGIN, token ?? "", token ? SECOND_STEP_SECONDS : 0);
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
export function readNotice(request: Request): string | null {
  try {
    return decodeURIComponent(cookie(request, NOTICE) ?? "").slice(0, NOTICE_CHARS_MAX) || null;
  } catch {
    return null;
  }
}

function setCookie({ baseUrl }: Settings, name: string, value: string, seconds: number): string {
  const secure = baseUrl?.startsWith("https:") ? "; Secure" : "";
  return `${name}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`;
}
