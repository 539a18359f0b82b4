// What a second person reads before a wallet is corrected.
import { desc, eq } from "drizzle-orm";
import type { Tx } from "../../../db/connect.ts";
import { adjustments } from "../../../db/schema/ledger.ts";
import { show } from "../../shared/money.ts";
import type { Ask } from "../platform/second-person.ts";

/**
 * A wallet that is in use moves all the time: to add money, what counts is that nobody else has
 * corrected it meanwhile; to take some out, also what is in it.
 */
export async function askToCorrect(
  tx: Tx,
  user: { id: number; username: string; status: string },
  { balancePesewas }: { balancePesewas: number },
  { amountPesewas, reason }: { amountPesewas: number; reason: string },
): Promise<Ask> {
  const [last] = await tx
    .select({ id: adjustments.id })
    .from(adjustments)
    .where(eq(adjustments.userId, user.id))
    .orderBy(desc(adjustments.id))
    .limit(1);
  const isCredit = amountPesewas > 0;
  const amount = show(Math.abs(amountPesewas));
  const balanceShown = { Balance: show(balancePesewas) };
  return {
    ...{ kind: "wallet.adjust", right: "wallet.correct", subject: `wallet ${user.id}`, concerns: [user.id] },
    command: { userId: user.id, amountPesewas, reason },
    seen: {
      state: { Account: user.status, ...(!isCredit && balanceShown) },
      version: `correction ${last?.id ?? 0}`,
      facts: isCredit ? balanceShown : {},
    },
    summary: isCredit
      ? `add ${amount} to ${user.username}'s wallet`
      : `take ${amount} out of ${user.username}'s wallet`,
    reason,
    counts: [{ limit: "alone_corrections_pesewas", userId: user.id, pesewas: Math.abs(amountPesewas) }],
    amountPesewas,
  };
}
