// Finders for each kind of thing, by typed text and by id.
import { and, asc, ilike, ne, type SQL, sql } from "drizzle-orm";
import type { Db } from "../../../db/connect.ts";
import { products } from "../../../db/schema/catalog.ts";
import { deskBatches } from "../../../db/schema/fulfilment.ts";
import { users } from "../../../db/schema/identity.ts";
import { orders } from "../../../db/schema/orders.ts";
import { payments } from "../../../db/schema/payments.ts";
import { supportRequests } from "../../../db/schema/support.ts";
import { accraMoment } from "../../shared/accra.ts";
import { show } from "../../shared/money.ts";
import { operatorName, orderedBundle } from "../../shared/operators.ts";
import { spacedMsisdn } from "../../shared/phones/msisdn.ts";
import { isCalled } from "../identity/user-search.ts";
import type * as orderQueries from "../orders/queries.ts";
import * as deposits from "../payments/deposits/deposits.ts";
import * as settlement from "../payments/settlement.ts";
import { isAmong } from "../platform/sql.ts";

/** What was typed, as far as it can be read in each way. */
export type Sought = {
  text: string;
  /** The kind was typed before it. */
  isNamed: boolean;
  id: number | null;
  /** A whole phone number. */
  msisdn: string | null;
  /** At least three digits, which may be a part of a phone number. */
  digits: string | null;
  /** Of a payment or a delivery, or a part of it. */
  reference: string | null;
  /** The newest orders that it finds, read once for all who ask. */
  newestOrders: () => Promise<orderQueries.OrderRow[]>;
};

export type Found = { id: number | string; title: string; subtitle: string };

export type Finder = {
  find(db: Db, sought: Sought): Promise<Found[]>;
  named(db: Db, ids: readonly string[]): Promise<Found[]>;
};

/** Of each kind, with the ones of that very id before them. */
export const HITS = 5;
/** A shorter part of a name is in too many. */
const NAME_CHARS_MIN = 2;

const numbersIn = (ids: readonly string[]) => ids.map(Number).filter(Number.isSafeInteger);
const nameOf = (userId: typeof users.id | SQL | typeof orders.userId) =>
  sql<string>`(select u.username from users u where u.id = ${userId})`;

// ---------------------------------------------------------------- orders
export const order: Finder = {
  async find(db, { id, newestOrders }) {
    const [exact, rows] = await Promise.all([id === null ? [] : ordersWith(db, [id]), newestOrders()]);
    return [...exact, ...rows.filter((row) => row.id !== id).map(asOrder)];
  },
  named: (db, ids) => ordersWith(db, numbersIn(ids)),
};

async function ordersWith(db: Db, ids: number[]): Promise<Found[]> {
  const rows = await db
    .select({ order: orders, username: nameOf(orders.userId) })
    .from(orders)
    .where(isAmong(orders.id, ids));
  return rows.map(({ order, username }) => asOrder({ ...order, username }));
}

function asOrder(row: orderQueries.OrderRow): Found {
  const about = [orderedBundle(row), spacedMsisdn(row.msisdn), row.status, row.username];
  return { id: row.id, title: `Order #${row.id}`, subtitle: about.join(", ") };
}

/** All orders for a number, or for those with these digits. */
export const number: Finder = {
  async find(_db, { msisdn, digits, newestOrders }) {
    const typed = msisdn ?? digits;
    return typed && (await newestOrders()).length > 0 ? [asNumber(typed)] : [];
  },
  named: async (_db, ids) => ids.filter((id) => /^\d{3,12}$/.test(id)).map(asNumber),
};

function asNumber(id: string): Found {
  if (id.length < 12) return { id, title: `Numbers with ${id}`, subtitle: "All their orders" };
  return { id, title: spacedMsisdn(id), subtitle: "All orders for this number" };
}

// ---------------------------------------------------------------- agents
const agentColumns = { id: users.id, username: users.username, email: users.email, status: users.status };

export const agent: Finder = {
  async find(db, { id, text }) {
    const exact = id === null ? [] : await agent.named(db, [String(id)]);
    if (text.length < NAME_CHARS_MIN) return exact;
    const rows = await db
      .select(agentColumns)
      .from(users)
      .where(and(isCalled(text), ne(users.status, "CLOSED")))
      // Those who are called so before those who are called so in part.
      .orderBy(sql`lower(${users.username}) <> ${text.toLowerCase()}`, asc(users.username))
      .limit(HITS);
    return [...exact, ...rows.filter((row) => row.id !== id).map(asAgent)];
  },
  async named(db, ids) {
    const rows = await db
      .select(agentColumns)
      .from(users)
      .where(isAmong(users.id, numbersIn(ids)));
    return rows.map(asAgent);
  },
};

function asAgent({ id, username, email, status }: Pick<typeof users.$inferSelect, keyof typeof agentColumns>) {
  const about = [`ID ${id}`, email, status === "ACTIVE" ? null : status];
  return { id, title: username, subtitle: about.filter(Boolean).join(", ") };
}

// ---------------------------------------------------------------- money
export const payment: Finder = {
  async find(db, { id, text, msisdn, digits, reference, isNamed }) {
    const exact = id !== null && isNamed ? await payment.named(db, [String(id)]) : [];
    const isAmount = /^(?:GH₵|GHS|₵)|\.\d{2}$/i.test(text);
    if (!msisdn && !digits && !reference && !isAmount) return exact;
    const rows = await settlement.list(db, { search: text }, { limit: HITS });
    return [...exact, ...rows.filter((row) => !(isNamed && row.id === id)).map(asPayment)];
  },
  async named(db, ids) {
    const rows = await db
      .select({ payment: payments, username: nameOf(sql`${payments.userId}`) })
      .from(payments)
      .where(isAmong(payments.id, numbersIn(ids)));
    return rows.map((row) => asPayment({ ...row.payment, username: row.username }));
  },
};

function asPayment({ id, amountPesewas, state, reference, username }: settlement.PaymentRow): Found {
  return {
    id,
    title: `Payment of ${show(amountPesewas)}`,
    subtitle: [reference, state, username].join(", "),
  };
}

/** Hits show nothing that not all staff may read. */
const NOBODY = { roles: [] };

/** By the transaction id, which also is its address. */
export const deposit: Finder = {
  async find(db, { digits }) {
    if (!digits || !/^\d{6,24}$/.test(digits)) return [];
    const rows = await deposits.list(db, NOBODY, { transactionId: digits }, { limit: HITS });
    return rows.map(asDeposit);
  },
  async named(db, ids) {
    const rows = ids.map((id) => deposits.list(db, NOBODY, { transactionId: id }, { limit: 1 }));
    return (await Promise.all(rows)).flat().map(asDeposit);
  },
};

function asDeposit({ transactionId, amountPesewas, state, username }: deposits.DepositRow): Found {
  const title = `Deposit of ${show(amountPesewas)}`;
  return { id: transactionId, title, subtitle: [transactionId, state, username].join(", ") };
}

// ---------------------------------------------------------------- work
export const request: Finder = {
  find: (db, { id }) => (id === null ? Promise.resolve([]) : request.named(db, [String(id)])),
  async named(db, ids) {
    const rows = await db
      .select({ request: supportRequests, username: nameOf(sql`${supportRequests.userId}`) })
      .from(supportRequests)
      .where(isAmong(supportRequests.id, numbersIn(ids)));
    return rows.map(({ request: { id, subject, message, state }, username }) => ({
      id,
      title: `Request #${id}`,
      subtitle: [username, state, excerpt(subject ?? message)].join(", "),
    }));
  },
};

const EXCERPT_CHARS = 60;

function excerpt(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > EXCERPT_CHARS ? `${line.slice(0, EXCERPT_CHARS)}…` : line;
}

export const batch: Finder = {
  find: (db, { id }) => (id === null ? Promise.resolve([]) : batch.named(db, [String(id)])),
  async named(db, ids) {
    const rows = await db
      .select()
      .from(deskBatches)
      .where(isAmong(deskBatches.id, numbersIn(ids)));
    return rows.map(({ id, operator, orders: count, createdAt }) => ({
      id,
      title: `Batch #${id}`,
      subtitle: [
        operator ? operatorName(operator) : "Several networks",
        count === 1 ? "1 order" : `${count} orders`,
        accraMoment(createdAt),
      ].join(", "),
    }));
  },
};

// ---------------------------------------------------------------- products
export const product: Finder = {
  async find(db, { id, text, isNamed }) {
    const exact = id !== null && isNamed ? await product.named(db, [String(id)]) : [];
    if (text.length < NAME_CHARS_MIN || /^\d+$/.test(text)) return exact;
    const called = sql`${products.operator} || ' ' || ${products.name} || ' ' || ${products.size}`;
    const terms = text.replace(/(?<=\d)\s+(?=[gm]b\b)/gi, "").split(" ");
    const rows = await db
      .select()
      .from(products)
      .where(
        and(
          sql`${products.retiredAt} is null`,
          ...terms.map((term) => ilike(called, `%${term.replace(/[%_\\]/g, "\\$&")}%`)),
        ),
      )
      .orderBy(products.operator, products.volumeMb)
      .limit(HITS);
    return rows.map(asProduct);
  },
  async named(db, ids) {
    const rows = await db
      .select()
      .from(products)
      .where(isAmong(products.id, numbersIn(ids)));
    return rows.map(asProduct);
  },
};

function asProduct({ id, operator, name, size, pricePesewas }: typeof products.$inferSelect): Found {
  return { id, title: `${name} ${size}`, subtitle: `${operatorName(operator)}, ${show(pricePesewas)}` };
}
