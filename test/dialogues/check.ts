// The judgement of a run: what the database holds against what the screens agreed, and PINs where none may be.
import { sql } from "drizzle-orm";
import type { Db } from "../../db/connect.ts";
import * as ledgerAudit from "../../src/core/ledger/audit.ts";
import type { Operator } from "../../src/shared/domain.ts";
import type { Violation } from "./line.ts";
import type { Rig } from "./rig.ts";
import type { Consent } from "./walk.ts";

export type Findings = {
  violations: Violation[];
  orders: number;
  topUps: number;
};

type Evidence = {
  consents: Consent[];
  /** Of orders from the website, which wait for a payment. */
  unpaidIds: ReadonlySet<number>;
  /** "agent order" for each order on each screen. */
  shownOrders: ReadonlySet<string>;
};

/** Compares the books with the consents. Nothing may be under way any more. */
export async function check(rig: Rig, { consents, unpaidIds, shownOrders }: Evidence): Promise<Findings> {
  const orders = await ordersIn(rig.db);
  const byId = new Map(orders.map((order) => [order.id, order]));
  const payments = await paymentsIn(rig.db);
  const violations = [
    ...confirmedOrders(consents, byId),
    ...unconfirmedOrders(consents, orders, unpaidIds),
    ...topUps(
      consents,
      payments.filter(({ orderId }) => orderId === null),
    ),
    ...orderPrompts(rig, payments, byId),
    ...(await wallets(rig, orders)),
    ...[...shownOrders]
      .map((pair) => pair.split(" ").map(Number))
      .filter(([userId, id]) => byId.get(id!)?.userId !== userId)
      .map(([userId, id]) => violation("sessions never mix", `agent ${userId} saw order ${id}`)),
    ...(await ledgerAudit.audit(rig.db)).findings.map((finding) =>
      violation("the books balance", JSON.stringify(finding)),
    ),
    ...(await storedPins(rig)),
    ...logged(rig),
  ];
  return { violations, orders: orders.filter(({ isPaid }) => isPaid).length, topUps: payments.length };
}

type OrderRow = {
  id: number;
  userId: number;
  name: string;
  quantity: number;
  unitPesewas: number;
  amountPesewas: number;
  msisdn: string;
  isPaid: boolean;
  chargedPesewas: number;
  refundedPesewas: number;
};

const NETWORKS: Record<Operator, string> = { MTN: "MTN", TELECEL: "Telecel", AIRTELTIGO: "AT" };

async function ordersIn(db: Db): Promise<OrderRow[]> {
  const rows = await db.$client<(Omit<OrderRow, "name"> & { operator: Operator; size: string })[]>`
    select o.id, o.user_id as "userId", o.operator, o.product_size as size, o.quantity,
           o.unit_price_pesewas as "unitPesewas", o.amount_pesewas as "amountPesewas", o.msisdn,
           o.paid_at is not null as "isPaid",
           coalesce((select sum(amount_pesewas) from transfers t
                     where t.reason = 'charge' and t.subject_id = o.id), 0)::float8 as "chargedPesewas",
           coalesce((select sum(amount_pesewas) from transfers t
                     where t.reason = 'refund' and t.subject_id = o.id), 0)::float8 as "refundedPesewas"
    from orders o order by o.id`;
  return rows.map(({ operator, size, ...row }) => ({ ...row, name: `${NETWORKS[operator]} ${size}` }));
}

type PaymentRow = { userId: number; amountPesewas: number; msisdn: string; orderId: number | null };

async function paymentsIn(db: Db): Promise<PaymentRow[]> {
  return db.$client<PaymentRow[]>`
    select p.user_id as "userId", p.amount_pesewas as "amountPesewas", q.msisdn, p.order_id as "orderId"
    from payments p left join prompts q on q.payment_id = p.id order by p.id`;
}

/** Each confirmed order is there once, exactly as its payment screen showed it. */
function confirmedOrders(consents: Consent[], byId: Map<number, OrderRow>): Violation[] {
  const confirmed = new Set<string>();
  // An order that a prompt was to pay may be paid from the wallet after all.
  const isPaidLater = (id: number) =>
    consents.some(({ offer, outcome }) => outcome !== "not done" && offer.orderId === id);
  return consents.flatMap((consent) => {
    const { offer, outcome, orderId } = consent;
    if (outcome !== "done" || offer.kind === "top_up") return [];
    const isPrompt = offer.kind === "prompt";
    const row = byId.get(orderId!);
    const act = `${isPrompt ? "placed" : "paid"} ${orderId}`;
    const isFirst = !confirmed.has(act);
    confirmed.add(act);
    if (!isFirst) return [violation("a right PIN pays for one order", `order ${orderId}`, consent)];
    if (!row) return [violation("a confirmed order exists", `order ${orderId}`, consent)];
    const isRight = isPrompt
      ? isSameOrder(row, consent) && (!row.isPaid || isPaidLater(row.id))
      : isAsOffered(row, consent);
    return isRight ? [] : [violation("an order is what the payment screen showed", describe(row), consent)];
  });
}

function isAsOffered(row: OrderRow, consent: Consent): boolean {
  const { kind, amountPesewas } = consent.offer;
  const chargedPesewas = kind === "prompt" ? 0 : amountPesewas;
  return (
    isSameOrder(row, consent) &&
    row.isPaid === (kind !== "prompt") &&
    row.chargedPesewas === chargedPesewas &&
    [0, chargedPesewas].includes(row.refundedPesewas)
  );
}

function isSameOrder(row: OrderRow, { agent, offer }: Consent): boolean {
  return (
    row.userId === agent.id &&
    row.name === offer.bundle?.name &&
    row.quantity === offer.bundle.quantity &&
    row.msisdn === offer.msisdn &&
    row.amountPesewas === offer.amountPesewas &&
    row.unitPesewas * row.quantity === offer.amountPesewas
  );
}

/** Every other order was agreed to by a PIN whose answer got lost, or waits for its payment. */
function unconfirmedOrders(consents: Consent[], orders: OrderRow[], unpaidIds: ReadonlySet<number>): Violation[] {
  const confirmedIds = new Set(consents.map(({ orderId }) => orderId));
  const unclear = new Set(consents.filter(({ outcome }) => outcome === "unclear"));
  return orders.flatMap((row) => {
    if (confirmedIds.has(row.id) || (unpaidIds.has(row.id) && !row.isPaid)) return [];
    const behind = [...unclear].find(
      (consent) =>
        consent.offer.kind !== "top_up" &&
        isAsOffered(row, consent) &&
        (consent.offer.kind === "order" ? consent.offer.orderId === row.id : !unpaidIds.has(row.id)),
    );
    if (!behind)
      return [violation("nothing is placed or paid without a right PIN", describe(row), nearest(row, consents))];
    unclear.delete(behind);
    return [];
  });
}

/** The consent that an order without one most likely comes from: the agent's latest for its number. */
function nearest(row: OrderRow, consents: Consent[]): Consent | undefined {
  return consents.findLast(({ agent, offer }) => agent.id === row.userId && offer.msisdn === row.msisdn);
}

function topUps(consents: Consent[], payments: PaymentRow[]): Violation[] {
  const open = consents.filter(({ offer, outcome }) => offer.kind === "top_up" && outcome !== "not done");
  const violations: Violation[] = [];
  for (const row of payments) {
    const fitting = open.filter(
      ({ agent, offer }) =>
        agent.id === row.userId && offer.amountPesewas === row.amountPesewas && offer.msisdn === row.msisdn,
    );
    const behind = fitting.find(({ outcome }) => outcome === "done") ?? fitting[0];
    if (behind) open.splice(open.indexOf(behind), 1);
    else violations.push(violation("nobody is prompted without a right PIN", JSON.stringify(row)));
  }
  const missing = open.filter(({ outcome }) => outcome === "done");
  return [...violations, ...missing.map((one) => violation("a confirmed top-up exists", "", one))];
}

/** A prompt for an order goes to its buyer's own phone, once, for its price. */
function orderPrompts({ agents }: Rig, payments: PaymentRow[], byId: Map<number, OrderRow>): Violation[] {
  const promptedIds = new Set<number>();
  return payments.flatMap((row) => {
    if (row.orderId === null) return [];
    const order = byId.get(row.orderId);
    const buyer = agents.find(({ id }) => id === row.userId);
    const isRight =
      order?.userId === row.userId &&
      order.amountPesewas === row.amountPesewas &&
      buyer?.msisdn === row.msisdn &&
      !promptedIds.has(row.orderId);
    promptedIds.add(row.orderId);
    return isRight ? [] : [violation("an order's prompt is for it and its buyer", JSON.stringify(row))];
  });
}

/** A wallet holds what its owner can calculate from the screens. */
async function wallets({ db, agents }: Rig, orders: OrderRow[]): Promise<Violation[]> {
  const rows = await db.$client<{ userId: number; balancePesewas: number }[]>`
    select user_id as "userId", balance_pesewas as "balancePesewas" from wallets`;
  const spent = new Map<number, number>();
  // What was cancelled in time came back whole.
  for (const { userId, isPaid, amountPesewas, refundedPesewas } of orders)
    if (isPaid && refundedPesewas === 0) spent.set(userId, (spent.get(userId) ?? 0) + amountPesewas);
  return agents.flatMap(({ id, givenPesewas }) => {
    const balancePesewas = rows.find(({ userId }) => userId === id)?.balancePesewas ?? 0;
    const expectedPesewas = givenPesewas - (spent.get(id) ?? 0);
    return balancePesewas === expectedPesewas
      ? []
      : [violation("a wallet holds what was given less what was bought", `agent ${id}: ${balancePesewas}`)];
  });
}

/** Six digits alone, as a PIN has; not within an id or a number, and no fraction of a second. */
const ALONE = "(?:^|[^0-9A-Za-z.])([7-9][0-9]{5})(?![0-9A-Za-z.])";

/** A code by SMS has six digits, too, begins its message, and equals somebody's PIN now and then. */
const WITHOUT_CODES = "case when t.carries_code then regexp_replace(t.body, '^DataFie: [0-9]{6} ', '') else t.body end";

async function storedPins({ db, pins }: Rig): Promise<Violation[]> {
  const columns = await db.$client<{ table: string; column: string }[]>`
    select quote_ident(c.table_name) as table, quote_ident(c.column_name) as column
    from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = 'public' and t.table_type = 'BASE TABLE'
      and c.data_type in ('text', 'character varying', 'json', 'jsonb', 'ARRAY')`;
  const violations: Violation[] = [];
  for (const { table, column } of columns) {
    const text = `${table}.${column}` === "messages.body" ? WITHOUT_CODES : `t.${column}::text`;
    const found = await db.execute<{ digits: string }>(
      sql.raw(`select distinct m[1] as digits from public.${table} t, regexp_matches(${text}, '${ALONE}', 'g') m`),
    );
    for (const { digits } of found)
      if (pins.has(digits)) violations.push(violation("no PIN is stored", `${digits} in ${table}.${column}`));
  }
  return violations;
}

function logged(rig: Rig): Violation[] {
  // A process may have the same number as somebody's PIN.
  const log = rig
    .logged()
    .replace(/"pid":\d+/g, "")
    .replaceAll("%2A", "*");
  const shown = [...log.matchAll(new RegExp(ALONE, "g"))].map(([, digits]) => digits!);
  const leaked = new Set(shown.filter((digits) => rig.pins.has(digits)));
  const faults = log.split("\n").filter((line) => line.includes("a USSD request failed"));
  return [
    ...[...leaked].map((digits) => violation("no PIN is logged", digits)),
    ...faults.map((line) => violation("no request fails inside", line)),
  ];
}

function describe({ id, userId, name, quantity, msisdn, amountPesewas, isPaid }: OrderRow): string {
  const state = isPaid ? "paid" : "unpaid";
  return `order ${id} of agent ${userId}: ${quantity} x ${name} for ${msisdn}, ${amountPesewas} pesewas, ${state}`;
}

function violation(rule: string, detail: string, consent?: Consent): Violation {
  return { rule, detail, dialogue: consent?.talk.dialogue ?? [] };
}
