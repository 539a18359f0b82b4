// Admin API routes for accounts and their wallets.
import * as userLists from "../../core/identity/user-search.ts";
import * as users from "../../core/identity/users.ts";
import * as wallet from "../../core/ledger/wallet.ts";
import * as accountSchemas from "../../http/schemas/accounts.ts";
import { IdParams, Removed } from "../../http/schemas/common.ts";
import * as walletSchemas from "../../http/schemas/wallet.ts";
import { toCedis } from "../../shared/money.ts";
import { presentUser } from "../present.ts";
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

export const adminUsers: Route[] = [
  route({
    method: "GET",
    path: "/api/v1/admin/users",
    right: "agents.see",
    summary: "Users, newest first",
    query: accountSchemas.UserQuery,
    answer: {
      status: 200,
      schema: accountSchemas.UserWithBalance.array(),
      example: [{ ...userExample, balance: 120 }],
    },
    errors: [],
    handle: async ({ db, request, query: { limit, cursor, ...filter } }) =>
      page(request, await userLists.list(db, filter, { limit, cursor }), limit, (user) => ({
        ...presentUser(user),
        balance: toCedis(user.balancePesewas),
      })),
  }),
  route({
    method: "POST",
    path: "/api/v1/admin/users",
    right: "agents.manage",
    mayAsk: true,
    summary: "Open an account: an agent's or, as an owner, one of staff",
    body: accountSchemas.NewUser,
    example: { username: "kofi", email: "kofi@example.com", password: "six or more", roles: ["USER"] },
    answer: { status: 201, schema: accountSchemas.User, example: userExample },
    errors: [
      "user.one_role",
      "user.username_taken",
      "user.username_refused",
      "user.email_taken",
      "user.password_short",
      "user.admin_password_short",
      "user.password_common",
    ],
    handle: async ({ db, by, body }) => ({ body: presentUser(await users.create(db, { by, ...body })) }),
  }),
  route({
    method: "PATCH",
    path: "/api/v1/admin/users/:id",
    subject: "user",
    right: "agents.manage",
    mayAsk: true,
    summary: "Change a username, e-mail address or role; fields left out stay as they are",
    params: IdParams,
    body: accountSchemas.UserEdit,
    example: { username: "ama.serwaa" },
    answer: { status: 200, schema: accountSchemas.User, example: userExample },
    errors: [
      "user.not_found",
      "user.closed",
      "user.username_taken",
      "user.username_refused",
      "user.email_taken",
      "user.one_role",
      "user.own_admin",
      "user.last_admin",
    ],
    handle: async ({ db, by, params, body }) => ({
      body: presentUser(await users.edit(db, { by, userId: params.id, ...body })),
    }),
  }),
  userAction("ban", "Ban a user and end their sessions at once", "BANNED", users.ban),
  userAction("unban", "Let a banned user in again", "ACTIVE", users.unban),
  route({
    method: "DELETE",
    path: "/api/v1/admin/users/:id",
    subject: "user",
    right: "agents.manage",
    summary: "Delete an account; its orders and transfers are kept, without the name",
    params: IdParams,
    answer: { status: 200, schema: Removed, example: { id: 12, removed: true } },
    errors: [
      "user.not_found",
      "user.closed",
      "user.own_account",
      "user.last_admin",
      "user.has_balance",
      "user.owes",
      "user.has_open_orders",
    ],
    handle: async ({ db, by, params }) => {
      await users.remove(db, { by, userId: params.id });
      return { body: { id: params.id, removed: true } };
    },
  }),
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
      schema: walletSchemas.Statement,
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
    ...{ subject: "user", idOf: "userId" },
    example: { amount: 50, reason: "Cash paid at the office, receipt 118" },
    gives: { userId: 12, balance: 170, adjustmentId: 3 },
  }),
];

function userAction(name: string, summary: string, status: string, action: typeof users.ban): Route {
  return route({
    method: "POST",
    path: `/api/v1/admin/users/:id/${name}`,
    subject: "user",
    right: "agents.manage",
    summary,
    params: IdParams,
    answer: { status: 200, schema: accountSchemas.User, example: { ...userExample, status } },
    errors: ["user.not_found", "user.closed", "user.own_account", "user.last_admin"],
    handle: async ({ db, by, params }) => ({
      body: presentUser(await action(db, { by, userId: params.id })),
    }),
  });
}
