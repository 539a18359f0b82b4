// The texts of USSD and SMS by forms alone: finding, correcting, reviewing and restoring a line, turning a language on,
// and an agent's choice of it.
import { describe, expect, test } from "bun:test";
import * as corrections from "../../src/core/messaging/texts/text-corrections.ts";
import * as auditLog from "../../src/core/platform/audit-log.ts";
import { longTest } from "../support/long.ts";
import { openApp, openWorld } from "../support/world.ts";
import { type Seen, visitorAs } from "./visitor.ts";

const world = await openWorld();
const client = openApp(world);
const ama = await world.person("ama", "GH₵ 12.50");
const PATH = "/admin/texts";
const pathOf = (key: string, language = "en") => `${PATH}/line?language=${language}&key=${key}`;
const SAVE = "Save text";
const errorOf = (seen: Seen) => seen.document.getElementById("line-text-error")?.textContent;
const asAdmin = () => visitorAs(client, world.yaw);
const rowsOf = (seen: Seen) => seen.document.querySelectorAll("tbody tr").length;

describe("the list", () => {
  test("shows a kind of texts with its room and state, and finds lines by key and text", async () => {
    const visit = await asAdmin();
    const page = await visit.open(PATH);
    expect(page.text).toContain("Choose network");
    expect(page.text).toContain("As shipped");
    expect(page.text).toMatch(/\d+ of \d+/);
    const found = await visit.press(page, "Search", { search: "From the list" });
    expect([rowsOf(found), found.text.includes("ussd.notice.not_in_list")]).toEqual([1, true]);
    expect((await visit.open(`${PATH}?search=nothing-like-it`)).text).toContain("No text has these words.");
    const twi = await visit.open(`${PATH}?language=tw&search=ussd.operator`);
    expect(twi.text).toContain("Paw network");
    expect(twi.text).toContain("Choose network");
    expect(twi.text).toContain("Unreviewed");
  });
});

describe("a line", () => {
  test("is saved, shown beside the English one with the septets used, logged, and restored", async () => {
    const visit = await asAdmin();
    const page = await visit.open(pathOf("ussd.operator"));
    expect(page.text).toContain("14 of 60 characters at its longest; brackets count twice.");
    const saved = await visit.press(page, SAVE, { text: "Which network?" });
    expect(saved.text).toContain("Saved and shown.");
    expect(saved.text).toContain("Corrected");
    expect(saved.text).toContain("As shipped");
    expect(await corrections.get(world.db, "en", "ussd.operator")).toMatchObject({ text: "Which network?" });
    const [entry] = await auditLog.list(world.db, { subjectType: "text" }, { limit: 1 });
    expect(entry).toMatchObject({ action: "text.change", subjectId: "en ussd.operator" });
    expect((await visit.open("/admin/audit?type=text")).text).toContain("Which network?");
    const restored = await visit.press(saved, "Back to the shipped line");
    expect(restored.text).toContain("It is again as it was shipped.");
    expect((await corrections.get(world.db, "en", "ussd.operator")).state).toBe("shipped");
  });

  test("that cannot be used is refused beside the field, with what was typed", async () => {
    const visit = await asAdmin();
    const page = await visit.open(pathOf("ussd.pay"));
    for (const [text, error] of [
      ["Pay now", "{bundle} is missing. {number} is missing. {amount} is missing."],
      [`{bundle} {number} {amount} ${"x".repeat(60)}`, "characters too long."],
      ["{bundle} {number} {amount} 👍", "Phones cannot show 👍."],
      [" ", "Write a text."],
    ] as const) {
      const refused = await visit.press(page, SAVE, { text });
      expect([refused.status, errorOf(refused)]).toEqual([422, expect.stringContaining(error)]);
      expect(refused.document.getElementById("line-text")!.textContent).toBe(text);
    }
    expect((await corrections.get(world.db, "en", "ussd.pay")).state).toBe("shipped");
  });

  test("that another admin has changed meanwhile is not overwritten", async () => {
    const visit = await asAdmin();
    const page = await visit.open(pathOf("ussd.goodbye"));
    await visit.press(page, SAVE, { text: "Bye." });
    const refused = await visit.press(page, SAVE, { text: "Goodbye." });
    expect([refused.status, refused.text.includes("Somebody changed this text meanwhile.")]).toEqual([409, true]);
    expect((await corrections.get(world.db, "en", "ussd.goodbye")).text).toBe("Bye.");
  });

  test("of another language is shown only once it is marked as reviewed", async () => {
    const visit = await asAdmin();
    const page = await visit.open(pathOf("ussd.option.buy_data", "tw"));
    expect(page.text).toContain("it stays English until somebody has reviewed it");
    const saved = await visit.press(page, SAVE, { text: "To data" });
    expect([saved.text.includes("Saved, not shown yet."), saved.text.includes("Unreviewed")]).toEqual([true, true]);
    const reviewed = await visit.press(saved, "Mark reviewed");
    expect(reviewed.text).toContain("Marked as reviewed: it is shown from now on.");
    expect(reviewed.text).toContain(`Reviewed`);
    const again = await visit.press(reviewed, SAVE, { text: "To data nnε", reviewed: "yes" });
    expect(again.status).toBe(422);
    const ticked = await visit.press(reviewed, SAVE, { text: "To data nne", reviewed: "yes" });
    expect(ticked.text).toContain("Saved and shown.");
  });

  test("that does not exist is not found", async () => {
    const visit = await asAdmin();
    for (const path of [pathOf("ussd.nothing"), pathOf("toString"), pathOf("ussd.pay", "xx"), `${PATH}/line`])
      expect((await visit.open(path)).status).toBe(404);
  });
});

longTest("a language is turned on and off, and agents choose it under Profile while it is on", async () => {
  const [admin, agent] = [await asAdmin(), await visitorAs(client, ama)];
  expect((await agent.open("/profile")).document.querySelector('a[href="/profile/language"]')).toBeNull();
  expect((await agent.open("/profile/language")).text).toContain("There is only English at the moment.");
  const on = await admin.press(await admin.open(PATH), "Turn Twi on");
  expect(on.text).toContain("Agents can now choose Twi.");
  expect((await agent.open("/profile")).text).toContain("English, by USSD and SMS");
  const chosen = await agent.press(await agent.open("/profile/language"), "Save", { language: "tw" });
  expect([chosen.path, chosen.text.includes("Twi, by USSD and SMS")]).toEqual(["/profile", true]);
  const off = await admin.press(on, "Turn Twi off");
  expect(off.text).toContain("Twi is off: everybody gets English.");
  expect((await agent.open("/profile")).document.querySelector('a[href="/profile/language"]')).toBeNull();
});

test("only admins see the texts", async () => {
  const visit = await visitorAs(client, ama);
  for (const path of [PATH, pathOf("ussd.pay")]) expect((await visit.open(path)).status).not.toBe(200);
});
