// Routes that change something run a command, declared once; each that does not is here, with the reason.
import { expect, test } from "bun:test";
import { allRoutes } from "../../src/api/index.ts";
import { commandOf } from "../../src/core/platform/commands.ts";

/** By why they run no command of their own. */
const OTHERS = {
  "Comes before anybody is known, or ends that": [
    "POST /auth/signup",
    "POST /auth/login",
    "POST /auth/second-factor",
    "POST /auth/logout",
    "POST /auth/password/forgot",
    "POST /auth/password/reset",
  ],
  "Buys: the purchase statement is one trip to the database for many buyers": [
    "POST /orders",
    "POST /orders/bulk",
    "POST /wallet/spend",
    "POST /afa",
  ],
  "Waits for a provider or a name server, which no transaction may": [
    "POST /wallet/topup/init",
    "POST /paystack/init",
    "POST /paystack/verify",
    "POST /paystack/charge",
    "POST /paystack/otp",
    "POST /webhooks",
    "PATCH /webhooks/:id",
  ],
  "Its answer has a secret, which no repeat may have": [
    "POST /webhooks/:id/secret",
    "POST /keys",
    "POST /keys/:id/rotate",
    "POST /admin/afa/:id/reveal",
  ],
  "Is for one of two databases, the shop's or its sandbox's": ["PATCH /keys/:id", "DELETE /keys/:id"],
  "Only shows what something would do": ["POST /orders/bulk/preview", "POST /admin/signal-rules/:kind/preview"],
  "Runs one command or another, by the status that is wanted": [
    "PATCH /admin/orders/:id/status",
    "POST /admin/orders/status/bulk",
    "PATCH /admin/afa/:id/status",
  ],
  "Decides about another command": [
    "POST /admin/approvals/:id/agree",
    "POST /admin/approvals/:id/refuse",
    "POST /admin/approvals/:id/withdraw",
  ],
  "Queues work, which has its own budget or its own thread": [
    "POST /webhooks/:id/test",
    "POST /webhooks/:id/replay",
    "POST /admin/audit",
    "POST /admin/statements",
  ],
  "Files what a person will read, within a budget": [
    "POST /wallet/claims",
    "POST /wallet/claims/:id/report",
    "POST /support",
  ],
  "Is not there in a live shop": ["POST /sandbox/top-up", "POST /sandbox/clock", "POST /sandbox/reset"],
};

test("routes that change something run a command, or are named with the reason", () => {
  const changing = allRoutes.filter(({ method }) => method !== "GET");
  const others = changing.filter(({ command }) => command === undefined);
  const addressOf = ({ method, path }: { method: string; path: string }) => `${method} ${path.replace("/api/v1", "")}`;
  expect(others.map(addressOf).sort()).toEqual(Object.values(OTHERS).flat().sort());
  const unknown = changing.filter(({ command }) => command !== undefined && !commandOf(command));
  expect(unknown.map(addressOf)).toEqual([]);
});
