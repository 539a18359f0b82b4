// The AFA desk: admins move registrations, and view card numbers, each of which is logged.
import { inArray, sql } from "drizzle-orm";
import type { Db, Reads, Tx } from "../../../db/connect.ts";
import { afaRegistrations } from "../../../db/schema/afa.ts";
import { afaStateOf, type ByUser, limits } from "../../shared/domain.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import { Id } from "../../shared/inputs.ts";
import { requireRight } from "../../shared/rights.ts";
import * as afaHolds from "../orders/afa-holds.ts";
import * as statusChanges from "../orders/status-changes.ts";
import type * as transitions from "../orders/transitions.ts";
import * as auditLog from "../platform/audit-log.ts";
import * as budgets from "../platform/budgets/budgets.ts";
import { command } from "../platform/commands.ts";
import type { Answered, Key } from "../platform/idempotency.ts";
import type { CardSafe } from "./card-safe.ts";
import * as afa from "./registrations.ts";

/** The statuses an admin may move a registration to. */
export type AfaTarget = "PROCESSING" | "COMPLETED" | "FAILED";

/**
 * Takes registrations, as an admin; returns the result of each. FAILED refunds and frees the card and the number in the
 * same commit, unless MTN had registered the person; the agent reads its reason.
 * Throws auth.forbidden, afa.reason_missing.
 */
export async function move(
  db: Db,
  command: { by: ByUser; key: Key | null; ids: number[]; to: AfaTarget; reason?: string | undefined },
): Promise<Answered<transitions.TransitionResult[]>> {
  requireRightTo(command.by, command.to);
  const reason = reasonOf(command);
  const { by, key, to } = command;
  const known = await knownAmong(db, command.ids);
  const ids = command.ids.filter((id) => known.has(id));
  const moved = await statusChanges.move(db, { by, key, ids, to, reason });
  // Orders of bundles are not found here.
  const others = command.ids.filter((id) => !known.has(id));
  const refused = others.map((id): transitions.TransitionResult => ({ id, status: null, refusal: "afa.not_found" }));
  return { ...moved, answer: [...moved.answer, ...refused] };
}

/** As `move` for one registration, which is returned; throws its refusal, and afa.not_found. */
export async function moveOne(
  db: Db,
  command: { by: ByUser; key: Key | null; id: number; to: AfaTarget; reason?: string | undefined },
): Promise<Answered<afa.Registration>> {
  const { by, key, id, to } = command;
  requireRightTo(by, to);
  const reason = reasonOf(command);
  const registration = await afa.get(db, by, id);
  const { answer: order, replayed } = await statusChanges.moveOne(db, { by, key, orderId: id, to, reason });
  const { status, note, refundedAt } = order;
  const wasMade = afaStateOf(registration.status) === "registered";
  const isKept = registration.isKept || (wasMade && status === "FAILED");
  return { answer: { ...registration, status, note, refundedAt, isKept }, replayed };
}

/**
 * Frees the card and the number of a refunded registration, because MTN does not have it, and logs that. No effect when
 * they are free.
 */
export const free = command({
  name: "afa.free",
  right: "afa.work",
  about: "Free the card and the number of a refunded registration that MTN does not have",
  subject: "order",
  input: { id: Id },
  errors: ["afa.not_found"],
  run: async ({ tx, by, audit }, { id }) => {
    await afa.get(tx, by, id);
    for (const freed of await afaHolds.free(tx, [id])) await audit(freed);
  },
});

/** Refusing somebody refunds the order, which is a right of its own. Throws auth.forbidden. */
function requireRightTo(by: ByUser, to: AfaTarget): void {
  requireRight(by, "afa.work");
  if (to === "FAILED") requireRight(by, "orders.refund");
}

/** The trimmed reason, if any. Throws afa.reason_missing. */
function reasonOf(command: { to: AfaTarget; reason?: string | undefined }): string | undefined {
  const reason = command.reason?.trim();
  if (command.to === "FAILED" && !reason) throw new AppError("afa.reason_missing");
  return reason || undefined;
}

/** A registration with its full card number. */
export type Seen = afa.Registration & { cardNumber: string };

/**
 * One registration with its full card number, for an admin; logged. Throws auth.forbidden, afa.not_found,
 * request.rate_limited.
 */
export async function reveal(db: Db, cards: CardSafe, command: { by: ByUser; id: number }): Promise<Seen> {
  const { rows } = await view(db, cards, command.by, "afa.see_card", async (tx) => [
    await afa.get(tx, command.by, command.id),
  ]);
  return rows[0]!;
}

/**
 * The newest matching registrations with their full card numbers, for submission to MTN; each is logged. `isMore` when
 * there are more than the limit. Throws auth.forbidden, request.rate_limited.
 */
export async function revealAll(
  db: Db,
  cards: CardSafe,
  command: { by: ByUser; filter: afa.RegistrationFilter },
): Promise<{ rows: Seen[]; isMore: boolean }> {
  return view(db, cards, command.by, "afa.export_card", (tx) =>
    afa.list(tx, command.filter, { limit: limits.afaExport + 1 }),
  );
}

/** Logs the view in the same transaction, so that no number is shown without an entry. */
async function view(
  db: Db,
  cards: CardSafe,
  by: ByUser,
  action: string,
  find: (tx: Tx) => Promise<afa.Registration[]>,
): Promise<{ rows: Seen[]; isMore: boolean }> {
  requireRight(by, "cards.reveal");
  await budgets.spend(db, "afa.cards", by.userId);
  return db.transaction(async (tx) => {
    const found = await find(tx);
    const rows = found.slice(0, limits.afaExport);
    const sealed = await sealedOf(tx, rows);
    await auditLog.record(
      tx,
      by,
      rows.map(({ id, card }) => ({ action, subjectType: "order", subjectId: id, after: { card } })),
    );
    const seen = rows.map((row) => ({ ...row, cardNumber: cards.open(sealed.get(row.id)!, row.id) }));
    return { rows: seen, isMore: found.length > rows.length };
  });
}

async function sealedOf(tx: Reads, rows: afa.Registration[]): Promise<Map<number, string>> {
  const ids = rows.map((row) => row.id);
  const found = await tx
    .select({ id: afaRegistrations.orderId, sealed: afaRegistrations.cardSealed })
    .from(afaRegistrations)
    .where(inArray(afaRegistrations.orderId, ids));
  return new Map(found.map(({ id, sealed }) => [id, sealed]));
}

async function knownAmong(db: Db, ids: number[]): Promise<Set<number>> {
  const rows = await db
    .select({ id: afaRegistrations.orderId })
    .from(afaRegistrations)
    .where(sql`${afaRegistrations.orderId} = any(${sql.param([...new Set(ids)])}::bigint[])`);
  return new Set(rows.map((row) => row.id));
}

/** The number of paid AFA registrations that wait to be sent to MTN, as what waits counts them. */
export async function countToSubmit(tx: Reads): Promise<number> {
  const [row] = await tx.execute<{ count: number }>(sql`
    select count(*)::int as count from (${TO_SUBMIT}) r`);
  return row!.count;
}

/** SQL: `since`, `pesewas` and `deadline` of each. */
export const TO_SUBMIT = sql`
  select o.paid_at as since, o.amount_pesewas as pesewas, null::timestamptz as deadline
  from orders o where o.status in ('PENDING', 'PAID') and o.paid_at is not null
    and exists (select from afa_registrations r where r.order_id = o.id)`;
