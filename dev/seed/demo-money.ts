// The demonstration shop's own money: manual deposits beside the mobile money statement, and cash
// taken for an order, which waits for whoever counts it.

import type { Db } from "../../db/connect.ts";
import * as orderQueries from "../../src/core/orders/queries.ts";
import * as statusChanges from "../../src/core/orders/status-changes.ts";
import * as cash from "../../src/core/payments/cash/cash.ts";
import * as deposits from "../../src/core/payments/deposits/deposits.ts";
import * as statements from "../../src/core/payments/deposits/statements.ts";
import type { ByUser } from "../../src/shared/domain.ts";

type People = { admin: ByUser; desk: ByUser; managerId: number; ama: ByUser; esi: ByUser };
/** What the desk gave too little of, by its own word. */
const MISSING_PESEWAS = 40;

/** One deposit of each kind that staff meet, by an import of now; and cash that the desk has handed in. */
export async function fillMoney(db: Db, people: People): Promise<void> {
  const { admin, ama, esi } = people;
  const file = (by: ByUser, transactionId: string, cedis: number) =>
    deposits.file(db, { by, transactionId, amountPesewas: cedis * 100 });
  const now = Date.now();
  const line = (transactionId: string, cedis: number, senderName: string, minutesAgo: number) => ({
    ...({
      direction: "in",
      transactionId,
      originalId: null,
      amountPesewas: cedis * 100,
      senderName,
    } as const),
    senderMsisdn: null,
    at: new Date(now - minutesAgo * 60_000),
  });
  const taken: statements.NewLine = {
    ...line("40125560004", 30, "ESI DEMO", 20),
    ...{ direction: "reversal", originalId: "40125560004" },
  };
  await file(ama, "40125560001", 120);
  await file(esi, "40125560002", 80);
  await file(ama, "40125560003", 500);
  await file(esi, "40125560004", 30);
  const lines = [
    line("40125560001", 120, "AMA DEMO", 190),
    line("40125560002", 60, "ESI DEMO", 150),
    line("40125560003", 500, "AMA DEMO", 90),
    line("40125560004", 30, "ESI DEMO", 75),
    line("40125560005", 45, "UNKNOWN DEMO", 60),
  ];
  const statement = { by: admin, key: null, network: "mtn", source: "file", name: "statement.csv" } as const;
  await statements.importLines(db, { ...statement, lines });
  await statements.importLines(db, { ...statement, lines: [taken] });
  await file(esi, "40125560006", 75);
  await handCashIn(db, people);
}

async function handCashIn(db: Db, { desk, managerId, esi }: People): Promise<void> {
  const [unpaid] = (await orderQueries.list(db, { userId: esi.userId, status: "PENDING" }, { limit: 20 })).filter(
    ({ paidAt }) => paidAt === null,
  );
  if (!unpaid) return;
  const by = { by: desk, key: null };
  await statusChanges.moveOne(db, { ...by, orderId: unpaid.id, to: "COMPLETED", paidInCash: true });
  const expectedPesewas = unpaid.amountPesewas;
  const counted = { countedPesewas: expectedPesewas - MISSING_PESEWAS, reason: "Had no change, and gave 40 too much" };
  await cash.handIn(db, { ...by, toUserId: managerId, expectedPesewas, ...counted });
}
