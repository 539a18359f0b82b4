// Admin API routes for cash with staff, the safe and the bank, and for Paystack's payouts.
import * as cash from "../../core/payments/cash.ts";
import * as cashBank from "../../core/payments/cash-bank.ts";
import * as cashBooks from "../../core/payments/cash-books.ts";
import * as payouts from "../../core/payments/payouts.ts";
import * as schemas from "../../http/schemas/cash.ts";
import { IdParams, Page } from "../../http/schemas/common.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import { toCedis } from "../../shared/money.ts";
import { keyErrors } from "../orders.ts";
import { page, type Route, route } from "../route.ts";

const WAITING_MAX = 100;
const BANKED_MAX = 100;

function presentBankDeposit(deposit: cashBank.BankDeposit) {
  return {
    id: deposit.id,
    amount: toCedis(deposit.amountPesewas),
    slip: deposit.slip,
    by: deposit.username,
    createdAt: deposit.createdAt.toISOString(),
    seen: deposit.seenPesewas === null ? null : toCedis(deposit.seenPesewas),
    seenBy: deposit.seenBy,
    seenAt: deposit.seenAt?.toISOString() ?? null,
    reason: deposit.seenReason,
  };
}

function presentClose(close: cashBooks.CloseRow) {
  return {
    id: close.id,
    userId: close.userId,
    username: close.username,
    day: close.day,
    to: close.to,
    expected: toCedis(close.expectedPesewas),
    counted: toCedis(close.countedPesewas),
    reason: close.reason,
    status: close.state,
    decidedBy: close.decidedBy,
    decidedAt: close.decidedAt?.toISOString() ?? null,
  };
}

export const adminCash: Route[] = [
  route({
    method: "GET",
    path: "/api/v1/admin/cash",
    right: "books.see",
    summary: "Cash by person, what waits to be accepted, and what is in the safe",
    answer: { status: 200, schema: schemas.Cash, example: { safe: 390, people: [], waiting: [] } },
    errors: [],
    handle: async ({ db }) => {
      const today = new Date().toISOString().slice(0, 10);
      const people = await cashBooks.byPerson(db, today);
      const waiting = await cashBooks.closes(db, { state: "waiting" }, WAITING_MAX);
      return {
        body: {
          safe: toCedis(await cashBooks.inSafe(db)),
          people: people.map(({ userId, username, orders, takenPesewas, openPesewas }) => ({
            ...{ userId, username, orders, taken: toCedis(takenPesewas), open: toCedis(openPesewas) },
          })),
          waiting: waiting.map(presentClose),
        },
      };
    },
  }),
  route({
    method: "GET",
    path: "/api/v1/admin/cash/mine",
    right: "cash.take",
    summary: "Your own cash",
    answer: {
      status: 200,
      schema: schemas.OwnCash,
      example: { open: 12.5, waiting: 0, closedToday: false },
    },
    errors: [],
    handle: async ({ db, by }) => {
      const { openPesewas, waitingPesewas, today } = await cash.standing(db, by.userId);
      const [open, waiting] = [toCedis(openPesewas), toCedis(waitingPesewas)];
      return { body: { open, waiting, closedToday: today !== null } };
    },
  }),
  route({
    method: "POST",
    path: "/api/v1/admin/cash/hand-ins",
    right: "cash.take",
    summary: "Hand in your cash of today to a colleague who may see the books, and who accepts it",
    takesKey: true,
    body: schemas.CashHandIn,
    example: { to: 3, expected: 12.5, counted: 12.5 },
    answer: { status: 201, schema: schemas.CashHandedIn, example: { closeId: 7 } },
    errors: [
      ...(["cash.to_whom", "cash.nothing", "cash.moved", "cash.reason_missing", "cash.closed_today"] as const),
      ...keyErrors,
    ],
    handle: async ({ db, by, key, body }) => {
      const { to: toUserId, expected: expectedPesewas, counted: countedPesewas, reason = null } = body;
      const handIn = { by, key, toUserId, expectedPesewas, countedPesewas, reason };
      const { answer, replayed } = await cash.handIn(db, handIn);
      return { body: answer, replayed };
    },
  }),
  route({
    method: "POST",
    path: "/api/v1/admin/cash/hand-ins/:id/decision",
    subject: "cashClose",
    right: "books.see",
    mayAsk: true,
    summary: "Accept a colleague's cash, which closes their day and books the difference, or send it back",
    takesKey: true,
    params: IdParams,
    body: schemas.CashDecision,
    example: { decision: "accept", expected: 12.5, counted: 12.5 },
    answer: { status: 200, schema: schemas.CashDecided, example: { closeId: 7, userId: 4 } },
    errors: [
      ...(["cash.not_found", "cash.decided", "cash.moved", "cash.reason_missing", "auth.own_account"] as const),
      ...keyErrors,
    ],
    handle: async ({ db, by, key, params, body }) => {
      const { expected: expectedPesewas, counted: countedPesewas, decision, reason } = body;
      const seen = { by, key, closeId: params.id, expectedPesewas, countedPesewas };
      if (decision === "refuse" && !reason) throw new AppError("cash.reason_missing");
      const { answer, replayed } =
        decision === "accept"
          ? await cash.decide(db, { ...seen, decision })
          : await cash.decide(db, { ...seen, decision, reason: reason! });
      return { body: answer, replayed };
    },
  }),
  route({
    method: "POST",
    path: "/api/v1/admin/cash/bank-deposits",
    right: "books.see",
    mayAsk: true,
    summary: "Book cash from the safe that you brought to the bank, once a slip",
    takesKey: true,
    body: schemas.NewBankDeposit,
    example: { amount: 390, slip: "0042" },
    answer: { status: 201, schema: schemas.BankDeposited, example: { bankDepositId: 2 } },
    errors: ["cash.safe_short", "cash.slip_known", ...keyErrors],
    handle: async ({ db, by, key, body }) => {
      const { amount: amountPesewas, slip } = body;
      const { answer, replayed } = await cashBank.bring(db, { by, key, amountPesewas, slip });
      return { body: answer, replayed };
    },
  }),
  route({
    method: "GET",
    path: "/api/v1/admin/cash/bank-deposits",
    right: "books.see",
    summary: "Cash that was brought to the bank, newest first; unseen=true for what nobody has found on its statement",
    query: schemas.BankDepositQuery,
    answer: { status: 200, schema: schemas.BankDeposit.array(), example: [] },
    errors: [],
    handle: async ({ db, query: { unseen } }) => ({
      body: (await cashBank.list(db, { unseenOnly: unseen === true }, BANKED_MAX)).map(presentBankDeposit),
    }),
  }),
  route({
    method: "POST",
    path: "/api/v1/admin/cash/bank-deposits/:id/seen",
    subject: "bankDeposit",
    right: "books.see",
    mayAsk: true,
    summary:
      "Tick off cash that a colleague brought to the bank, as the bank's statement shows it; a difference is booked",
    takesKey: true,
    params: IdParams,
    body: schemas.BankTickOff,
    example: { amount: 390, seen: 390 },
    answer: { status: 200, schema: schemas.BankDeposited, example: { bankDepositId: 2 } },
    errors: [
      ...(["cash.bank_not_found", "cash.bank_own", "cash.bank_seen", "cash.moved", "cash.reason_missing"] as const),
      ...keyErrors,
    ],
    handle: async ({ db, by, key, params, body }) => {
      const { amount: amountPesewas, seen: seenPesewas, reason = null } = body;
      const found = { bankDepositId: params.id, amountPesewas, seenPesewas, reason };
      const { answer, replayed } = await cashBank.tickOff(db, { by, key, ...found });
      return { body: answer, replayed };
    },
  }),
  route({
    method: "GET",
    path: "/api/v1/admin/payouts",
    right: "books.see",
    summary: "Paystack's payouts to the shop's bank, newest first",
    query: Page,
    answer: { status: 200, schema: schemas.Payout.array(), example: [] },
    errors: [],
    handle: async ({ db, request, query: { limit, cursor } }) =>
      page(request, await payouts.list(db, { limit, cursor }), limit, (payout) => ({
        id: payout.id,
        paystackId: payout.providerId,
        status: payout.status,
        amount: toCedis(payout.amountPesewas),
        processed: toCedis(payout.processedPesewas),
        fees: toCedis(payout.feesPesewas),
        payments: payout.payments,
        unknown: payout.unknown,
        settledAt: payout.settledAt?.toISOString() ?? null,
        bookedAt: payout.bookedAt?.toISOString() ?? null,
      })),
  }),
];
