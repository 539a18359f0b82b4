// Tests with the whole program killed between the provider's acceptance of a message and our record of it.
import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { messages as table } from "../../db/schema/messaging.ts";
import { startAfricasTalking } from "../../dev/simulators/africastalking.ts";
import { startMailbox } from "../../dev/simulators/mailbox.ts";
import * as messages from "../../src/core/messaging/messages.ts";
import { startShop } from "../support/shop.ts";
import { openWorld } from "../support/world.ts";

const world = await openWorld();
const { db } = world;

const minutePasses = () => db.execute(sql`update jobs set run_at = run_at - interval '61 seconds'`);

/** Waits until the messages are in these states, oldest first. */
async function until(states: string): Promise<void> {
  while ((await rowsNow()).map(({ state }) => state).join() !== states) await Bun.sleep(20);
}
const rowsNow = () => db.select().from(table).orderBy(table.id);

test("a code by SMS is never sent twice, a notice is, a mail with its first id; no code is logged", async () => {
  const [africasTalking, mailbox] = await Promise.all([startAfricasTalking(), startMailbox()]);
  const environment = {
    AT_BASE_URL: africasTalking.url,
    AT_USERNAME: africasTalking.username,
    AT_API_KEY: africasTalking.apiKey,
    SMTP_URL: mailbox.url,
    LOG_LEVEL: "trace",
    WORKER_POLL_SECONDS: "0.05",
  };
  const message = (channel: "sms" | "email", recipient: string, body: string): messages.NewMessage => ({
    userId: null,
    kind: "test",
    channel,
    recipient,
    subject: "Test",
    body,
  });
  africasTalking.next("hangAfter", "hangAfter");
  mailbox.next("hangAtData");
  const first = await startShop(world.url, environment);
  // In one commit, so that one round of the worker takes all: a later round would wait for the first to time out.
  await db.transaction((tx) =>
    messages.queueAll(tx, [
      { ...message("sms", "233541234567", "908172 is your code"), codeSeconds: 900 },
      message("sms", "233541234567", "a notice"),
      message("email", "ama@example.com", "a letter"),
    ]),
  );
  while (africasTalking.messages().length < 2 || mailbox.mails().length < 1) await Bun.sleep(20);
  await first.kill();
  await until("sending,sending,sending");

  // The dead worker's leases expire, and later the delay before a retry.
  await minutePasses();
  const second = await startShop(world.url, environment);
  await until("unknown,queued,queued");
  await minutePasses();
  await until("unknown,sent,sent");
  const rows = await rowsNow();
  expect(rows.map(({ state, attempts, body }) => [state, attempts, body])).toEqual([
    ["unknown", 1, null],
    ["sent", 2, "a notice"],
    ["sent", 2, "a letter"],
  ]);
  const sent = africasTalking.messages().map(({ message }) => message);
  expect(sent.sort()).toEqual(["908172 is your code", "a notice", "a notice"]);
  expect(new Set(mailbox.mails().map(({ messageId }) => messageId)).size).toBe(1);
  expect(await second.stop()).toBe(0);
  const logged = first.output() + second.output();
  expect(logged).toContain("the worker was stopped while sending it");
  for (const secret of ["908172", africasTalking.apiKey, "233541234567", "ama@example.com"])
    expect(logged).not.toContain(secret);
  await Promise.all([africasTalking.stop(), mailbox.stop()]);
});
