// AFA registrations: people to be registered by MTN. Each is an order of its own, so that books, refunds and lists
// apply, and a row with what MTN needs. Several are placed in one commit, all or none.
import { and, desc, eq, ilike, inArray, isNull, lt, or, type SQL, sql } from "drizzle-orm";
import { type Db, databaseError, type Reads, type Tx } from "../../../db/connect.ts";
import { afaRegistrations } from "../../../db/schema/afa.ts";
import { users } from "../../../db/schema/identity.ts";
import { orders } from "../../../db/schema/orders.ts";
import { AFA_STATES, type AfaState, type ByUser, limits, type OrderStatus } from "../../shared/domain.ts";
import { AppError, type ErrorCode, lineError } from "../../shared/errors/app-error.ts";
import { errors } from "../../shared/errors/codes.ts";
import { lastFour, maskedCard, parseGhanaCard } from "../../shared/ghana-card.ts";
import { guessOperator } from "../../shared/operators.ts";
import { parseMsisdn } from "../../shared/phones/msisdn.ts";
import { hasRight } from "../../shared/rights.ts";
import { insertUnpaid, payFromWallet } from "../buying/unpaid-orders.ts";
import { holdTier } from "../catalog/prices.ts";
import * as products from "../catalog/products.ts";
import { pausedRefusal } from "../catalog/sale-pauses.ts";
import * as wallet from "../ledger/wallet.ts";
import type { Order } from "../orders/order.ts";
import * as budgets from "../platform/budgets/budgets.ts";
import { type Answered, type Key, once } from "../platform/idempotency.ts";
import { containsDigits } from "../platform/sql.ts";
import * as switches from "../platform/switches.ts";
import type { CardSafe } from "./card-safe.ts";

/** A person as received. `ported` confirms that a number with another network's prefix is now on MTN. */
export type PersonInput = {
  fullName: string;
  phone: string;
  ghCardId: string;
  location: string;
  ported?: boolean | undefined;
};

/** A registration with its order's id and a masked card number. */
export type Registration = {
  id: number;
  userId: number;
  username: string;
  fullName: string;
  msisdn: string;
  card: string;
  location: string;
  status: OrderStatus;
  amountPesewas: number;
  /** The reason of a refusal, or the last note. */
  note: string | null;
  refundedAt: Date | null;
  /** Refunded after MTN had registered the person: card and number are not free. */
  isKept: boolean;
  createdAt: Date;
};
export type Placed = { registrations: Registration[]; totalPesewas: number; balancePesewas: number };

/** Retries after a concurrent registration of the same person, which the second try finds. */
const TRIES_MAX = 3;

/**
 * Registers people and pays from the buyer's wallet, all or none, in one commit. `expectedPesewas` is the price per
 * person that the buyer was shown.
 * Throws afa.people_refused, or the single problem when there is only one (msisdn.invalid, afa.card_invalid,
 * afa.number_not_mtn, afa.person_repeated, afa.card_registered, afa.number_registered), with `details.lines` and
 * `details.fields`; product.not_found, product.paused, order.price_changed, wallet.insufficient_balance,
 * account.frozen, account.waits, service.closed, request.key_reused, request.rate_limited.
 */
export async function register(
  db: Db,
  cards: CardSafe,
  command: { by: ByUser; key: Key | null; people: PersonInput[]; expectedPesewas?: number | undefined },
): Promise<Answered<Placed>> {
  const userId = command.by.userId;
  const people = readPeople(command.people);
  await budgets.spend(db, "afa.account", userId);
  // The fingerprint contains the card's keyed digest: from a plain one the number could be guessed.
  const content = [
    "afa",
    people.map(({ card, ...person }) => ({ ...person, card: cards.digests(card)[0] })),
    command.expectedPesewas ?? null,
  ];
  const work = (tx: Tx) => place(tx, cards, command.by, people, command.expectedPesewas);
  const lockFirst = (tx: Tx) => wallet.lockBuyer(tx, userId);
  for (let tries = 1; ; tries++) {
    try {
      const { answer, replayed } = await once(db, userId, command.key, content, work, lockFirst);
      return { answer: await asPlaced(db, answer), replayed };
    } catch (error) {
      if (!isRace(error) || tries === TRIES_MAX) throw error;
    }
  }
}

export type RegistrationFilter = {
  userId?: number | undefined;
  state?: AfaState | undefined;
  /** Part of a name or number, or an id. */
  search?: string | undefined;
};

/** At most `limit` registrations, newest first, those before the id `cursor`. */
export async function list(
  tx: Reads,
  filter: RegistrationFilter,
  page: { cursor?: number | undefined; limit: number },
): Promise<Registration[]> {
  const rows = await select(tx)
    .where(
      and(
        filter.userId === undefined ? undefined : eq(afaRegistrations.userId, filter.userId),
        statusCondition(filter),
        filter.search ? searchCondition(filter.search.trim()) : undefined,
        page.cursor ? lt(afaRegistrations.orderId, page.cursor) : undefined,
      ),
    )
    .orderBy(desc(afaRegistrations.orderId))
    .limit(Math.min(page.limit, limits.afaExport + 1));
  return rows.map(present);
}

/** One registration; throws afa.not_found when it does not exist or `by` may not see it. */
export async function get(tx: Reads, by: ByUser, id: number): Promise<Registration> {
  const [row] = await select(tx).where(eq(afaRegistrations.orderId, id));
  if (!row || (row.userId !== by.userId && !hasRight(by, "afa.work"))) throw new AppError("afa.not_found");
  return present(row);
}

/** How long the names and locations of registered people are kept. */
export const NAMES_DAYS = 365;
const FORGOTTEN_AT_ONCE = 2_000;

/** Erases the names and locations of registrations that were finished long ago; returns how many. */
export async function forgetNames(db: Db): Promise<number> {
  const { count } = await db.execute(sql`
    update afa_registrations set full_name = 'Deleted', location = 'Deleted' where order_id = any(array(
      select a.order_id from afa_registrations a join orders o on o.id = a.order_id
      where a.created_at < now() - make_interval(days => ${NAMES_DAYS}) and a.full_name <> 'Deleted'
        and o.status in ('DELIVERED', 'COMPLETED', 'FAILED')
      order by a.created_at limit ${FORGOTTEN_AT_ONCE}))`);
  return count;
}

type Person = { fullName: string; msisdn: string; card: string; location: string };

/** Parses numbers and cards into stored form. Throws as `register` for invalid details. */
function readPeople(people: PersonInput[]): Person[] {
  const read = people.map(({ fullName, phone, ghCardId, location }) => ({
    fullName: fullName.trim(),
    msisdn: parseMsisdn(phone),
    card: parseGhanaCard(ghCardId),
    location: location.trim(),
  }));
  const problems = new Problems();
  for (const [i, { msisdn, card }] of read.entries()) {
    const before = read.slice(0, i);
    if (!msisdn) problems.add(i, "phone", "msisdn.invalid");
    else if (before.some((other) => other.msisdn === msisdn)) problems.add(i, "phone", "afa.person_repeated");
    else if (guessOperator(msisdn) !== "MTN" && !people[i]!.ported) problems.add(i, "phone", "afa.number_not_mtn");
    if (!card) problems.add(i, "ghCardId", "afa.card_invalid");
    else if (before.some((other) => other.card === card)) problems.add(i, "ghCardId", "afa.person_repeated");
  }
  problems.refuse();
  return read as Person[];
}

type Remembered = { ids: number[]; balancePesewas: number };

/** Places and pays the orders, in the caller's transaction, which has locked the buyer's wallet. */
async function place(
  tx: Tx,
  cards: CardSafe,
  by: ByUser,
  people: Person[],
  expectedPesewas: number | undefined,
): Promise<Remembered> {
  await switches.requireOpenFor(tx, by, "sales");
  await holdTier(tx, by.userId);
  const product = await products.afa(tx, by.userId);
  if (product.paused) throw pausedRefusal(product.paused, (paused) => `AFA registration is ${paused}`);
  if (expectedPesewas !== undefined && expectedPesewas !== product.pricePesewas)
    throw new AppError("order.price_changed");
  const waiting = await insertUnpaid(
    tx,
    by,
    people.map(({ msisdn }) => ({ product, msisdn, quantity: 1 })),
  );
  const paid = await payFromWallet(tx, by, waiting, { deliverBy: null });
  // After the payment, so that probing which cards are registered needs money.
  await refuseRegistered(tx, cards, people);
  await insertRegistrations(tx, cards, people, waiting);
  return { ids: waiting.map((order) => order.id), balancePesewas: paid.balancePesewas };
}

/** Matches people to orders by their distinct numbers. Cards are inserted in one order, so that none deadlock. */
async function insertRegistrations(tx: Tx, cards: CardSafe, people: Person[], placed: Order[]): Promise<void> {
  const orderFor = new Map(placed.map((order) => [order.msisdn, order]));
  const rows = people.map(({ card, ...person }) => {
    const { id: orderId, userId } = orderFor.get(person.msisdn)!;
    const sealed = {
      cardSealed: cards.seal(card, orderId),
      cardDigest: cards.digests(card)[0],
      cardLast4: lastFour(card),
    };
    return { orderId, userId, ...person, ...sealed };
  });
  await tx.insert(afaRegistrations).values(rows.sort((a, b) => (a.cardDigest < b.cardDigest ? -1 : 1)));
}

async function refuseRegistered(tx: Reads, cards: CardSafe, people: Person[]): Promise<void> {
  const digests = people.map(({ card }) => cards.digests(card));
  const numbers = people.map(({ msisdn }) => msisdn);
  const taken = await tx
    .select({ digest: afaRegistrations.cardDigest, msisdn: afaRegistrations.msisdn })
    .from(afaRegistrations)
    .where(
      and(
        isNull(afaRegistrations.refusedAt),
        or(inArray(afaRegistrations.cardDigest, digests.flat()), inArray(afaRegistrations.msisdn, numbers)),
      ),
    );
  const problems = new Problems();
  for (const [i, number] of numbers.entries()) {
    if (taken.some(({ msisdn }) => msisdn === number)) problems.add(i, "phone", "afa.number_registered");
    if (taken.some(({ digest }) => digests[i]!.includes(digest))) problems.add(i, "ghCardId", "afa.card_registered");
  }
  problems.refuse();
}

/** Problems by person and field, refused together. */
class Problems {
  private readonly found: { index: number; field: keyof PersonInput; code: ErrorCode }[] = [];

  add(index: number, field: keyof PersonInput, code: ErrorCode): void {
    this.found.push({ index, field, code });
  }

  refuse(): void {
    if (this.found.length === 0) return;
    const codes = new Set(this.found.map(({ code }) => code));
    const [only] = codes;
    throw new AppError(codes.size === 1 ? only! : "afa.people_refused", {
      lines: this.found.map(({ index, code }) => lineError(index + 1, code)),
      fields: Object.fromEntries(
        this.found.map(({ index, field, code }) => [`people.${index}.${field}`, errors[code].message]),
      ),
    });
  }
}

/** Whether a concurrent registration of the same card or number was committed, or deadlocked with this one. */
function isRace(error: unknown): boolean {
  const fault = databaseError(error);
  return fault?.constraint === "afa_card_once" || fault?.constraint === "afa_number_once" || fault?.code === "40P01";
}

/** The registrations as their buyer first got them, regardless of later changes. */
async function asPlaced(db: Db, { ids, balancePesewas }: Remembered): Promise<Placed> {
  const rows = await select(db).where(inArray(afaRegistrations.orderId, ids)).orderBy(afaRegistrations.orderId);
  const registrations = rows
    .map(present)
    .map((row): Registration => ({ ...row, status: "PENDING", note: null, refundedAt: null, isKept: false }));
  const totalPesewas = registrations.reduce((sum, { amountPesewas }) => sum + amountPesewas, 0);
  return { registrations, totalPesewas, balancePesewas };
}

function select(tx: Reads) {
  return tx
    .select({
      id: afaRegistrations.orderId,
      userId: afaRegistrations.userId,
      username: users.username,
      fullName: afaRegistrations.fullName,
      msisdn: afaRegistrations.msisdn,
      cardLast4: afaRegistrations.cardLast4,
      location: afaRegistrations.location,
      status: orders.status,
      amountPesewas: orders.amountPesewas,
      note: orders.note,
      refundedAt: orders.refundedAt,
      isKept: sql<boolean>`${afaRegistrations.keptAt} is not null and ${afaRegistrations.refusedAt} is null`,
      createdAt: orders.createdAt,
    })
    .from(afaRegistrations)
    .innerJoin(orders, eq(orders.id, afaRegistrations.orderId))
    .innerJoin(users, eq(users.id, afaRegistrations.userId))
    .$dynamic();
}

function present({ cardLast4, ...row }: Awaited<ReturnType<typeof select>>[number]): Registration {
  return { ...row, card: maskedCard(cardLast4) };
}

function statusCondition({ state }: RegistrationFilter): SQL | undefined {
  return state && inArray(orders.status, [...AFA_STATES[state].statuses]);
}

function searchCondition(search: string): SQL | undefined {
  const digits = search.replace(/[\s\-()+#]/g, "");
  if (!/^\d+$/.test(digits)) return ilike(afaRegistrations.fullName, `%${search.replace(/[%_\\]/g, "\\$&")}%`);
  const whole = parseMsisdn(search);
  if (whole) return eq(afaRegistrations.msisdn, whole);
  return or(
    digits.length <= 15 ? eq(afaRegistrations.orderId, Number(digits)) : undefined,
    ...containsDigits(afaRegistrations.msisdn, digits),
    sql`false`,
  );
}
