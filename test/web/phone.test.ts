// An account's phone, in a browser without scripts: confirming, changing and removing it, also by an admin.
import { beforeEach, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import * as phones from "../../src/core/identity/phones/phones.ts";
import * as optOuts from "../../src/core/messaging/opt-outs.ts";
import { longTest } from "../support/long.ts";
import { openMessaging } from "../support/messaging.ts";
import { openApp, openWorld, type Person } from "../support/world.ts";
import { visitorAs } from "./visitor.ts";

const world = await openWorld();
const client = openApp(world);
const post = await openMessaging(world);
let people = 0;
const agent = async () => {
  const person = await world.person(`agent${++people}`);
  return { person, visit: await visitorAs(client, person) };
};

beforeEach(async () => {
  await world.db.execute(sql`delete from rate_limits`);
});

async function prove(person: Person, msisdn: string) {
  const visit = await visitorAs(client, person);
  const fields = { msisdn: `0${msisdn.slice(3)}`, currentPassword: person.password };
  const waiting = await visit.press(await visit.open("/profile/phone"), "Send Code", fields);
  return visit.press(waiting, "Confirm Phone", { code: await post.codeTo(msisdn) });
}

longTest("a phone is confirmed with a code, and the profile shows it", async () => {
  const { person, visit } = await agent();
  const profile = await visit.open("/profile");
  expect(profile.document.querySelector("a[href='/profile/phone']")?.textContent).toContain("Phone Not set");
  const fields = { msisdn: "054 123 4501", currentPassword: person.password };
  const page = await visit.open("/profile/phone");
  // The warning about a stolen SIM, and what to do.
  expect(page.text).toContain("If someone steals your SIM, they get the code too");
  expect(page.document.querySelector("main a[href='/profile/second-factor']")).not.toBeNull();
  const waiting = await visit.press(page, "Send Code", fields);
  expect(waiting.text).toContain("We sent an SMS with six digits to 054 123 4501");
  // The simulator delivers nothing to a number that ends in 01; the form for another number stays.
  const again = await visit.press(waiting, "Send Code", { ...fields, msisdn: "0541234511" });
  const code = await post.codeTo("233541234511");
  const wrong = await visit.press(again, "Confirm Phone", { code: code === "000000" ? "000001" : "000000" });
  expect([wrong.status, wrong.document.getElementById("code-code-error")?.textContent]).toEqual([
    422,
    expect.stringContaining("This code is wrong"),
  ]);
  const done = await visit.press(wrong, "Confirm Phone", { code });
  expect([done.path, done.text]).toEqual(["/profile/phone", expect.stringContaining("054 123 4511 is confirmed.")]);
  expect(done.document.querySelector("main")?.textContent).not.toContain("Enter the code");
  expect((await visit.open("/profile")).text).toContain("054 123 4511 · confirmed");
});

for (const [label, fields, field, message] of [
  ["a wrong password", { currentPassword: "not it" }, "currentPassword", "The current password is wrong"],
  ["no number", { msisdn: "" }, "msisdn", "Enter a valid Ghana number"],
  ["no valid number", { msisdn: "12345" }, "msisdn", "Enter a valid Ghana number"],
] as const) {
  test(`an error is shown beside its field: ${label}`, async () => {
    const { person, visit } = await agent();
    const all = { msisdn: "0541234512", currentPassword: person.password, ...fields };
    const seen = await visit.press(await visit.open("/profile/phone"), "Send Code", all);
    expect(seen.status).toBe(422);
    expect(seen.document.getElementById(`number-${field}-error`)?.textContent).toContain(message);
    expect(seen.html).not.toContain(person.password);
  });
}

longTest("a number of another account is refused beside the code", async () => {
  const [first, second] = [await agent(), await agent()];
  await prove(first.person, "233541234513");
  const seen = await prove(second.person, "233541234513");
  expect([seen.status, seen.document.getElementById("code-code-error")?.textContent]).toEqual([
    409,
    "This number belongs to another account. Contact support.",
  ]);
});

test("the owner chooses which notices the phone gets", async () => {
  const { person, visit } = await agent();
  expect((await visit.open("/profile/notices")).text).toContain("Confirm a phone first");
  await prove(person, "233541234516");
  const page = await visit.open("/profile/notices");
  const isChecked = (seen: typeof page, name: string) =>
    seen.document.querySelector(`input[name=${name}]`)?.hasAttribute("checked");
  expect(["refunds", "topUps"].map((name) => isChecked(page, name))).toEqual([true, true]);
  const body = new URLSearchParams({ topUps: "on" }).toString();
  const headers = { origin: "http://localhost", "content-type": "application/x-www-form-urlencoded" };
  const saved = await visit.open("/profile/notices", { method: "POST", body, headers });
  expect(saved.text).toContain("Saved.");
  expect(["refunds", "topUps"].map((name) => isChecked(saved, name))).toEqual([false, true]);
  const again = await visit.press(saved, "Save Choice");
  expect(["refunds", "topUps"].map((name) => isChecked(again, name))).toEqual([false, true]);
});

longTest("SMS to customers are off until turned on, in the name of the shop, which is checked", async () => {
  const { person, visit } = await agent();
  await prove(person, "233541234518");
  const page = await visit.open("/profile/notices");
  const stored = async () => {
    const { phone } = await phones.stateOf(world.db, person.id);
    return [phone!.notifyCustomers, phone!.shopName];
  };
  const nameIn = (seen: typeof page) => seen.document.getElementById("notices-shopName");
  expect(nameIn(page)?.getAttribute("placeholder")).toBe(person.username);
  const body = new URLSearchParams({ customers: "on", shopName: " Ama's  Data " }).toString();
  const headers = { origin: "http://localhost", "content-type": "application/x-www-form-urlencoded" };
  const saved = await visit.open("/profile/notices", { method: "POST", body, headers });
  expect(await stored()).toEqual([true, "Ama's Data"]);
  const reasons = {
    "Use at most 20 letters, digits and spaces": ["www.win.com", "a/b", "\u{1F600}", "x".repeat(21), "'s"],
    "Use your own name, and not that of a network, a bank or an office": ["MTN", "m-t-n", "Telecel Cash"],
  };
  for (const [reason, names] of Object.entries(reasons))
    for (const shopName of names) {
      const refused = await visit.press(saved, "Save Choice", { shopName });
      const shown = refused.document.getElementById("notices-shopName-error")?.textContent;
      expect([shopName, shown]).toEqual([shopName, reason]);
    }
  await visit.press(saved, "Save Choice", { shopName: "" });
  expect(await stored()).toEqual([true, null]);
});

test("purchase notices are off until turned on; low-balance notices follow the owner's limit", async () => {
  const { person, visit } = await agent();
  await prove(person, "233541234517");
  const page = await visit.open("/profile/notices");
  const shown = (seen: typeof page) => ({
    hasNotices: seen.document.querySelector("input[name=purchases]")?.hasAttribute("checked"),
    below: seen.document.querySelector("input[name=lowBalance]")?.getAttribute("value"),
  });
  expect(shown(page)).toEqual({ hasNotices: false, below: "" });
  const body = new URLSearchParams({
    purchases: "on",
    lowBalance: "GH₵ 1,250.5",
  }).toString();
  const headers = { origin: "http://localhost", "content-type": "application/x-www-form-urlencoded" };
  const saved = await visit.open("/profile/notices", { method: "POST", body, headers });
  expect(shown(saved)).toEqual({ hasNotices: true, below: "1250.50" });
  for (const typed of ["much", "-5", "0", "1.005"]) {
    const refused = await visit.press(saved, "Save Choice", { lowBalance: typed });
    expect([typed, refused.document.getElementById("notices-lowBalance-error")?.textContent]).toEqual([
      typed,
      "Enter an amount such as 50 or 20.50, or leave it empty",
    ]);
    expect(shown(refused).below).toBe(typed);
  }
  expect(shown(await visit.press(saved, "Save Choice", { lowBalance: "" })).below).toBe("");
});

test("a phone can be removed with the password", async () => {
  const { person, visit } = await agent();
  await prove(person, "233541234514");
  const page = await visit.open("/profile/phone");
  const refused = await visit.press(page, "Remove Phone", { currentPassword: "not it" });
  expect(refused.document.getElementById("remove-currentPassword-error")?.textContent).toBe(
    "The current password is wrong",
  );
  const gone = await visit.press(page, "Remove Phone", { currentPassword: person.password });
  expect(gone.text).toContain("The phone has been removed from your account.");
  expect(gone.text).not.toContain("054 123 4514");
});

longTest("an admin sees the phone on the user's page and can remove it, with an audit entry", async () => {
  const { person } = await agent();
  await prove(person, "233541234515");
  const admin = await visitorAs(client, world.yaw);
  const page = await admin.open(`/admin/users/${person.id}`);
  expect(page.text).toContain("054 123 4515");
  const after = await admin.press(page, "Remove phone");
  expect(after.text).toContain("The phone has been removed from this account.");
  expect(after.text).not.toContain("054 123 4515");
  expect((await admin.open(`/admin/audit?type=user&id=${person.id}`)).text).toContain("Removed the phone of user");
  expect((await (await visitorAs(client, person)).open("/profile")).text).toContain("Phone Not set");
});

longTest("a number that stopped SMS is shown to its owner, who can allow them again, and to admins", async () => {
  const { person, visit } = await agent();
  const msisdn = "233541234588";
  await prove(person, msisdn);
  const admin = await visitorAs(client, world.yaw);
  const userPage = async () => (await admin.open(`/admin/users/${person.id}`)).text;
  expect((await visit.open("/profile/phone")).text).not.toContain("No SMS notices");
  expect(await userPage()).not.toContain("SMS notices");
  await optOuts.stop(world.db, msisdn, "gateway");
  const stopped = await visit.open("/profile/phone");
  expect(stopped.text).toContain("This number has stopped our SMS since");
  expect(stopped.text).toContain("text START");
  expect((await visit.open("/profile/notices")).text).toContain("so none of these are sent");
  expect(await userPage()).toContain("No SMS notices since");
  const after = await visit.press(stopped, "Get SMS again");
  expect(after.text).toContain("Your phone gets SMS notices again.");
  expect(after.text).not.toContain("No SMS notices");
  expect(await optOuts.latestOf(world.db, msisdn)).toMatchObject({ endedBy: "profile" });
  expect(await userPage()).toContain("allowed in the profile");
});
