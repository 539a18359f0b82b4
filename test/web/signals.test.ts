// Signals in a browser without scripts: the list, one signal with its evidence, its rules with a preview, and the
// record of an account, as each role sees them.
import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { signals as table } from "../../db/schema/signals.ts";
import * as holds from "../../src/core/orders/holds.ts";
import * as deposits from "../../src/core/payments/deposits/deposits.ts";
import * as raising from "../../src/core/signals/raising.ts";
import * as rules from "../../src/core/signals/rules.ts";
import { longTest } from "../support/long.ts";
import { openApp, openWorld, type Person } from "../support/world.ts";
import { type Seen, visitorAs } from "./visitor.ts";

const world = await openWorld();
const { db, yaw } = world;
const client = openApp(world);
const [manager, support, desk] = await Promise.all(
  (["MANAGER", "SUPPORT", "DESK"] as const).map((role) => world.person(role.toLowerCase(), undefined, [role])),
);

let people = 0;
/** Somebody who reported another's transaction, with the signal about it. */
async function suspect(): Promise<{ person: Person; id: number }> {
  const [first, person] = [await world.person(`honest${++people}`), await world.person(`suspect${people}`)];
  for (const { by } of [first, person])
    await deposits.file(db, { by: by(), transactionId: `9000000${people}`, amountPesewas: 5_000 });
  await raising.raiseDue(db);
  const [signal] = await db.select({ id: table.id }).from(table).where(sql`user_id = ${person.id}`);
  return { person, id: signal!.id };
}
const buttonsOn = (seen: Seen) =>
  [...seen.document.querySelectorAll("main button")].map((button) => button.textContent!.trim());
const tabsOn = (seen: Seen) => [...seen.document.querySelectorAll(".tabs a")].map((tab) => tab.textContent);

longTest(
  "a signal waits on Today and in the menu for those who work with agents, and leads to its evidence",
  async () => {
    const { person, id } = await suspect();
    for (const [one, sees] of [
      [manager!, true],
      [support!, true],
      [desk!, false],
    ] as const) {
      const today = await (await visitorAs(client, one)).open("/admin");
      expect(today.text.includes("to look into")).toBe(sees);
    }
    const visit = await visitorAs(client, support!);
    const list = await visit.open("/admin/signals");
    expect(list.text).toContain("Deposit reported again");
    expect(list.text).toContain(`which honest${people} reported before`);
    expect((await visit.open("/admin/signals?state=open&kind=losses")).text).toContain("No signals found");
    const one = await visit.open(`/admin/signals/${id}`);
    expect(one.text).toContain(`First reported byhonest${people}`);
    const manages = await visitorAs(client, manager!);
    const seen = await manages.open(`/admin/signals/${id}`);
    const about = [...seen.document.querySelectorAll("dd a")].filter((a) => a.getAttribute("href")!.includes("claims"));
    expect(about.length).toBe(2);
    await deposits.file(db, { by: person.by(), transactionId: "80000000777", amountPesewas: 7_000 });
    const both = await manages.open(about[0]!.getAttribute("href")!);
    expect([both.text.includes(`honest${people}`), both.text.includes("80000000777")]).toEqual([true, false]);
    expect(both.text).toContain(`Only transaction 9000000${people}: show all`);
    expect(buttonsOn(one)).toEqual(["Close the signal"]);
    const refused = await visit.press(one, "Close the signal", { note: " " });
    expect(refused.text).toContain("Write a note first");
    const closed = await visit.press(refused, "Close the signal", { note: "They share a phone" });
    expect([closed.path, closed.text.includes("Closed, with your note.")]).toEqual(["/admin/signals", true]);
    expect((await visit.open("/admin/signals?state=closed")).text).toContain("They share a phone (support)");
  },
);

test("a manager ends a hold, or freezes the account", async () => {
  const { person, id } = await suspect();
  await db.transaction((tx) => holds.begin(tx, { userId: person.id, signalId: id, whileFrozen: false }));
  const visit = await visitorAs(client, manager!);
  const held = await visit.open(`/admin/signals/${id}`);
  expect(held.text).toContain("Orders held until");
  expect(buttonsOn(held)).toEqual(["End the hold", "Freeze the account", "Close the signal"]);
  const ended = await visit.press(held, "End the hold");
  expect(ended.text).toContain("Its orders are not held.");
  const frozen = await visit.press(ended, "Freeze the account");
  expect(frozen.text).toContain("Orders held for as long as the account is frozen");
  expect(buttonsOn(frozen)).toEqual(["End the hold", "Close the signal"]);
});

longTest("a rule is tried on the past by whoever works with signals, and changed by an owner", async () => {
  await suspect();
  const ofSupport = await visitorAs(client, support!);
  const shown = await ofSupport.open("/admin/signals/rules/deposit_repeated");
  expect(buttonsOn(shown)).toEqual([`Try on the last ${rules.PREVIEW_DAYS} days`]);
  const tried = await ofSupport.press(shown, "Try on the last 30 days", { days: "1" });
  expect(tried.text).toMatch(/It would have raised \d signals?\./);
  expect(tried.text).toContain("Nothing was changed or saved.");
  const wrong = await ofSupport.press(tried, "Try on the last 30 days", { days: "0" });
  expect(wrong.text).toContain("From 1 to 90");

  const ofOwner = await visitorAs(client, yaw);
  const form = await ofOwner.open("/admin/signals/rules/young_top_up");
  const saved = await ofOwner.press(form, "Save", {
    topUpPesewas: "250.00",
    effect: "stop",
    message: "Please wait",
  });
  expect([saved.path, saved.text.includes("Large top-up spent at once: saved.")]).toEqual([
    "/admin/signals/rules",
    true,
  ]);
  expect(await rules.get(db, "young_top_up")).toMatchObject({
    ...{ effect: "stop", isOn: true, message: "Please wait" },
    parameters: { topUpPesewas: 25_000 },
  });
  const late = await ofOwner.press(form, "Save", { minutes: "5" });
  expect(late.text).toContain("Somebody has changed this rule meanwhile.");
});

test("the record of an agent has totals, signals, logins and notes; that of staff is for owners", async () => {
  const { person } = await suspect();
  await db.execute(sql`insert into logins (user_id, address, user_agent, is_new_device)
    values (${person.id}, '198.51.100.7', 'Mozilla/5.0 (Android 14) Chrome/120 Mobile', true)`);
  const visit = await visitorAs(client, support!);
  const record = await visit.open(`/admin/users/${person.id}/record`);
  for (const text of ["Topped up", "Deposit reported again", "Chrome on Android", "New device", "198.51.100.7"])
    expect(record.text).toContain(text);
  const noted = await visit.press(record, "Add the note", { note: "Called her <b>twice</b>" });
  expect(noted.text).toContain("Called her <b>twice</b>");
  expect(noted.text).toContain("support,");

  expect(tabsOn(await visit.open(`/admin/users/${person.id}`))).toContain("Notes");
  expect(tabsOn(await (await visitorAs(client, desk!)).open(`/admin/users/${person.id}`))).not.toContain("Notes");
  expect(tabsOn(await visit.open(`/admin/users/${desk!.id}`))).not.toContain("Notes");
  expect((await client.browse(support!, `/admin/users/${desk!.id}/record`)).status).toBe(403);
  expect(tabsOn(await (await visitorAs(client, yaw)).open(`/admin/users/${desk!.id}/record`))).toContain("Notes");
});
