// A request for a second person as JSON.
import type { Approval } from "../core/approvals/queries.ts";
import { toCedis } from "../shared/money.ts";

export function presentApproval(approval: Approval) {
  const { id, kind, label, summary, reason, amountPesewas, state, requestedBy, decidedBy, note } = approval;
  return {
    ...{ id, kind, label, summary, reason, state, requestedBy, decidedBy, note },
    amount: amountPesewas === null ? null : toCedis(amountPesewas),
    requestedAt: approval.createdAt.toISOString(),
    expiresAt: approval.expiresAt.toISOString(),
    seen: { ...approval.seen.state, ...approval.seen.facts },
    decidedAt: approval.decidedAt?.toISOString() ?? null,
  };
}

export const approvalExample: ReturnType<typeof presentApproval> = {
  id: 7,
  kind: "wallet.adjust",
  label: "Correction of a wallet",
  summary: "add GH₵ 500.00 to ama's wallet",
  reason: "Cash paid at the office, receipt 118",
  state: "open",
  requestedBy: "esi",
  decidedBy: null,
  note: null,
  amount: 500,
  requestedAt: "2026-11-21T15:13:52.617Z",
  expiresAt: "2026-11-22T15:13:52.617Z",
  seen: { Account: "ACTIVE", Balance: "GH₵ 12.00" },
  decidedAt: null,
};
