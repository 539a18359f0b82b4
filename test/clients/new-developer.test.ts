// A new developer's first day, as a script against a shop and its sandbox: sign up, make a test key, buy, get the
// webhook, see it in the log, and go live by changing the key. The reading and typing on the way takes five minutes.
import { afterAll, expect, test } from "bun:test";
import { DataFie, verifyWebhook } from "../../clients/typescript/src/index.ts";
import { SESSION_COOKIE } from "../../src/web/cookies.ts";
import { codeNow } from "../support/factor.ts";
import { openTwoShops } from "../support/sandbox.ts";

/** In characters a minute: a slow reader of English, and a slow typist. */
const READING = 1_200;
const TYPING = 180;
const MINUTES_MAX = 5;

const shops = await openTwoShops({ HOOK_THIS_MACHINE: "true" });
const url = shops.live.shop.url;
const inbox: Request[] = [];
const bodies: string[] = [];
let arrived = Promise.withResolvers<void>();
const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  fetch: async (request) => {
    bodies.push(await request.text());
    inbox.push(request);
    arrived.resolve();
    return new Response("ok");
  },
});
afterAll(() => server.stop(true));

let read = 0;
let typed = 0;
/** Reads a part of a page. */
function reads(html: string): string {
  const text = html
    .replace(/<(script|style|svg)[\s\S]*?<\/\1>/g, " ")
    .replace(/<[^>]+>/g, " ")
    .replace(/\s+/g, " ");
  read += text.length;
  return text;
}
/** Types something. */
function types<T>(text: T): T {
  typed += typeof text === "string" ? text.length : Object.values(text as object).join("").length;
  return text;
}

/** The part of a page between two of its headings. */
function section(html: string, from: string, to: string): string {
  const [begin, end] = [html.indexOf(from), html.indexOf(to)];
  expect([begin >= 0, end > begin]).toEqual([true, true]);
  return html.slice(begin, end);
}

async function post(path: string, body: object, token = ""): Promise<{ status: number; body: Record<string, string> }> {
  const response = await fetch(`${url}/api/v1${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...(token && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: await response.json() };
}
const page = async (path: string, token = "") =>
  (await fetch(url + path, { headers: token ? { cookie: `${SESSION_COOKIE}=${token}` } : {} })).text();

/** The next message of this kind, checked as the guide says. */
async function message(type: string, secret: string) {
  for (let n = 0; ; n++) {
    while (n >= inbox.length) {
      arrived = Promise.withResolvers<void>();
      await arrived.promise;
    }
    const content = await verifyWebhook(bodies[n]!, inbox[n]!.headers, secret);
    if (content.type === type) return content;
  }
}

test("a new developer has bought in the sandbox, and is live, within five minutes of reading and typing", async () => {
  const guide = await page("/developers");
  // Its first three parts: Start, Keys and The sandbox. The rest is for looking up.
  reads(section(guide, 'id="start"', 'id="amounts"'));
  const person = types({ username: "esi-dev", email: "esi-dev@example.com", password: "a long password" });
  expect((await post("/auth/signup", person)).status).toBe(201);
  const login = await post("/auth/login", { email: person.email, password: person.password });
  const token = login.body.token!;

  reads(section(await page("/profile/developers", token), "<main", "</main>"));
  const key = types({ name: "My shop" });
  const made = await fetch(`${url}/api/v1/keys?mode=test`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ ...key, scopes: ["read", "buy", "webhooks"] }),
  });
  expect(made.status).toBe(201);
  const { secret: testKey } = (await made.json()) as { secret: string };
  expect(testKey).toStartWith("dfk_test_");

  // The five lines of the guide are copied; only the number is typed.
  const shop = new DataFie({ key: testKey, baseUrl: url });
  const hook = await shop.post("/webhooks", { body: { url: types(`http://127.0.0.1:${server.port}/hook`) } });
  expect((await message("ping", hook.secret!)).type).toBe("ping");
  const [bundle] = await shop.get("/products", { query: { operator: "MTN" } });
  const order = { productId: bundle!.id, msisdn: types("0551234560"), pay: "wallet" } as const;
  const bought = await shop.post("/orders", { body: order, idempotencyKey: "sale-1" });
  expect(bought).toMatchObject({ status: "PENDING", paid: true });
  const changed = await message("order.status_changed", hook.secret!);
  expect(changed.data).toMatchObject({ id: bought.id });

  const requests = await shop.get("/requests", { query: { method: "POST" } });
  expect(requests.map(({ route }) => route)).toContain("/api/v1/orders");
  const log = reads(section(await page("/profile/developers/sandbox-requests", token), "<main", "</main>"));
  expect(log).toContain("/api/v1/orders");

  // Going live takes the extra login code, and then only another key.
  const refused = await post("/keys", { ...key, scopes: ["read", "buy"] }, token);
  expect([refused.status, refused.body.code]).toEqual([403, "key.factor_missing"]);
  reads(refused.body.message!);
  const live = await liveKey(token, person.password);
  expect(live).toStartWith("dfk_live_");
  const own = new DataFie({ key: live, baseUrl: url });
  expect(await own.get("/wallet/balance")).toMatchObject({ balance: 0 });
  expect(await own.get("/orders")).toEqual([]);

  const minutes = read / READING + typed / TYPING;
  process.stdout.write(`\n${read} characters read, ${typed} typed: ${minutes.toFixed(1)} minutes\n`);
  expect(minutes).toBeLessThanOrEqual(MINUTES_MAX);
  // Two shops start for it, the sandbox among them.
});

/** Sets up the extra login code on its page, and makes a live key. */
async function liveKey(token: string, password: string): Promise<string> {
  const form = async (path: string, fields: Record<string, string>) => {
    const response = await fetch(url + path, {
      method: "POST",
      headers: {
        cookie: `${SESSION_COOKIE}=${token}`,
        origin: url,
        "content-type": "application/x-www-form-urlencoded",
      },
      body: new URLSearchParams(fields),
      redirect: "manual",
    });
    return response.text();
  };
  const path = "/profile/second-factor";
  reads(section(await page(path, token), "<main", "</main>"));
  await form(path, { action: "begin", currentPassword: types(password) });
  const setup = await page(path, token);
  const secret = /[A-Z2-7]{4}(?: ?[A-Z2-7]{4}){3,}/.exec(setup.replace(/<[^>]+>/g, " "))![0].replaceAll(" ", "");
  await form(path, { action: "confirm", code: types(codeNow(secret)) });
  const { status, body } = await post("/keys", { name: "Live", scopes: ["read", "buy"] }, token);
  expect(status).toBe(201);
  return body.secret!;
}
