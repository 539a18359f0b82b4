// API routes for sign-up, login in one step or two, logout, the own account, and password resets.
import * as passwordReset from "../core/identity/logins/password-reset.ts";
import * as secondStep from "../core/identity/logins/second-factor-login.ts";
import * as sessions from "../core/identity/logins/sessions.ts";
import * as users from "../core/identity/users.ts";
import * as accountSchemas from "../http/schemas/accounts.ts";
import { ForgottenPassword, LogInAtOnce, PasswordReset, SecondStep } from "../http/schemas/codes.ts";
import { Done } from "../http/schemas/common.ts";
import { type Route, route } from "./route.ts";

const ama = {
  id: 12,
  username: "ama",
  email: "ama@example.com",
  roles: ["USER"],
  status: "ACTIVE",
  createdAt: "2026-11-21T09:30:00.000Z",
};

export const auth: Route[] = [
  route({
    method: "POST",
    path: "/api/v1/auth/signup",
    role: "anyone",
    summary: "Open an agent's account",
    body: accountSchemas.SignUp,
    example: { username: "ama", email: "ama@example.com", password: "six or more" },
    answer: { status: 201, schema: accountSchemas.User.schema, example: ama },
    errors: [
      "user.username_taken",
      "user.username_refused",
      "user.email_taken",
      "user.password_short",
      "user.password_common",
      "request.rate_limited",
    ],
    handle: async ({ db, body, request, addressOf }) => {
      const user = await users.signUp(db, { ...body, address: addressOf(request), channel: "api" });
      return { body: accountSchemas.User.present(user) };
    },
  }),
  route({
    method: "POST",
    path: "/api/v1/auth/login",
    role: "anyone",
    summary: "Log in; the token goes into Authorization: Bearer …",
    body: LogInAtOnce,
    example: { email: "ama@example.com", password: "six or more" },
    answer: { status: 200, schema: accountSchemas.LoggedIn, example: { token: "eyJhbGciOi…", user: ama } },
    errors: [
      "auth.bad_credentials",
      "auth.second_factor_required",
      "factor.wrong",
      "auth.second_step_ended",
      "auth.banned",
      "auth.password_outgrown",
      "request.rate_limited",
    ],
    handle: async ({ db, body, request, addressOf, sign, factorKeys }) => {
      const userAgent = request.headers.get("user-agent") ?? "";
      const input = { ...body, address: addressOf(request), userAgent };
      const session = await secondStep.logIn(db, factorKeys, input);
      return { body: { token: await sign(session.id), user: accountSchemas.User.present(session.user) } };
    },
  }),
  route({
    method: "POST",
    path: "/api/v1/auth/second-factor",
    role: "anyone",
    summary:
      "Finish a login that got auth.second_factor_required, with its details.token and a code from the app " +
      "or a recovery code",
    body: SecondStep,
    example: { token: "kQ3v…", code: "492039" },
    answer: { status: 200, schema: accountSchemas.LoggedIn, example: { token: "eyJhbGciOi…", user: ama } },
    errors: ["factor.wrong", "auth.second_step_ended", "auth.banned", "request.rate_limited"],
    handle: async ({ db, body, request, addressOf, sign, factorKeys }) => {
      const userAgent = request.headers.get("user-agent") ?? "";
      const input = { ...body, address: addressOf(request), userAgent };
      const session = await secondStep.finish(db, factorKeys, input);
      return { body: { token: await sign(session.id), user: accountSchemas.User.present(session.user) } };
    },
  }),
  route({
    method: "GET",
    path: "/api/v1/auth/me",
    role: "user",
    scope: "read",
    summary: "The account that the token belongs to",
    answer: { status: 200, schema: accountSchemas.User.schema, example: ama },
    errors: [],
    handle: async ({ db, by }) => ({ body: accountSchemas.User.present(await users.get(db, by.userId)) }),
  }),
  route({
    method: "POST",
    path: "/api/v1/auth/logout",
    role: "user",
    summary: "End this session; the token stops working",
    answer: { status: 200, schema: Done, example: { ok: true } },
    errors: [],
    handle: async ({ db, caller }) => {
      await sessions.logOut(db, caller.sessionId);
      return { body: { ok: true } };
    },
  }),
  route({
    method: "POST",
    path: "/api/v1/auth/password/forgot",
    role: "anyone",
    summary: "Request a code for a new password; the answer is the same if there is no such account",
    body: ForgottenPassword,
    example: { login: "ama@example.com" },
    answer: { status: 202, schema: Done, example: { ok: true } },
    errors: ["code.no_channel", "request.rate_limited"],
    handle: async ({ db, body, request, addressOf, codeKeys }) => {
      await passwordReset.request(db, codeKeys, { ...body, address: addressOf(request) });
      return { body: { ok: true } };
    },
  }),
  route({
    method: "POST",
    path: "/api/v1/auth/password/reset",
    role: "anyone",
    summary: "Set a new password with the code; all sessions of the account end",
    body: PasswordReset,
    example: { login: "ama@example.com", code: "123456", password: "a new phrase" },
    answer: { status: 200, schema: Done, example: { ok: true } },
    errors: [
      "code.wrong",
      "account.unclaimed",
      "account.frozen",
      "user.password_short",
      "user.password_common",
      "user.admin_password_short",
      "request.rate_limited",
    ],
    handle: async ({ db, body, request, addressOf, codeKeys }) => {
      await passwordReset.reset(db, codeKeys, { ...body, address: addressOf(request), channel: "api" });
      return { body: { ok: true } };
    },
  }),
];
