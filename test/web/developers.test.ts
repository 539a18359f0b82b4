// The guide at the shop: found from where one is, searched, light, and its form tries a call with a test key only.
import { describe, expect, test } from "bun:test";
import { gzipSync } from "node:zlib";
import { sql } from "drizzle-orm";
import { guide } from "../../src/api/index.ts";
import { arrivedAs } from "../../src/http/tried.ts";
import { newKey } from "../../src/shared/api-keys.ts";
import { count } from "../support/asking.ts";
import { openApp, openWorld } from "../support/world.ts";
import { visitor, visitorAs } from "./visitor.ts";

const world = await openWorld();
const ama = await world.person("ama", "GH₵ 50.00");
const bundle = await world.product("MTN", "1GB", "3.90");
/** A sandbox: what is sent there comes from Ama, and is kept. */
const sent: Request[] = [];
const client = openApp(world, undefined, [], {
  tryCall: async (request) => {
    sent.push(request);
    const headers = new Headers(request.headers);
    headers.set("authorization", `Bearer ${await client.tokenOf(ama)}`);
    return client.app.fetch(new Request(request.clone(), { headers }));
  },
});
const anyone = visitor(client.app);
const testKey = newKey("test");
const newest = () => sent.at(-1)!;

describe("the guide is found", () => {
  test("from the landing page and the profile, by everybody, with the description linked", async () => {
    expect((await anyone.open("/")).html).toContain('href="/developers"');
    const profile = await (await visitorAs(client, ama)).open("/profile");
    expect(profile.html).toContain('href="/developers"');
    for (const visit of [anyone, await visitorAs(client, ama), await visitorAs(client, world.yaw)]) {
      const seen = await visit.open("/developers");
      expect([seen.status, seen.document.querySelector('a[href="/openapi.json"]') !== null]).toEqual([200, true]);
      expect(seen.text).toContain("In Postman: Import");
    }
  });

  test("and its pages are no larger than a phone on 2G can take", async () => {
    const names = ["", "/errors", "/webhooks", ...guide().calls.map(({ name }) => `/${name}`)];
    for (const name of names) {
      const { html } = await anyone.open(`/developers${name}`);
      expect([name, gzipSync(html).length < 15_000]).toEqual([name, true]);
      expect(html).not.toContain("<script");
    }
  });

  test("but not a call that does not exist", async () => {
    for (const path of ["/developers/post-nothing", "/developers/constructor", "/developers/get-admin-users"])
      expect((await anyone.open(path)).status).toBe(404);
    expect((await anyone.open("/developers/try")).path).toBe("/developers");
  });
});

describe("the search", () => {
  const found = async (query: string) => {
    const page = await anyone.press(await anyone.open("/developers"), "Search", { q: query });
    return {
      page,
      calls: [...page.document.querySelectorAll(".calls a")].map((it) => it.getAttribute("href")),
      codes: [...page.document.querySelectorAll(".codes a")].map((it) => it.getAttribute("href")),
    };
  };

  test("finds calls by address, sentence, field and refusal, and refusals by their code", async () => {
    expect((await found("bulk preview")).calls).toEqual(["/developers/post-orders-bulk-preview"]);
    expect((await found("LINE BY LINE")).calls).toEqual(["/developers/post-orders-bulk-preview"]);
    expect((await found("allowDuplicate")).calls).toContain("/developers/post-orders");
    const refusal = await found("order.duplicate");
    expect(refusal.calls).toContain("/developers/post-orders");
    expect(refusal.codes).toEqual(["/developers/errors#order.duplicate"]);
  });

  test("says when nothing was found, and shows what was typed as text", async () => {
    const { page, calls } = await found("<b>nothing</b>");
    expect(calls).toEqual([]);
    expect(page.text).toContain("0 calls for “<b>nothing</b>”");
    expect(page.html).not.toContain("<b>nothing");
  });
});

describe("the form that tries a call", () => {
  const open = (name: string) => anyone.open(`/developers/${name}`);

  test("buys in the sandbox, and shows the answer with its status and headers", async () => {
    const page = await open("post-orders");
    const seen = await anyone.press(page, "Send", { apiKey: ` ${testKey} `, sale: "try-1" });
    expect(seen.status).toBe(200);
    const answer = seen.document.querySelector("#answer")!;
    expect(answer.querySelector("h2")!.textContent).toContain("201");
    expect(JSON.parse(answer.querySelector("pre")!.textContent)).toMatchObject({
      status: "PENDING",
      productId: bundle.id,
    });
    expect(answer.querySelector("details")!.textContent).toContain("x-request-id: ");
    expect(newest().headers.get("authorization")).toBe(`Bearer ${testKey}`);
    expect(newest().headers.get("idempotency-key")).toBe("try-1");
    // Sent again it is done once.
    const again = await anyone.press(page, "Send", { apiKey: testKey, sale: "try-1" });
    expect(again.document.querySelector("#answer")!.textContent).toContain("idempotency-replayed: true");
    expect(await count(world.db, sql`from orders`)).toBe(1);
  });

  test("shows a refusal as an answer", async () => {
    const seen = await anyone.press(await open("get-orders-id"), "Send", {
      apiKey: testKey,
      "path.id": "../../admin/users?x=1#y",
    });
    expect(new URL(newest().url).pathname).toBe("/api/v1/orders/..%2F..%2Fadmin%2Fusers%3Fx%3D1%23y");
    expect(seen.document.querySelector("#answer h2")!.textContent).toContain("422");
  });

  test("sends the query that was filled in, and nothing of the rest of the form", async () => {
    await anyone.press(await open("get-orders"), "Send", {
      ...{ apiKey: testKey, "query.search": "a&b=c", "query.status": "", "query.foreign": "x" },
    });
    expect(newest().url).toEndWith("/api/v1/orders?limit=20&search=a%26b%3Dc");
    expect([newest().method, newest().headers.get("cookie")]).toEqual(["GET", null]);
  });

  test("takes no live key, nothing else, and no body that is not JSON: nothing is sent", async () => {
    const before = sent.length;
    const refusals: [Record<string, string>, string][] = [
      [{ apiKey: newKey("live") }, "This is a live key: here only test keys are accepted"],
      [{ apiKey: `${testKey.slice(0, -1)}!` }, "This is not a test key"],
      [{ apiKey: await client.tokenOf(ama) }, "This is not a test key"],
      [{ apiKey: "" }, "Enter a test key"],
      [{ apiKey: testKey, body: "{" }, "This is not valid JSON"],
      [{ apiKey: testKey, sale: "two words" }, "Printable characters without spaces"],
    ];
    for (const [changes, message] of refusals) {
      const seen = await anyone.press(await open("post-orders"), "Send", changes);
      expect([seen.status, seen.text]).toEqual([422, expect.stringContaining(message)]);
      expect(seen.document.querySelector("h1")!.textContent).toBe("POST /orders");
    }
    const noId = await anyone.press(await open("get-orders-id"), "Send", { apiKey: testKey, "path.id": "" });
    expect(noId.text).toContain("Enter it, such as 4711");
    const noCall = await anyone.press(await open("post-orders"), "Send", {
      apiKey: testKey,
      call: "no-call",
    });
    expect([noCall.status, sent.length]).toEqual([404, before]);
  });

  test("keeps what was typed, but never the key: it is in no address, page or cookie", async () => {
    for (const key of [testKey, newKey("live")]) {
      const seen = await anyone.press(await open("post-orders"), "Send", {
        apiKey: key,
        body: '{ "productId": 7',
      });
      expect(seen.path).toBe("/developers/try");
      expect(seen.html).not.toContain(key);
      expect([...seen.headers].join()).not.toContain(key);
    }
    const seen = await anyone.press(await open("post-orders"), "Send", {
      apiKey: testKey,
      body: '{ "productId": 7',
    });
    expect(seen.document.querySelector("textarea")!.textContent).toBe('{ "productId": 7');
    const answered = await anyone.press(await open("get-orders"), "Send", { apiKey: testKey });
    expect(answered.html).not.toContain(testKey);
  });

  test("is refused from another site, as every form", async () => {
    const response = await client.app.fetch(
      new Request("http://localhost/developers/try", {
        method: "POST",
        headers: { origin: "https://evil.example", "content-type": "application/x-www-form-urlencoded" },
        body: new URLSearchParams({ call: "get-orders", apiKey: testKey }).toString(),
      }),
    );
    expect(response.status).toBe(403);
  });

  test("comes from the address of whoever tries; without a sandbox the shop answers itself", async () => {
    await anyone.press(await open("get-orders"), "Send", { apiKey: testKey });
    expect(new URL(arrivedAs(newest()).url).pathname).toBe("/developers/try");
    const alone = visitor(openApp(world).app);
    const seen = await alone.press(await alone.open("/developers/get-orders"), "Send", { apiKey: testKey });
    // No key of this shop: those of the sandbox are there.
    expect(seen.document.querySelector("#answer h2")!.textContent).toContain("401");
  });
});
