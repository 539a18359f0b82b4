// Admin API routes for accounts and their wallets.
import * as userLists from "../../core/identity/user-search.ts";
import * as users from "../../core/identity/users.ts";
import * as wallet from "../../core/ledger/wallet.ts";
import * as accountSchemas from "../../http/schemas/accounts.ts";
import { IdParams, Removed } from "../../http/schemas/common.ts";
import * as walletSchemas from "../../http/schemas/wallet.ts";
import type { View } from "../../http/view.ts";
import type { Id } from "../../shared/inputs.ts";
import { page, type Route, route } from "../route.ts";
import { run } from "../run.ts";
import { answerStatement, statementCsvExample, statementExample } from "../wallet.ts";

const userExample = {
  id: 12,
  username: "ama",
  email: "ama@example.com",
  roles: ["USER"],
  status: "ACTIVE",
  createdAt: "2026-11-21T09:30:00.000Z",
};

const ofUser = { subject: "user", idOf: "userId" } as const;
const removed: View<{ userId: typeof Id }> = {
  schema: Removed,
  present: ({ userId }) => ({ id: userId, removed: true }),
};

export const adminUsers: Route[] = [
  route({
    method: "GET",
    path: "/api/v1/admin/users",
    right: "agents.see",
    summary: "Users, newest first",
    query: accountSchemas.UserQuery,
    answer: {
      status: 200,
      schema: accountSchemas.UserWithBalance.schema.array(),
      example: [{ ...userExample, balance: 120 }],
    },
    errors: [],
    handle: async ({ db, request, query: { limit, cursor, ...filter } }) =>
      page(request, await userLists.list(db, filter, { limit, cursor }), limit, accountSchemas.UserWithBalance.present),
  }),
  route({
    method: "POST",
    path: "/api/v1/admin/users",
    right: "agents.manage",
    mayAsk: true,
    summary: "Open an account: an agent's or, as an owner, one of staff",
    command: "user.create",
    body: accountSchemas.NewUser,
    example: { username: "kofi", email: "kofi@example.com", password: "six or more", roles: ["USER"] },
    answer: { status: 201, schema: accountSchemas.User.schema, example: userExample },
    errors: [
      "user.one_role",
      "user.username_taken",
      "user.username_refused",
      "user.email_taken",
      "user.password_short",
      "user.admin_password_short",
      "user.password_common",
    ],
    handle: async ({ db, by, body }) => ({
      body: accountSchemas.User.present(await users.create(db, { by, ...body })),
    }),
  }),
  run("PATCH /admin/users/:id", users.edit, accountSchemas.User, {
    ...ofUser,
    example: { username: "ama.serwaa" },
    gives: userExample,
  }),
  run("POST /admin/users/:id/ban", users.ban, accountSchemas.User, {
    ...{ ...ofUser, gives: { ...userExample, status: "BANNED" } },
  }),
  run("POST /admin/users/:id/unban", users.unban, accountSchemas.User, { ...ofUser, gives: userExample }),
  run("DELETE /admin/users/:id", users.remove, removed, { ...ofUser, gives: { id: 12, removed: true } }),
  route({
    method: "GET",
    path: "/api/v1/admin/users/:id/statement",
    subject: "user",
    right: "agents.see",
    summary: "A user's wallet statement between two dates; format=csv for a spreadsheet",
    params: IdParams,
    query: walletSchemas.StatementQuery,
    answer: {
      status: 200,
      schema: walletSchemas.Statement.schema,
      example: statementExample,
      alsoCsv: statementCsvExample,
    },
    errors: ["user.not_found", "wallet.statement_too_long"],
    handle: async ({ db, params, query }) => {
      await users.get(db, params.id);
      return answerStatement(db, params.id, query);
    },
  }),
  run("POST /admin/users/:id/wallet", wallet.adjust, walletSchemas.Adjusted, {
    ...ofUser,
    example: { amount: 50, reason: "Cash paid at the office, receipt 118" },
    gives: { userId: 12, balance: 170, adjustmentId: 3 },
  }),
];
