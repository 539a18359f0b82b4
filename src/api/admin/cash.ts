// Admin API routes for cash with staff, the safe and the bank, and for Paystack's payouts.
import * as cash from "../../core/payments/cash/cash.ts";
import * as cashBank from "../../core/payments/cash/cash-bank.ts";
import * as cashBooks from "../../core/payments/cash/cash-books.ts";
import * as payouts from "../../core/payments/payouts.ts";
import * as views from "../../http/schemas/staff/cash.ts";
import { type Route, route } from "../route.ts";
import { get, list, run } from "../run.ts";

const WAITING_MAX = 100;
const BANKED_MAX = 100;

export const adminCash: Route[] = [
  get("/admin/cash", "books.see", views.Cash, {
    summary: "Cash by person, what waits to be accepted, and what is in the safe",
    example: { safe: 390, people: [], waiting: [] },
    read: async ({ db }) => ({
      safePesewas: await cashBooks.inSafe(db),
      people: await cashBooks.byPerson(db, new Date().toISOString().slice(0, 10)),
      waiting: await cashBooks.closes(db, { state: "waiting" }, WAITING_MAX),
    }),
  }),
  get("/admin/cash/mine", "cash.take", views.OwnCash, {
    summary: "Your own cash",
    example: { open: 12.5, waiting: 0, closedToday: false },
    read: async ({ db, by }) => {
      const { today, ...amounts } = await cash.standing(db, by.userId);
      return { ...amounts, isClosedToday: today !== null };
    },
  }),
  run("POST /admin/cash/hand-ins", cash.handIn, views.CashHandedIn, {
    example: { to: 3, expected: 12.5, counted: 12.5 },
    ...{ gives: { closeId: 7 }, status: 201 },
  }),
  run("POST /admin/cash/hand-ins/:id/decision", cash.decide, views.CashDecided, {
    ...{ subject: "cashClose", idOf: "closeId" },
    example: { decision: "accept", expected: 12.5, counted: 12.5 },
    gives: { closeId: 7, userId: 4 },
  }),
  run("POST /admin/cash/bank-deposits", cashBank.bring, views.BankDeposited, {
    example: { amount: 390, slip: "0042" },
    ...{ gives: { bankDepositId: 2 }, status: 201 },
  }),
  route({
    method: "GET",
    path: "/api/v1/admin/cash/bank-deposits",
    right: "books.see",
    summary: "Cash that was brought to the bank, newest first; unseen=true for what nobody has found on its statement",
    query: views.BankDepositQuery,
    answer: { status: 200, schema: views.BankDeposit.schema.array(), example: [] },
    errors: [],
    handle: async ({ db, query: { unseen } }) => ({
      body: (await cashBank.list(db, { unseenOnly: unseen === true }, BANKED_MAX)).map(views.BankDeposit.present),
    }),
  }),
  run("POST /admin/cash/bank-deposits/:id/seen", cashBank.tickOff, views.BankDeposited, {
    ...{ subject: "bankDeposit", idOf: "bankDepositId" },
    example: { amount: 390, seen: 390 },
    gives: { bankDepositId: 2 },
  }),
  list("/admin/payouts", "books.see", views.Payout, {
    summary: "Paystack's payouts to the shop's bank, newest first",
    read: ({ db }, span) => payouts.list(db, span),
  }),
];
