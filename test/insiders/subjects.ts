// Ids that exist in the shop, by what they are of; those that somebody can still decide about come first.
import { sql } from "drizzle-orm";
import type { Subject } from "../../src/http/subject.ts";
import { receiptToken } from "../support/pages.ts";
import type { Rig } from "./rig.ts";

export type Ids = Record<Subject, string[]>;

const FEW = 12;

/** Tables, with a condition, and what is still open. */
const FROM: Record<Subject, string> = {
  order: "id, false as is_open from orders",
  unpaidOrder: "id, true as is_open from orders where paid_at is null and status = 'PENDING'",
  deliveredOrder: "id, status = 'DELIVERED' as is_open from orders where status in ('DELIVERED', 'COMPLETED')",
  receipt: "id, false as is_open from orders",
  bulkOrder: "id, false as is_open from bulk_orders",
  draft: "id, false as is_open from bulk_drafts",
  registration: "order_id as id, refused_at is null as is_open from afa_registrations",
  deposit: "id, state = 'open' as is_open from deposits",
  cashClose: "id, decided_at is null as is_open from cash_closes",
  bankDeposit: "id, seen_at is null as is_open from bank_deposits",
  payout: "id, booked_at is null as is_open from payouts",
  depositReversal: "id, state = 'open' as is_open from deposit_reversals",
  statementDraft: "id, imported_at is null as is_open from statement_imports",
  paymentReference: "reference as id, paid_at is null as is_open from payments",
  payment: "id, state = 'review' as is_open from payments",
  chargeback: "id, state = 'open' as is_open from payment_reversals where kind = 'chargeback'",
  request: "id, state = 'open' as is_open from support_requests",
  dispute: "id, state = 'open' as is_open from support_requests where kind = 'not_received'",
  keptAnswer: "id, true as is_open from kept_answers",
  webhook: "id, false as is_open from hooks",
  apiRequest: "id, false as is_open from api_requests",
  apiKey: "id, revoked_at is null as is_open from api_keys",
  webhookDelivery: "id, false as is_open from hook_deliveries",
  product: "id, retired_at is null as is_open from products",
  network: "code as id, retired_at is null as is_open from operators",
  priceList: "token as id, false as is_open from price_lists",
  priceChange: "id, false as is_open from price_changes",
  tier: "id, false as is_open from tiers",
  user: "id, roles <> '{USER}' as is_open from users where status <> 'CLOSED'",
  signal: "id, closed_at is null as is_open from signals",
  signalRule: "kind as id, is_on as is_open from signal_rules",
  // No row until its keys are entered.
  provider: "'paystack' as id, false as is_open",
  vendor: "code as id, paused_at is not null as is_open from vendors",
  approval: "id, state = 'open' as is_open from approvals",
  batch: "id, false as is_open from desk_batches",
  // No row: the pages of the calls are the same for everybody.
  apiCall: "'get-orders' as id, false as is_open",
};

const ALL = Object.entries(FROM)
  .map(
    ([subject, from]) =>
      `(select '${subject}' as subject, id::text from (select ${from}) s
        order by is_open desc nulls last, md5(id::text || :salt) limit ${FEW})`,
  )
  .join(" union all ");

/** Some ids of everything. */
export async function idsOf({ db, random }: Pick<Rig, "db" | "random">): Promise<Ids> {
  const chosen = ALL.replaceAll(":salt", `'${random(1e6)}'`);
  const rows = await db.execute<{ subject: Subject; id: string }>(sql.raw(chosen));
  const ids = Object.fromEntries(Object.keys(FROM).map((subject) => [subject, [] as string[]])) as Ids;
  for (const { subject, id } of rows) ids[subject].push(subject === "receipt" ? receiptToken(Number(id)) : id);
  return ids;
}

/** Deposits that wait, as an agent reported them. */
export type Deposit = { transactionId: string; amount: number };

/** Some of them, those that wait first. */
export async function depositsOf({ db }: Pick<Rig, "db">): Promise<Deposit[]> {
  return db.$client<Deposit[]>`
    select transaction_id as "transactionId", amount_pesewas / 100.0::float8 as amount
    from deposits order by state = 'open' desc, id desc limit 12`;
}
