// Tests of lists and statements: each row once, whatever the page; correct filters; the same figures as CSV.
import { describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { openApp, openWorld, type Person } from "../support/world.ts";
import { checkedCalls } from "./calls.ts";

const world = await openWorld();
const client = openApp(world);
const call = checkedCalls(client);
const { yaw } = world;
const ama = await world.person("ama", "GH₵ 900.00");
const kofi = await world.person("kofi", "GH₵ 900.00");
const mtn = await world.product("MTN", "1GB", "3.90");
const telecel = await world.product("TELECEL", "2GB", "8.50");

let numbers = 0;
const order = async (person: Person, productId: number, msisdn = `055${String(3_000_000 + ++numbers)}`) => {
  const { body } = await call(person, "POST", "/api/v1/orders", { productId, msisdn, pay: "wallet" });
  return body.id as number;
};
const amas: number[] = [];
for (let i = 0; i < 23; i++) amas.unshift(await order(ama, i % 3 === 0 ? telecel.id : mtn.id));
const kofis = [await order(kofi, mtn.id, "0241112222"), await order(kofi, telecel.id)].reverse();
await call(yaw, "POST", "/api/v1/admin/orders/status/bulk", { ids: amas.slice(0, 5), status: "PROCESSING" });
await call(yaw, "POST", "/api/v1/admin/orders/status/bulk", { ids: amas.slice(5, 8), status: "COMPLETED" });
await call(yaw, "POST", "/api/v1/admin/orders/status/bulk", { ids: amas.slice(8, 10), status: "FAILED" });

type Row = { id: number };
const idsOf = (rows: Row[]) => rows.map((row) => row.id);

/** Follows the Link headers from page to page. */
async function walk(person: Person, path: string): Promise<{ ids: number[]; pages: number }> {
  const ids: number[] = [];
  let pages = 0;
  for (let next: string | undefined = path; next; pages += 1) {
    const reply = await call(person, "GET", next);
    ids.push(...idsOf(reply.body));
    next = /^<([^>]+)>; rel="next"$/.exec(reply.headers.get("link") ?? "")?.[1];
  }
  return { ids, pages };
}

describe("following a list's Link headers", () => {
  for (const limit of [1, 7, 23, 50]) {
    test(`gives every order once, newest first, ${limit} at a time`, async () => {
      expect((await walk(ama, `/api/v1/orders?limit=${limit}`)).ids).toEqual(amas);
    });
  }

  test("keeps the filter from page to page", async () => {
    const { ids, pages } = await walk(yaw, "/api/v1/admin/orders?limit=2&status=processing&operator=mtn");
    const expected = (await call(yaw, "GET", "/api/v1/admin/orders?status=PROCESSING&operator=MTN")).body;
    expect(ids).toEqual(idsOf(expected));
    expect(pages).toBeGreaterThan(1);
  });

  test("gives no row twice while new ones arrive", async () => {
    const first = await call(kofi, "GET", "/api/v1/orders?limit=1");
    const added = await order(kofi, mtn.id);
    const next = /<([^>]+)>/.exec(first.headers.get("link")!)![1]!;
    const { ids } = await walk(kofi, next);
    expect([...idsOf(first.body), ...ids]).toEqual(kofis);
    kofis.unshift(added);
  });

  test("works for users and for the wallet's movements, too", async () => {
    const users = await walk(yaw, "/api/v1/admin/users?limit=2");
    expect(users.ids).toEqual([kofi.id, ama.id, yaw.id]);
    const movements = await walk(ama, "/api/v1/wallet/transactions?limit=4");
    expect(movements.ids).toHaveLength(23 + 2 + 1);
    expect(new Set(movements.ids).size).toBe(movements.ids.length);
  });

  test("gives fifty rows by default, and at most two hundred", async () => {
    expect((await call(ama, "GET", "/api/v1/orders?limit=200")).body).toHaveLength(23);
    expect((await call(ama, "GET", "/api/v1/orders?limit=201")).body.code).toBe("request.invalid");
  });
});

describe("a filter", () => {
  const admins = async (query: string) =>
    idsOf((await call(yaw, "GET", `/api/v1/admin/orders?limit=200&${query}`)).body);
  const own = async (query: string) => idsOf((await call(ama, "GET", `/api/v1/orders?limit=200&${query}`)).body);

  test("by status, by operator, by open orders", async () => {
    expect(await own("status=PROCESSING")).toEqual(amas.slice(0, 5));
    expect(await own("status=COMPLETED")).toEqual(amas.slice(5, 8));
    expect(await own("open=true")).toEqual([...amas.slice(0, 5), ...amas.slice(10)]);
    expect(await own("open=false")).toEqual(amas);
    const rows = (await call(ama, "GET", "/api/v1/orders?operator=telecel")).body;
    expect(rows).toHaveLength(8);
    expect(rows.every((row: { operator: string }) => row.operator === "TELECEL")).toBe(true);
  });

  test("by day", async () => {
    const today = new Date().toISOString().slice(0, 10);
    await world.db.execute(sql`update orders set created_at = created_at - interval '10 days' where id = ${amas[22]!}`);
    expect(await own(`from=${today}`)).toEqual(amas.slice(0, 22));
    expect(await own("to=2020-01-01")).toEqual([]);
    const tenDaysAgo = new Date(Date.now() - 10 * 86_400_000).toISOString().slice(0, 10);
    expect(await own(`from=${tenDaysAgo}&to=${tenDaysAgo}`)).toEqual([amas[22]!]);
  });

  test("by text: a phone number or part of one, an id, a status, an operator, for admins also a user", async () => {
    for (const search of ["0241112222", "024 111 2222", "%2B233241112222", "233241112222", "1112222", "41112"]) {
      expect([search, await admins(`search=${search}`)]).toEqual([search, [kofis.at(-1)!]]);
    }
    expect(await admins(`search=${kofis[0]}`)).toContain(kofis[0]!);
    expect(await admins("search=failed")).toEqual(amas.slice(8, 10));
    expect(await admins("search=kofi")).toEqual(kofis);
    expect((await admins("search=Telecel")).length).toBeGreaterThan(8);
    expect(await admins("search=nobody-and-nothing")).toEqual([]);
    expect(await admins("search=%25")).toEqual([]);
  });

  test("by a part of a number with zeros in any place", async () => {
    const odd = await order(kofi, mtn.id, "0549000386");
    kofis.unshift(odd);
    for (const search of ["0386", "000386", "9000386", "05490", "054900", "23354900", "+23354900"])
      expect([search, await admins(`search=${encodeURIComponent(search)}`)]).toEqual([search, [odd]]);
    expect(await admins("search=086")).toEqual([]);
    expect(await admins("search=90386")).toEqual([]);
  });

  test("of an agent finds only the agent's own", async () => {
    for (const search of ["0241112222", "kofi", String(kofi.id), String(kofis[0])]) {
      const rows = (await call(ama, "GET", `/api/v1/orders?limit=200&search=${search}`)).body as {
        userId: number;
      }[];
      expect(rows.filter((row) => row.userId !== ama.id)).toEqual([]);
    }
    // Agents cannot filter by user.
    const refused = await call(ama, "GET", `/api/v1/orders?userId=${kofi.id}`);
    expect([refused.status, refused.body.code]).toEqual([422, "request.invalid"]);
  });
});

describe("a statement", () => {
  const today = new Date().toISOString().slice(0, 10);
  const path = `/api/v1/wallet/statement?from=${today}&to=${today}`;

  test("adds up from the opening balance to the closing one", async () => {
    const { body } = await call(ama, "GET", path);
    const change = body.transactions.reduce(
      (sum: number, t: { change: number }) => sum + Math.round(t.change * 100),
      0,
    );
    expect(Math.round(body.openingBalance * 100) + change).toBe(Math.round(body.closingBalance * 100));
    expect(body.closingBalance).toBe((await call(ama, "GET", "/api/v1/wallet/balance")).body.balance);
    expect(body.openingBalance).toBe(0);
    expect(body.transactions).toHaveLength(26);
    expect(idsOf(body.transactions)).toEqual(idsOf(body.transactions).toSorted((a, b) => a - b));
  });

  test("is the same as CSV for spreadsheets", async () => {
    await call(yaw, "POST", `/api/v1/admin/users/${kofi.id}/wallet`, {
      amount: 1,
      reason: '=cmd|"calc", said Yaw',
    });
    const asJson = await call(kofi, "GET", path);
    const csv = await call(kofi, "GET", `${path}&format=csv`);
    expect(csv.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(csv.headers.get("content-disposition")).toBe('attachment; filename="statement.csv"');
    const lines = (csv.body as string).trimEnd().split("\r\n");
    expect(lines[0]).toBe("Date,Type,Description,Order ID,Amount,Balance");
    expect(lines[1]).toEndWith(",OPENING,Opening balance,,,0.00");
    expect(lines.at(-1)).toEndWith(`,CLOSING,Closing balance,,,${asJson.body.closingBalance.toFixed(2)}`);
    expect(lines).toHaveLength(asJson.body.transactions.length + 3);
    expect(lines.at(-2)).toContain(`"'=cmd|""calc"", said Yaw",,1.00,`);
    for (const [i, t] of asJson.body.transactions.entries()) {
      expect(lines[i + 2]).toStartWith(`${t.createdAt},${t.type},`);
      expect(lines[i + 2]).toEndWith(`,${t.orderId ?? ""},${t.change.toFixed(2)},${t.balanceAfter.toFixed(2)}`);
    }
  });

  test("needs both its days, in order and within a year", async () => {
    for (const query of [
      "",
      "from=2026-01-01",
      "to=2026-01-01",
      "from=2026-02-01&to=2026-01-01",
      "from=2024-01-01&to=2026-01-01",
      `from=${today}&to=${today}&format=xml`,
    ]) {
      expect((await call(ama, "GET", `/api/v1/wallet/statement?${query}`)).body.code).toBe("request.invalid");
    }
  });
});
