// The migration that books the fees of payments from before: run over the rows of the previous version, also twice.
import { afterAll, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import postgres from "postgres";
import { webhookEvents } from "../../db/schema/payments.ts";
import * as fees from "../../src/core/ledger/fees.ts";
import { openWorld } from "../support/world.ts";
import { read } from "../unit/source.ts";

const world = await openWorld();
const { db } = world;
const ama = await world.person("ama");
const client = postgres(world.url, { max: 1, onnotice: () => {} });
afterAll(() => client.end());

type Row = {
  feesPesewas: number | null;
  creditedPesewas?: number;
  isPaid?: boolean;
  webhookPesewas?: number;
};

/** A payment of GH₵ 20.00 as the previous version left it, with its credit and its stored webhook. */
async function before(reference: string, row: Row): Promise<void> {
  const { feesPesewas, creditedPesewas = 2000, isPaid = true, webhookPesewas } = row;
  const state = isPaid ? sql`'paid', '2026-03-01T10:00:00Z'` : sql`'review', null`;
  await db.execute(sql`
    insert into payments (user_id, amount_pesewas, credited_pesewas, reference, domain, fees_pesewas, state, paid_at)
    values (${ama.id}, 2000, ${creditedPesewas === 2000 ? null : creditedPesewas}, ${reference}, 'test',
            ${feesPesewas}, ${state})`);
  if (webhookPesewas !== undefined)
    await db.insert(webhookEvents).values({
      provider: "paystack",
      dedupeKey: reference,
      event: "charge.success",
      reference,
      body: { event: "charge.success", data: { domain: "test", amount: webhookPesewas } },
    });
  if (!isPaid) return;
  await db.execute(sql`
    with changed as (
      update wallets set balance_pesewas = balance_pesewas + ${creditedPesewas} where user_id = ${ama.id}
      returning balance_pesewas)
    insert into transfers (user_id, debit, credit, amount_pesewas, reason, subject_id, balance_after_pesewas)
    select ${ama.id}, 'paystack', 'wallet', ${creditedPesewas}, 'topup', id, balance_pesewas
    from payments, changed where reference = ${reference}`);
}

async function migrateAgain(): Promise<void> {
  const text = await read("db/migrations/0007_payment_fees.sql");
  for (const statement of text.split("--> statement-breakpoint")) await client.unsafe(statement);
}

test("books the shop's part of each known fee once, and forgets fees that cannot be right", async () => {
  await before("tp-plain", { feesPesewas: 39 });
  await before("tp-unknown", { feesPesewas: null });
  await before("tp-nothing", { feesPesewas: 0 });
  await before("tp-huge", { feesPesewas: 100_000 });
  await before("tp-by-payer", { feesPesewas: 40, webhookPesewas: 2040 });
  await before("tp-in-part", { feesPesewas: 40, webhookPesewas: 2030 });
  await before("tp-as-asked", { feesPesewas: 39, webhookPesewas: 2000 });
  await before("tp-less", { feesPesewas: 29, creditedPesewas: 1500, webhookPesewas: 1500 });
  await before("tp-review", { feesPesewas: 39, isPaid: false });
  const seen = [];
  for (let run = 1; run <= 2; run++) {
    await migrateAgain();
    const rows = await db.execute<{
      reference: string;
      fees: number | null;
      payers: number;
      booked: number;
    }>(sql`
      select p.reference, p.fees_pesewas::int as fees, p.fees_by_payer_pesewas::int as payers,
             sum(t.amount_pesewas)::int as booked
      from payments p
      left join transfers t on t.reason = 'payment_fee' and t.subject_id = p.id and t.user_id = p.user_id
      group by p.id order by p.id`);
    seen.push(rows.map(({ reference, fees, payers, booked }) => [reference, fees, payers, booked]));
  }
  expect(seen[0]).toEqual([
    ["tp-plain", 39, 0, 39],
    ["tp-unknown", null, 0, null],
    ["tp-nothing", 0, 0, null],
    ["tp-huge", null, 0, null],
    ["tp-by-payer", 40, 40, null],
    ["tp-in-part", 40, 30, 10],
    ["tp-as-asked", 39, 0, 39],
    ["tp-less", 29, 0, 29],
    ["tp-review", 39, 0, null],
  ]);
  expect(seen[1]).toEqual(seen[0]!);
  expect(await fees.ofSpan(db, { first: "2026-03-01", last: "2026-03-01" })).toEqual([
    { day: "2026-03-01", feesPesewas: 39 + 10 + 39 + 29 },
  ]);
});
