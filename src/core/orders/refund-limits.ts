// Limits of refunds by one person: one for orders under way, a lower one for completed orders. All failures are counted
// here first, so that many small refunds count as much as a large one.
import type { Tx } from "../../../db/connect.ts";
import { users } from "../../../db/schema/identity.ts";
import type { ByUser } from "../../shared/domain.ts";
import { show } from "../../shared/money.ts";
import { type Right, requireConfirmed } from "../../shared/rights.ts";
import { fingerprint } from "../platform/idempotency.ts";
import * as secondPerson from "../platform/second-person.ts";
import * as settings from "../platform/settings.ts";
import { isAmong } from "../platform/sql.ts";
import * as switches from "../platform/switches.ts";
import type { Order } from "./order.ts";

/** The act that would refund: its kind, and what it is called with again. */
type RefundAct = { kind: string; right: Right; command: Record<string, unknown>; reason: string | null };

type Options = {
  /** Small sums need no proof of who it is: whoever types a password all day types it anywhere. */
  isDaily?: boolean;
};

/**
 * Passes when `by` may refund these orders, which are locked and about to fail; unpaid ones count nothing. `isDaily`
 * work needs no proof of who it is up to `unproven_refunds_pesewas` in 24 hours. Throws
 * auth.confirm_needed, service.closed, and as secondPerson.require.
 */
export async function requireRefunds(
  tx: Tx,
  by: ByUser,
  failing: readonly Order[],
  act: RefundAct,
  { isDaily = false }: Options = {},
): Promise<void> {
  const refunded = failing.filter(({ paidAt }) => paidAt !== null);
  if (refunded.length === 0 && !by.approval) return;
  const amountPesewas = refunded.reduce((sum, order) => sum + order.amountPesewas, 0);
  if (!isDaily || !(await isSmall(tx, by, refunded, amountPesewas))) requireConfirmed(by);
  await switches.requireOpen(tx, "refunds");
  const concerns = [...new Set(refunded.map(({ userId }) => userId))];
  const statuses = [...new Set(refunded.map(({ status }) => status))].sort().join(", ");
  await secondPerson.require(tx, by, {
    ...act,
    concerns,
    subject: subjectOf(failing),
    seen: {
      state: { Orders: refunded.length, Status: statuses, Amount: show(amountPesewas) },
      version: fingerprint(failing.map(({ id, status }) => [id, status])),
    },
    summary: await summaryOf(tx, refunded, amountPesewas),
    counts: refunded.map((order) => ({
      limit: order.status === "COMPLETED" ? "alone_late_refunds_pesewas" : "alone_refunds_pesewas",
      ...{ userId: order.userId, pesewas: order.amountPesewas },
    })),
    amountPesewas,
  });
}

/** Whether these and what the same person refunded before stay within what is refunded without a proof. */
async function isSmall(tx: Tx, by: ByUser, refunded: readonly Order[], pesewas: number): Promise<boolean> {
  if (refunded.some(({ status }) => status === "COMPLETED")) return false;
  const { unproven_refunds_pesewas, alone_refunds_pesewas } = await settings.all(tx);
  const before = await secondPerson.doneAlone(tx, by, "alone_refunds_pesewas");
  return before + pesewas <= Math.min(unproven_refunds_pesewas, alone_refunds_pesewas);
}

function subjectOf(failing: readonly Order[]): string {
  return failing.length === 1 ? `order ${failing[0]!.id}` : `orders ${fingerprint(failing.map(({ id }) => id))}`;
}

async function summaryOf(tx: Tx, refunded: readonly Order[], amountPesewas: number): Promise<string> {
  const amount = show(amountPesewas);
  const owners = [...new Set(refunded.map(({ userId }) => userId))];
  const [first] = await tx
    .select()
    .from(users)
    .where(isAmong(users.id, owners.slice(0, 1)));
  const [only] = refunded;
  if (refunded.length === 1)
    return `fail order ${only!.id}, which is ${only!.status}, and refund ${amount} to ${first!.username}`;
  const whose = owners.length === 1 ? `of ${first?.username}` : `of ${owners.length} agents`;
  return `fail ${refunded.length} orders ${whose} and refund ${amount}`;
}
