// Constraints of the database, which hold whatever the code does: each statement here bypasses the code.
import { describe, expect, test } from "bun:test";
import { type SQL, sql } from "drizzle-orm";
import * as orders from "../../src/core/buying/buy.ts";
import * as unpaidOrders from "../../src/core/buying/unpaid-orders.ts";
import * as statusChanges from "../../src/core/orders/status-changes.ts";
import { databaseRefusal, lineFor } from "../support/asking.ts";
import { openWorld } from "../support/world.ts";

const world = await openWorld();
const { db, yaw } = world;
const bundle = await world.product("MTN", "1GB", "3.90");
const ama = await world.person("ama", "GH₵ 100.00");
const buy = async () => {
  const ask = { by: ama.by(), key: null, line: lineFor(bundle) };
  return (await orders.buy(db, ask)).answer.order.id;
};
const paidId = await buy();
const failedId = await buy();
await statusChanges.moveOne(db, { by: yaw.by(), key: null, orderId: failedId, to: "FAILED" });
const unpaidId = (await unpaidOrders.create(db, { by: ama.by(), key: null, line: lineFor(bundle) })).answer.id;

const refuses = (name: string, statement: SQL) =>
  databaseRefusal(db.execute(statement)).then((by) => expect(by).toBe(name));

describe("the journal of transfers", () => {
  for (const [label, statement] of Object.entries({
    "an update": sql`update transfers set amount_pesewas = 1`,
    "an update that changes nothing": sql`update transfers set reason = reason`,
    "a deletion": sql`delete from transfers`,
    "truncating it": sql`truncate transfers`,
    "truncating it with others": sql`truncate transfers, orders cascade`,
  })) {
    test(`refuses ${label}`, () => refuses("transfers_append_only", statement));
  }

  const insert = (values: SQL) =>
    sql`insert into transfers (reason, subject_id, user_id, debit, credit, amount_pesewas, balance_after_pesewas)
      values ${values}`;
  test("accepts one charge and one refund per order, and no more", async () => {
    await refuses(
      "transfers_once_per_subject",
      insert(sql`('charge', ${paidId}, ${ama.id}, 'wallet', 'sales', 390, 0)`),
    );
    await refuses(
      "transfers_once_per_subject",
      insert(sql`('refund', ${failedId}, ${ama.id}, 'sales', 'wallet', 390, 0)`),
    );
  });

  test("accepts no amount of zero or less, no negative balance, no accounts that do not fit the reason", async () => {
    await refuses("transfers_amount_above_zero", insert(sql`('charge', -1, 1, 'wallet', 'sales', 0, 0)`));
    await refuses("transfers_amount_above_zero", insert(sql`('charge', -1, 1, 'wallet', 'sales', -5, 0)`));
    await refuses("transfers_balance_not_below_zero", insert(sql`('charge', -1, 1, 'wallet', 'sales', 5, -1)`));
    await refuses("transfers_accounts_fit_reason", insert(sql`('charge', -1, 1, 'sales', 'wallet', 5, 0)`));
    await refuses("transfers_accounts_fit_reason", insert(sql`('refund', -1, 1, 'cash', 'wallet', 5, 0)`));
    await refuses("transfers_accounts_fit_reason", insert(sql`('payment_fee', -1, 1, 'paystack', 'fees', 5, null)`));
    await refuses("transfers_accounts_fit_reason", insert(sql`('gift', -1, 1, 'cash', 'wallet', 5, 0)`));
    await refuses("transfers_balance_with_wallet", insert(sql`('charge', -1, 1, 'wallet', 'sales', 5, null)`));
    await refuses("transfers_balance_with_wallet", insert(sql`('cash_sale', -1, 1, 'cash', 'sales', 5, 0)`));
  });
});

test("the held amount is never negative, and a chargeback holds only while it is open", async () => {
  await refuses("wallets_held_not_below_zero", sql`update wallets set held_pesewas = -1 where user_id = ${ama.id}`);
  const held = (kind: string, state: string, pesewas = 500) => sql`
    with paid as (insert into payments (user_id, amount_pesewas, reference)
      values (${ama.id}, 500, ${`${kind} ${state}`})
                  returning id)
    insert into payment_reversals (payment_id, user_id, kind, provider_reference, amount_pesewas, held_pesewas, state)
    select id, ${ama.id}, ${kind}, 'one', 500, ${pesewas}, ${state} from paid`;
  await refuses("payment_reversals_held_while_open", held("chargeback", "booked"));
  await refuses("payment_reversals_held_while_open", held("refund", "open"));
  await refuses("payment_reversals_kind_known", held("dispute", "open", 0));
});

test("a payer bears no more of a payment's fees than they are", () =>
  refuses(
    "payments_fees_by_payer_are_part_of_fees",
    sql`insert into payments (user_id, amount_pesewas, reference, fees_pesewas, fees_by_payer_pesewas)
      values (${ama.id}, 500, 'tp-fees', 10, 11)`,
  ));

test("a payment is closed only by a decision", () =>
  refuses(
    "payments_closed_by_decision",
    sql`insert into payments (user_id, amount_pesewas, reference, state)
      values (${ama.id}, 500, 'tp-closed', 'closed')`,
  ));

test("a wallet is never below zero", () =>
  refuses("wallets_never_below_zero", sql`update wallets set balance_pesewas = -1 where user_id = ${ama.id}`));

describe("an order", () => {
  const set = (id: number, change: SQL) => sql`update orders set ${change} where id = ${id}`;
  for (const [label, name, statement] of [
    ["that was paid fails only with a refund", "orders_failed_money_is_back", set(paidId, sql`status = 'FAILED'`)],
    ["is refunded only when it fails", "orders_failed_money_is_back", set(paidId, sql`refunded_at = now()`)],
    [
      "that was never paid is never refunded",
      "orders_failed_money_is_back",
      set(unpaidId, sql`status = 'FAILED', refunded_at = now()`),
    ],
    ["costs price times quantity", "orders_amount_is_price_times_quantity", set(paidId, sql`amount_pesewas = 391`)],
    ["has a price above zero", "orders_price_above_zero", set(paidId, sql`unit_price_pesewas = 0, amount_pesewas = 0`)],
    ["has a quantity from 1", "orders_quantity_1_to_100", set(paidId, sql`quantity = 0, amount_pesewas = 0`)],
    ["has a quantity up to 100", "orders_quantity_1_to_100", set(paidId, sql`quantity = 101, amount_pesewas = 39390`)],
    ["has a known status", "orders_status_known", set(paidId, sql`status = 'SHIPPED'`)],
    ["moves on only when it is paid", "orders_move_only_when_paid", set(unpaidId, sql`status = 'PROCESSING'`)],
    ["has a payment method once it is paid", "orders_paid_with_method", set(unpaidId, sql`paid_at = now()`)],
    ["has no method while it is unpaid", "orders_paid_with_method", set(unpaidId, sql`payment_method = 'cash'`)],
    ["has a known method", "orders_method_known", set(paidId, sql`payment_method = 'barter'`)],
  ] as const) {
    test(label, () => refuses(name, statement));
  }

  test("stores its number in one format", async () => {
    for (const msisdn of [
      "0541234567",
      "+233541234567",
      "23354123456",
      "2335412345678",
      "233141234567",
      "",
      "233541234567 ",
    ]) {
      await refuses("orders_msisdn_is_ghanaian", set(paidId, sql`msisdn = ${msisdn}`));
    }
  });
});

describe("people, products and keys", () => {
  for (const [label, name, statement] of [
    [
      "a username is unique in any letter case",
      "users_username_once",
      sql`insert into users (username, email, password_hash) values ('AMA', 'other@example.com', '')`,
    ],
    [
      "an e-mail is unique in any letter case",
      "users_email_once",
      sql`insert into users (username, email, password_hash) values ('other', 'AMA@Example.com', '')`,
    ],
    ["a user has a known status", "users_status_known", sql`update users set status = 'GONE'`],
    ["a user has at least one role", "users_one_role", sql`update users set roles = '{}'`],
    ["a user has one role", "users_one_role", sql`update users set roles = '{USER,ADMIN}'`],
    ["a user has known roles", "users_roles_known", sql`update users set roles = '{ROOT}'`],
    ["a closed account has its date", "users_closed_when_stated", sql`update users set status = 'CLOSED'`],
    ["a price is above zero", "products_price_above_zero", sql`update products set price_pesewas = 0`],
    [
      "a bundle is on sale only once",
      "products_on_sale_once",
      sql`insert into products (operator, name, size, price_pesewas) values ('MTN', 'mtn 1gb', '1gb', 5)`,
    ],
    [
      "a product's family is one of its operator",
      "products_family_of_operator",
      sql`update products set family = 'TELECEL' where operator = 'MTN'`,
    ],
    [
      "a family has a code",
      "product_families_code_form",
      sql`insert into product_families (code, operator, name, ussd_label, position)
        values ('glo', 'MTN', 'Glo', 'Glo', 9)`,
    ],
    [
      "a delivery event has a known kind",
      "order_events_kind_known",
      sql`insert into order_events (order_id, user_id, channel, kind) values (1, 1, 'system', 'whispered')`,
    ],
    [
      "an event names a deliverer only with a text for the agent",
      "order_events_detail_of_kind",
      sql`insert into order_events (order_id, user_id, channel, detail) values (1, 1, 'system', 'By a vendor')`,
    ],
    [
      "a pause has a message and a date",
      "operators_paused_with_message",
      sql`update operators set paused_message = 'wait'`,
    ],
    ["only a pause has an end", "products_end_of_a_pause", sql`update products set paused_until = now()`],
    ["only an operator's pause has an end", "operators_end_of_a_pause", sql`update operators set paused_until = now()`],
    [
      "a key has at most 255 characters",
      "idempotency_key_length",
      sql`insert into idempotency (user_id, scope, key, fingerprint) values (1, 's', repeat('k', 256), 'f')`,
    ],
    [
      "a correction has a reason",
      "adjustments_reason_given",
      sql`insert into adjustments (user_id, amount_pesewas, reason) values (${ama.id}, 5, '  ')`,
    ],
    [
      "a correction is not zero",
      "adjustments_amount_not_zero",
      sql`insert into adjustments (user_id, amount_pesewas, reason) values (${ama.id}, 0, 'why')`,
    ],
    ["a day's totals are not negative", "user_days_not_below_zero", sql`update user_days set orders = -1`],
  ] as const) {
    test(label, () => refuses(name, statement));
  }
});
