// Tests of hostile addresses and headers: the answer is always one of our errors, never an internal one.
import { describe, expect, test } from "bun:test";
import { routes } from "../../src/api/index.ts";
import type { Access } from "../../src/shared/rights.ts";
import { openApp, openWorld } from "../support/world.ts";
import { checkedCalls, checkReply } from "./calls.ts";

const world = await openWorld();
const client = openApp(world);
const call = checkedCalls(client);
const ama = await world.person("ama", "GH₵ 100.00");
const callerOf = ({ right, role }: Access) => (right ? world.yaw : role === "user" ? ama : null);

describe("an address with invalid parts", () => {
  test("is refused or not found where a number is expected", async () => {
    for (const route of routes.filter((one) => one.params)) {
      for (const id of [
        "0",
        "-1",
        "1.5",
        "1e3",
        "abc",
        "%00",
        "%ff",
        "9007199254740993",
        "99999999999999999999999",
        "1%27--",
        "..%2f",
        "%F0%9F%92%A9",
      ]) {
        const path = route.path.replace(":id", id);
        const reply = await client.call(callerOf(route), route.method, path, route.example);
        checkReply(route, reply);
        expect([path, [400, 404, 422].includes(reply.status)]).toEqual([path, true]);
      }
    }
  });

  test("is refused or answered where a filter is expected", async () => {
    const junk = [
      "",
      "%00",
      "%",
      "%25",
      "_",
      "\\",
      "%ed%a0%80",
      "%ff",
      "'",
      "0",
      "-1",
      "1e9",
      "true",
      "x".repeat(3000),
      "2026-02-30",
      "2026-11-21T25:00:00Z",
      "9007199254740993",
    ];
    for (const route of routes.filter((one) => one.query)) {
      for (const name of [
        "limit",
        "cursor",
        "search",
        "status",
        "operator",
        "open",
        "from",
        "to",
        "format",
        "unknown",
      ]) {
        for (const value of junk) {
          const other = route.path.endsWith("statement") ? `&${name === "from" ? "to" : "from"}=2026-11-01` : "";
          await call(callerOf(route), route.method, `${route.path}?${name}=${value}${other}`);
        }
      }
    }
  });

  test("is refused for a date that the database cannot store", async () => {
    for (const query of [
      "from=0000-01-01",
      "to=0000-01-01",
      "from=0000-01-01T00:00:00Z",
      "from=9999-12-31",
      "to=9999-12-31",
    ]) {
      expect([200, 422]).toContain((await call(ama, "GET", `/api/v1/orders?${query}`)).status);
    }
    for (const [from, to] of [
      ["0000-01-01", "0000-06-01"],
      ["0000-12-31", "0001-01-02"],
      ["9999-12-30", "9999-12-31"],
    ]) {
      const reply = await call(ama, "GET", `/api/v1/wallet/statement?from=${from}&to=${to}`);
      expect([200, 422]).toContain(reply.status);
    }
  });
});

test("a header may contain anything", async () => {
  for (const headers of [
    { authorization: "Bearer" },
    { authorization: `Bearer ${"x".repeat(10_000)}` },
    { authorization: "Basic YTpi" },
    { cookie: "session" },
    { cookie: "session=%00; session=" },
    { cookie: ";;;===;" },
    { "x-forwarded-for": "'; drop table users; --" },
    { "content-type": "application/json; charset=\u00ff" },
  ] as Record<string, string>[]) {
    const reply = await client.call(null, "GET", "/api/v1/auth/me", undefined, headers);
    expect([headers, reply.status]).toEqual([headers, 401]);
  }
});
