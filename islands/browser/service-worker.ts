// The service worker of the agents' pages. It keeps the last seen copy of four pages and a page for no connection, and
// shows push messages. It never sends anything by itself: a form that could not be sent stays on its page.
declare const VERSION: string;
declare const SHELL: string[];

type Waiting = Event & { waitUntil(work: Promise<unknown>): void };
type Fetching = Waiting & {
  request: Request;
  preloadResponse?: Promise<Response | undefined>;
  respondWith(response: Promise<Response>): void;
};
type Pushed = Waiting & {
  data: { json(): { title: string; body: string; path: string; tag: string } } | null;
};
type Clicked = Waiting & { notification: Notification };
type Client = {
  focus(): Promise<Client>;
  navigate(url: string): Promise<unknown>;
  postMessage(message: unknown, ports: MessagePort[]): void;
};
type Scope = {
  addEventListener<E extends Event>(type: string, listener: (event: E) => void): void;
  skipWaiting(): Promise<void>;
  clients: {
    claim(): Promise<void>;
    matchAll(options: object): Promise<Client[]>;
    openWindow(url: string): Promise<unknown>;
  };
  registration: ServiceWorkerRegistration;
};
const scope = self as unknown as Scope;

const FILES = `shell ${VERSION}`;
/** The copies of one account, whose id follows. */
const PAGES = "pages ";
const OFFLINE = "/offline";
/** For a form whose fate is unknown. */
const UNCLEAR = "/offline?form=1";
/** The header of a page that may be kept: its account. */
const OWNER = "x-offline-copy";
const COPIED_AT = "x-copied-at";
const HOURS_MAX = 24;
/** A page that takes longer is shown as it was, if there is a copy. */
const PATIENCE_MS = 8_000;
/** So long the page after a form is awaited: a copy would hide what came of it. */
const AFTER_FORM_MS = 60_000;
/** Pages that are the end of a session, or the beginning of one that is perhaps another's. */
const SIGNED_OUT = /^\/log(in|out)/;
/** When a form was sent whose page has not been seen yet. */
let postedAt = 0;

scope.addEventListener("install", (event: Waiting) => {
  const anonymous = (path: string) => new Request(path, { credentials: "omit" });
  const fill = async () => (await caches.open(FILES)).addAll([OFFLINE, UNCLEAR, ...SHELL].map(anonymous));
  event.waitUntil(fill().then(() => scope.skipWaiting()));
});

scope.addEventListener("activate", (event: Waiting) => {
  const begin = async () => {
    await forget((name) => name !== FILES && !name.startsWith(PAGES));
    await scope.registration.navigationPreload?.enable();
    await scope.clients.claim();
  };
  event.waitUntil(begin());
});

scope.addEventListener("fetch", (event: Fetching) => {
  const { method, mode, url } = event.request;
  const { origin, pathname } = new URL(url);
  if (origin !== location.origin) return;
  if (SHELL.includes(pathname)) event.respondWith(caches.match(pathname).then((file) => file ?? fetch(event.request)));
  if (mode !== "navigate") return;
  if (method === "GET") event.respondWith(open(event, pathname));
  if (method === "POST") event.respondWith(send(event, pathname));
});

/** A page from the network; without one, or after a long wait, as it was. */
async function open(event: Fetching, path: string): Promise<Response> {
  const answer = load(event, path);
  try {
    const mayWait = Date.now() - postedAt < AFTER_FORM_MS;
    const inTime = mayWait ? await answer : await Promise.race([answer, after(PATIENCE_MS)]);
    return inTime ?? (await copyOf(path, "The connection is slow")) ?? (await answer);
  } catch {
    const page = Date.now() - postedAt < AFTER_FORM_MS ? UNCLEAR : OFFLINE;
    return (await copyOf(path, "Offline")) ?? (await caches.match(page)) ?? Response.error();
  }
}

async function load(event: Fetching, path: string): Promise<Response> {
  const response = (await event.preloadResponse) ?? (await fetch(event.request));
  if (response.type !== "opaqueredirect") postedAt = 0;
  const owner = response.headers.get(OWNER);
  if (SIGNED_OUT.test(path) && response.ok) event.waitUntil(forgetPages());
  if (owner && response.ok) event.waitUntil(keep(path, owner, response.clone()));
  return response;
}

/**
 * Sends a form. When that fails, the browser stays on the form's page, with all that was typed (which is what 204
 * means), if a script there answers that it has said so.
 */
async function send({ request }: Fetching, path: string): Promise<Response> {
  postedAt = Date.now();
  const isOffline = !navigator.onLine;
  if (SIGNED_OUT.test(path)) await forgetPages();
  try {
    const answer = await fetch(request);
    // A redirect is followed by the browser, and its page is still to come.
    if (answer.type !== "opaqueredirect") postedAt = 0;
    return answer;
  } catch {
    const message = { unsent: request.url, isSure: isOffline };
    const heard = await Promise.race([notify(message), after(1_000)]);
    if (heard) {
      postedAt = 0;
      return new Response(null, { status: 204 });
    }
    return (await caches.match(isOffline ? OFFLINE : UNCLEAR)) ?? Response.error();
  }
}

/** Notifies every open page; resolves when one of them has answered. */
async function notify(message: object): Promise<true> {
  const pages = await scope.clients.matchAll({ type: "window", includeUncontrolled: true });
  return Promise.any(
    pages.map(
      (page) =>
        new Promise<true>((resolve) => {
          const { port1, port2 } = new MessageChannel();
          port1.onmessage = () => resolve(true);
          page.postMessage(message, [port2]);
        }),
    ),
  );
}

/** The dashboard has two addresses. */
const nameOf = (path: string) => (path === "/" ? "/dashboard" : path);

async function keep(path: string, owner: string, response: Response): Promise<void> {
  const own = PAGES + owner;
  await forget((name) => name.startsWith(PAGES) && name !== own);
  const headers = { [COPIED_AT]: String(Date.now()) };
  for (const name of ["content-type", "content-security-policy"])
    Object.assign(headers, { [name]: response.headers.get(name) ?? "" });
  const copy = new Response(await response.text(), { headers });
  const pages = await caches.open(own);
  await pages.put(nameOf(path), copy);
  for (const page of await pages.keys()) if (isOld(await pages.match(page))) await pages.delete(page);
}

/** The page whose sale is kept by the outbox when it cannot be sent. */
const SALE = "/buy";

/** The copy of a page, marked as one and with its forms switched off: its balance may be another by now. */
async function copyOf(path: string, reason: string): Promise<Response | undefined> {
  const copy = await caches.match(nameOf(path));
  if (!copy || isOld(copy)) return undefined;
  const copiedAt = Number(copy.headers.get(COPIED_AT));
  // Accra's time is UTC.
  const [day, time] = new Date(copiedAt).toISOString().split("T") as [string, string];
  const when = day === new Date().toISOString().slice(0, 10) ? "" : "yesterday ";
  const note =
    `<div class="note warn" role="status"><p><strong>${reason}: this is how it was ${when}at ${time.slice(0, 5)}.` +
    "</strong> Balances, prices and orders may have changed since.</p>" +
    '<a class="button quiet" href="">Try again</a></div>';
  const markup = (await copy.text())
    .replace('<main id="content">', `<main id="content">${note}`)
    // A form with this method sends nothing, and an inert one cannot be used.
    .replace(/<form\b[^>]*>/g, (tag) =>
      path === SALE && tag.includes("data-outbox")
        ? tag
        : tag.replace(/^<form(.*) method="post"/, '<form inert$1 method="dialog"'),
    )
    // A copy may be opened for several sales, and each has a key of its own.
    .replace(/(name="key" value=")[^"]*/g, (_, begin) => begin + crypto.randomUUID());
  return new Response(markup, { headers: copy.headers });
}

function isOld(copy: Response | undefined): boolean {
  return Date.now() - Number(copy?.headers.get(COPIED_AT)) > HOURS_MAX * 3_600_000;
}

function forgetPages(): Promise<void> {
  return forget((name) => name.startsWith(PAGES));
}

async function forget(isWanted: (name: string) => boolean): Promise<void> {
  for (const name of await caches.keys()) if (isWanted(name)) await caches.delete(name);
}

function after(ms: number): Promise<undefined> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

scope.addEventListener("push", (event: Pushed) => {
  if (!event.data) return;
  const { title, body, path, tag } = event.data.json();
  const how = { body, tag, icon: "/icon-192.png", badge: "/icon-192.png", data: path };
  event.waitUntil(scope.registration.showNotification(title, how));
});

scope.addEventListener("notificationclick", (event: Clicked) => {
  event.notification.close();
  const path = String(event.notification.data);
  const show = async () => {
    const [page] = await scope.clients.matchAll({ type: "window" });
    if (!page) return scope.clients.openWindow(path);
    await page.focus();
    return page.navigate(path);
  };
  event.waitUntil(show());
});

export {};
