// Admin API routes for the balances of banned and deleted accounts that are paid out to their owners.
import * as users from "../../core/identity/users.ts";
import * as walletPayouts from "../../core/payments/wallet-payouts.ts";
import { IdParams } from "../../http/schemas/common.ts";
import * as schemas from "../../http/schemas/wallet-payouts.ts";
import { limits } from "../../shared/domain.ts";
import { toCedis } from "../../shared/money.ts";
import { keyErrors } from "../orders.ts";
import { type Route, route } from "../route.ts";

const details = {
  method: "momo" as const,
  msisdn: "233541234567",
  name: "Ama Mensah",
  reference: "40125560001",
  reason: "Account deleted at the owner's wish",
};

export const walletPayoutRoutes: Route[] = [
  route({
    method: "GET",
    path: "/api/v1/admin/users/:id/payouts",
    subject: "user",
    right: "agents.see",
    summary: "What was paid out of a wallet to its owner, newest first",
    params: IdParams,
    answer: {
      status: 200,
      schema: schemas.WalletPayout.array(),
      example: [
        {
          ...{ id: 3, amount: 12.5, ...details, by: "yaw", agreedBy: "kofi" },
          createdAt: "2026-11-21T09:30:00.000Z",
        },
      ],
    },
    errors: ["user.not_found"],
    handle: async ({ db, params: { id: userId } }) => {
      await users.get(db, userId);
      const rows = await walletPayouts.list(db, { userId }, limits.pageSizeMax);
      return { body: rows.map(present) };
    },
  }),
  route({
    method: "POST",
    path: "/api/v1/admin/users/:id/payouts",
    subject: "user",
    right: "wallet.pay_out",
    mayAsk: true,
    summary: "Book that all that is available in a banned or deleted account's wallet was paid to its owner",
    takesKey: true,
    params: IdParams,
    body: schemas.PayoutToBook,
    example: { amount: 12.5, ...details, msisdn: "0541234567" },
    answer: {
      status: 200,
      schema: schemas.PayoutBooked,
      example: { payoutId: 3, userId: 12, amount: 12.5, balance: 0 },
    },
    errors: [
      "user.not_found",
      "auth.own_account",
      "wallet.in_use",
      "account.waits",
      "wallet.nothing_to_pay_out",
      "wallet.moved",
      "wallet.payout_known",
      "cash.safe_short",
      ...keyErrors,
    ],
    handle: async ({ db, by, key, params: { id: userId }, body: { amount, ...typed } }) => {
      const payout = { userId, amountPesewas: amount, ...schemas.withNumber(typed) };
      const { answer, replayed } = await walletPayouts.payOut(db, { by, key, ...payout });
      const { payoutId, amountPesewas, balancePesewas } = answer;
      const amounts = { amount: toCedis(amountPesewas), balance: toCedis(balancePesewas) };
      return { body: { payoutId, userId, ...amounts }, replayed };
    },
  }),
];

function present(row: walletPayouts.PayoutRow) {
  const { id, amountPesewas, method, msisdn, name, reference, reason, by, agreedBy, createdAt } = row;
  return {
    ...{ id, amount: toCedis(amountPesewas), method, msisdn, name, reference, reason, by, agreedBy },
    createdAt: createdAt.toISOString(),
  };
}
