// Vendors: the routes of bundles, the rates of calls, and pauses.
import { beforeEach, describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import * as orders from "../../../src/core/buying/buy.ts";
import * as dispatch from "../../../src/core/fulfilment/dispatch.ts";
import * as routing from "../../../src/core/fulfilment/routing.ts";
import type { BundleVendor } from "../../../src/core/fulfilment/vendor.ts";
import * as vendors from "../../../src/core/fulfilment/vendors.ts";
import * as settings from "../../../src/core/platform/settings/settings.ts";
import { lineFor, times, withSecondServer } from "../../support/asking.ts";
import { openWorld } from "../../support/world.ts";

const world = await openWorld();
const { db, yaw } = world;
const ama = await world.person("ama");

let floatPesewas: number | null = 0;
const slow: BundleVendor = {
  code: "slow",
  name: "Slow",
  can: {
    lines: ["MTN"],
    batchMax: 1,
    callsPerMinute: 5,
    canCheckStatus: false,
    settlesWithinSeconds: 60,
    statusChecksPerMinute: 60,
    statusCheckEverySeconds: 30,
    holdsForHours: 72,
  },
  serves: () => true,
  place: async () => [],
  checkStatus: async () => ({ kind: "unclear", message: null }),
  balance: async () =>
    floatPesewas === null ? { kind: "unclear", message: null } : { kind: "found", balancePesewas: floatPesewas },
  readWebhook: () => "unsigned",
};
const state = async () => (await vendors.states(db)).get("slow")!;
const secondsPass = (seconds: number) =>
  db.execute(sql`update vendors set next_call_at = next_call_at - make_interval(secs => ${seconds})`);

beforeEach(async () => {
  await db.execute(sql`delete from vendors`);
  await vendors.enrol(db, [slow]);
});

describe("the route of a bundle", () => {
  test("is the desk until an admin changes it to vendors in sequence", async () => {
    expect(vendors.routeOf(settings.DEFAULTS, "MTN")).toEqual(["desk"]);
    const routed = { ...settings.DEFAULTS, route_at_bigtime: " DataMart, hubnet ,desk" };
    expect(vendors.routeOf(routed, "AT_BIGTIME")).toEqual(["datamart", "hubnet", "desk"]);
    expect(vendors.routeOf({ ...settings.DEFAULTS, route_telecel: " , " }, "TELECEL")).toEqual(["desk"]);
  });
});

describe("a vendor's rate", () => {
  test("lets one call through at a time, evenly spaced, for all processes together", async () => {
    const taken = await withSecondServer(world, (other) =>
      Promise.all(times(20, (i) => vendors.takeCall(i % 2 ? db : other, slow))),
    );
    expect(taken.filter(Boolean)).toHaveLength(1);
    // On a slow machine, some of the twelve seconds pass during the test.
    await secondsPass(4);
    expect(await vendors.takeCall(db, slow)).toBeNull();
    await secondsPass(9);
    expect(await vendors.takeCall(db, slow)).toBe("call");
  });
  test("is suspended for as long as the vendor demands", async () => {
    await db.transaction((tx) => vendors.holdCalls(tx, "slow", 300));
    await secondsPass(250);
    expect(await vendors.takeCall(db, slow)).toBeNull();
    await secondsPass(51);
    expect(await vendors.takeCall(db, slow)).toBe("call");
  });
});

describe("a paused vendor", () => {
  test("is not called until an admin resumes it, and both are in the audit log", async () => {
    await vendors.setPause(db, { by: yaw.by("admin"), code: "slow", note: "Too many complaints" });
    expect(await vendors.takeCall(db, slow)).toBeNull();
    await vendors.setPause(db, { by: yaw.by("admin"), code: "slow", note: null });
    expect(await vendors.takeCall(db, slow)).toBe("call");
    const rows = await db.execute(
      sql`select action, before, after from audit_log where subject_type = 'vendor' order by id`,
    );
    expect([...rows]).toEqual([
      {
        action: "vendor.pause",
        before: { pausedFor: null, note: null },
        after: { note: "Too many complaints" },
      },
      {
        action: "vendor.resume",
        before: { pausedFor: "admin", note: "Too many complaints" },
        after: { note: null },
      },
    ]);
  });
  test("whose float was empty resumes when the float has grown, and not before", async () => {
    floatPesewas = 200;
    await vendors.checkFloat(db, slow);
    await db.transaction((tx) => vendors.pauseFor(tx, slow, "float_empty", "Insufficient wallet balance"));
    await vendors.checkFloat(db, slow);
    expect((await state()).pausedFor).toBe("float_empty");
    floatPesewas = 50_000;
    await vendors.checkFloat(db, slow);
    expect(await state()).toMatchObject({ pausedFor: null, balancePesewas: 50_000 });
  });
  test("that an admin paused is not resumed by a refilled float, and an unknown float changes nothing", async () => {
    await vendors.setPause(db, { by: yaw.by("admin"), code: "slow", note: "Not today" });
    await db.transaction((tx) => vendors.pauseFor(tx, slow, "float_empty", null));
    floatPesewas = 90_000;
    await vendors.checkFloat(db, slow);
    floatPesewas = null;
    await vendors.checkFloat(db, slow);
    expect(await state()).toMatchObject({ pausedFor: "admin", balancePesewas: 90_000 });
  });
  test("is notified to every admin by e-mail, at intervals, however often it is retried", async () => {
    const mails = () =>
      db.execute<{ recipient: string; subject: string }>(
        sql`select recipient, subject from messages where kind = 'vendor_paused' order by id`,
      );
    await db.execute(sql`delete from messages`);
    await db.execute(sql`delete from rate_limits`);
    const again = () => db.execute(sql`update vendors set paused_for = null, paused_message = null, paused_at = null`);
    for (let n = 0; n < 3; n++) {
      await again();
      await Promise.all(
        [1, 2, 3].map(() => db.transaction((tx) => vendors.pauseFor(tx, slow, "float_empty", "Insufficient"))),
      );
    }
    const floatMail = {
      recipient: yaw.email,
      subject: `${slow.name} is paused: our balance there is too low`,
    };
    expect([...(await mails())]).toEqual([floatMail]);
    await again();
    await db.transaction((tx) => vendors.pauseFor(tx, slow, "key_refused", null));
    expect(await mails()).toHaveLength(2);
    await db.execute(sql`update rate_limits set resets_at = resets_at - interval '3 hours'`);
    await again();
    await db.transaction((tx) => vendors.pauseFor(tx, slow, "float_empty", null));
    expect((await mails()).at(-1)).toEqual(floatMail);
  });
  test("can be changed only by admins, and must exist", async () => {
    const ask = (by: typeof yaw, code: string) => vendors.setPause(db, { by: by.by("admin"), code, note: "No" });
    expect(ask(ama, "slow")).rejects.toMatchObject({ code: "auth.forbidden" });
    expect(ask(yaw, "nobody")).rejects.toMatchObject({ code: "vendor.not_found" });
  });
});

describe("a vendor without a limit for held orders", () => {
  test("can hold one for a day before an admin decides", async () => {
    const { holdsForHours: _, ...can } = slow.can;
    const vendor: BundleVendor = {
      ...slow,
      can,
      place: async () => [
        { kind: "taken", state: "accepted", vendorReference: "V1", costPesewas: null, message: null },
      ],
    };
    await settings.change(db, {
      by: yaw.by("admin"),
      values: { dispatch_hold_seconds: 0, route_mtn: "slow" },
    });
    const bundle = await world.product("MTN", "1GB", "3.90");
    const esi = await world.person("esi", "GH₵ 10.00");
    await orders.buy(db, { by: esi.by(), key: null, line: lineFor(bundle) });
    await routing.routeDue(db, [vendor], 10);
    await dispatch.sendDue(db, vendor, () => null);
    const [attempt] = await db.execute(sql`
      select state, extract(epoch from hold_until - sent_at)::int / 3600 as hours from attempts`);
    expect(attempt).toEqual({ state: "accepted", hours: 24 });
  });
});
