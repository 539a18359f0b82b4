// An example of a request for a second person, for the description.
export const approvalExample = {
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
