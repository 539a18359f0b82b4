// Admin API routes for the shop's mobile money statement, and for deposits that it corrects or takes back.
import * as depositReversals from "../../core/payments/deposits/deposit-reversals.ts";
import * as deposits from "../../core/payments/deposits/deposits.ts";
import { localSender, senderIn } from "../../core/payments/deposits/senders.ts";
import * as statements from "../../core/payments/deposits/statements.ts";
import * as schemas from "../../http/schemas/staff/statements.ts";
import { limits } from "../../shared/domain.ts";
import { toCedis } from "../../shared/money.ts";
import { page, type Route, route } from "../route.ts";
import { run } from "../run.ts";

const lineExample = { transactionId: "40125566778", amount: 50, senderName: "KOFI MENSAH" };

export const adminStatements: Route[] = [
  route({
    method: "POST",
    path: "/api/v1/admin/statements",
    right: "payments.decide",
    summary:
      "Import lines of the mobile money statement: deposits that match are credited within the limits, as the " +
      "importer's act; lines that are known change nothing",
    takesKey: true,
    bodyBytesMax: limits.bulkBodyBytes,
    body: schemas.NewStatement,
    example: { network: "mtn", lines: [lineExample] },
    answer: {
      status: 200,
      schema: schemas.StatementImported,
      example: {
        importId: 4,
        newLines: 1,
        knownLines: 0,
        conflicts: [],
        credited: 1,
        creditedAmount: 50,
        heldBack: 0,
        reversed: 0,
      },
    },
    errors: [
      "auth.confirm_needed",
      "statement.empty",
      "statement.too_long",
      "statement.line_invalid",
      "request.rate_limited",
    ],
    handle: async ({ db, by, key, body }) => {
      const lines = body.lines.map((line) => ({
        direction: line.direction,
        transactionId: line.transactionId,
        originalId: line.direction === "reversal" ? (line.reversedId ?? line.transactionId) : null,
        amountPesewas: line.amount,
        senderName: line.senderName || null,
        senderMsisdn: senderIn(line.senderPhone ?? ""),
        at: line.at ? new Date(line.at) : null,
      }));
      const { network } = body;
      const { answer, replayed } = await statements.importLines(db, {
        by,
        key,
        network,
        source: "api",
        lines,
      });
      const { creditedPesewas, ...done } = answer;
      return { body: { ...done, creditedAmount: toCedis(creditedPesewas) }, replayed };
    },
  }),
  route({
    method: "GET",
    path: "/api/v1/admin/statements/lines",
    right: "payments.see",
    summary:
      "Imported lines of the statement, newest first; open=true for money that no deposit has claimed. Without a " +
      "credited deposit, IDs and senders are null but for those who decide deposits",
    query: schemas.StatementLineQuery,
    answer: { status: 200, schema: schemas.StatementLine.array(), example: [] },
    errors: [],
    handle: async ({ db, by, request, query: { limit, cursor, open } }) =>
      page(request, await statements.list(db, by, { unclaimedOnly: open }, { limit, cursor }), limit, (line) => ({
        id: line.id,
        network: line.network,
        direction: line.direction,
        transactionId: line.transactionId,
        reversedId: line.originalId,
        amount: toCedis(line.amountPesewas),
        senderName: line.senderName,
        senderPhone: line.senderMsisdn && localSender(line.senderMsisdn),
        at: line.at?.toISOString() ?? null,
        claimId: line.deposit?.id ?? null,
        importedBy: line.importedBy,
      })),
  }),
  run("POST /admin/claims/:id/correct", deposits.correct, schemas.ClaimCorrected, {
    ...{ subject: "deposit", idOf: "depositId" },
    example: { amount: 40, reason: "The statement says GH₵ 40.00" },
    gives: { claimId: 5, userId: 12, credited: 40 },
  }),
  route({
    method: "GET",
    path: "/api/v1/admin/claim-reversals",
    right: "payments.see",
    summary: "Credited claims that the network took back and that wait for a decision, oldest first",
    answer: { status: 200, schema: schemas.ClaimReversal.array(), example: [] },
    errors: [],
    handle: async ({ db }) => ({
      body: (await depositReversals.listOpen(db)).map((reversal) => ({
        id: reversal.id,
        claimId: reversal.depositId,
        userId: reversal.userId,
        username: reversal.username,
        transactionId: reversal.deposit.transactionId,
        amount: toCedis(reversal.amountPesewas),
        createdAt: reversal.createdAt.toISOString(),
      })),
    }),
  }),
  run("POST /admin/claim-reversals/:id/decision", depositReversals.decide, schemas.ClaimReversalDecided, {
    ...{ subject: "depositReversal", idOf: "reversalId" },
    example: { decision: "book", amount: 50 },
    gives: { reversalId: 3, userId: 12, debt: 0 },
  }),
];
