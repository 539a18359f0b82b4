// Undoing: the commands that declare it, for whom and until when, and that it is done once however many ask for it.
import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import * as products from "../../../src/core/catalog/products.ts";
import * as tiers from "../../../src/core/catalog/tiers.ts";
import * as vendors from "../../../src/core/fulfilment/vendors.ts";
import * as accountTiers from "../../../src/core/identity/account-tiers.ts";
import * as undoing from "../../../src/core/overview/undoing.ts";
import { commands } from "../../../src/core/platform/commands.ts";
import * as settings from "../../../src/core/platform/settings/settings.ts";
import type { ByUser } from "../../../src/shared/domain.ts";
import "../../../src/web/pages/index.tsx";
import { count, outcome, times } from "../../support/asking.ts";
import { openWorld } from "../../support/world.ts";

const world = await openWorld();
const { db, yaw } = world;
const kofi = await world.person("kofi", undefined, ["ADMIN"]);
const bundle = await world.product("MTN", "1GB", "3.90");
const productId = bundle.id;
const EDIT = products.edit.declared.name;

let requests = 0;
/** Somebody in a request of their own. */
const inRequest = (by: ByUser): ByUser => ({ ...by, requestId: `request-${++requests}` });
const pausedIn = async (by: ByUser, pausedMessage: string | null = "Slow today") => {
  await products.edit(db, { by, productId, pausedMessage });
  return undoing.offerOf(db, by, EDIT);
};
const messageNow = async () => (await products.get(db, productId)).ownPause?.message;

test("is declared for what is logged, and for nothing that moves money", () => {
  const undoable = commands().filter(({ declared }) => declared.undo);
  expect(undoable.map(({ declared }) => declared.name).sort()).toEqual([
    ...["answer.change", "answer.delete", "operator.pause", "product.edit", "routes.set", "settings.change"],
    ...["support.assign", "tier.limits", "tier.rename", "user.end_limits", "user.limits", "user.tier"],
    ...["vendor.pause", "view.delete", "view.rename"],
  ]);
  for (const { declared } of undoable)
    expect([declared.name, declared.subject]).not.toEqual([declared.name, undefined]);
});

test("is offered to whoever has just done it, for a minute by default, and for nothing else", async () => {
  const by = inRequest(yaw.by());
  const offer = await pausedIn(by);
  expect(offer).toEqual({ command: EDIT, entryId: expect.any(Number), untilMs: expect.any(Number) });
  expect(Math.round((offer!.untilMs - Date.now()) / 10_000)).toBe(6);
  expect(await undoing.offerOf(db, by, "vendor.pause")).toBeNull();
  expect(await undoing.offerOf(db, by, "price.set")).toBeNull();
  expect(await undoing.offerOf(db, yaw.by(), EDIT)).toBeNull();
  expect(await undoing.offerOf(db, inRequest(yaw.by()), EDIT)).toBeNull();
  expect(await undoing.offerOf(db, { ...kofi.by(), requestId: by.requestId! }, EDIT)).toBeNull();
  // Nothing has changed, so that nothing was logged.
  expect(await pausedIn(inRequest(yaw.by()))).toBeNull();
  await products.edit(db, { by, productId, pausedMessage: null });
});

test("is done once, however many ask at once", async () => {
  const by = inRequest(yaw.by());
  const offer = (await pausedIn(by))!;
  const resumed = () => count(db, sql`from audit_log where action = 'product.resume'`);
  const before = await resumed();
  const done = await Promise.all(times(4, () => undoing.undo(db, inRequest(yaw.by()), offer)));
  expect(done.map(({ replayed }) => replayed).sort()).toEqual([false, true, true, true]);
  expect([await messageNow(), await resumed()]).toEqual([undefined, before + 1]);
});

test("can be undone as well", async () => {
  const offer = (await pausedIn(inRequest(yaw.by())))!;
  const by = inRequest(yaw.by());
  await undoing.undo(db, by, offer);
  await undoing.undo(db, inRequest(yaw.by()), (await undoing.offerOf(db, by, EDIT))!);
  expect(await messageNow()).toBe("Slow today");
  await products.edit(db, { by, productId, pausedMessage: null });
});

test("is refused for others, for acts of other commands, when it is late, and after any later change", async () => {
  const offer = (await pausedIn(inRequest(yaw.by())))!;
  expect(await outcome(undoing.undo(db, kofi.by(), offer))).toBe("undo.not_found");
  for (const command of ["product.retire", "vendor.pause", "nothing"])
    expect(await outcome(undoing.undo(db, yaw.by(), { ...offer, command }))).toBe("undo.not_found");
  await settings.change(db, { by: yaw.by(), values: { desk_undo_seconds: 0 } });
  expect(await outcome(undoing.undo(db, yaw.by(), offer))).toBe("undo.too_late");
  await settings.change(db, { by: yaw.by(), values: { desk_undo_seconds: 60 } });
  await products.edit(db, { by: yaw.by(), productId, name: "Day" });
  expect(await outcome(undoing.undo(db, yaw.by(), offer))).toBe("undo.changed");
  expect(await messageNow()).toBe("Slow today");
});

test("takes only an entry that its own command has logged, not another about the same product", async () => {
  const { id } = await world.product("MTN", "2GB", "8.00");
  await products.retire(db, { by: yaw.by(), productId: id });
  const [entry] = await db.execute<{ id: number }>(sql`select max(id)::int as id from audit_log`);
  expect(await outcome(undoing.undo(db, yaw.by(), { command: EDIT, entryId: entry!.id }))).toBe("undo.not_found");
});

test("is refused when the value of now is not the one that was set, though nobody has logged that", async () => {
  const { answer: gold } = await tiers.add(db, { by: yaw.by(), name: "Gold" });
  const { answer: silver } = await tiers.add(db, { by: yaw.by(), name: "Silver" });
  const ama = await world.person("ama");
  await accountTiers.setTier(db, { by: yaw.by(), userId: ama.id, tierId: gold.id });
  const by = inRequest(yaw.by());
  await accountTiers.setTier(db, { by, userId: ama.id, tierId: silver.id });
  const offer = (await undoing.offerOf(db, by, "user.tier"))!;
  await accountTiers.removeTier(db, { by: kofi.by(), tierId: silver.id, accounts: 1 });
  expect(await outcome(undoing.undo(db, yaw.by(), offer))).toBe("undo.changed");
  expect(await accountTiers.tierOf(db, ama.id)).toMatchObject({ id: tiers.STANDARD_TIER_ID });
});

test("leaves a supplier alone that had paused itself", async () => {
  await vendors.enrol(db, [{ code: "datamart" }]);
  await vendors.pauseFor(db as never, { code: "datamart", name: "DataMart" }, "float_empty", null);
  const by = inRequest(yaw.by());
  await vendors.setPause(db, { by, code: "datamart", note: null });
  expect(await undoing.offerOf(db, by, "vendor.pause")).toBeNull();
});
