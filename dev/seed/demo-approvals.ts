// The demonstration shop's requests for a second person: one that waits for the owner, and one that was refused.
import { eq, sql } from "drizzle-orm";
import type { Db } from "../../db/connect.ts";
import { settings } from "../../db/schema/platform.ts";
import * as approvals from "../../src/core/approvals/requests.ts";
import * as wallet from "../../src/core/ledger/wallet.ts";
import { ApprovalNeeded } from "../../src/core/platform/colleagues/second-person.ts";
import type { ByUser } from "../../src/shared/domain.ts";

/** While the shop is filled, nobody could agree to what the owner does. */
export async function suspendSecondPerson(db: Db): Promise<void> {
  await db.insert(settings).values({ key: "second_person", value: false });
}

/** From now on two people decide together; the manager has been there for a month, and asks for two corrections. */
export async function askSecondPerson(
  db: Db,
  { admin, manager, amaId }: { admin: ByUser; manager: ByUser; amaId: number },
): Promise<void> {
  await db.execute(sql`update staff_changes set created_at = created_at - interval '30 days'`);
  await db.delete(settings).where(eq(settings.key, "second_person"));
  const twice = await ask(db, manager, amaId, -25_000, "Receipt 1018 was credited twice");
  await approvals.refuse(db, {
    by: admin,
    approvalId: twice,
    reason: "Ama has sent both receipts, the second one is 1019",
  });
  await ask(db, manager, amaId, 50_000, "Bank transfer, receipt 1044");
}

async function ask(db: Db, by: ByUser, userId: number, amountPesewas: number, reason: string): Promise<number> {
  try {
    await wallet.adjust(db, { by, key: null, userId, amountPesewas, reason });
  } catch (error) {
    if (!(error instanceof ApprovalNeeded)) throw error;
    return (await approvals.ask(db, by, error.ask, null)).id;
  }
  throw new Error("the correction was not above the limit");
}
