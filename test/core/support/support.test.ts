// Requests to support and their threads: who may write, how that changes the request's state, and what is immutable.
import { describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import * as orders from "../../../src/core/buying/buy.ts";
import * as disputes from "../../../src/core/orders/disputes.ts";
import * as auditLog from "../../../src/core/platform/audit-log.ts";
import * as support from "../../../src/core/support/requests.ts";
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
