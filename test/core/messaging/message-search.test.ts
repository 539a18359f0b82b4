// The admins' list of messages: each one once, never a code, and undelivered notices can be sent again once.
import { beforeEach, describe, expect, test } from "bun:test";
import { eq, sql } from "drizzle-orm";
import type { Reads } from "../../../db/connect.ts";
import { messages as table } from "../../../db/schema/messaging.ts";
import * as users from "../../../src/core/identity/users.ts";
import * as lists from "../../../src/core/messaging/message-search.ts";
import * as messages from "../../../src/core/messaging/messages.ts";
import type { MessageState } from "../../../src/shared/domain.ts";
import { count, key, times, withSecondServer } from "../../support/asking.ts";
import { longTest } from "../../support/long.ts";
import { openWorld } from "../../support/world.ts";

const world = await openWorld();
const { db, yaw } = world;
const [ama, kofi] = [await world.person("ama"), await world.person("kofi.mensah")];
const PHONE = "233541234567";
await db.execute(sql`insert into phones (user_id, msisdn) values (${ama.id}, ${PHONE})`);

beforeEach(async () => {
  for (const name of ["jobs", "messages"]) await db.execute(sql`delete from ${sql.identifier(name)}`);
});

const notice = { userId: ama.id, kind: "order_refunded", channel: "sms", subject: "", body: "Paid" } as const;
const mail = {
  ...notice,
  channel: "email",
  recipient: kofi.email,
  userId: kofi.id,
  subject: "Hello",
} as const;
/** Writes a message in this state. */
async function written(state: MessageState, message: Partial<messages.NewMessage> = {}): Promise<number> {
  const [id] = await db.transaction((tx) => messages.queueAll(tx, [{ ...notice, recipient: PHONE, ...message }]));
  await db.execute(sql`
    update messages set state = ${state}, report_status = case when ${state} = 'undelivered' then 'Failed' end,
      body = case when carries_code and ${state} not in ('queued', 'sending') then null else body end
      where id = ${id!}`);
  return id!;
}
const idsOf = async (filter: lists.MessageFilter, page = { limit: 50 }) =>
  (await lists.list(db, filter, page)).map(({ id }) => id);
const again = (messageId: number, more: { key?: string; on?: typeof db } = {}) =>
  lists.sendAgain(more.on ?? db, {
    by: yaw.by("admin"),
    key: more.key ? key(more.key) : null,
    messageId,
  });

describe("the list of messages", () => {
  test("is paged by key from the newest, with each message once, under any filter", async () => {
    const made: { id: number; state: MessageState; channel: string }[] = [];
    for (const n of times(24, (i) => i)) {
      const state = (["sent", "failed", "undelivered"] as const)[n % 3]!;
      const isMail = n % 4 === 0 && state !== "undelivered";
      made.unshift({
        id: await written(state, isMail ? mail : {}),
        state,
        channel: isMail ? "email" : "sms",
      });
    }
    const walk = async (filter: lists.MessageFilter) => {
      const ids: number[] = [];
      for (let cursor: number | undefined; ; cursor = ids.at(-1)) {
        const page = await idsOf(filter, { limit: 5, ...(cursor && { cursor }) });
        ids.push(...page);
        if (page.length < 5) return ids;
      }
    };
    const where = (matches: (one: (typeof made)[number]) => boolean) => made.filter(matches).map(({ id }) => id);
    expect(await walk({})).toEqual(where(() => true));
    expect(await walk({ states: ["failed"] })).toEqual(where(({ state }) => state === "failed"));
    expect(await walk({ states: lists.FAILED_STATES })).toEqual(where(({ state }) => state !== "sent"));
    expect(await walk({ channel: "email" })).toEqual(where(({ channel }) => channel === "email"));
    expect(await walk({ channel: "email", states: ["sent"], search: "KOFI" })).toEqual(
      where(({ channel, state }) => channel === "email" && state === "sent"),
    );
    for (const search of ["054 123 4567", "+233541234567"])
      expect(await walk({ search })).toEqual(where(({ channel }) => channel === "sms"));
    expect(await walk({ search: kofi.email.toUpperCase() })).toEqual(where(({ channel }) => channel === "email"));
    expect(await walk({ search: "nobody" })).toEqual([]);
    expect(await walk({ search: "%" })).toEqual([]);
  });

  test("lists the kinds in use, and filters by them", async () => {
    expect(await lists.kinds(db)).toEqual([]);
    for (const kind of ["b", "a", "b"]) await written("sent", { kind });
    expect(await lists.kinds(db)).toEqual(["a", "b"]);
    expect(await idsOf({ kind: "b", states: ["sent"] })).toHaveLength(2);
    expect(await idsOf({ kind: "c" })).toEqual([]);
  });

  test("never shows the text of a message with a code, not even while it waits to be sent", async () => {
    const code = { kind: "phone_code", body: "907856 is your code", codeSeconds: 900 };
    for (const state of ["queued", "sending", "sent", "failed"] as const) await written(state, code);
    const rows = await lists.list(db, {}, { limit: 50 });
    expect(rows).toHaveLength(4);
    expect(JSON.stringify(rows)).not.toContain("907856");
    expect(rows.map(({ canSendAgain }) => canSendAgain)).toEqual(times(4, () => false));
  });

  longTest("reads a page of a rare kind among many messages without reading them all", async () => {
    await db.execute(sql`
      insert into messages (user_id, kind, channel, recipient, body, state, send_before)
      select ${ama.id}, 'many', 'sms', '23354' || lpad((n % 5000)::text, 7, '0'), 'x',
        case when n % 20000 = 0 then 'failed' else 'sent' end, now() from generate_series(1, 40000) n`);
    await written("failed", { ...mail, kind: "rare" });
    await db.execute(sql`analyze messages`);
    const filters: lists.MessageFilter[] = [
      {},
      { states: ["failed"] },
      { states: lists.FAILED_STATES, channel: "email" },
      { channel: "email" },
      { states: ["delivered"], channel: "email" },
      { kind: "rare" },
      { kind: "rare", states: ["sent"] },
      { search: "0540000017" },
      { search: "kofi" },
    ];
    for (const filter of filters) {
      const [fetched, found] = await db.transaction(async (tx) => {
        const before = await rowsRead(tx);
        const ids = await lists.list(tx as unknown as typeof db, filter, { limit: 51 });
        return [(await rowsRead(tx)) - before, ids.length];
      });
      expect([filter, fetched < 1000, found > 0 || "states" in filter]).toEqual([filter, true, true]);
    }
  });
});

/** The number of rows of messages that this transaction has read. */
async function rowsRead(tx: Reads): Promise<number> {
  const [row] = await tx.execute<{ rows: number }>(sql`
    select (seq_tup_read + coalesce(idx_tup_fetch, 0))::int as rows
    from pg_stat_xact_user_tables where relname = 'messages'`);
  return row!.rows;
}

describe("a notice that did not arrive", () => {
  for (const state of ["failed", "undelivered"] as const) {
    test(`(${state}) is sent again as a new message, once, with an entry in the audit log`, async () => {
      const id = await written(state);
      const { answer } = await again(id);
      expect(answer.isNew).toBe(true);
      const [copy] = await db.select().from(table).where(eq(table.id, answer.messageId));
      expect(copy).toMatchObject({
        ...notice,
        subject: null,
        recipient: PHONE,
        state: "queued",
        againOf: id,
      });
      expect((await again(id)).answer).toEqual({ messageId: answer.messageId, isNew: false });
      expect(await count(db, sql`from jobs where kind = 'send_message' and subject_id = ${copy!.id}`)).toBe(1);
      const entries = sql`from audit_log
          where action = 'message.again' and subject_id = ${String(id)} and by_user_id = ${yaw.id}`;
      expect(await count(db, entries)).toBe(1);
      const [first, second] = await lists.list(db, {}, { limit: 2 });
      expect([first!.id, second!.againId, second!.canSendAgain]).toEqual([copy!.id, copy!.id, false]);
    });
  }

  test("is sent once when two admins send it at once, and when one presses twice", async () => {
    const id = await written("failed");
    await withSecondServer(world, (other) =>
      Promise.all(times(12, (n) => again(id, { key: `again-${n % 3}`, on: n % 2 ? db : other }))),
    );
    expect(await count(db, sql`from messages where again_of = ${id}`)).toBe(1);
  });

  test("can be sent once more if the second did not arrive either", async () => {
    const { answer } = await again(await written("failed"));
    await db.execute(sql`update messages set state = 'failed' where id = ${answer.messageId}`);
    expect((await again(answer.messageId)).answer.isNew).toBe(true);
  });

  test("keeps its subject when it is an e-mail", async () => {
    const { answer } = await again(await written("failed", mail));
    const [copy] = await db.select().from(table).where(eq(table.id, answer.messageId));
    expect(copy).toMatchObject({ subject: "Hello", recipient: kofi.email, channel: "email" });
  });

  test("is not sent again if it carried a code, arrived, or its address is no longer the owner's", async () => {
    const refusal = (id: number) =>
      again(id).then(
        () => "sent",
        (error: { code: string; message: string }) => `${error.code}: ${error.message}`,
      );
    const code = await written("failed", { codeSeconds: 900 });
    await expect(again(code)).rejects.toMatchObject({ code: "message.not_again" });
    expect(await refusal(code)).toContain("It carried a code");
    for (const state of ["queued", "sending", "sent", "unknown"] as const)
      expect(await refusal(await written(state))).toContain("Only messages that failed or did not arrive");
    for (const other of [
      { recipient: "233541234568" },
      { ...mail, recipient: "kofi.before@example.com" },
      { userId: kofi.id },
    ])
      expect(await refusal(await written("failed", other))).toContain("no longer belongs to the account");
    const toOldMailbox = { ...mail, kind: "email_changed", recipient: "kofi.before@example.com" };
    expect(await refusal(await written("failed", toOldMailbox))).toBe("sent");
    const banned = await world.person("banned");
    await users.ban(db, { by: yaw.by("admin"), userId: banned.id });
    const toBanned = { ...mail, userId: banned.id, recipient: banned.email };
    expect(await refusal(await written("failed", toBanned))).toContain("no longer active");
    expect(await refusal(999_999)).toStartWith("message.not_found");
    const agent = lists.sendAgain(db, { by: ama.by(), key: null, messageId: code });
    await expect(agent).rejects.toMatchObject({ code: "auth.forbidden" });
    expect(await count(db, sql`from messages where again_of is not null`)).toBe(1);
  });
});
