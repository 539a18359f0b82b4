// Pages and forms for the torture's clients, as a browser requests them.
import { type Hand, serverFor } from "./hand.ts";
import { checkRefusal, isWorthTrying, PATIENCE_MS, tokenOf } from "./requests.ts";

/** A page's answer; `to` is where it redirects. */
export type Seen = { status: number; to: string; text: string };

/** Opens a page, or sends a form to it; null if there was no answer, or the session has ended. */
export async function visit(
  hand: Hand,
  callerId: number,
  path: string,
  form?: Record<string, string | Blob>,
): Promise<Seen | null> {
  const caller = hand.callers.get(callerId)!;
  const token = await tokenOf(hand, caller);
  if (!token) return null;
  hand.sent.count += 1;
  const body = new FormData();
  for (const [name, value] of Object.entries(form ?? {})) body.append(name, value);
  // As the header x-confirm of requests.
  body.append("confirmation", caller.password);
  try {
    const response = await fetch(`${serverFor(hand).url}${path}`, {
      redirect: "manual",
      headers: { authorization: `Bearer ${token}`, "x-forwarded-for": caller.address },
      ...(form && { method: "POST", body }),
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    const to = response.headers.get("location") ?? "";
    const text = await response.text();
    checkRefusal(hand, response, `${form ? "POST" : "GET"} ${path}`);
    if (!to.startsWith("/login")) return { status: response.status, to, text };
    caller.token = null;
    return null;
  } catch {
    return null;
  }
}

/** Repeats it until there is an answer, for requests that may be repeated. */
export async function insistOn(
  hand: Hand,
  callerId: number,
  path: string,
  form?: Record<string, string | Blob>,
): Promise<Seen | null> {
  for (let tries = 0; isWorthTrying(hand, tries, "insists"); tries++) {
    const seen = await visit(hand, callerId, path, form);
    if (seen && seen.status < 500) return seen;
    await Bun.sleep(50 + hand.random(200));
  }
  return null;
}

/** The default values of a page's form; null if there is no such form. */
export function hiddenIn(text: string, action: string): Record<string, string> | null {
  const form = text.split("<form").find((part) => part.includes(`action="${action}"`));
  if (!form) return null;
  const inputs = form.slice(0, form.indexOf("</form>")).match(/<input[^>]*type="hidden"[^>]*>/g) ?? [];
  const attribute = (input: string, name: string) => new RegExp(` ${name}="([^"]*)"`).exec(input)?.[1] ?? "";
  return Object.fromEntries(inputs.map((input) => [attribute(input, "name"), attribute(input, "value")]));
}
