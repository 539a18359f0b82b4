// Admin API routes for the balances of banned and deleted accounts that are paid out to their owners.
import * as users from "../../core/identity/users.ts";
import * as walletPayouts from "../../core/payments/wallet-payouts.ts";
import { IdParams } from "../../http/schemas/common.ts";
import * as views from "../../http/schemas/staff/wallet-payouts.ts";
import { limits } from "../../shared/domain.ts";
import { type Route, route } from "../route.ts";
import { run } from "../run.ts";

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
      schema: views.WalletPayout.schema.array(),
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
      return { body: rows.map(views.WalletPayout.present) };
    },
  }),
  run("POST /admin/users/:id/payouts", walletPayouts.payOut, views.PayoutBooked, {
    ...{ subject: "user", idOf: "userId" },
    example: { amount: 12.5, ...details, msisdn: "0541234567" },
    gives: { payoutId: 3, userId: 12, amount: 12.5, balance: 0 },
  }),
];
