// Tests with the whole program killed while the fall-back has an SMS that the first gateway refused.
import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { messages as table } from "../../db/schema/messaging.ts";
import { startAfricasTalking } from "../../dev/simulators/africastalking.ts";
import { startArkesel } from "../../dev/simulators/arkesel.ts";
import * as messages from "../../src/core/messaging/messages.ts";
import * as smsAttempts from "../../src/core/messaging/sms-attempts.ts";
import * as settings from "../../src/core/platform/settings/settings.ts";
import { startShop } from "../support/shop.ts";
import { openWorld } from "../support/world.ts";

const world = await openWorld();
const { db, yaw } = world;
const PASSED_ON = "an SMS goes by the fall-back";
/** Africa's Talking has no credit for it. */
const MSISDN = "233541234504";

const minutePasses = () => db.execute(sql`update jobs set run_at = run_at - interval '61 seconds'`);
const rows = () => db.select().from(table).orderBy(table.id);
async function until(states: string): Promise<void> {
  while ((await rows()).map(({ state }) => state).join() !== states) await Bun.sleep(20);
}
const tried = async (id: number) =>
  ((await smsAttempts.ofAll(db, [id])).get(id) ?? []).map(({ gateway, outcome }) => `${gateway} ${outcome}`);

test("a code is with the fall-back once, a notice twice at most, and each attempt is on record", async () => {
  const [at, arkesel] = await Promise.all([startAfricasTalking(), startArkesel()]);
  const values = { sms_gateway: "africastalking", sms_fallback: "arkesel" };
  await settings.change(db, { by: yaw.by("admin"), values });
  const environment = {
    ...{ AT_BASE_URL: at.url, AT_USERNAME: at.username, AT_API_KEY: at.apiKey },
    ...{ ARKESEL_BASE_URL: arkesel.url, ARKESEL_API_KEY: arkesel.apiKey, ARKESEL_SENDER_ID: "DataFie" },
    ...{ LOG_LEVEL: "trace", WORKER_POLL_SECONDS: "0.05" },
  };
  const sms = { userId: null, kind: "test", channel: "sms", recipient: MSISDN, subject: "" } as const;
  arkesel.next("hangAfter", "hangAfter");
  const first = await startShop(world.url, environment);
  await db.transaction((tx) =>
    messages.queueAll(tx, [
      { ...sms, body: "908172 is your code", codeSeconds: 900 },
      { ...sms, body: "a notice" },
    ]),
  );
  // What it has logged may still be on its way when the program is killed.
  while (arkesel.messages().length < 2 || !first.output().includes(PASSED_ON)) await Bun.sleep(20);
  await first.kill();
  await until("sending,sending");

  // The dead worker's leases expire, and later the delay before a retry.
  await minutePasses();
  const second = await startShop(world.url, environment);
  await until("unknown,queued");
  await minutePasses();
  await until("unknown,sent");
  const [code, notice] = await rows();
  expect([code!.body, code!.gateway, notice!.gateway]).toEqual([null, "arkesel", "arkesel"]);
  expect(await tried(code!.id)).toEqual(["africastalking down", "arkesel unknown"]);
  expect(await tried(notice!.id)).toEqual(["africastalking down", "arkesel unknown", "arkesel accepted"]);
  const sent = arkesel.messages().map(({ message }) => message);
  expect(sent.sort()).toEqual(["908172 is your code", "a notice", "a notice"]);
  expect(at.messages()).toEqual([]);

  // The shop's own address goes along, and takes the report.
  expect(await arkesel.report(notice!.providerId!, "DELIVERED")).toBe(200);
  await until("unknown,delivered");
  expect(await second.stop()).toBe(0);
  const logged = first.output() + second.output();
  expect(logged).toContain(PASSED_ON);
  for (const secret of ["908172", at.apiKey, arkesel.apiKey, MSISDN]) expect(logged).not.toContain(secret);
  await Promise.all([at.stop(), arkesel.stop()]);
});
