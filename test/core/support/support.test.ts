// Requests to support and their threads: who may write, how that changes the request's state, and what is immutable;
// who looks after them, and the answers that are kept.
import { describe, expect, test } from "bun:test";
import { eq, sql } from "drizzle-orm";
import { users } from "../../../db/schema/identity.ts";
import { keptAnswers as keptAnswersTable } from "../../../db/schema/support.ts";
import * as orders from "../../../src/core/buying/buy.ts";
import * as disputes from "../../../src/core/orders/disputes.ts";
import * as auditLog from "../../../src/core/platform/audit-log.ts";
import * as keptAnswers from "../../../src/core/support/kept-answers.ts";
import * as support from "../../../src/core/support/requests.ts";
import { staff } from "../../support/approvals.ts";
import { databaseRefusal, key, lineFor, outcome, times } from "../../support/asking.ts";
import { openWorld } from "../../support/world.ts";

const world = await openWorld();
const { db, yaw } = world;
const ama = await world.person("ama");
const kofi = await world.person("kofi");
const esi = await world.person("esi", "GH₵ 9.00");
const bundle = await world.product("MTN", "1GB", "3.90");
const by = yaw.by("admin");

const ask = async (message = "Where is my money?", person = ama) =>
  (await support.file(db, { by: person.by(), message })).answer;
const reply = (requestId: number, message: string, person = ama) =>
  support.reply(db, { by: person.by(), key: null, requestId, message });
const stateOf = async (requestId: number) => support.stateOf(await support.get(db, by, requestId));
const repliesOf = async (requestId: number) => (await support.messages(db, requestId)).map(({ message }) => message);
const forget = () => db.execute(sql`delete from rate_limits`);

describe("a thread", () => {
  test("is answered by an admin, and reopened by its agent", async () => {
    const { id } = await ask();
    expect(await stateOf(id)).toBe("open");
    await reply(id, "We look into it", yaw);
    expect(await stateOf(id)).toBe("answered");
    await reply(id, "Thank you, but it is still not there");
    expect(await stateOf(id)).toBe("open");
    await support.close(db, { by, requestId: id });
    expect(await stateOf(id)).toBe("closed");
    await reply(id, "It is gone again");
    expect(await stateOf(id)).toBe("open");
    expect(await support.messages(db, id)).toMatchObject([
      { isSupport: true, username: "admin", message: "We look into it" },
      { isSupport: false, username: "ama", message: "Thank you, but it is still not there" },
      { isSupport: false, username: "ama", message: "It is gone again" },
    ]);
  });

  test("is notified to its agent by e-mail when support answers, and only then", async () => {
    const { id } = await ask("The bundle is missing", kofi);
    await reply(id, "It arrived at 12:04, see the receipt <b>below</b>", yaw);
    await reply(id, "Thank you", kofi);
    const mails = await db.execute<{ recipient: string; body: string }>(
      sql`select recipient, body from messages where kind = 'support_answered' and user_id = ${kofi.id}`,
    );
    expect(mails.map(({ recipient }) => recipient)).toEqual([kofi.email]);
    expect(mails[0]!.body).toContain("It arrived at 12:04, see the receipt <b>below</b>");
  });

  test("is visible and open for replies only to its owner and admins", async () => {
    const { id } = await ask();
    for (const work of [
      () => support.get(db, kofi.by(), id),
      () => reply(id, "Mine too", kofi),
      () => support.close(db, { by: kofi.by(), requestId: id }),
      () => reply(999_999, "Nobody's"),
    ])
      expect(await outcome(work())).toBe("support.not_found");
    expect(await repliesOf(id)).toEqual([]);
    await support.close(db, { by: ama.by(), requestId: id });
    expect(await stateOf(id)).toBe("closed");
  });

  test("contains a reply that was sent twice with one key once, and every one of many replies at once", async () => {
    const { id } = await ask();
    const same = { by: ama.by(), key: key("reply-1"), requestId: id, message: "Once" };
    await Promise.all([support.reply(db, same), support.reply(db, same), support.reply(db, same)]);
    await Promise.all(times(6, (i) => reply(id, `Answer ${i}`, yaw)));
    expect((await repliesOf(id)).sort()).toEqual([...times(6, (i) => `Answer ${i}`), "Once"]);
  });

  test("cannot be changed, whatever the code does", async () => {
    const { id } = await ask();
    await reply(id, "It will be refunded", yaw);
    for (const change of [
      sql`update support_messages set message = 'never' where request_id = ${id}`,
      sql`delete from support_messages where request_id = ${id}`,
    ])
      expect(await databaseRefusal(db.execute(change))).toBe("support_messages_append_only");
  });

  test("has an audit entry for an admin's replies, and none for an agent's", async () => {
    const { id } = await ask();
    await reply(id, "More");
    await reply(id, "We look", yaw);
    await support.close(db, { by, requestId: id });
    const entries = await auditLog.list(db, { subjectType: "support", subjectId: id }, { limit: 10 });
    expect(entries.map(({ action }) => action)).toEqual(["support.close", "support.reply"]);
  });

  test("of an admin's own request is reopened by their reply", async () => {
    const { id } = await ask("The printer is out of paper", yaw);
    await reply(id, "And of ink", yaw);
    expect(await stateOf(id)).toBe("open");
  });

  test("accepts forty replies of an agent a day, and any number from admins", async () => {
    await forget();
    const { id } = await ask();
    for (let i = 0; i < 40; i++) await reply(id, `Reply ${i}`);
    expect(await outcome(reply(id, "One more"))).toBe("request.rate_limited");
    expect(await outcome(reply(id, "An answer", yaw))).toBe("done");
    expect((await repliesOf(id)).length).toBe(41);
  });
});

describe("filing", () => {
  test("twice with one key is one request, and ten a day are all", async () => {
    await forget();
    const filing = { by: ama.by(), key: key("file-1"), message: "Twice" };
    const [first, second] = await Promise.all([support.file(db, filing), support.file(db, filing)]);
    expect(first!.answer).toEqual(second!.answer);
    for (let i = 0; i < 9; i++) await ask();
    expect(await outcome(ask())).toBe("request.rate_limited");
  });
});

describe("the inbox", () => {
  test("is filtered by state, paged by key, and counts what waits", async () => {
    await forget();
    await db.execute(sql`update support_requests set state = 'closed', closed_at = now()`);
    const [first, second, third] = [await ask(), await ask(), await ask("Another", kofi)];
    await reply(second!.id, "Done", yaw);
    const ids = async (filter: support.SupportFilter, cursor?: number) =>
      (await support.list(db, filter, { limit: 2, cursor })).map(({ id }) => id);
    expect(await ids({ state: "open" })).toEqual([third!.id, first!.id]);
    expect(await ids({ state: "answered" })).toEqual([second!.id]);
    expect(await ids({ userId: ama.id })).toEqual([second!.id, first!.id]);
    expect(await ids({ state: "open" }, third!.id)).toEqual([first!.id]);
    expect(await support.waitingCount(db)).toBe(2);
  });

  test("is searched by ids, names and text, where special characters are literal", async () => {
    await forget();
    const { id } = await ask("100%_sure it is <b>gone</b>", kofi);
    const find = async (search: string) => (await support.list(db, { search }, { limit: 50 })).map((row) => row.id);
    for (const text of [String(id), `#${id}`, "100%_sure", "<B>gone", "KOFI", " kofi@example.com "])
      expect([text, (await find(text)).includes(id)]).toEqual([text, true]);
    const order = (await orders.buy(db, { by: esi.by(), key: null, line: lineFor(bundle) })).answer.order;
    const about = { by: esi.by(), orderId: order.id, message: "Nothing" };
    const report = (await disputes.reportOrder(db, about)).answer.id;
    for (const text of [`#${order.id}`, order.msisdn, order.msisdn.replace(/^233/, "0"), String(esi.id)])
      expect([text, (await find(text)).includes(report)]).toEqual([text, true]);
    for (const text of ["100_%sure", "nothing like it", "999999999"]) expect(await find(text)).toEqual([]);
  });
});

describe("who looks after a request", () => {
  const assigneeOf = async (requestId: number) => (await support.get(db, by, requestId)).assignee;
  const idsWith = async (assignedToUserId: number) =>
    (await support.list(db, { assignedToUserId, state: "open" }, { limit: 50 })).map(({ id }) => id);

  test("is chosen, given back, and in the log of changes; once, also for the same choice twice", async () => {
    await forget();
    const colleague = await staff(world, "SUPPORT");
    const { id } = await ask();
    for (const toUserId of [colleague.id, colleague.id, null])
      await support.assign(db, { by, requestId: id, toUserId });
    expect([await assigneeOf(id), await idsWith(colleague.id)]).toEqual([null, []]);
    const logged = await auditLog.list(db, { subjectType: "support", subjectId: id }, { limit: 10 });
    expect(logged.map(({ after }) => after)).toEqual([{ to: null }, { to: colleague.id }]);
  });

  test("is whoever answers first, unless somebody was chosen", async () => {
    await forget();
    const colleague = await staff(world, "SUPPORT");
    const [free, taken] = [(await ask()).id, (await ask()).id];
    await support.assign(db, { by, requestId: taken, toUserId: colleague.id });
    for (const id of [free, taken]) await reply(id, "We look into it", yaw);
    expect([await assigneeOf(free), await assigneeOf(taken)]).toEqual(["admin", colleague.username]);
    // An agent's reply leaves it where it is, and puts it into that person's list again.
    await reply(taken, "Still nothing");
    expect(await idsWith(colleague.id)).toEqual([taken]);
  });

  test("is nobody once they no longer answer requests, and then whoever answers next", async () => {
    await forget();
    const colleague = await staff(world, "SUPPORT");
    const { id } = await ask();
    await support.assign(db, { by, requestId: id, toUserId: colleague.id });
    await db
      .update(users)
      .set({ roles: ["USER"] })
      .where(eq(users.id, colleague.id));
    expect(await assigneeOf(id)).toBeNull();
    await reply(id, "We look into it", yaw);
    expect(await assigneeOf(id)).toBe("admin");
  });

  test("is nobody from outside the team, and is not for agents to choose", async () => {
    await forget();
    const { id } = await ask();
    for (const toUserId of [ama.id, 999_999])
      expect(await outcome(support.assign(db, { by, requestId: id, toUserId }))).toBe("support.assignee");
    expect(await outcome(support.assign(db, { by: ama.by(), requestId: id, toUserId: ama.id }))).toBe("auth.forbidden");
    expect(await outcome(support.assign(db, { by, requestId: 999_999, toUserId: null }))).toBe("support.not_found");
    expect(await assigneeOf(id)).toBeNull();
  });
});

describe("a kept answer", () => {
  const named = async () => (await keptAnswers.list(db, by)).map(({ name }) => name);
  const keep = (name: string, message = "We have asked MTN") => keptAnswers.keep(db, { by, name, message });

  test("is kept, changed and deleted, by name in the list, with its texts in the log of changes", async () => {
    await keep("b");
    const { id } = (await keep("A")).answer;
    expect(await named()).toEqual(["A", "b"]);
    await keptAnswers.change(db, { by, answerId: id, name: "c", message: "It has arrived" });
    expect(await named()).toEqual(["b", "c"]);
    await keptAnswers.remove(db, { by, answerId: id });
    expect(await named()).toEqual(["b"]);
    const logged = await auditLog.list(db, { subjectType: "answer", subjectId: id }, { limit: 10 });
    expect(logged.map(({ action }) => action)).toEqual(["answer.delete", "answer.change", "answer.keep"]);
    expect(logged[0]!.before).toEqual({ name: "c", message: "It has arrived" });
  });

  test("has a name of its own, whatever the case, and a text", async () => {
    await keep("Delayed");
    const { id } = (await keep("Other")).answer;
    const change = (name: string, message = "Text") => keptAnswers.change(db, { by, answerId: id, name, message });
    expect(await outcome(keep("DELAYED"))).toBe("answer.exists");
    expect(await outcome(change("delayed"))).toBe("answer.exists");
    expect(await outcome(change("Other", " "))).toBe("request.invalid");
    expect(await outcome(keptAnswers.remove(db, { by, answerId: 999_999 }))).toBe("answer.not_found");
  });

  test("is one of at most 100, also when two are kept at the same moment", async () => {
    const missing = 99 - (await named()).length;
    await db
      .insert(keptAnswersTable)
      .values(
        Array.from({ length: missing }, (_, n) => ({ name: `Answer ${n}`, message: "Text", changedByUserId: yaw.id })),
      );
    const outcomes = await Promise.all([outcome(keep("one more")), outcome(keep("and one more"))]);
    expect(outcomes.sort()).toEqual(["answer.too_many", "done"]);
    expect((await named()).length).toBe(100);
  });

  test("is for those who answer requests alone", async () => {
    for (const person of [ama, await staff(world, "ACCOUNTS")]) {
      expect(await outcome(keptAnswers.list(db, person.by()))).toBe("auth.forbidden");
      expect(await outcome(keptAnswers.keep(db, { by: person.by(), name: "x", message: "y" }))).toBe("auth.forbidden");
    }
  });
});
