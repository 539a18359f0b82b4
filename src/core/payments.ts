// Money from outside on its way into a wallet.
import type { Db } from "../../db/connect.ts";
import { payments } from "../../db/schema.ts";
import type { By } from "../shared/domain.ts";
import { AppError } from "../shared/errors.ts";
import { show } from "../shared/money.ts";
import { type Answered, type Key, once } from "./idempotency.ts";
import * as settings from "./settings.ts";

export type TopUp = { id: number; amountPesewas: number; reference: string };

/** Records that a user means to top up; nothing has been paid. Throws payment.below_minimum. */
export async function startTopUp(
  db: Db,
  ask: { by: By; key: Key | null; amountPesewas: number },
): Promise<Answered<TopUp>> {
  const { by, key, amountPesewas } = ask;
  return once(db, by.userId!, key, ["top-up", amountPesewas], async (tx) => {
    const minimumPesewas = await settings.get(tx, "top_up_minimum_pesewas");
    if (amountPesewas < minimumPesewas) {
      const message = `The minimum top-up is ${show(minimumPesewas)}`;
      throw new AppError("payment.below_minimum", { fields: { amount: message } }, message);
    }
    // Letters, digits and "-" are what Paystack takes in a reference.
    const reference = `tp-${crypto.randomUUID()}`;
    const [payment] = await tx
      .insert(payments)
      .values({ userId: by.userId!, amountPesewas, reference })
      .returning({ id: payments.id });
    return { id: payment!.id, amountPesewas, reference };
  });
}
