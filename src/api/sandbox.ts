// API routes that only a sandbox has: test money, the clock, and a fresh start. A live shop refuses them, and says so.
import * as accounts from "../core/sandbox/accounts.ts";
import { letPass } from "../core/sandbox/clock.ts";
import * as sandboxSchemas from "../http/schemas/sandbox.ts";
import { AppError } from "../shared/errors/app-error.ts";
import { toCedis } from "../shared/money.ts";
import { type Route, route } from "./route.ts";

export const sandboxRoutes: Route[] = [
  route({
    method: "POST",
    path: "/api/v1/sandbox/top-up",
    role: "user",
    scope: "buy",
    summary: "Add test money to the wallet; only in the sandbox",
    takesKey: true,
    body: sandboxSchemas.TopUp,
    example: { amount: 500 },
    answer: { status: 200, schema: sandboxSchemas.ToppedUp, example: { balance: 1500 } },
    errors: ["sandbox.only", "sandbox.too_much_money"],
    handle: async ({ db, by, body, key }) => {
      const command = { userId: by.userId, key, amountPesewas: body.amount };
      const { answer, replayed } = await accounts.topUp(db, command);
      return { body: { balance: toCedis(answer) }, replayed };
    },
  }),
  route({
    method: "POST",
    path: "/api/v1/sandbox/clock",
    role: "user",
    scope: "buy",
    summary: "Let time pass for your open orders, their delivery and your webhooks; only in the sandbox",
    body: sandboxSchemas.ClockMove,
    example: { minutes: 30 },
    answer: { status: 200, schema: sandboxSchemas.ClockMoved, example: { minutes: 30 } },
    errors: ["sandbox.only"],
    handle: async ({ db, by, body, vendorClock }) => {
      await letPass(db, vendorClock, { userId: by.userId, minutes: body.minutes });
      return { body: { minutes: body.minutes } };
    },
  }),
  route({
    method: "POST",
    path: "/api/v1/sandbox/reset",
    role: "user",
    scope: "buy",
    summary:
      "Start afresh: no orders, an empty log and the first test money; keys and webhooks stay. Only in the sandbox",
    answer: { status: 200, schema: sandboxSchemas.FreshStart, example: { userId: 31, balance: 1000 } },
    errors: ["sandbox.only", "request.rate_limited"],
    handle: async ({ db, by }) => {
      const { id } = await accounts.reset(db, by.userId);
      return { body: { userId: id, balance: toCedis(accounts.FIRST_PESEWAS) } };
    },
  }),
];

/** The same routes as a live shop has them: whoever calls one with a live key reads what is wrong. */
export const refusedSandboxRoutes: Route[] = sandboxRoutes.map((one) => ({
  ...one,
  ...{ scope: "read", body: undefined, takesKey: false },
  handle: async () => {
    throw new AppError("sandbox.only");
  },
}));
