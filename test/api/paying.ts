// A shop with a simulated Paystack, for tests of payments.

import { afterAll } from "bun:test";
import { sql } from "drizzle-orm";
import type { PaystackOptions } from "../../dev/simulators/paystack/paystack.ts";
import { startPaystack } from "../../dev/simulators/paystack/paystack.ts";
import { withoutBudgets } from "../core/payments/paying.ts";
import { openApp, openWorld, type Person } from "../support/world.ts";
import { checkedCalls } from "./calls.ts";

export type TopUp = { transactionId: number; reference: string; authorizationUrl: string };

/** Opens a world, a simulator, and the application; the simulator is stopped after the file. */
export async function openTill(options: PaystackOptions = {}) {
  const world = await openWorld({ connections: 10 });
  const paystack = await startPaystack(options);
  afterAll(() => paystack.stop());
  const client = openApp(world, paystack);
  const call = checkedCalls(client);
  const post = (person: Person | null, path: string, body?: unknown) => call(person, "POST", `/api/v1${path}`, body);
  const get = (person: Person | null, path: string) => call(person, "GET", `/api/v1${path}`);

  /** Starts a top-up only; returns its id. */
  const record = async (person: Person, amount: number): Promise<number> => {
    const { status, body } = await post(person, "/wallet/topup/init", { amount });
    if (status !== 201) throw new Error(`no top-up: ${JSON.stringify(body)}`);
    return body.transactionId;
  };
  /** A top-up whose payer is on Paystack's page. */
  const topUp = async (person: Person, amount: number): Promise<TopUp> => {
    await withoutBudgets(world.db, person);
    const transactionId = await record(person, amount);
    const { status, body } = await post(person, "/paystack/init", { transactionId });
    if (status !== 200) throw new Error(`no page: ${JSON.stringify(body)}`);
    return { transactionId: body.transactionId, reference: body.reference, ...body };
  };
  const verify = async (person: Person | null, reference: string, more: object = {}) => {
    await world.db.execute(sql`delete from rate_limits where bucket like 'verify.%'`);
    return post(person, "/paystack/verify", { reference, ...more });
  };
  /** A top-up paid on Paystack's page, of which the shop does not know yet. */
  const paidTopUp = async (person: Person, amount: number): Promise<TopUp> => {
    const opened = await topUp(person, amount);
    await paystack.pay(opened.reference);
    return opened;
  };
  const known = (reference: string) => paystack.transactions().find((row) => row.reference === reference);
  return { world, paystack, client, call, post, get, record, topUp, paidTopUp, verify, known };
}
