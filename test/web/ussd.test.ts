// USSD usage figures for admins: who may see them, and the days that they cover.
import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { openApp, openWorld } from "../support/world.ts";
import { type Seen, visitorAs } from "./visitor.ts";

const world = await openWorld();
const client = openApp(world);
const admin = await visitorAs(client, world.yaw);
const figures = (seen: Seen) => [...seen.document.querySelectorAll(".figure")].map((figure) => figure.textContent);
const rows = (seen: Seen, table: number) =>
  [...seen.document.querySelectorAll("table")[table]!.querySelectorAll("tbody tr")].map((row) =>
    [...row.querySelectorAll("td")].map((cell) => cell.textContent),
  );

test("an agent is refused", async () => {
  const visit = await visitorAs(client, await world.person("ama"));
  expect((await visit.open("/admin/ussd")).status).toBe(403);
});

test("the page says when nobody has dialled yet", async () => {
  expect((await admin.open("/admin/ussd")).text).toContain("Nobody dialled on these days.");
});

test("figures are summed over the requested days, or are those of one day", async () => {
  await world.db.execute(sql`
    insert into ussd_days (day, sessions, hops, bought, "left", stumbles, failed, failures)
    values (current_date, 40, 190, 21, 12, 9, 5, 70), (current_date - 1, 10, 60, 4, 3, 1, 0, 2),
           (current_date - 20, 1000, 5000, 400, 300, 100, 0, 0)`);
  await world.db.execute(sql`
    insert into ussd_screen_days (day, screen, shown, "left", stumbles)
    values (current_date, 'pay', 30, 6, 5), (current_date - 1, 'pay', 10, 2, 1), (current_date, 'old_pin', 3, 0, 0)`);
  const week = await admin.open("/admin/ussd");
  expect(figures(week)).toEqual(["50", "25", "15", "10", "5", "72"]);
  expect(week.text).toContain("5.0 screens each");
  expect(rows(week, 0)).toEqual([
    ["Pay", "left 8 20%", "Shown 40", "6 not understood"],
    ["Old PIN", "left 0 ", "Shown 3", "0 not understood"],
  ]);
  expect(rows(week, 1)).toHaveLength(2);
  expect(figures(await admin.open("/admin/ussd?range=30"))[0]).toBe("1,050");
  const [link] = [...week.document.querySelectorAll("table:last-of-type td a")];
  const day = await admin.open(link!.getAttribute("href")!);
  expect(figures(day)[0]).toBe("40");
  expect(rows(day, 0)[0]).toEqual(["Pay", "left 6 20%", "Shown 30", "5 not understood"]);
});

test("an address with invalid days shows a week", async () => {
  for (const query of ["range=x", "day=2026-02-31", "day=x", "day=2026-13-01"])
    expect(figures(await admin.open(`/admin/ussd?${query}`))[0]).toBe("50");
});

test("the page says how sessions ended, which gateway fails and who ran short, also where nobody has", async () => {
  const before = await admin.open("/admin/ussd");
  for (const nothing of ["Nobody. Everyone who wanted", "No session has been counted", "No gateway has called"])
    expect(before.text).toContain(nothing);
  await world.db.execute(sql`
    insert into gateway_hours (hour, channel, gateway, kind, count)
    values (date_trunc('hour', now()), 'ussd', 'hubtel', 'bought', 3),
           (date_trunc('hour', now()), 'ussd', 'hubtel', 'short', 1),
           (date_trunc('hour', now()), 'ussd', 'hubtel', 'requests', 60),
           (date_trunc('hour', now()), 'ussd', 'hubtel', 'unreadable', 40),
           (date_trunc('hour', now()), 'ussd', 'africastalking', 'left', 1)`);
  const kofi = await world.person("kofi", "GH₵ 1.00");
  await world.db.execute(sql`
    insert into ussd_sessions (id, msisdn, service_code, user_id, state, context)
    values ('hubtel-1', '233541839111', '*713#', ${kofi.id}, 'short',
            '{"neededPesewas": 450, "balancePesewas": 100, "heldPesewas": 0}')`);
  const page = await admin.open("/admin/ussd");
  expect(page.text).toContain("In this hour, 40 USSD requests from Hubtel could not be read.");
  expect(page.text).toContain("GH₵ 3.50 missing for a purchase of GH₵ 4.50");
  expect(page.document.querySelector("#short a[href='tel:+233541839111']")?.textContent).toBe("054 183 9111");
  expect(page.text).toContain("Still short");
  expect(rows(page, 2)[0]).toEqual(["Bought", "Hubtel 3 75%", "Africa's Talking 0 0%"]);
  expect(rows(page, 3)[0]).toEqual(["Hubtel", "100 requests", "40 not readable", "0 errors", "40% failed"]);
});
