// The PIN on the phone's page and on the admin's page, in a browser without scripts.
import { beforeEach, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { phones } from "../../db/schema/identity.ts";
import * as pins from "../../src/core/identity/phones/pins.ts";
import * as settings from "../../src/core/platform/settings/settings.ts";
import { ACTION } from "../../src/shared/forms.ts";
import { openApp, openWorld, type Person, TEST_JWT_SECRET } from "../support/world.ts";
import { visitorAs } from "./visitor.ts";

const world = await openWorld();
const client = openApp(world);
const keys = { key: pins.pinKey(TEST_JWT_SECRET) };
const PIN = "4071";

beforeEach(async () => {
  await world.db.execute(sql`delete from rate_limits`);
});

let people = 10;
const agent = async () => {
  const person = await world.person(`agent${++people}`);
  await world.db.insert(phones).values({ userId: person.id, msisdn: `2335418300${people}` });
  return { person, visit: await visitorAs(client, person) };
};
const fieldsOf = ({ password }: Person, pin = PIN) => ({ pin, confirmPin: pin, currentPassword: password });
const verify = ({ id }: Person, pin: string) => pins.verify(world.db, keys, { userId: id, pin });

test("the page without a phone says what to do first, and has no form", async () => {
  const person = await world.person(`agent${++people}`);
  const page = await (await visitorAs(client, person)).open("/profile/pin");
  expect(page.document.getElementById("pin")?.textContent).toContain("Confirm a phone first");
  expect(page.document.querySelector("input[name=pin]")).toBeNull();
});

test("a PIN is set, changed and removed with the password; the profile shows it", async () => {
  const { person, visit } = await agent();
  const page = await visit.open("/profile/pin");
  const input = page.document.querySelector("input[name=pin]");
  expect(["type", "inputmode", "autocomplete"].map((name) => input?.getAttribute(name))).toEqual([
    "password",
    "numeric",
    "off",
  ]);
  const done = await visit.press(page, "Set PIN", fieldsOf(person));
  expect([done.path, done.text]).toEqual(["/profile/pin", expect.stringContaining("Your PIN is set.")]);
  expect(await verify(person, PIN)).toBe("right");
  expect((await visit.open("/profile")).text).toContain("To buy without internet Set");
  await visit.press(done, "Change PIN", fieldsOf(person, "802653"));
  expect(await verify(person, "802653")).toBe("right");
  const refused = await visit.press(await visit.open("/profile/pin"), "Remove PIN", {
    currentPassword: "no",
  });
  expect(refused.document.getElementById("remove-currentPassword-error")?.textContent).toContain("is wrong");
  const gone = await visit.press(refused, "Remove PIN", { currentPassword: person.password });
  expect(gone.text).toContain("The PIN has been removed");
  expect(await verify(person, "802653")).toBe("none");
});

test("the PIN can be asked for before the balance and orders; the page says how to dial faster", async () => {
  const { person, visit } = await agent();
  const before = await visit.open("/profile/pin");
  expect(before.text).not.toContain("Ask my PIN");
  const unnamed = await visit.press(before, "Set PIN", fieldsOf(person));
  expect(unnamed.text).not.toContain("Dial faster");
  await settings.change(world.db, { by: world.yaw.by("admin"), values: { ussd_code: "*920*55#" } });
  const page = await visit.open("/profile/pin");
  expect(page.text).toContain("*920*55*0241234567*5#");
  const isChecked = (seen: typeof page) =>
    seen.document.querySelector("input[name=requiresPin]")?.hasAttribute("checked");
  expect(isChecked(page)).toBe(false);
  const body = new URLSearchParams({ [ACTION]: "look", requiresPin: "on" }).toString();
  const headers = { origin: "http://localhost", "content-type": "application/x-www-form-urlencoded" };
  expect(isChecked(await visit.open("/profile/pin", { method: "POST", body, headers }))).toBe(true);
});

for (const [label, fields, field, message] of [
  ["a wrong password", { currentPassword: "not it" }, "currentPassword", "The current password is wrong"],
  ["letters", { pin: "abcd", confirmPin: "abcd" }, "pin", "A PIN has 4 to 6 digits"],
  ["an easy one", { pin: "1234", confirmPin: "1234" }, "pin", "too easy to guess"],
  ["two that differ", { confirmPin: "4072" }, "confirmPin", "The PINs don't match"],
] as const) {
  test(`an error is shown beside its field, and the PIN is not shown again: ${label}`, async () => {
    const { person, visit } = await agent();
    const all = { ...fieldsOf(person), ...fields };
    const seen = await visit.press(await visit.open("/profile/pin"), "Set PIN", all);
    expect([seen.status, seen.document.getElementById(`pin-${field}-error`)?.textContent]).toEqual([
      422,
      expect.stringContaining(message),
    ]);
    expect(seen.html).not.toContain(`value="${all.pin}"`);
    expect(await verify(person, PIN)).toBe("none");
  });
}

test("the page shows a lock with its end, and an admin removes the lock with the PIN", async () => {
  const { person, visit } = await agent();
  await visit.press(await visit.open("/profile/pin"), "Set PIN", fieldsOf(person));
  for (const pin of ["5000", "5007", "5014"]) await verify(person, pin);
  const page = await visit.open("/profile/pin");
  expect(page.document.getElementById("pin")?.textContent).toContain("Buying by phone is locked until");
  expect(page.document.querySelector("#pin time[datetime]")).not.toBeNull();
  const admin = await visitorAs(client, world.yaw);
  const desk = await admin.open(`/admin/users/${person.id}`);
  expect(desk.text).toContain("PIN: Locked until");
  const after = await admin.press(desk, "Reset PIN");
  expect(after.text).toContain("The PIN has been reset.");
  expect(after.text).toContain("PIN: Not set");
  expect((await admin.open(`/admin/audit?type=user&id=${person.id}`)).text).toContain("Removed the PIN of user");
  expect(await verify(person, PIN)).toBe("none");
});
