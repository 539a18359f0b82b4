// The desk in the demonstration shop: a refund by mistake, taken back once the network's list shows the delivery.
import * as orderQueries from "../../src/core/orders/queries.ts";
import * as takenBack from "../../src/core/orders/taken-back-refunds.ts";
import type { Scene, Step } from "./demo.ts";

/** Takes the refund of esi's last failed order back, an hour before now. */
export function takesRefundBack({ db, admin, idOf, now }: Scene): Step {
  const act = async () => {
    const failed = await orderQueries.list(
      db,
      { userId: idOf("esi"), status: "FAILED" },
      { limit: 20, cursor: undefined },
    );
    const order = failed.find(({ refundedAt }) => refundedAt !== null);
    if (!order) return;
    const { id: orderId, refundedAt, amountPesewas } = order;
    const seen = { refundedAt: refundedAt!, amountPesewas };
    const reason = "the network's list shows the delivery at 10:04";
    await takenBack.takeBack(db, { by: admin, key: null, orderId, to: "COMPLETED", reason, ...seen });
  };
  return { at: now - 3_600_000, act };
}
