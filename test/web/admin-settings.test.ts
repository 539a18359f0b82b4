// Running the shop, by forms alone: settings, the audit log, the books.
import { describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import * as buying from "../../src/core/buying/buy.ts";
import * as products from "../../src/core/catalog/products.ts";
import * as users from "../../src/core/identity/users.ts";
import * as auditRuns from "../../src/core/ledger/audit-runs.ts";
import * as auditLog from "../../src/core/platform/audit-log.ts";
import * as settings from "../../src/core/platform/settings/settings.ts";
import type { ByUser } from "../../src/shared/domain.ts";
import { built } from "../../src/web/island.tsx";
import { lineFor } from "../support/asking.ts";
import { pauseNetwork } from "../support/pausing.ts";
import { openApp, openWorld } from "../support/world.ts";
import { type Seen, visitorAs } from "./visitor.ts";

const world = await openWorld();
const client = openApp(world);
const ama = await world.person("ama", "GH₵ 12.50");
const product = await world.product("MTN", "1GB", "3.90");
const path = "/admin/settings";
const SAVE = "Save settings";
const errorOf = (seen: Seen, id: string) => seen.document.getElementById(`${id}-error`)?.textContent;
const asAdmin = () => visitorAs(client, world.yaw);

describe("settings", () => {
  test("start with their defaults, and apply as soon as they are saved", async () => {
    const visit = await asAdmin();
    const page = await visit.open(path);
    const shownIn = (seen: Seen, name: string) => seen.document.getElementById(`set-${name}`)!.getAttribute("value");
    expect(shownIn(page, "top_up_minimum")).toBe("5.00");
    expect(shownIn(page, "support_hours")).toBe("Mon-Fri 9AM-5PM");
    const saved = await visit.press(page, SAVE, {
      top_up_minimum: "7.50",
      manual_payment_number: "024 000 0000",
      dispatch_hold_seconds: "60",
      support_email: "help@example.com",
      support_phone: "",
    });
    expect(saved.text).toContain("Settings saved.");
    expect(shownIn(saved, "top_up_minimum")).toBe("7.50");
    expect(await settings.all(world.db)).toEqual({
      ...settings.DEFAULTS,
      // As the tests leave it.
      second_person: false,
      top_up_minimum_pesewas: 750,
      manual_payment_number: "024 000 0000",
      dispatch_hold_seconds: 60,
      support_email: "help@example.com",
    });
    expect((await (await visitorAs(client, ama)).open("/wallet/top-up")).text).toContain("GH₵ 7.50");
  });

  test("show fifteen first, and fold the others by topic, with what was changed, by whom, and from what", async () => {
    const visit = await asAdmin();
    const before = await visit.open(path);
    const first = before.document.querySelectorAll(
      "main form > fieldset :is(input:not([type=hidden]), select, textarea)",
    );
    expect(first.length).toBe(15);
    await visit.press(before, SAVE, { stuck_after_minutes: "45" });
    const after = await visit.open(path);
    const orders = [...after.document.querySelectorAll("main details")].find((fold) =>
      fold.querySelector("#set-stuck_after_minutes"),
    )!;
    expect([orders.hasAttribute("open"), orders.querySelector("summary")!.textContent]).toEqual([
      false,
      expect.stringMatching(/^Orders \d+ settings, \d changed$/),
    ]);
    expect(after.document.getElementById("set-stuck_after_minutes-hint")!.textContent).toMatch(
      new RegExp(`Changed by ${world.yaw.username} on .*; ${settings.DEFAULTS.stuck_after_minutes} in a new shop$`),
    );
    const refused = await visit.press(after, SAVE, { stuck_after_minutes: "soon" });
    const open = refused.document.getElementById("set-stuck_after_minutes")!.closest("details")!;
    expect(open.hasAttribute("open")).toBe(true);
  });

  test("that are saved unchanged leave no entry", async () => {
    const visit = await asAdmin();
    const count = async () => (await auditLog.list(world.db, { subjectType: "setting" }, { limit: 100 })).length;
    const before = await count();
    await visit.press(await visit.open(path), SAVE);
    expect(await count()).toBe(before);
  });

  test("with a few values are chosen from a list, and any other value is refused", async () => {
    const visit = await asAdmin();
    const page = await visit.open(path);
    const options = [...page.document.querySelectorAll("#set-sms_fallback option")];
    expect(options.map((option) => option.textContent)).toEqual([...["None", "Africa's Talking", "Arkesel", "Hubtel"]]);
    await visit.press(page, SAVE, { sms_gateway: "hubtel", sms_fallback: "africastalking" });
    const chosen = await settings.all(world.db);
    expect([chosen.sms_gateway, chosen.sms_fallback]).toEqual(["hubtel", "africastalking"]);
    const refused = await visit.press(await visit.open(path), SAVE, { sms_gateway: "pigeon" });
    expect(refused.status).toBe(422);
    expect(await settings.get(world.db, "sms_gateway")).toBe("hubtel");
    await visit.press(page, SAVE, { sms_gateway: "africastalking", sms_fallback: "" });
  });

  test("are refused beside their field, all or nothing, and what was typed is kept", async () => {
    const visit = await asAdmin();
    const page = await visit.open(path);
    const before = await settings.all(world.db);
    for (const [name, value] of [
      ["top_up_minimum", "0"],
      ["manual_top_up_minimum", "ten"],
      ["manual_payment_number", "call me"],
      ["manual_payment_name", "x".repeat(81)],
      ["dispatch_hold_seconds", "3601"],
      ["dispatch_hold_seconds", "-1"],
      ["dispatch_hold_seconds", "1.5"],
      ["support_email", "nobody"],
      ...["920*55", "*920*55", "*920*#", "*920*55#1", `*${"1".repeat(7)}#`].map((code) => ["ussd_code", code] as const),
    ] as const) {
      const seen = await visit.press(page, SAVE, { support_hours: "never", [name]: value });
      expect([seen.status, errorOf(seen, `set-${name}`)]).toEqual([422, expect.any(String)]);
      expect(seen.document.getElementById(`set-${name}`)!.getAttribute("value")).toBe(value);
    }
    expect(await settings.all(world.db)).toEqual(before);
  });
});

describe("the audit log", () => {
  test("shows who changed what, newest first, with a link to the record", async () => {
    await users.edit(world.db, { by: world.yaw.by(), userId: ama.id, username: "ama.serwaa" });
    await products.edit(world.db, { by: world.yaw.by(), productId: product.id, pricePesewas: 410 });
    const visit = await asAdmin();
    const seen = await visit.open("/admin/audit");
    const [first, second] = [...seen.document.querySelectorAll("tbody tr")].map((row) => row.textContent);
    expect(first).toMatch(/Changed product.*admin.*price: GH₵ 3\.90 → GH₵ 4\.10$/);
    expect(second).toMatch(/Changed user.*username: ama → ama\.serwaa$/);
    const link = seen.document.querySelector("tbody a")!.getAttribute("href")!;
    expect((await visit.open(link)).path).toBe(`/admin/products/${product.id}`);
    expect(seen.html).not.toContain("passwordHash");
  });

  test("shows values as text: lists, yes and no, dates, records, and full names of settings", async () => {
    await world.db.transaction((tx) =>
      auditLog.record(tx, world.yaw.by(), [
        {
          action: "setting.change",
          subjectType: "setting",
          subjectId: "refund_promise_minutes",
          before: {
            roles: ["USER"],
            isKept: false,
            at: "2026-11-22T09:30:00.000Z",
            of: { pricePesewas: 390 },
          },
          after: { roles: ["USER", "ADMIN"], isKept: true, at: null, of: { pricePesewas: 410 } },
        },
      ]),
    );
    const visit = await asAdmin();
    const row = (await visit.open("/admin/audit")).document.querySelector("tbody tr")!.textContent!;
    for (const text of [
      "Changed setting refund promise minutes",
      "USER → USER, ADMIN",
      "no → yes",
      "22 Nov 2026, 09:30 → –",
      "price GH₵ 3.90 → price GH₵ 4.10",
    ])
      expect(row).toContain(text);
  });

  test("can be filtered by subject", async () => {
    const visit = await asAdmin();
    const page = await visit.open("/admin/audit");
    const rows = async (type: string, id: string) =>
      (await visit.press(page, "Show", { type, id })).document.querySelectorAll("tbody tr").length;
    expect(await rows("product", String(product.id))).toBe(2);
    expect(await rows("wallet", String(ama.id))).toBe(1);
    expect(await rows("claim", "")).toBe(0);
    const odd = await visit.open("/admin/audit?type=nonsense&id=%00%27&cursor=x");
    expect([odd.status, odd.text]).toEqual([200, expect.stringContaining("No changes found.")]);
  });

  test("can be filtered by person, day and kind, and saved as it is shown", async () => {
    // Another member of staff, as far as the log is concerned.
    const other: ByUser = { userId: ama.id, roles: ["ADMIN"], channel: "admin" };
    await products.edit(world.db, { by: other, productId: product.id, pricePesewas: 411 });
    // As if it had been yesterday.
    await world.db.execute(sql`
      update audit_log set created_at = created_at - interval '1 day' where by_user_id = ${ama.id}`);
    const visit = await asAdmin();
    const page = await visit.open("/admin/audit");
    const [day] = new Date(Date.now() - 86_400_000).toISOString().split("T");
    const chosen = { by: String(ama.id), type: "product", from: day!, to: day! };
    const seen = await visit.press(page, "Show", chosen);
    const rows = [...seen.document.querySelectorAll("tbody tr")].map((row) => row.textContent);
    expect(rows).toEqual([expect.stringMatching(/Changed product.*ama.*GH₵ 4\.10 → GH₵ 4\.11/)]);
    for (const change of [{ by: String(world.yaw.id) }, { type: "user" }, { to: "2020-01-01" }, { from: "2090-01-01" }])
      expect((await visit.press(page, "Show", { ...chosen, ...change })).text).toContain("No changes found.");
    const file = await client.browse(world.yaw, `/admin/audit/export?${new URLSearchParams(chosen)}`);
    const lines = (await file.text()).trim().split("\r\n");
    expect([lines.length, lines[1]]).toEqual([
      2,
      expect.stringMatching(/,ama.serwaa,Changed product,product,\d+,.*4\.11/),
    ]);
  });

  test("is shown in pages", async () => {
    for (let i = 0; i < 60; i++)
      await products.edit(world.db, { by: world.yaw.by(), productId: product.id, name: `Bundle ${i}` });
    const visit = await asAdmin();
    const first = await visit.open(`/admin/audit?type=product&id=${product.id}`);
    expect(first.document.querySelectorAll("tbody tr").length).toBe(50);
    const older = first.document.querySelector("a[rel=next]")!.getAttribute("href")!;
    expect((await visit.open(older)).document.querySelectorAll("tbody tr").length).toBe(13);
  });

  test("shows what people typed as plain text", async () => {
    const name = `<script>alert("1")</script>`;
    await products.edit(world.db, { by: world.yaw.by(), productId: product.id, name });
    const visit = await asAdmin();
    const seen = await visit.open("/admin/audit");
    expect(seen.text).toContain(name);
    expect(seen.html.replace(`<script>${built.loader}</script>`, "")).not.toContain("<script");
  });
});

describe("the books", () => {
  const CHECK = "Check everything";
  /** The page once a worker has finished the check that was requested. */
  const checked = async (visit: Awaited<ReturnType<typeof asAdmin>>) => {
    const requested = await visit.press(await visit.open("/admin/books"), CHECK);
    expect(requested.text).toContain("A check is about to start.");
    await auditRuns.runOpen(world.db);
    return visit.open("/admin/books");
  };

  test("are checked by the worker when an admin requests it, and the accounts sum to zero", async () => {
    const visit = await asAdmin();
    const page = await visit.open("/admin/books");
    expect(page.text).toContain("The balances have not been checked yet.");
    const seen = await checked(visit);
    expect(seen.text).toMatch(/The books balance\. Checked .+: 2 wallets, 1 transfer and 0 orders\./);
    expect(seen.text).toMatch(/Agents' walletsGH₵ 12\.50In GH₵ 12\.50Out GH₵ 0\.00/);
    expect(seen.text).toMatch(/Corrections by admins−GH₵ 12\.50In GH₵ 0\.00Out GH₵ 12\.50/);
    expect(seen.text).toMatch(/All accountsGH₵ 0\.00In GH₵ 12\.50Out GH₵ 12\.50/);
  });

  test("that do not balance are shown with each finding", async () => {
    const visit = await asAdmin();
    const add = (pesewas: number) =>
      world.db.execute(
        sql`update wallets set balance_pesewas = balance_pesewas + ${pesewas} where user_id = ${ama.id}`,
      );
    await add(1);
    try {
      const seen = await checked(visit);
      expect(seen.text).toContain("The books do not balance.");
      expect(seen.text).toContain(`wallet equals its transfers${ama.id}wallet 1251, transfers 1250`);
    } finally {
      await add(-1);
    }
  });
});

test("the dashboard counts orders, bundles and agents, and links to their lists and to the settings", async () => {
  const visit = await asAdmin();
  await buying.buy(world.db, { by: ama.by(), key: null, line: lineFor(product) });
  const seen = await visit.open("/admin");
  const tabs = [...seen.document.querySelectorAll("main .tabs a")].map((tab) => tab.textContent);
  expect(tabs).toEqual(["Orders (1)", "Bundles (1)", "Agents (1)"]);
  const linkTo = (text: string) =>
    [...seen.document.querySelectorAll("main a")].find((link) => link.textContent === text);
  expect(linkTo("Settings")!.getAttribute("href")).toBe(path);
  for (const tab of seen.document.querySelectorAll("main .tabs a"))
    expect((await visit.open(tab.getAttribute("href")!)).status).toBe(200);
});

test("only admins can open any of these pages", async () => {
  const visit = await visitorAs(client, ama);
  const before = await settings.all(world.db);
  for (const address of [path, "/admin/audit", "/admin/books"]) expect((await visit.open(address)).status).toBe(403);
  for (const address of ["/admin/switches", "/admin/books"])
    expect((await client.browse(ama, address, { action: "pause", operator: "MTN", message: "x" })).status).toBe(403);
  const forbidden = { code: "auth.forbidden" };
  expect(settings.change(world.db, { by: ama.by(), values: { support_hours: "x" } })).rejects.toMatchObject(forbidden);
  const pause = { by: ama.by(), operator: "MTN", message: "x" } as const;
  expect(pauseNetwork(world.db, pause)).rejects.toMatchObject(forbidden);
  expect(await settings.all(world.db)).toEqual(before);
});
