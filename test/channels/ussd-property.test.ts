// Property tests of the USSD callback: for any requests, in any order and number, there is always a screen that fits,
// at most one order for a confirmation, books that balance, and no PIN anywhere.
import { afterAll, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import fc from "fast-check";
import { connect, disconnect } from "../../db/connect.ts";
import { sweep } from "../../src/app/worker.ts";
import * as products from "../../src/core/catalog/products.ts";
import * as ledgerAudit from "../../src/core/ledger/audit.ts";
import { gsm7Length } from "../../src/shared/phones/sms-text.ts";
import { count, digitsIn, seed, sized, times } from "../support/asking.ts";
import { openWorld } from "../support/world.ts";
import { allStoredText, equipPhone, openLine } from "./dialling.ts";

const HOPS = sized(2000);
const world = await openWorld();
const { db, yaw } = world;
const otherDb = connect(world.url, { max: 10 });
afterAll(() => disconnect(otherDb));
const lines = [openLine(world), openLine(world, otherDb)];

// PINs of six digits that do not occur in a number, an amount or an id by chance.
const PINS = times(12, (i) => String(918_273 + i * 5_471));
const agents = await Promise.all(
  PINS.map(async (pin, i) => {
    const person = await world.person(`agent${i}`, "GH₵ 300.00");
    const msisdn = `23324${String(5_000_000 + i * 11)}`;
    await equipPhone(world, person, msisdn, pin);
    return { person, msisdn, pin };
  }),
);
const bundle = await world.product("MTN", "1GB", "3.90");
await Promise.all(times(8, (i) => world.product("MTN", `${i + 2}GB`, `${8 + i}.40`)));
await world.product("TELECEL", "1GB", "4.00");

type Agent = (typeof agents)[number];
type Talking = { agent: Agent; sessionId: string; text: string };
let statuses = 0;

async function send(line: (typeof lines)[number], fields: Record<string, string>): Promise<string> {
  const response = await fetch(line.url("ussd"), { method: "POST", body: new URLSearchParams(fields) });
  const body = await response.text();
  statuses += 1;
  expect(response.status).toBe(200);
  expect(body).toMatch(/^(CON|END) [\x21-\x7e][\x20-\x7e\n]*$/);
  expect(gsm7Length(body)).toBeLessThanOrEqual(150);
  return body;
}

const fieldsOf = ({ agent, sessionId, text }: Talking, more: Record<string, string> = {}) => ({
  ...{ phoneNumber: `+${agent.msisdn}`, serviceCode: "*920*55#", text, sessionId, networkCode: "62001" },
  ...more,
});

const word = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom("0", "1", "2", "3", "4", "5", "6", "9", "10") },
  { weight: 4, arbitrary: fc.constant("PIN") },
  { weight: 1, arbitrary: fc.constant("WRONG") },
  { weight: 3, arbitrary: fc.constantFrom("0541234567", "0201234567", "0281234567", "20", "2.50", "100") },
  {
    weight: 2,
    arbitrary: fc.constantFrom("", "*", "#", "**", "-1", "1e3", "é😀", "\u0000", "\n", "x".repeat(400), "'--", "%00"),
  },
  { weight: 1, arbitrary: fc.string({ maxLength: 40 }) },
);
/** The path to a purchase, so that many runs reach one. */
const toPay = fc.constantFrom<string[]>(
  ["1", "1", "1", "0541234567", "PIN"],
  ["1", "1", "2", "1", "1", "3", "PIN"],
  ["1", "1", "9", "7", "0541234599", "PIN", "PIN"],
  ["5", "1", "PIN"],
  ["1", "3", "1", "0541234567", "1", "PIN"],
);
const how = fc.constantFrom(
  "once",
  "once",
  "once",
  "twice",
  "parallel",
  "everywhere",
  "stale",
  "diverged",
  "stranger",
  "code",
  "broken",
);
const talk = fc.record({
  agent: fc.nat(agents.length - 1),
  inputs: fc.oneof(
    { weight: 3, arbitrary: toPay },
    { weight: 2, arbitrary: fc.array(word, { minLength: 1, maxLength: 12 }) },
    { weight: 1, arbitrary: fc.tuple(toPay, fc.array(word, { maxLength: 6 })).map(([a, b]) => [...b, ...a]) },
  ),
  hows: fc.array(how, { minLength: 6, maxLength: 6 }),
  deep: fc.boolean(),
});
type Conversation = typeof talk extends fc.Arbitrary<infer T> ? T : never;

let sessions = 0;
async function runConversation(conversation: Conversation): Promise<void> {
  const agent = agents[conversation.agent]!;
  const typed = conversation.inputs.map((one) => (one === "PIN" ? agent.pin : one === "WRONG" ? "407193" : one));
  const now: Talking = { agent, sessionId: `ATUid_${(sessions++).toString(16).padStart(32, "0")}`, text: "" };
  let last = "";
  const type = async (text: string, manner: string) => {
    now.text = text;
    last = await deliver(now, manner);
  };
  if (conversation.deep) await type(typed.slice(0, 4).join("*"), "once");
  else await type("", "twice");
  for (const [i, one] of typed.slice(conversation.deep ? 4 : 0).entries()) {
    if (last.startsWith("END")) break;
    await type(now.text === "" ? one : `${now.text}*${one}`, conversation.hows[i % 6]!);
  }
  if (last.startsWith("END")) await deliver(now, "everywhere");
}

/** Sends a request in some manner, and returns the answer that the phone shows. */
async function deliver(now: Talking, manner: string): Promise<string> {
  const [here, there] = lines as [(typeof lines)[number], (typeof lines)[number]];
  const fields = fieldsOf(now);
  const together = async (sends: Promise<string>[]) => {
    const answers = await Promise.all(sends);
    expect(new Set(answers).size).toBe(1);
    return answers[0]!;
  };
  switch (manner) {
    case "twice": {
      const first = await send(here, fields);
      expect(await send(there, fields)).toBe(first);
      return first;
    }
    case "parallel":
      return together(times(3, () => send(here, fields)));
    case "everywhere":
      return together([send(here, fields), send(there, fields), send(here, fields), send(there, fields)]);
    case "stale": {
      const answer = await send(here, fields);
      await send(there, { ...fields, text: now.text.slice(0, -1) });
      await send(there, { ...fields, text: "" });
      return answer;
    }
    case "diverged":
      await send(there, { ...fields, text: `7*7*7*7${now.text}*${now.agent.pin}` });
      return send(here, fields);
    case "stranger": {
      const other = agents[(agents.indexOf(now.agent) + 1) % agents.length]!;
      await send(here, { ...fields, phoneNumber: `+${other.msisdn}`, text: `${now.text}*${other.pin}` });
      await send(here, { ...fields, phoneNumber: "+254700000000" });
      await send(here, { ...fields, phoneNumber: ` ${now.agent.msisdn}` });
      return send(there, fields);
    }
    case "code":
      await send(there, { ...fields, serviceCode: "*999#", text: `${now.text}*${now.agent.pin}` });
      return send(here, fields);
    case "broken":
      await send(here, { text: now.text });
      await send(here, { ...fields, sessionId: "../../etc" });
      await send(here, { ...fields, text: `${now.text}${"*1".repeat(600)}` });
      return send(here, fields);
    default:
      return send(here, fields);
  }
}

test(`thousands of requests leave one order for a confirmation, balanced books and no PIN (seed ${seed})`, async () => {
  let round = 0;
  while (statuses < HOPS) {
    const talks = fc.sample(talk, { seed: seed + round++, numRuns: 24 });
    // Many sessions concurrently, several of one agent.
    await Promise.all(talks.map(runConversation));
    const price = round % 2 ? 400 : 390;
    if (round % 3 === 0)
      await products.edit(db, {
        by: yaw.by("admin"),
        productId: bundle.id,
        pricePesewas: price,
        confirmPrice: true,
      });
    await db.execute(sql`update ussd_sessions set started_at = started_at - interval '5 minutes'`);
    await db.execute(sql`update pins set locked_until = null, wrong_tries = 0 where locked_until is not null`);
    await db.execute(sql`update orders set created_at = created_at - interval '6 minutes'`);
  }
  const ordersThat = (are: ReturnType<typeof sql>) => count(db, sql`from orders where channel = 'ussd' and ${are}`);
  const bought = await ordersThat(sql`paid_at is not null`);
  expect(bought).toBeGreaterThan(20);
  // A session confirms one purchase at most, whatever was sent in it.
  const [busiest] = await db.execute<{ max: number }>(sql`
    select max(count)::int as max from (
      select count(*) from idempotency where scope = 'ussd' and order_id is not null
      group by split_part(key, ':', 2)) s`);
  expect(busiest!.max).toBe(1);
  const sessionsThatEnd = (state: string) => count(db, sql`from ussd_sessions where state = ${state}`);
  // An order that waits for its mobile money prompt has a session of its own, too; another one may pay it after all.
  const paidLater = await sessionsThatEnd("order_paid");
  expect((await sessionsThatEnd("bought")) + paidLater).toBe(bought);
  const prompted = await ordersThat(sql`paid_at is null`);
  expect(await sessionsThatEnd("momo_prompted")).toBe(prompted + paidLater);
  expect(await count(db, sql`from messages where kind = 'order_accepted'`)).toBe(bought);
  expect((await ledgerAudit.audit(db)).findings).toEqual([]);
  await sweep(db);
  const kept = await allStoredText(world);
  const logged = lines.map((line) => line.logged()).join("");
  const pins = agents.map(({ pin }) => pin);
  expect([digitsIn(kept, ...pins), digitsIn(logged, ...pins)]).toEqual([[], []]);
  expect(logged).not.toContain("a USSD request failed");
  expect(logged).not.toContain('"status":5');
});
