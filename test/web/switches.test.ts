// The page of switches, used by forms alone, and the banners that staff and agents see while one is closed.
import { describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import * as orders from "../../src/core/buying/buy.ts";
import * as products from "../../src/core/catalog/products.ts";
import * as switches from "../../src/core/overview/switches.ts";
import { endText, pausedText, pausedTitle } from "../../src/shared/pause.ts";
import { SWITCH_NAMES, SWITCHES, type SwitchName } from "../../src/shared/switches.ts";
import { count, lineFor } from "../support/asking.ts";
import { longTest } from "../support/long.ts";
import { pauseNetwork } from "../support/pausing.ts";
import { openApp, openWorld } from "../support/world.ts";
import { type Seen, visitorAs } from "./visitor.ts";

const world = await openWorld();
const client = openApp(world);
const { db, yaw } = world;
const by = yaw.by("admin");
const ama = await world.person("ama", "GH₵ 100.00");
const bundle = await world.product("MTN", "1GB", "3.90");
const path = "/admin/switches";
const MESSAGE = "Sales are closed until our prices are right";
const asAdmin = () => visitorAs(client, yaw);
const errorOf = (seen: Seen, id: string) => seen.document.getElementById(`${id}-error`)?.textContent;
const rowOf = (seen: Seen, name: SwitchName) => seen.document.getElementById(name)!.textContent.replace(/\s+/g, " ");
const bannerOf = (seen: Seen) => seen.document.querySelector("main .note.closed");
const bannerText = (seen: Seen) => bannerOf(seen)?.textContent.replace(/\s+/g, " ");
const close = (name: SwitchName, until: Date | null = null, message = MESSAGE) =>
  switches.close(db, { by, name, message, reason: "A test", until });
const open = (name: SwitchName) => switches.open(db, { by, name });

longTest("a switch is closed with words, a reason and an end, changed, and opened", async () => {
  const visit = await asAdmin();
  const page = await visit.open(path);
  for (const name of SWITCH_NAMES) expect(rowOf(page, name)).toStartWith(`${SWITCHES[name].label}Open`);
  const silent = await visit.press(page, "Close sales", { message: " ", reason: "" });
  expect([silent.status, errorOf(silent, "sales-message"), errorOf(silent, "sales-reason")]).toEqual([
    ...[422, "Tell people what is closed", "Say why"],
  ]);
  expect(errorOf(silent, "web-message")).toBeUndefined();
  for (const message of ["x".repeat(91), `${"x".repeat(89)}€`])
    expect(errorOf(await visit.press(page, "Close sales", { message, reason: "x" }), "sales-message")).toContain(
      "t most 90 characters",
    );
  const passed = { message: MESSAGE, reason: "x", end: "at", until: "2001-02-03T04:05" };
  expect(errorOf(await visit.press(page, "Close sales", passed), "sales-until")).toContain("90 days");
  expect(await switches.closedNow(db)).toEqual([]);

  const closed = await visit.press(page, "Close sales", {
    message: `<b>${MESSAGE}</b>`,
    reason: "MTN at 1 pesewa",
  });
  expect(closed.text).toContain("Sales: closed until somebody opens it. The other owners get an e-mail.");
  expect(rowOf(closed, "sales")).toContain(`<b>${MESSAGE}</b> By ${yaw.username}`);
  expect(rowOf(closed, "sales")).toContain("MTN at 1 pesewa");
  expect(rowOf(closed, "web")).toStartWith("WebOpen");
  const until = new Date(Math.ceil(Date.now() / 60_000 + 2 * 1440) * 60_000);
  const changed = await visit.press(closed, "Save", {
    ...{ name: "sales", message: MESSAGE, reason: "MTN at 1 pesewa", end: "at" },
    until: until.toISOString().slice(0, 16),
  });
  expect(rowOf(changed, "sales")).toStartWith(`SalesClosed until ${endText(until)}`);
  expect(changed.document.getElementById("sales-message")!.getAttribute("value")).toBe(MESSAGE);
  const opened = await visit.press(changed, "Open sales");
  expect(opened.text).toContain("Sales: open again.");
  expect(rowOf(opened, "sales")).toStartWith("SalesOpen");
});

test("the page asks who it is, and then does what was sent", async () => {
  const visit = await asAdmin();
  const page = await visit.open(path);
  await db.execute(sql`update sessions set confirmed_at = now() - interval '1 hour' where user_id = ${yaw.id}`);
  const confirming = await visit.press(page, "Close top-ups", { reason: "Paystack is down" });
  expect([confirming.status, confirming.text.includes("Confirm that it is you")]).toEqual([403, true]);
  expect(await switches.closedNow(db)).toEqual([]);
  const done = await visit.press(confirming, "Confirm and continue", { confirmation: yaw.password });
  expect(rowOf(done, "top_ups")).toStartWith("Top-upsClosed");
  await open("top_ups");
});

describe("the banner", () => {
  longTest("tells staff on every page what is closed, with a link for those who may open it", async () => {
    await close("sales", new Date(Date.now() + 40 * 86_400_000));
    await pauseNetwork(db, { by, operator: "TELECEL", message: "Slow" });
    const [state] = await switches.closedNow(db);
    const text = `Closed now: Sales until ${endText(state!.until!)}, Telecel. Stop selling`;
    for (const role of ["ADMIN", "MANAGER"] as const) {
      const visit = await visitorAs(client, await world.person(`may-${role.toLowerCase()}`, undefined, [role]));
      for (const address of ["/admin", "/orders", "/admin/users", "/profile"])
        expect(bannerText(await visit.open(address))).toBe(text);
      expect(
        bannerOf(await visit.open("/admin"))!
          .querySelector("a")!
          .getAttribute("href"),
      ).toBe(path);
    }
    for (const role of ["DESK", "SUPPORT", "ACCOUNTS"] as const) {
      const visit = await visitorAs(client, await world.person(`no-${role.toLowerCase()}`, undefined, [role]));
      const seen = await visit.open("/admin");
      expect(bannerText(seen)).toBe(text.replace("Stop selling", ""));
      expect(bannerOf(seen)!.querySelector("a")).toBeNull();
      expect((await visit.open(path)).status).toBe(403);
    }
    await pauseNetwork(db, { by, operator: "TELECEL", message: null });
    await open("sales");
    expect(bannerOf(await (await asAdmin()).open("/admin"))).toBeNull();
  });

  longTest("tells agents the words of what they use, and nothing of the rest", async () => {
    const visit = await visitorAs(client, ama);
    for (const name of SWITCH_NAMES) {
      const isMet = ["sales", "web", "top_ups"].includes(name);
      await close(name, null, "<i>Later</i>");
      for (const address of ["/dashboard", "/buy", "/wallet", "/wallet/top-up", "/orders"])
        expect(bannerText(await visit.open(address))).toBe(isMet ? "<i>Later</i>." : undefined);
      await open(name);
    }
    const until = new Date(Date.now() + 40 * 86_400_000);
    await close("sales", until);
    await close("top_ups", null, "No top-ups now.");
    expect(bannerText(await visit.open("/buy"))).toBe(`${MESSAGE}. Open again from ${endText(until)}.No top-ups now.`);
    await open("sales");
    await open("top_ups");
  });
});

longTest("an agent who meets a closed switch keeps what was typed, reads why, and may look", async () => {
  const visit = await visitorAs(client, ama);
  const page = await visit.open("/mtn-data");
  const until = new Date(Date.now() + 2 * 3_600_000);
  for (const name of ["sales", "web"] as const) {
    await close(name, until);
    const typed = { productId: String(bundle.id), msisdn: "0541234567" };
    const refused = await visit.press(page, "Pay with Wallet", typed);
    expect(refused.status).toBe(409);
    expect(refused.document.querySelector(".note.bad")!.textContent).toBe(
      `${MESSAGE}. Open again from ${endText(until)}.`,
    );
    expect(Number(refused.headers.get("retry-after"))).toBeWithin(7_000, 7_201);
    expect(refused.html).toContain("0541234567");
    expect(await count(db, sql`from orders`)).toBe(0);
    for (const address of ["/", "/buy", "/wallet", "/orders", "/prices"])
      expect((await visit.open(address)).status).toBe(200);
    await open(name);
  }
  await close("top_ups");
  const topUp = await visit.press(await visit.open("/wallet/top-up"), "Card or bank", {
    amount: "20",
  });
  expect([topUp.status, topUp.text.includes(MESSAGE)]).toEqual([409, true]);
  expect(await count(db, sql`from payments`)).toBe(0);
  await open("top_ups");
  const { answer } = await orders.buy(db, { by: ama.by("web"), key: null, line: lineFor(bundle) });
  await close("cancelling");
  const own = await visit.open(`/orders/${answer.order.id}`);
  const kept = await visit.press(own, "Cancel");
  expect([kept.status, kept.text.includes(MESSAGE)]).toEqual([409, true]);
  await open("cancelling");
  await close("refunds");
  const admin = await asAdmin();
  const stays = await admin.press(await admin.open(`/orders/${answer.order.id}`), "Fail and refund", {
    reason: "No stock",
  });
  expect([stays.status, stays.text.includes(MESSAGE)]).toEqual([409, true]);
  expect(await count(db, sql`from orders where status = 'FAILED'`)).toBe(0);
  await open("refunds");
});

longTest("with everything closed, staff work on, and open it again", async () => {
  for (const name of SWITCH_NAMES) await close(name);
  const visit = await asAdmin();
  expect((await client.call(yaw, "GET", "/api/v1/admin/orders")).status).toBe(200);
  for (const name of SWITCH_NAMES) {
    const { label } = SWITCHES[name];
    const isShort = /^[A-Z]{2}/.test(label);
    await visit.press(await visit.open(path), `Open ${isShort ? label : label.toLowerCase()}`);
  }
  expect(await switches.closedNow(db)).toEqual([]);
});

test("an operator is paused with a message that buyers read, and resumed", async () => {
  const visit = await asAdmin();
  const page = await visit.open(path);
  const silent = await visit.press(page, "Pause Telecel", { message: " " });
  expect(errorOf(silent, "telecel-message")).toContain("Tell the buyers why");
  expect(errorOf(silent, "mtn-message")).toBeUndefined();
  await world.product("TELECEL", "1GB", "4");
  const paused = await visit.press(page, "Pause Telecel", { message: "<b>Back</b> at noon" });
  expect(paused.text).toContain("<b>Back</b> at noon");
  expect((await (await visitorAs(client, ama)).open("/telecel")).text).toContain("<b>Back</b> at noon");
  const stock = await visit.open("/admin/products");
  expect(stock.text).toContain("All of Telecel is paused");
  const resumed = await visit.press(paused, "Resume Telecel");
  expect(resumed.text).toContain("It is on sale.");
  expect((await products.list(world.db, "TELECEL"))[0]!.paused).toBeNull();
});

test("an operator's pause may have an end, which agents see; a wrong one is refused beside its field", async () => {
  const visit = await asAdmin();
  const page = await visit.open(path);
  const typed = { message: "MTN is slow", end: "at", until: "2001-02-03T04:05" };
  const refused = await visit.press(page, "Pause MTN", typed);
  expect([refused.status, errorOf(refused, "mtn-until")]).toEqual([422, expect.stringContaining("90 days")]);
  expect(errorOf(refused, "telecel-until")).toBeUndefined();
  expect(refused.document.getElementById("mtn-message")!.getAttribute("value")).toBe("MTN is slow");
  const until = new Date(Math.ceil(Date.now() / 60_000 + 2 * 1440) * 60_000);
  const sent = { ...typed, until: until.toISOString().slice(0, 16) };
  const paused = await visit.press(page, "Pause MTN", sent);
  const title = pausedTitle({ until });
  expect(paused.text).toContain(title);
  const agent = await visitorAs(client, ama);
  expect((await agent.open("/status")).text).toContain(title);
  expect((await agent.open("/mtn-data")).text).toContain(`MTN bundles are ${pausedText({ until })}`);
  await pauseNetwork(world.db, { by: world.yaw.by(), operator: "MTN", message: null });
});
