// The button in a notice that undoes what has just been done: it brings back what was, once, and only if nobody has
// changed the same thing since.
import { describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import * as operators from "../../src/core/catalog/operators/operators.ts";
import * as products from "../../src/core/catalog/products.ts";
import * as tiers from "../../src/core/catalog/tiers.ts";
import * as keptViews from "../../src/core/finding/kept-views.ts";
import * as vendors from "../../src/core/fulfilment/vendors.ts";
import * as accountTiers from "../../src/core/identity/account-tiers.ts";
import * as spendingLimits from "../../src/core/identity/spending-limits.ts";
import { NO_BOUNDS } from "../../src/core/identity/spending-limits.ts";
import * as switches from "../../src/core/overview/switches.ts";
import * as settings from "../../src/core/platform/settings/settings.ts";
import * as keptAnswers from "../../src/core/support/kept-answers.ts";
import * as support from "../../src/core/support/requests.ts";
import { VENDORS } from "../../src/gateways/vendors/index.ts";
import type { ByUser } from "../../src/shared/domain.ts";
import { staff } from "../support/approvals.ts";
import { count, hold } from "../support/asking.ts";
import { guard, openApp, openWorld } from "../support/world.ts";
import { type Seen, type Visitor, visitorAs } from "./visitor.ts";

const world = await openWorld();
const { db, yaw } = world;
const { create, settings: settingsOf } = VENDORS.datamart;
const supplier = create(settingsOf({ DATAMART_BASE_URL: "http://127.0.0.1:1", DATAMART_API_KEY: "dm_test_key" })!);
await vendors.enrol(db, [supplier]);
const client = openApp(world, undefined, [supplier]);
const kofi = await world.person("kofi", undefined, ["ADMIN"]);
const efua = await world.person("efua", undefined, ["ADMIN"]);
const ama = await world.person("ama", "GH₵ 20.00");
const bundle = await world.product("MTN", "1GB", "3.90");
const { answer: gold } = await tiers.add(db, { by: yaw.by(), name: "Gold" });
const { answer: silver } = await tiers.add(db, { by: yaw.by(), name: "Silver" });
const kept = await keptAnswers.keep(db, { by: yaw.by(), name: "Asked MTN", message: "We asked MTN." });
const answerId = kept.answer.id;
const { answer: request } = await support.file(db, { by: ama.by(), message: "Where is it?" });
const requestId = request.id;

/** What somebody does that can be undone, and how another changes the same. */
type Kind = {
  /** Where it begins. */
  from?: () => Promise<unknown>;
  act: (visit: Visitor) => Promise<Seen>;
  state: () => Promise<unknown>;
  others: (by: ByUser) => Promise<unknown>;
};

const by = yaw.by();
const productId = bundle.id;
const { code } = supplier;
const bundlePath = `/admin/products/${productId}`;
const ofBundle = async () => {
  const { name, ownPause, pricePesewas } = await products.get(db, productId);
  return { name, ownPause, pricePesewas };
};
const ofSupplier = async () => {
  const { pausedFor, pausedMessage } = (await vendors.states(db)).get(code)!;
  return [pausedFor, pausedMessage];
};
const ofTier = async () => (await spendingLimits.listTiers(db)).find(({ id }) => id === gold.id)!.bounds;
const ofAccount = async () => {
  const own = await spendingLimits.ownOf(db, ama.id);
  return own && { bounds: own.bounds, reason: own.reason, until: own.until };
};
const bounds = { ...NO_BOUNDS, hourOrdersMax: 7 };
const ownLimits = { userId: ama.id, bounds, reason: "Careful", until: null };

const KINDS: Record<string, Kind> = {
  "the pause of a bundle": {
    from: () => products.edit(db, { by, productId, pausedMessage: null }),
    act: async (visit) => visit.press(await visit.open(bundlePath), "Pause sale", { message: "Slow today" }),
    state: ofBundle,
    others: (by) => products.edit(db, { by, productId, pausedMessage: "Wrong price" }),
  },
  "the end of a bundle's pause": {
    from: () => products.edit(db, { by, productId, pausedMessage: "Slow", pausedUntil: new Date(Date.now() + 7e6) }),
    act: async (visit) => visit.press(await visit.open(bundlePath), "Resume sale"),
    state: ofBundle,
    others: (by) => products.edit(db, { by, productId, pausedMessage: "Wrong price" }),
  },
  "the name of a bundle": {
    from: () => products.edit(db, { by, productId, name: "Day" }),
    act: async (visit) => visit.press(await visit.open(bundlePath), "Save product", { name: "Weekend" }),
    state: ofBundle,
    others: (by) => products.edit(db, { by, productId, name: "Night" }),
  },
  "the pause of a network": {
    from: () => switches.pauseNetwork(db, { by, operator: "MTN", pausedMessage: null }),
    act: async (visit) => visit.press(await visit.open("/admin/switches"), "Pause MTN", { message: "MTN is down" }),
    state: async () => (await operators.list(db)).find(({ operator }) => operator === "MTN")!.paused?.message,
    others: (by) => switches.pauseNetwork(db, { by, operator: "MTN", pausedMessage: "Down since noon" }),
  },
  "the pause of a supplier": {
    from: () => vendors.setPause(db, { by, code, note: null }),
    act: async (visit) => visit.press(await visit.open(`/admin/vendors/${code}`), "Pause", { note: "Too slow" }),
    state: ofSupplier,
    others: (by) => vendors.setPause(db, { by, code, note: "Sends nothing" }),
  },
  "the end of a supplier's pause": {
    from: () => vendors.setPause(db, { by, code, note: "Too slow" }),
    act: async (visit) => visit.press(await visit.open(`/admin/vendors/${code}`), "Resume"),
    state: ofSupplier,
    others: (by) => vendors.setPause(db, { by, code, note: "Sends nothing" }),
  },
  "settings that were saved together": {
    from: () => settings.change(db, { by, values: { support_hours: "Mornings" } }),
    act: async (visit) => {
      const page = await visit.open("/admin/settings");
      return visit.press(page, "Save settings", { support_hours: "Always", top_up_minimum: "9.00" });
    },
    state: () => settings.all(db),
    others: (by) => settings.change(db, { by, values: { support_hours: "Never" } }),
  },
  routes: {
    from: () => settings.setRoutes(db, { by, values: { route_mtn: "desk" } }),
    act: async (visit) => {
      const page = await visit.open("/admin/vendors");
      return visit.press(page, "Save routes", { "route_mtn.datamart": "1", "route_mtn.desk": "2" });
    },
    state: () => settings.get(db, "route_mtn"),
    others: (by) => settings.setRoutes(db, { by, values: { route_mtn: "datamart" } }),
  },
  "the tier of an agent": {
    from: () => accountTiers.setTier(db, { by, userId: ama.id, tierId: 1 }),
    act: async (visit) => {
      const page = await visit.open(`/admin/users/${ama.id}/prices`);
      return visit.press(page, "Save group", { tierId: String(gold.id) });
    },
    state: () => accountTiers.tierOf(db, ama.id),
    others: (by) => accountTiers.setTier(db, { by, userId: ama.id, tierId: silver.id }),
  },
  "the name of a tier": {
    from: () => tiers.rename(db, { by, tierId: silver.id, name: "Silver" }),
    act: async (visit) =>
      visit.press(await visit.open("/admin/prices/tiers"), "Rename", { tierId: String(silver.id), name: "Tin" }),
    state: () => tiers.get(db, silver.id),
    others: (by) => tiers.rename(db, { by, tierId: silver.id, name: "Bronze" }),
  },
  "the limits of a tier": {
    from: () => spendingLimits.setTier(db, { by, tierId: gold.id, ...NO_BOUNDS, dayMaxPesewas: 5_000 }),
    act: async (visit) =>
      visit.press(await visit.open("/admin/limits"), "Save", {
        tierId: String(gold.id),
        perDay: "90",
        ordersPerHour: "4",
      }),
    state: ofTier,
    others: (by) => spendingLimits.setTier(db, { by, tierId: gold.id, ...NO_BOUNDS, hourOrdersMax: 9 }),
  },
  "the limits of an agent": {
    from: () => spendingLimits.endOwn(db, { by, userId: ama.id }),
    act: async (visit) => {
      const page = await visit.open(`/admin/users/${ama.id}/limits`);
      return visit.press(page, "Save its own limits", { ordersPerHour: "3", reason: "New" });
    },
    state: ofAccount,
    others: (by) => spendingLimits.setOwn(db, { by, ...ownLimits, reason: "Other" }),
  },
  "the end of an agent's limits": {
    from: () => spendingLimits.setOwn(db, { by, ...ownLimits }),
    act: async (visit) => visit.press(await visit.open(`/admin/users/${ama.id}/limits`), "Back to the limits"),
    state: ofAccount,
    others: (by) => spendingLimits.setOwn(db, { by, ...ownLimits, reason: "Other" }),
  },
  "who looks after a request": {
    from: () => support.assign(db, { by, requestId, toUserId: null }),
    act: async (visit) => visit.press(await visit.open(`/admin/support/${requestId}`), "Take it"),
    state: async () => (await support.get(db, by, requestId)).assignee,
    others: (by) => support.assign(db, { by, requestId, toUserId: kofi.id }),
  },
  "the text of a kept answer": {
    from: () => keptAnswers.change(db, { by, answerId, name: "Asked MTN", message: "We asked MTN." }),
    act: async (visit) =>
      visit.press(await visit.open("/admin/support/answers"), "Save", { name: "Asked", message: "We asked." }),
    state: () => keptAnswers.list(db, by),
    others: (by) => keptAnswers.change(db, { by, answerId, name: "Asked them", message: "We asked them." }),
  },
};

const loggedSoFar = () => count(db, sql`from audit_log where by_user_id = ${yaw.id}`);
const asYaw = () => visitorAs(client, yaw);
const hasUndo = (seen: Seen) =>
  [...seen.document.querySelectorAll("main .note button")].some((it) => it.textContent === "Undo");

describe.each(Object.entries(KINDS))("%s", (_, { from, act, state, others }) => {
  test("comes back, once, and the notice can be read", async () => {
    await from?.();
    const before = await state();
    const visit = await asYaw();
    const done = await act(visit);
    const after = await state();
    expect(done.status).toBe(200);
    expect(after).not.toEqual(before);
    const note = done.document.querySelector("main .note.good")!;
    expect([note.getAttribute("role"), note.className]).toEqual(["status", "note good"]);
    expect(note.textContent).toMatch(/You can undo it for [1-6]?\d seconds\.Undo$/);
    const entries = await loggedSoFar();

    const undone = await visit.press(done, "Undo");
    expect([undone.status, undone.path, undone.text]).toEqual([
      ...[
        200,
        done.path.replace(/\?.*/, ""),
        expect.stringMatching(/Undone: (it is as it was|the routes are as they were) before\./),
      ],
    ]);
    expect(await state()).toEqual(before);
    expect(await loggedSoFar()).toBeGreaterThan(entries);
    expect(hasUndo(undone)).toBe(false);

    const twice = await visit.press(done, "Undo");
    expect([twice.status, twice.text]).toEqual([200, expect.stringContaining("This has been undone already.")]);
    await others(kofi.by());
    const changed = await state();
    await visit.press(done, "Undo");
    expect(await state()).toEqual(changed);
  });

  test("stays when somebody else has changed it since, which is said with where to look", async () => {
    await from?.();
    const visit = await asYaw();
    const done = await act(visit);
    await others(kofi.by());
    const changed = await state();
    const refused = await visit.press(done, "Undo");
    expect([refused.status, refused.text]).toEqual([
      ...[409, expect.stringContaining("kofi has changed this since; nothing was undone")],
    ]);
    expect(await state()).toEqual(changed);
    const links = [...refused.document.querySelectorAll("main .card a")].map((it) => it.getAttribute("href")!);
    expect(links[0]).toBe(done.path.replace(/\?.*/, ""));
    const history = await visit.open(links[1]!);
    expect([history.path.startsWith("/admin/audit?type="), history.text]).toEqual([
      true,
      expect.stringContaining("kofi"),
    ]);
  });

  test("takes the right of what undoes it, and is for nobody else", async () => {
    await from?.();
    const visit = await visitorAs(client, efua);
    const done = await act(visit);
    const after = await state();
    const other = await (await asYaw()).press(done, "Undo");
    expect([other.status, other.text]).toEqual([404, expect.stringContaining("There is nothing to undo here")]);
    await db.execute(sql`update users set roles = '{ACCOUNTS}' where id = ${efua.id}`);
    const refused = await visit.press(done, "Undo");
    await db.execute(sql`update users set roles = '{ADMIN}' where id = ${efua.id}`);
    expect([refused.status, await state()]).toEqual([403, after]);
  });
});

describe("what was deleted", () => {
  test("comes back: an answer, unless there is another of its name by now", async () => {
    const { answer } = await keptAnswers.keep(db, { by, name: "Later", message: "We will answer later." });
    const before = (await keptAnswers.list(db, by)).map(({ name, message }) => [name, message]);
    const visit = await asYaw();
    const gone = await visit.press(await visit.open("/admin/support/answers"), "Delete “Later”");
    expect((await keptAnswers.list(db, by)).length).toBe(before.length - 1);
    const back = await visit.press(gone, "Undo");
    expect(back.text).toContain("Undone: it is as it was before.");
    expect((await visit.press(gone, "Undo")).text).toContain("This has been undone already.");
    expect((await keptAnswers.list(db, by)).map(({ name, message }) => [name, message])).toEqual(before);

    const again = await visit.press(await visit.open("/admin/support/answers"), "Delete “Later”");
    await keptAnswers.keep(db, { by: kofi.by(), name: "Later", message: "Other words." });
    const refused = await visit.press(again, "Undo");
    expect([refused.status, refused.text]).toEqual([409, expect.stringContaining("Nothing was undone")]);
    expect(answer.name).toBe("Later");
  });

  test("comes back: one's own view of a list, with its filters and who sees it", async () => {
    const view = { path: "/orders", name: "Failed", query: "status=FAILED&operator=MTN", isShared: true } as const;
    await keptViews.keep(db, { by, ...view });
    const visit = await asYaw();
    const gone = await visit.press(await visit.open("/admin/views"), "Delete “Failed”");
    expect(await keptViews.list(db, by)).toEqual([]);
    await visit.press(gone, "Undo");
    expect(await keptViews.list(db, kofi.by())).toEqual([expect.objectContaining({ ...view, userId: yaw.id })]);
    const renamed = await visit.press(await visit.open("/admin/views"), "Rename", { name: "No luck" });
    expect(await visit.press(renamed, "Undo")).toMatchObject({ status: 200 });
    expect((await keptViews.list(db, by)).map(({ name }) => name)).toEqual(["Failed"]);
    // It would come back as that of whoever deleted it.
    const others = await visitorAs(client, kofi);
    expect(hasUndo(await others.press(await others.open("/admin/views"), "Delete “Failed”"))).toBe(false);
  });
});

describe("undoing", () => {
  const pause = async (visit: Visitor) => {
    await products.edit(db, { by, productId, pausedMessage: null });
    return visit.press(await visit.open(bundlePath), "Pause sale", { message: "Slow today" });
  };

  test("is over after the time of the setting, and is not offered without any", async () => {
    const visit = await asYaw();
    const done = await pause(visit);
    await settings.change(db, { by, values: { desk_undo_seconds: 0 } });
    const late = await visit.press(done, "Undo");
    expect([late.status, late.text]).toEqual([409, expect.stringContaining("The time to undo this is over")]);
    expect((await ofBundle()).ownPause?.message).toBe("Slow today");
    expect(hasUndo(await pause(visit))).toBe(false);
    await settings.change(db, { by, values: { desk_undo_seconds: settings.DEFAULTS.desk_undo_seconds } });
    expect(settings.DEFAULTS.desk_undo_seconds).toBe(60);
  });

  test("loses against a change that is being made at the same moment", async () => {
    const visit = await asYaw();
    const done = await pause(visit);
    const held = await hold(db, sql`select from products where id = ${productId} for update`);
    const changing = products.edit(db, { by: kofi.by(), productId, pausedMessage: "Wrong price" });
    await held.waiting(1);
    const undoing = visit.press(done, "Undo");
    await held.waiting(2);
    await held.release();
    await changing;
    expect((await undoing).text).toContain("kofi has changed this since");
    expect((await ofBundle()).ownPause?.message).toBe("Wrong price");
  });

  test("is not offered for a new price, a supplier that had paused itself, or where nothing has changed", async () => {
    const visit = await asYaw();
    expect(hasUndo(await visit.press(await visit.open(bundlePath), "Save product", { price: "4.00" }))).toBe(false);
    await db.execute(sql`update vendors set paused_for = 'float_empty', paused_at = now() where code = ${code}`);
    expect(hasUndo(await visit.press(await visit.open(`/admin/vendors/${code}`), "Resume"))).toBe(false);
    expect(hasUndo(await visit.press(await visit.open("/admin/settings"), "Save settings"))).toBe(false);
  });

  test("asks for the proof and the second person that the opposite takes", async () => {
    const visit = await asYaw();
    await settings.setRoutes(db, { by, values: { route_mtn: "desk" } });
    const routed = await KINDS.routes!.act(visit);
    await db.execute(sql`update sessions set confirmed_at = now() - interval '1 hour' where user_id = ${yaw.id}`);
    const confirming = await visit.press(routed, "Undo");
    expect([confirming.status, confirming.text]).toEqual([403, expect.stringContaining("Confirm that it is you")]);
    const undone = await visit.press(confirming, "Confirm and continue", { confirmation: yaw.password });
    expect([undone.path, undone.text]).toEqual(["/admin/vendors", expect.stringContaining("Undone: the routes")]);
    expect(await settings.get(db, "route_mtn")).toBe("desk");

    await guard(db);
    await staff(world, "ADMIN");
    const page = await visit.open("/admin/settings");
    const lowered = await visit.press(page, "Save settings", { statement_deposit_max: "1.00" });
    const before = await settings.get(db, "statement_deposit_max_pesewas");
    const requested = await visit.press(lowered, "Undo");
    expect([requested.path, requested.text]).toEqual([
      ...["/admin/settings", expect.stringContaining("Asked: somebody else must agree.")],
    ]);
    expect(await settings.get(db, "statement_deposit_max_pesewas")).toBe(before);
  });

  test("takes nothing but what its own act has logged", async () => {
    const visit = await asYaw();
    const done = await pause(visit);
    for (const command of ["vendor.pause", "product.retire", "price.set", "x"])
      expect((await visit.press(done, "Undo", { command })).status).toBe(404);
    expect((await visit.press(done, "Undo", { entry: "1" })).status).toBe(404);
    expect((await visit.press(done, "Undo", { entry: "?" })).status).toBe(422);
    expect((await visit.open("/admin/undo")).text).toContain("A change is undone by the button in its notice");
    expect((await visit.press(done, "Undo", { back: "//example.com" })).path).toBe("/admin");
  });
});
