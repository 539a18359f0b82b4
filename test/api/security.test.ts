// Tests of known attacks: header injection, request smuggling, log forging, session fixation, and timing that reveals
// accounts.
import { afterAll, beforeEach, describe, expect, spyOn, test } from "bun:test";
import { connect } from "node:net";
import { sql } from "drizzle-orm";
import { phones } from "../../db/schema/identity.ts";
import * as sessions from "../../src/core/identity/logins/sessions.ts";
import * as pins from "../../src/core/identity/phones/pins.ts";
import { limits } from "../../src/shared/domain.ts";
import { createLog } from "../../src/telemetry/log.ts";
import { SESSION_COOKIE } from "../../src/web/cookies.ts";
import { longTest } from "../support/long.ts";
import { processorMs } from "../support/processor.ts";
import { openWorld, TEST_JWT_SECRET, testApp } from "../support/world.ts";

const world = await openWorld();
const { db } = world;
const ama = await world.person("ama");
const logged: string[] = [];
const appAt = (baseUrl: string | null) =>
  testApp(db, { log: createLog("info", { write: (line) => void logged.push(line) }), baseUrl });
const app = appAt("http://localhost");
const server = Bun.serve({ port: 0, fetch: app.fetch, maxRequestBodySize: limits.bulkUploadBytes });
afterAll(() => server.stop(true));

const FROM = { address: "192.0.2.1", userAgent: "test" };

beforeEach(async () => {
  await db.execute(sql`delete from rate_limits`);
});

const ask = (path: string, init: RequestInit = {}, on = app) =>
  on.fetch(new Request(`http://localhost${path}`, { redirect: "manual", ...init }));
const form = (fields: Record<string, string>, headers: Record<string, string> = {}): RequestInit => ({
  method: "POST",
  body: new URLSearchParams(fields).toString(),
  headers: {
    "content-type": "application/x-www-form-urlencoded",
    origin: "http://localhost",
    ...headers,
  },
});

describe("every answer", () => {
  const PATHS = ["/", "/login", "/favicon.svg", "/healthz", "/openapi.json", "/api/v1/auth/me", "/nowhere.txt"];

  longTest("denies other sites framing, camera and location", async () => {
    for (const path of PATHS) {
      const { headers } = await ask(path);
      expect([path, headers.get("cross-origin-resource-policy")]).toEqual([path, "same-origin"]);
      expect(headers.get("permissions-policy")).toContain("camera=()");
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("referrer-policy")).toBe("same-origin");
      expect(["server", "x-powered-by"].map((name) => headers.get(name))).toEqual([null, null]);
    }
  });

  longTest("requires https of browsers where the shop's address has it, and nowhere else", async () => {
    const safe = appAt("https://shop.example");
    for (const path of PATHS) {
      const header = "strict-transport-security";
      expect((await ask(path, {}, safe)).headers.get(header)).toBe("max-age=31536000");
      expect((await ask(path)).headers.get(header)).toBeNull();
    }
    const entered = await ask("/login", form({ email: ama.email, password: ama.password }), safe);
    // This request comes from another origin than the shop's, so nobody is logged in.
    expect(entered.status).toBe(403);
  });
});

describe("a header", () => {
  const BREAKS = [
    "\r\nset-cookie: stolen=1",
    "\nx-injected: 1",
    "%0d%0aset-cookie:%20stolen=1",
    "\u2028x: 1",
    "嘊嘍x: 1",
  ];

  test("cannot be injected by input: no redirect, name or notice ends its line", async () => {
    for (const bad of BREAKS) {
      const { email, password } = ama;
      const answers = [
        await ask("/login", form({ email, password, next: `/orders${bad}` })),
        await ask(`/login?next=${encodeURIComponent(`/orders${bad}`)}`),
        await ask(`/orders?search=${encodeURIComponent(bad)}`),
        await ask("/login", form({ email: `${bad}@example.com`, password: bad })),
      ];
      for (const { headers } of answers) {
        expect(headers.get("x-injected")).toBeNull();
        expect(headers.getSetCookie().filter((line) => line.startsWith("stolen"))).toEqual([]);
        expect([...headers.values()].some((value) => /[\r\n]/.test(value))).toBe(false);
      }
    }
  });
});

describe("the log", () => {
  test("has one line for each request, whatever its address and headers contain, without secrets", async () => {
    logged.length = 0;
    const { email, password } = ama;
    const bad = '%0a{"level":"error","msg":"forged"}';
    await ask(`/nowhere${bad}?token=in-the-query`, { headers: { "user-agent": 'x","msg":"forged' } });
    await ask("/login", form({ email: `${email}\n{"msg":"forged"}`, password: "a wrong password" }));
    await ask("/login", form({ email, password }));
    const lines = logged.join("").trim().split("\n");
    expect(lines.length).toBe(3);
    for (const line of lines) expect(JSON.parse(line).msg).toBe("request");
    for (const secret of [password, "a wrong password", "in-the-query", email])
      expect(lines.join("\n").includes(secret)).toBe(false);
  });
});

describe("a request on the wire", () => {
  /** The answer to these bytes, until the other side closes or has answered this often. */
  const exchange = (bytes: string, answersMax = 3) =>
    new Promise<string>((resolve, reject) => {
      let answer = "";
      const socket = connect(server.port!, "127.0.0.1", () => socket.write(bytes));
      const end = () => {
        clearTimeout(timer);
        socket.destroy();
        resolve(answer);
      };
      // A server that waits for the rest of a body has not read a second request from it.
      const timer = setTimeout(end, 1500);
      socket.on("data", (chunk) => {
        answer += chunk.toString();
        if ((answer.match(/HTTP\/1\.1 /g) ?? []).length >= answersMax) end();
      });
      socket.on("close", end);
      socket.on("error", (error: NodeJS.ErrnoException) =>
        error.code === "ECONNRESET" || error.code === "EPIPE" ? end() : reject(error),
      );
    });
  const HIDDEN = "GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Hidden: 1\r\n\r\n";
  const post = (...headers: string[]) =>
    ["POST /api/v1/auth/login HTTP/1.1", "Host: localhost", "Content-Type: application/json", ...headers].join("\r\n");
  const wasHiddenAnswered = (answer: string) => answer.includes('{"ok":true}');

  test("with two lengths cannot hide another request in its body", async () => {
    const body = `0\r\n\r\n${HIDDEN}`;
    const attacks = [
      `${post(`Content-Length: ${body.length}`, "Transfer-Encoding: chunked")}\r\n\r\n${body}`,
      `${post(`Content-Length: ${HIDDEN.length}`, "Content-Length: 0")}\r\n\r\n${HIDDEN}`,
      `${post("Content-Length: +0")}\r\n\r\n${HIDDEN}`,
      `${post("Transfer-Encoding: xchunked")}\r\n\r\n${body}`,
    ];
    for (const attack of attacks) {
      const answer = await exchange(attack, 2);
      const isRefused = /^HTTP\/1\.1 4/.test(answer);
      expect([attack.slice(0, 160), isRefused || !wasHiddenAnswered(answer)]).toEqual([attack.slice(0, 160), true]);
    }
  });

  test("that is complete is answered, so that the others are refused for the right reason", async () => {
    expect(wasHiddenAnswered(await exchange(HIDDEN, 1))).toBe(true);
  });
});

describe("a line of the log", () => {
  const lineOf = async (path: string, init: RequestInit = {}) => {
    logged.length = 0;
    await ask(path, init);
    return JSON.parse(logged.find((line) => line.includes(`"path":"${path}"`))!);
  };

  test("names the account, and the error code", async () => {
    const token = await app.sign((await sessions.logIn(db, { ...ama, ...FROM })).id);
    const headers = { authorization: `Bearer ${token}` };
    expect(await lineOf("/api/v1/auth/me", { headers })).toMatchObject({ status: 200, userId: ama.id });
    const refused = { status: 403, userId: ama.id, refusal: "auth.forbidden" };
    expect(await lineOf("/api/v1/admin/users", { headers })).toMatchObject(refused);
    expect(await lineOf("/api/v1/orders/4711", { headers })).toMatchObject({
      userId: ama.id,
      refusal: "order.not_found",
    });
    const stranger = await lineOf("/api/v1/auth/me");
    expect(stranger).toMatchObject({ status: 401, refusal: "auth.required" });
    expect(stranger.userId).toBeUndefined();
  });
});

describe("the cookies of a shop on https", () => {
  const SHOP = "https://shop.example";
  const safe = appAt(SHOP);
  const fields = { email: ama.email, password: ama.password };

  test("belong to this host alone, to all its paths, and are sent only over https", async () => {
    const { headers } = await ask("/login", form(fields, { origin: SHOP }), safe);
    const [line] = headers.getSetCookie();
    expect(line).toMatch(/^__Host-session=[\w.-]+; Path=\/; .*; Secure$/);
    expect(line).not.toContain("Domain");
    const [name, token] = line!.split(/[=;]/);
    const opened = (cookie: string) => ask("/dashboard", { headers: { cookie } }, safe);
    expect((await opened(`${name}=${token}`)).status).toBe(200);
    // A cookie that another host of the domain, or an attacker on an open network, could have set.
    expect((await opened(`session=${token}`)).status).toBe(303);
    const left = await ask("/logout", form({}, { origin: SHOP, cookie: `${name}=${token}` }), safe);
    expect(left.headers.getSetCookie()).toEqual([expect.stringMatching(/^__Host-session=; .*Max-Age=0.*; Secure$/)]);
  });
});

describe("a session", () => {
  const cookieOf = (answer: Response) =>
    answer.headers
      .getSetCookie()
      .find((line) => line.startsWith(`${SESSION_COOKIE}=`))
      ?.split(/[=;]/)[1];

  test("never has an id from before the login: each login creates its own", async () => {
    const fields = { email: ama.email, password: ama.password };
    const planted = await app.sign("planted-by-a-thief");
    const names = new Set<string>();
    for (const cookie of [`${SESSION_COOKIE}=${planted}`, `${SESSION_COOKIE}=anything`, ""]) {
      const name = cookieOf(await ask("/login", form(fields, { cookie })));
      expect(name).toBeTruthy();
      names.add(name!);
    }
    expect(names.size).toBe(3);
    expect(names.has(planted)).toBe(false);
    const { status } = await ask("/dashboard", { headers: { cookie: `${SESSION_COOKIE}=${planted}` } });
    expect(status).toBe(303);
  });

  test("is not read from an address or a form", async () => {
    const token = cookieOf(await ask("/login", form({ email: ama.email, password: ama.password })))!;
    for (const path of [`/dashboard?session=${token}`, `/dashboard?token=${token}`])
      expect((await ask(path)).status).toBe(303);
    const reply = await ask(`/api/v1/auth/me?token=${token}&access_token=${token}`);
    expect(reply.status).toBe(401);
  });
});

describe("the time that an answer takes", () => {
  /** The least processor time of each, in turns: whatever else the process does, as collecting garbage, only adds. */
  async function least(rounds: number, ...works: (() => Promise<unknown>)[]): Promise<number[]> {
    const taken = works.map(() => Number.POSITIVE_INFINITY);
    for (let round = 0; round < rounds; round++)
      for (const [n, work] of works.entries()) taken[n] = Math.min(taken[n]!, await processorMs(work));
    return taken;
  }
  const ratio = ([a, b]: number[]) => Math.max(a! / b!, b! / a!);

  test("to a login does not reveal whether the account exists: a digest of the same cost is compared", async () => {
    const compared = spyOn(Bun.password, "verify");
    try {
      for (const email of [ama.email, "nobody@example.com"]) {
        const address = crypto.randomUUID();
        const login = sessions.logIn(db, { email, password: "wrong", address, userAgent: "" });
        await expect(login).rejects.toMatchObject({ code: "auth.bad_credentials" });
      }
      const costs = compared.mock.calls.map(([, digest]) => /^\$\w+\$[^$]+\$[^$]+/.exec(String(digest))![0]);
      expect(costs).toEqual([expect.stringContaining("m="), costs[0]!]);
    } finally {
      compared.mockRestore();
    }
  });

  test("to a PIN does not reveal how much of it was right", async () => {
    await db.insert(phones).values({ userId: ama.id, msisdn: "233541234567" });
    const keys = { key: pins.pinKey(TEST_JWT_SECRET) };
    await pins.set(db, keys, { by: ama.by("web"), pin: "407195", currentPassword: ama.password });
    const guess = (pin: string) => async () => {
      expect(await pins.verify(db, keys, { userId: ama.id, pin })).toBe("wrong");
      await db.execute(sql`update pins set wrong_tries = 0`);
    };
    expect(ratio(await least(31, guess("407196"), guess("811111")))).toBeLessThan(2);
  });
});
