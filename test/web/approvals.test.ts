// The page of acts that two people decide together, and the page that asks again who it is.
import { beforeEach, describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import * as users from "../../src/core/identity/users.ts";
import * as wallet from "../../src/core/ledger/wallet.ts";
import { agent, staff } from "../support/approvals.ts";
import { codeNow, enrol } from "../support/factor.ts";
import { openApp, openWorld, type Person } from "../support/world.ts";
import { visitorAs } from "./visitor.ts";

const world = await openWorld({ isGuarded: true });
const { db, yaw } = world;
const client = openApp(world);
const esi = await staff(world, "MANAGER");
const desk = await staff(world, "DESK");

beforeEach(async () => {
  await db.execute(sql`delete from lone_acts`);
  await db.execute(sql`update approvals set state = 'withdrawn', decided_at = now() where state = 'open'`);
});

const minutesPass = async (person: Person) => {
  await client.tokenOf(person);
  await db.execute(sql`
    update sessions set confirmed_at = now() - interval '10 minutes 1 second' where user_id = ${person.id}`);
};

/** Asks for a correction on the agent's page, as a person does. */
async function wish(by: Person, to: Person, amount = "500.00") {
  const visitor = await visitorAs(client, by);
  const page = await visitor.open(`/admin/users/${to.id}`);
  return {
    visitor,
    answer: await visitor.press(page, "Correct the wallet", { amount, reason: "receipt 118" }),
  };
}

describe("a correction above the limit", () => {
  test("goes back with a notice and a link, and nothing is done", async () => {
    const ama = await agent(world);
    const { answer } = await wish(esi, ama);
    expect([answer.path, answer.status]).toEqual([`/admin/users/${ama.id}`, 200]);
    expect(answer.text).toContain("Asked: somebody else must agree.");
    const link = [...answer.document.querySelectorAll("a")].find((a) => a.textContent === "See the request");
    expect(link?.getAttribute("href")).toMatch(/^\/admin\/approvals#approval-\d+$/);
    expect(await world.balanceOf(ama)).toBe(0);
  });

  test("is agreed to on the page, which shows what was seen and what it is now", async () => {
    const ama = await agent(world);
    await wish(esi, ama);
    const premise = { userId: ama.id, amountPesewas: 100, reason: "premise" };
    await db.transaction((tx) => wallet.correct(tx, yaw.by(), premise));
    const visitor = await visitorAs(client, yaw);
    const page = await visitor.open("/admin/approvals");
    const card = page.document.querySelector("[id^=approval-]")!;
    expect(card.textContent).toContain(`${esi.username} asks to add GH₵ 500.00 to ${ama.username}'s wallet`);
    expect(card.textContent).toContain("GH₵ 0.00 then, now GH₵ 1.00");
    expect(page.text).toContain("receipt 118");
    const outdated = await visitor.press(page, "Agree");
    expect(outdated.status).toBe(409);
    expect(outdated.text).toContain("has changed since");
    expect(await world.balanceOf(ama)).toBe(100);
    await wish(esi, ama);
    const agreed = await visitor.press(await visitor.open("/admin/approvals"), "Agree");
    expect(agreed.text).toContain("Agreed and done: add GH₵ 500.00");
    expect(await world.balanceOf(ama)).toBe(50_100);
  });

  test("as a payout waits: its page says so, and has no form to pay it again", async () => {
    const ama = await agent(world);
    const premise = { userId: ama.id, amountPesewas: 700, reason: "premise" };
    await db.transaction((tx) => wallet.correct(tx, yaw.by(), premise));
    await users.ban(db, { by: yaw.by(), userId: ama.id });
    const visitor = await visitorAs(client, yaw);
    const path = `/admin/users/${ama.id}/payout`;
    const typed = { msisdn: "0541234567", name: "Ama Mensah", reference: "40125567009", reason: "Left the shop" };
    const waiting = await visitor.press(await visitor.open(path), "Pay out GH₵ 7.00", typed);
    expect(waiting.text).toContain(`${yaw.username} has entered this payout: pay GH₵ 7.00 out of`);
    expect(waiting.text).toContain("do not pay it again.");
    expect(waiting.document.querySelector("main form [name=reference]")).toBeNull();
  });

  test("is refused with a reason, which whoever asked reads", async () => {
    const ama = await agent(world);
    await wish(esi, ama);
    const visitor = await visitorAs(client, yaw);
    const page = await visitor.open("/admin/approvals");
    const empty = await visitor.press(page, "Refuse", { reason: " " });
    expect([empty.status, empty.text.includes("Say why")]).toEqual([422, true]);
    await visitor.press(page, "Refuse", { reason: "Not our receipt" });
    const own = await (await visitorAs(client, esi)).open("/admin/approvals");
    expect(own.text).toContain("Not our receipt");
    expect(own.text).toContain(`Refused ${yaw.username}`);
  });

  test("can only be withdrawn by whoever asked, and is nobody else's to see without the right", async () => {
    const ama = await agent(world);
    const { visitor } = await wish(esi, ama);
    const own = await visitor.open("/admin/approvals");
    expect(own.text).toContain("You ask to add GH₵ 500.00");
    expect(own.document.querySelectorAll("button").length).toBeGreaterThan(0);
    expect([...own.document.querySelectorAll("button")].map((one) => one.textContent)).not.toContain("Agree");
    const others = await (await visitorAs(client, desk)).open("/admin/approvals");
    expect(others.text).toContain("Nothing waits for a second person.");
    const withdrawn = await visitor.press(own, "Withdraw");
    expect(withdrawn.text).toContain("Withdrawn: nothing was done.");
  });

  test("is counted in the menu of those who may decide", async () => {
    await wish(esi, await agent(world));
    const badge = async (person: Person) => {
      const { document } = await (await visitorAs(client, person)).open("/admin/approvals");
      return document.querySelector('nav a[href="/admin/approvals"] .count')?.textContent || null;
    };
    expect(await badge(yaw)).toBe("1 waiting");
    expect(await badge(esi)).toBeNull();
  });
});

describe("a proof that is too old", () => {
  test("is asked for on a page that keeps the form, and the form is done once it is given", async () => {
    const ama = await agent(world);
    await minutesPass(esi);
    const { visitor, answer } = await wish(esi, ama, "1.00");
    expect([answer.status, answer.text.includes("Confirm that it is you")]).toEqual([403, true]);
    expect(await world.balanceOf(ama)).toBe(0);
    const wrong = await visitor.press(answer, "Confirm and continue", { confirmation: "guess" });
    expect([wrong.status, wrong.text.includes("password is wrong")]).toEqual([422, true]);
    const done = await visitor.press(wrong, "Confirm and continue", { confirmation: esi.password });
    expect(done.text).toContain("Corrected by GH₵ 1.00");
    expect(await world.balanceOf(ama)).toBe(100);
    const again = await visitor.press(wrong, "Confirm and continue", { confirmation: esi.password });
    expect(again.text).toContain("Corrected by GH₵ 1.00");
    // The same form twice is one correction.
    expect(await world.balanceOf(ama)).toBe(100);
  });

  test("is a code where there is a second factor, and never in the page again", async () => {
    const [efua, ama] = [await staff(world, "MANAGER"), await agent(world)];
    const { secret } = await enrol(world, efua);
    await minutesPass(efua);
    const { visitor, answer } = await wish(efua, ama, "1.00");
    expect(answer.text).toContain("authenticator app");
    const wrong = await visitor.press(answer, "Confirm and continue", { confirmation: "123456" });
    expect(wrong.html).not.toContain("123456");
    const done = await visitor.press(wrong, "Confirm and continue", { confirmation: codeNow(secret, 1) });
    expect(done.text).toContain("Corrected by GH₵ 1.00");
  });

  test("keeps no password that was typed into the form", async () => {
    const kofi = await staff(world, "ADMIN");
    await minutesPass(kofi);
    const response = await client.browse(kofi, "/admin/staff", {
      ...{ action: "create", username: "new.clerk", email: "clerk@example.com", role: "DESK" },
      ...{ password: "a long new password", confirmPassword: "a long new password" },
    });
    const html = await response.text();
    expect(html).toContain("Confirm that it is you");
    expect(html).toContain("clerk@example.com");
    expect(html).not.toContain("a long new password");
  });
});

describe("the page of its own, for forms with a file,", () => {
  test("counts the proof, and goes on to where it was needed", async () => {
    await minutesPass(esi);
    const visitor = await visitorAs(client, esi);
    const page = await visitor.open("/confirm?next=%2Fadmin%2Fdesk");
    const wrong = await visitor.press(page, "Confirm and continue", { confirmation: "guess" });
    expect([wrong.status, wrong.path]).toEqual([422, "/confirm"]);
    const done = await visitor.press(wrong, "Confirm and continue", { confirmation: esi.password });
    expect([done.path, done.text.includes("Confirmed for the next ten minutes.")]).toEqual(["/admin/desk", true]);
    const { answer } = await wish(esi, await agent(world), "1.00");
    expect(answer.text).toContain("Corrected by GH₵ 1.00");
  });

  test("leads nowhere else", async () => {
    const visitor = await visitorAs(client, esi);
    const page = await visitor.open("/confirm?next=%2F%2Felsewhere.example");
    expect(page.html).not.toContain("elsewhere.example");
  });
});

describe("where nobody else could decide", () => {
  test("the first page shows it for a week", async () => {
    await db.execute(sql`update users set roles = array['USER'] where id <> ${yaw.id}`);
    const ama = await agent(world);
    const { visitor, answer } = await wish(yaw, ama, "400.00");
    expect(answer.text).toContain("Corrected by GH₵ 400.00");
    const home = await visitor.open("/admin");
    expect(home.text).toContain("Done alone, because nobody else could agree:");
    expect(home.text).toContain(`add GH₵ 400.00 to ${ama.username}'s wallet`);
    const { answer: refused } = await wish(yaw, ama, "9000.00");
    expect([refused.status, refused.text.includes("Add a second owner")]).toEqual([409, true]);
  });
});
