// A visitor with a cookie jar and no scripts, who reads pages and sends their forms unchanged.
import { expect } from "bun:test";
import type { App } from "../../src/app/server.ts";
import { SESSION_COOKIE } from "../../src/web/cookies.ts";
import { parsed } from "../support/parsed.ts";
import type { Client, Person } from "../support/world.ts";

const ORIGIN = "http://localhost";

export type Seen = {
  /** The path and query of the answer, after redirects. */
  path: string;
  status: number;
  headers: Headers;
  html: string;
  document: Document;
  /** The page's visible text, with single spaces. */
  text: string;
};

export type Visitor = {
  cookies: Map<string, string>;
  /** Opens an address and follows redirects. */
  open: (path: string, init?: RequestInit) => Promise<Seen>;
  /** Fills in the form that holds the button with this label, and presses it. */
  press: (seen: Seen, button: string, changes?: Record<string, string>, files?: Files) => Promise<Seen>;
};
/** Files that are chosen in a form, by field. */
type Files = Record<string, File>;

export function visitor(app: App): Visitor {
  const cookies = new Map<string, string>();
  const open = async (path: string, init: RequestInit = {}, hops = 0): Promise<Seen> => {
    const headers = new Headers(init.headers);
    if (cookies.size > 0) headers.set("cookie", [...cookies].map(([name, value]) => `${name}=${value}`).join("; "));
    // What follows # stays in the browser.
    const url = ORIGIN + path.replace(/#.*/, "");
    const response = await app.fetch(new Request(url, { ...init, headers }));
    keep(cookies, response.headers);
    const target = response.headers.get("location");
    if (!target) return seenOf(path, response);
    expect(response.status).toBe(303);
    expect(hops).toBeLessThan(5);
    // Another site's page is not fetched: the test continues with its address.
    if (!target.startsWith("/") && !target.startsWith(`${ORIGIN}/`)) return seenOf(target, new Response(""));
    return open(target, {}, hops + 1);
  };
  return {
    cookies,
    open: (path, init) => open(path, init),
    press: (seen, button, changes = {}, files = {}) => {
      const { path, body, method, isMultipart } = filledIn(seen, button, changes);
      if (method === "get") return open(`${path}?${body}`);
      if (isMultipart) return open(path, { method: "POST", body: multipart(body, files), headers: { origin: ORIGIN } });
      return open(path, {
        method: "POST",
        body,
        headers: { origin: ORIGIN, "content-type": "application/x-www-form-urlencoded" },
      });
    },
  };
}

/** A visitor who is logged in, without the price of hashing a password. */
export async function visitorAs(client: Client, person: Person): Promise<Visitor> {
  const visit = visitor(client.app);
  visit.cookies.set(SESSION_COOKIE, await client.tokenOf(person));
  return visit;
}

/** The fields of the button's form as a browser would send them, with these changes. */
export function filledIn(seen: Seen, label: string, changes: Record<string, string> = {}) {
  const buttons = [...seen.document.querySelectorAll("main button, nav button")];
  const button = buttons.find((one) => textOf(one.textContent).startsWith(label));
  const of = button?.getAttribute("form");
  const form = of ? seen.document.getElementById(of) : button?.closest("form");
  if (!button || !form)
    throw new Error(
      `no form with a button "${label}" on ${seen.path}; there is ${buttons.map((it) => it.textContent)}`,
    );
  if (button.hasAttribute("disabled")) throw new Error(`the button "${label}" cannot be pressed`);
  const fields = new URLSearchParams();
  const id = form.getAttribute("id");
  const elsewhere = id ? [...seen.document.querySelectorAll(`:not(button)[form="${id}"]`)] : [];
  for (const field of [...form.querySelectorAll("input, select, textarea"), ...elsewhere]) {
    const name = field.getAttribute("name");
    const type = field.getAttribute("type");
    if (!name || type === "file" || field.hasAttribute("disabled")) continue;
    if ((type === "checkbox" || type === "radio") && !field.hasAttribute("checked")) continue;
    fields.append(name, sentOf(field));
  }
  for (const [name, value] of Object.entries(changes)) fields.set(name, value);
  if (button.getAttribute("name")) fields.append(button.getAttribute("name")!, button.getAttribute("value") ?? "");
  const path = button.getAttribute("formaction") ?? form.getAttribute("action") ?? seen.path;
  return {
    path,
    body: fields.toString(),
    method: form.getAttribute("method") ?? "get",
    isMultipart: form.getAttribute("enctype") === "multipart/form-data",
  };
}

/** The form in parts, with line ends as browsers send them; a file field without a file is a file without a name. */
function multipart(fields: string, files: Files): FormData {
  const form = new FormData();
  for (const [name, value] of new URLSearchParams(fields)) form.append(name, value.replace(/\r?\n/g, "\r\n"));
  for (const [name, file] of Object.entries(files)) form.append(name, file);
  if (Object.keys(files).length === 0) form.append("file", new File([], ""));
  return form;
}

type Element = NonNullable<ReturnType<Document["querySelector"]>>;

function sentOf(field: Element): string {
  if (field.tagName === "TEXTAREA") return field.textContent ?? "";
  if (field.tagName !== "SELECT") return field.getAttribute("value") ?? "";
  const chosen = field.querySelector("option[selected]") ?? field.querySelector("option");
  return chosen?.getAttribute("value") ?? "";
}

function keep(cookies: Map<string, string>, headers: Headers): void {
  for (const line of headers.getSetCookie()) {
    const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!;
    if (/max-age=0/i.test(line)) cookies.delete(name!);
    else cookies.set(name!, value!);
  }
}

/** The text of a file for Excel. Its byte order mark tells Excel that it is UTF-8; decoding removes the mark. */
export async function sheetText(response: Response): Promise<string> {
  const bytes = await response.bytes();
  expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
  return new TextDecoder().decode(bytes);
}

/** A response as it is seen. */
export async function seenOf(path: string, response: Response): Promise<Seen> {
  const html = await response.text();
  const document = parsed(html);
  const main = document.querySelector("main");
  return {
    path,
    status: response.status,
    headers: response.headers,
    html,
    document,
    text: textOf(main?.textContent),
  };
}

const textOf = (text: string | null | undefined) => (text ?? "").replace(/\s+/g, " ").trim();
