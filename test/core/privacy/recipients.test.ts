// Data about a customer's number: shown and erased for whoever has the code, and for nobody else.
import { beforeEach, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import * as contacts from "../../../src/core/identity/contacts.ts";
import { cookieFor } from "../../../src/core/identity/logins/asking-browsers.ts";
import * as recipients from "../../../src/core/privacy/recipients.ts";
import * as requests from "../../../src/core/privacy/requests.ts";
import { count, refusal } from "../../support/asking.ts";
import { openWorld } from "../../support/world.ts";

const world = await openWorld();
const { db } = world;
const ama = await world.person("ama", "GH₵ 50.00");
const keys = { key: "a key for tests" };
const MSISDN = "233541234567";
let address = "";
let next = 0;
// Each test comes from another network, so that none uses up another's budget.
beforeEach(() => {
  address = `198.51.${++next}.1`;
});

async function codeTo(msisdn: string): Promise<string> {
  await recipients.sendCode(db, keys, { msisdn, address });
  const [sms] = await db.execute<{ body: string }>(sql`
    select body from messages where recipient = ${msisdn} and kind = 'number_code' order by id desc limit 1`);
  return /\d{6}/.exec(sms!.body)![0];
}
const fresh = () => `23354${String(2_000_000 + next * 1000 + Math.floor(Math.random() * 1000))}`;

test("the code's holder sees what is stored, and it is written down without the number", async () => {
  await contacts.save(db, { by: ama.by(), msisdn: MSISDN, name: "Auntie Akos", note: "" });
  const facts = await recipients.show(db, keys, { msisdn: MSISDN, code: await codeTo(MSISDN), address });
  expect(facts).toEqual({
    ...{ msisdn: MSISDN, orders: 0, firstAt: null, lastAt: null },
    ...{ savedBy: 1, owedTo: 0, isOptedOut: false },
  });
  const [noted] = await requests.list(db, 1);
  expect(noted).toMatchObject({ act: "number shown", subject: "a number that ends in 4567" });
});

test("erasing removes what agents saved, stops SMS, and spends the code", async () => {
  const msisdn = fresh();
  await contacts.save(db, { by: ama.by(), msisdn, name: "Kojo", note: "" });
  const proof = { msisdn, code: await codeTo(msisdn), address };
  expect(await recipients.erase(db, keys, proof)).toEqual({ removed: 1 });
  expect(await count(db, sql`from contacts where msisdn = ${msisdn}`)).toBe(0);
  expect(await count(db, sql`from sms_opt_outs where msisdn = ${msisdn} and ended_at is null`)).toBe(1);
  expect((await refusal(recipients.erase(db, keys, proof))).code).toBe("code.wrong");
});

test("a wrong code, another number's, and a right one after five wrong ones show nothing", async () => {
  const [msisdn, other] = [fresh(), fresh()];
  const code = await codeTo(msisdn);
  const wrong = code === "000000" ? "000001" : "000000";
  const outcome = async (proof: { msisdn: string; code: string }) =>
    (await refusal(recipients.show(db, keys, { ...proof, address }))).code;
  expect(await outcome({ msisdn: other, code })).toBe("code.wrong");
  for (let tries = 0; tries < 5; tries++) expect(await outcome({ msisdn, code: wrong })).toBe("code.wrong");
  expect(await outcome({ msisdn, code })).toBe("code.wrong");
});

test("a number gets three codes a day, and one a minute", async () => {
  const msisdn = fresh();
  for (let sent = 0; sent < 3; sent++) {
    await recipients.sendCode(db, keys, { msisdn, address });
    // A second request within the minute sends nothing and counts nothing.
    await recipients.sendCode(db, keys, { msisdn, address });
    await db.execute(sql`update number_codes set created_at = now() - interval '2 minutes'`);
  }
  expect((await refusal(recipients.sendCode(db, keys, { msisdn, address }))).code).toBe("request.rate_limited");
  expect(await count(db, sql`from messages where recipient = ${msisdn}`)).toBe(3);
});

test("a stranger keeps nobody from seeing or erasing their number", async () => {
  const msisdn = fresh();
  const stranger = "203.0.113.9";
  for (let sent = 0; sent < 4; sent++) {
    await recipients.sendCode(db, keys, { msisdn, address: stranger }).catch(() => {});
    await db.execute(sql`update number_codes set created_at = now() - interval '2 minutes'`);
  }
  const code = await codeTo(msisdn);
  const wrong = code === "000000" ? "000001" : "000000";
  for (let tries = 0; tries < 8; tries++)
    await refusal(recipients.show(db, keys, { msisdn, code: wrong, address: stranger }));
  expect((await recipients.show(db, keys, { msisdn, code, address })).orders).toBe(0);
  // From the owner's own network the browser that asked counts apart.
  for (let tries = 0; tries < 8; tries++) await refusal(recipients.show(db, keys, { msisdn, code: wrong, address }));
  const browser = { keys: { signing: ["a key for tests"] }, cookie: null };
  const asking = { ...browser, cookie: cookieFor(browser, msisdn) };
  expect(await recipients.erase(db, keys, { msisdn, code, address, asking })).toEqual({ removed: 0 });
});
