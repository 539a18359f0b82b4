// Top-ups by USSD: one at a time, with one prompt after the session, and the result by SMS.
import { beforeEach, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { phones } from "../../../db/schema/identity.ts";
import { RIGHT_OTP } from "../../../dev/simulators/paystack/paystack.ts";
import * as users from "../../../src/core/identity/users.ts";
import * as prompts from "../../../src/core/payments/momo-prompts.ts";
import type { Network } from "../../../src/shared/domain.ts";
import { count, outcome, tally, times, withSecondServer } from "../../support/asking.ts";
import type { Person } from "../../support/world.ts";
import { openPaying } from "./paying.ts";

const shop = await openPaying({ otpForTelecel: true });
const { world, db, paystack, gateway } = shop;

let used = 0;
async function somebody(): Promise<Person> {
  const person = await world.person(`agent${used}`);
  await db.insert(phones).values({ userId: person.id, msisdn: `23354${String(2_000_000 + used++)}` });
  return person;
}
/** The last digits of the payer's number decide the prompt's result: 00 waits for approval, 01 is refused. */
const ask = (person: Person, key: string, network: Network = "mtn", msisdn = "233541000000", on = db) =>
  prompts.request(on, {
    ...{ by: person.by("ussd"), key: { scope: "ussd", key }, amountPesewas: 2000 },
    ...{ network, msisdn, serviceCode: "*920*55#" },
  });
const makeDue = () => db.execute(sql`update jobs set run_at = now() where kind in ('ask_payer', 'hand_in_voucher')`);
const work = async (on = db) => {
  await makeDue();
  await prompts.sendDue(on, gateway, 10);
  await prompts.submitDueVouchers(on, gateway, 10);
};
const paymentOf = async (person: Person) => {
  const [row] = await db.execute<{ id: number; reference: string; state: string }>(
    sql`select id, reference, state from payments where user_id = ${person.id} order by id desc limit 1`,
  );
  return row!;
};
const textsTo = async (person: Person) =>
  (
    await db.execute<{ body: string }>(
      sql`select body from messages where user_id = ${person.id} and channel = 'sms' order by id`,
    )
  ).map(({ body }) => body);
const chargesOf = ({ reference }: { reference: string }) =>
  paystack.requests().filter(({ route, body }) => route === "POST /charge" && JSON.stringify(body).includes(reference));

beforeEach(async () => {
  // The limits on prompts have tests of their own.
  await db.execute(sql`delete from rate_limits`);
});

test("the payer gets one prompt some seconds later, and an SMS about the credit", async () => {
  const ama = await somebody();
  await ask(ama, "one");
  const payment = await paymentOf(ama);
  expect(await prompts.sendDue(db, gateway, 10)).toBe(0);
  const [job] = await db.execute<{ seconds: number }>(sql`
    select extract(epoch from run_at - created_at)::float8 as seconds from jobs where subject_id = ${payment.id}`);
  expect(job!.seconds).toBe(5);
  await withSecondServer(world, async (other) => {
    await makeDue();
    await Promise.all([prompts.sendDue(db, gateway, 10), prompts.sendDue(other, gateway, 10)]);
  });
  expect(chargesOf(payment)).toHaveLength(1);
  await paystack.approve(payment.reference);
  await shop.settle(payment.reference);
  expect(await world.balanceOf(ama)).toBe(2000);
  expect(await textsTo(ama)).toEqual(["DataFie: GHS 20.00 is in your wallet. Balance GHS 20.00."]);
});

test("a worker that died after the prompt does not repeat it", async () => {
  const ama = await somebody();
  await ask(ama, "died");
  const payment = await paymentOf(ama);
  await work();
  await db.execute(sql`insert into jobs (kind, subject_id) values ('ask_payer', ${payment.id})`);
  await work();
  expect(chargesOf(payment)).toHaveLength(1);
});

test("an account has one top-up in progress, even when two are started at once", async () => {
  const ama = await somebody();
  const outcomes = await Promise.all(times(8, (i) => outcome(ask(ama, `at once ${i}`))));
  expect(tally(outcomes)).toEqual({ done: 1, "payment.in_progress": 7 });
  const kofi = await somebody();
  expect(tally(await Promise.all(times(8, () => outcome(ask(kofi, "the same")))))).toEqual({ done: 8 });
  expect(await count(db, sql`from prompts where user_id = ${kofi.id}`)).toBe(1);
});

const giveUp = (person: Person, paymentId: number, key = `give up ${paymentId}`) =>
  prompts.cancel(db, { by: person.by("ussd"), key: { scope: "ussd", key }, paymentId });

test("a cancelled top-up sends no prompt, and another can begin at once", async () => {
  const ama = await somebody();
  await ask(ama, "wrong number");
  const wrong = await paymentOf(ama);
  expect(await outcome(giveUp(await somebody(), wrong.id))).toBe("payment.not_payable");
  expect(tally(await Promise.all(times(3, () => outcome(giveUp(ama, wrong.id)))))).toEqual({ done: 3 });
  expect(await outcome(giveUp(ama, wrong.id, "once more"))).toBe("payment.not_payable");
  expect(await prompts.open(db, ama.id)).toBeNull();
  await ask(ama, "right number");
  await work();
  expect([chargesOf(wrong).length, chargesOf(await paymentOf(ama)).length]).toEqual([0, 1]);
});

test("a top-up that is cancelled after its prompt is still credited if the payer approves", async () => {
  const ama = await somebody();
  await ask(ama, "slow");
  const { id, reference } = await paymentOf(ama);
  await work();
  await giveUp(ama, id);
  await paystack.approve(reference);
  await shop.settle(reference);
  expect(await world.balanceOf(ama)).toBe(2000);
});

test("an entered voucher is not submitted once the top-up is cancelled", async () => {
  const ama = await somebody();
  await ask(ama, "voucher given up", "vod", "233201000000");
  await work();
  const { id } = await paymentOf(ama);
  const by = ama.by("ussd");
  await prompts.storeVoucher(db, {
    by,
    key: { scope: "ussd", key: "typed" },
    paymentId: id,
    voucher: RIGHT_OTP,
  });
  await giveUp(ama, id);
  await work();
  expect((await paymentOf(ama)).state).toBe("pending");
  expect(await count(db, sql`from prompts where user_id = ${ama.id} and voucher is not null`)).toBe(0);
});

test("less than the minimum is refused, and so is a closed account", async () => {
  const ama = await somebody();
  const little = { by: ama.by("ussd"), key: { scope: "ussd", key: "little" }, amountPesewas: 100 };
  const payer = { network: "mtn", msisdn: "233541000000", serviceCode: "*920*55#" } as const;
  expect(await outcome(prompts.request(db, { ...little, ...payer }))).toBe("payment.below_minimum");
  await users.ban(db, { by: world.yaw.by("admin"), userId: ama.id });
  expect(await outcome(ask(ama, "closed"))).toBe("auth.banned");
  expect(await count(db, sql`from prompts where user_id = ${ama.id}`)).toBe(0);
});

test("a refusal by the payer sends an SMS with the reason, and another top-up can follow", async () => {
  const ama = await somebody();
  await ask(ama, "refused", "mtn", "233541000001");
  await work();
  const payment = await paymentOf(ama);
  paystack.refuse(payment.reference);
  await shop.settle(payment.reference);
  await shop.settle(payment.reference);
  expect(await textsTo(ama)).toEqual([
    "DataFie: your top-up of GHS 20.00 failed: The payer refused the payment on the phone. " +
      "Nothing was added to your wallet.",
  ]);
  expect(await outcome(ask(ama, "next"))).toBe("done");
});

test("a voucher is requested by SMS, stored until it is submitted and no longer, and submitted once", async () => {
  const ama = await somebody();
  const by = ama.by("ussd");
  const typed = (voucher: string, key = voucher) =>
    outcome(prompts.storeVoucher(db, { by, key: { scope: "ussd", key }, paymentId, voucher }));
  await db.execute(sql`insert into settings (key, value) values ('ussd_code', '"*920*55#"')`);
  await ask(ama, "voucher", "vod", "233501000000");
  const { id: paymentId, reference } = await paymentOf(ama);
  expect(await typed(RIGHT_OTP)).toBe("payment.not_payable");
  await work();
  await db.execute(sql`insert into jobs (kind, subject_id) values ('ask_payer', ${paymentId})`);
  await work();
  expect(await textsTo(ama)).toEqual([
    "DataFie: to pay GHS 20.00 dial *110# for a voucher, then dial *920*55*4# and enter it within 5 minutes.",
  ]);
  expect(await prompts.open(db, ama.id)).toMatchObject({ paymentId, needsVoucher: true });
  expect(tally(await Promise.all(["a", "b", "c"].map((key) => typed(RIGHT_OTP, key))))).toEqual({
    done: 1,
    "payment.not_payable": 2,
  });
  await withSecondServer(world, async (other) => void (await Promise.all([work(), work(other)])));
  const handedIn = paystack.requests().filter(({ route }) => route === "POST /charge/submit_otp");
  expect(handedIn).toHaveLength(1);
  expect(await count(db, sql`from prompts where voucher is not null`)).toBe(0);
  await paystack.approve(reference);
  await shop.settle(reference);
  expect(await world.balanceOf(ama)).toBe(2000);
  expect(shop.logged()).not.toContain(RIGHT_OTP);
});

test("a wrong voucher ends its top-up, with an SMS", async () => {
  const ama = await somebody();
  await ask(ama, "wrong voucher", "vod", "233501000000");
  await work();
  const { id: paymentId } = await paymentOf(ama);
  const key = { scope: "ussd", key: "wrong" };
  await prompts.storeVoucher(db, { by: ama.by("ussd"), key, paymentId, voucher: "000000" });
  await work();
  expect((await paymentOf(ama)).state).toBe("failed");
  expect((await textsTo(ama)).at(-1)).toStartWith("DataFie: your top-up of GHS 20.00 failed: ");
});
