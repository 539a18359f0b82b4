// Tests of admins' corrections of texts: checked, logged, shown by every server from its next read on, and taken back.
import { afterAll, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { connect, disconnect } from "../../../db/connect.ts";
import * as profileLanguage from "../../../src/core/identity/language.ts";
import { ENGLISH, type TextKey, translatorOf } from "../../../src/core/messaging/languages/translate.ts";
import * as messages from "../../../src/core/messaging/messages.ts";
import * as corrections from "../../../src/core/messaging/texts/text-corrections.ts";
import * as wordings from "../../../src/core/messaging/texts/wordings.ts";
import * as auditLog from "../../../src/core/platform/audit-log.ts";
import type { Language } from "../../../src/shared/domain.ts";
import { equipPhone } from "../../channels/dialling.ts";
import { count, outcome, refusal } from "../../support/asking.ts";
import { openWorld } from "../../support/world.ts";

const world = await openWorld();
const { db } = world;
const ama = await world.person("ama");
const by = world.yaw.by("admin");
/** A second server. */
const elsewhere = connect(world.url, { max: 2 });
afterAll(() => disconnect(elsewhere));

const target = async (line: string, language: Language = "en") => ({
  ...{ by, line, language },
  version: (await corrections.get(db, language, line)).version,
});
const save = async (key: string, text: string, { language = "en", isReviewed = false } = {}) =>
  corrections.save(db, { ...(await target(key, language as Language)), text, isReviewed });
const shown = async (key: "ussd.operator" | "ussd.goodbye", language: Language = "en", at = elsewhere) =>
  translatorOf(await wordings.current(at), language)(key);
const logged = async () =>
  (await auditLog.list(db, { subjectType: "text" }, { limit: 50 })).map(({ action, subjectId }) => [action, subjectId]);

test("a fresh shop says what was shipped, without a row", async () => {
  expect(await shown("ussd.operator")).toBe("Choose network");
  expect(await count(db, sql`from text_state`)).toBe(0);
});

test("a corrected line is shown by another server at its next read, and goes back to the shipped one", async () => {
  expect(await shown("ussd.operator")).toBe("Choose network");
  await save("ussd.operator", "  Which network?\r\n");
  expect(await shown("ussd.operator")).toBe("Which network?");
  expect(await corrections.get(db, "en", "ussd.operator")).toMatchObject({
    ...{ state: "corrected", text: "Which network?", shipped: "Choose network", version: 1 },
    ...{ updatedBy: world.yaw.username, reviewedBy: world.yaw.username },
  });
  await corrections.restore(db, await target("ussd.operator"));
  expect(await shown("ussd.operator")).toBe("Choose network");
  expect((await logged()).slice(0, 2)).toEqual([
    ["text.restore", "en ussd.operator"],
    ["text.change", "en ussd.operator"],
  ]);
});

test("the texts are read again only after a change", async () => {
  await save("ussd.goodbye", "Bye.");
  const first = await wordings.current(elsewhere);
  expect(await wordings.current(elsewhere)).toBe(first);
  await save("ussd.goodbye", "Goodbye.");
  expect(await wordings.current(elsewhere)).not.toBe(first);
  expect(await shown("ussd.goodbye")).toBe("Goodbye.");
});

test("a line that cannot be used is refused with the reason beside the field, and nothing is stored", async () => {
  const before = await shown("ussd.operator");
  const refused = await refusal(save("ussd.operator", "x".repeat(70)));
  expect([refused.code, refused.message]).toEqual(["text.invalid", "It is 10 characters too long."]);
  expect(refused.details?.fields).toEqual({ text: "It is 10 characters too long." });
  expect((await refusal(save("ussd.recent", "Who?"))).message).toBe("{bundle} is missing.");
  expect(await outcome(save("ussd.nothing", "x"))).toBe("text.not_found");
  expect(await shown("ussd.operator")).toBe(before);
});

test("two admins do not overwrite each other", async () => {
  const seen = await target("ussd.statement");
  const both = ["One.", "Two."].map((text) => outcome(corrections.save(db, { ...seen, text, isReviewed: false })));
  expect((await Promise.all(both)).sort()).toEqual(["done", "text.changed"]);
});

test("a shipped line of another language is shown after its review, a new one only with it", async () => {
  const key = "ussd.operator";
  expect(await corrections.get(db, "tw", key)).toMatchObject({ state: "unreviewed", version: 0 });
  await corrections.turn(db, { by, language: "tw", isOn: true });
  expect(await shown(key, "tw")).toBe("Choose network");
  await corrections.review(db, await target(key, "tw"));
  expect(await corrections.get(db, "tw", key)).toMatchObject({ state: "reviewed", version: 1 });
  expect(await shown(key, "tw")).toBe("Paw network");
  await save(key, "Fa network", { language: "tw" });
  expect(await corrections.get(db, "tw", key)).toMatchObject({ state: "unreviewed", version: 2 });
  expect(await shown(key, "tw")).toBe("Choose network");
  await save(key, "Fa network", { language: "tw", isReviewed: true });
  expect(await shown(key, "tw")).toBe("Fa network");
  expect((await logged()).filter(([, id]) => id === `tw ${key}`).map(([action]) => action)).toEqual([
    "text.change",
    "text.change",
    "text.review",
  ]);
});

test("a correction of English is what other languages fall back to", async () => {
  await save("ussd.goodbye", "Bye for now.");
  await corrections.turn(db, { by, language: "tw", isOn: true });
  expect(await shown("ussd.goodbye", "tw")).toBe("Bye for now.");
});

test("a stored line that lacks a placeholder of this release is left out", async () => {
  await save("ussd.recent", "For whom is {bundle}?");
  await db.execute(sql`update text_overrides set text = 'For whom?' where key = 'ussd.recent'`);
  await db.execute(
    sql`insert into text_overrides (language, key, text, reviewed_at) values ('en', 'gone', 'x', now())`,
  );
  await db.execute(sql`update text_state set version = gen_random_uuid()`);
  const t = translatorOf(await wordings.current(elsewhere), "en");
  expect(t("ussd.recent", { bundle: "MTN 1GB" })).toBe("Who gets MTN 1GB?");
});

test("an agent's choice of a language is kept while it is on, and SMS follow it", async () => {
  await equipPhone(world, ama, "233541230077", null);
  await save("sms.no_orders", "DataFie: order biara nni ho.", { language: "tw", isReviewed: true });
  await corrections.turn(db, { by, language: "tw", isOn: false });
  const choose = () => profileLanguage.choose(db, { by: ama.by(), language: "tw" });
  expect(await outcome(choose())).toBe("request.invalid");
  await corrections.turn(db, { by, language: "tw", isOn: true });
  expect((await choose())("sms.no_orders")).toBe("DataFie: order biara nni ho.");
  expect((await profileLanguage.stateOf(db, ama.id)).language).toBe("tw");
  const textFor = (t: ReturnType<typeof translatorOf>) => t("sms.no_orders");
  const sent = async () => {
    await db.transaction((tx) => messages.queueToPhone(tx, { userId: ama.id, kind: "sms_answer", textFor }));
    const [last] = await db.execute<{ body: string }>(sql`select body from messages order by id desc limit 1`);
    return last!.body;
  };
  expect(await sent()).toBe("DataFie: order biara nni ho.");
  await corrections.turn(db, { by, language: "tw", isOn: false });
  expect(await sent()).toBe(ENGLISH["sms.no_orders"]);
  expect((await profileLanguage.stateOf(db, ama.id)).language).toBe("en");
  const turned = await auditLog.list(db, { subjectType: "language" }, { limit: 1 });
  expect(turned[0]).toMatchObject({ action: "language.off", subjectId: "tw" });
});

test("the search finds a line by its key, its English and its own text", async () => {
  const found = async (search: string, language: Language = "tw") =>
    (await corrections.list(db, { language, search })).map(({ key }) => key);
  const key: TextKey = "ussd.option.change_number";
  expect(await found("OPTION.change_number")).toEqual([key]);
  expect(await found("change number")).toEqual([key]);
  expect(await found("sesa n")).toEqual([key]);
  expect(await found("sesa n", "en")).toEqual([]);
  expect((await corrections.list(db, { language: "tw" })).length).toBe(Object.keys(ENGLISH).length);
});
