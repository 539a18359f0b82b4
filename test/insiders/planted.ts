// Bugs to plant into a copy of the program, to show that a run of insiders finds them.
import type { Bug } from "../torture/planted.ts";

export const BUGS: Bug[] = [
  {
    name: "who was never banned is let in again, and owes their place for it",
    file: "src/core/identity/users.ts",
    right: '    if (before.status !== "BANNED") return;\n',
    wrong: "",
  },
  {
    name: "a cost that somebody enters counts at once for their prices",
    file: "src/core/catalog/guarded-costs.ts",
    right: "  return new Map(rows.map(({ id, ...entry }) => [id, entry]));\n",
    wrong: "  return new Map(rows.slice(0, 0).map(({ id, ...entry }) => [id, entry]));\n",
  },
  {
    name: "an agent's mailbox is changed by one",
    file: "src/core/identity/staff-asks.ts",
    right: "if (!isOfStaff && !isMoved) return null;",
    wrong: "if (!isOfStaff) return null;",
  },
  {
    name: "a correction asks nobody",
    file: "src/core/ledger/wallet.ts",
    right: "    await agree(await questionAbout(tx, user, before, { amountPesewas, reason }));\n",
    wrong: "    await questionAbout(tx, user, before, { amountPesewas, reason });\n",
  },
  {
    name: "what one person did before does not count",
    file: "src/core/platform/colleagues/second-person.ts",
    right: "    if ((await sumAlone(tx, by, limit)) + total > limitOf(limit)) return true;\n",
    wrong: "    if (total > limitOf(limit)) return true;\n",
  },
  {
    name: "what an account got from others does not count",
    file: "src/core/platform/colleagues/second-person.ts",
    right: "(before.get(userId) ?? 0) + pesewas > limitOf(limit))",
    wrong: "pesewas > limitOf(limit))",
  },
  {
    name: "two at once each see the sum without the other",
    file: "src/core/platform/colleagues/second-person.ts",
    right: '    await lock(tx, "secondPerson");\n    if (!counts',
    wrong: "    if (!counts",
  },
  {
    name: "an hour counts as a day",
    file: "src/core/platform/colleagues/second-person.ts",
    right: "sql`now() - interval '24 hours'`",
    wrong: "sql`now() - interval '1 hour'`",
  },
  {
    name: "a refund of a completed order counts as one under way",
    file: "src/core/orders/refund.ts",
    right: 'order.status === "COMPLETED" ? "alone_late_refunds_pesewas" : "alone_refunds_pesewas"',
    wrong: '"alone_refunds_pesewas"',
  },
  {
    name: "whoever decides needs no right",
    file: "src/core/platform/colleagues/deciders.ts",
    right: '  if (!holders.some(({ id }) => id === userId)) throw new AppError("auth.forbidden");\n',
    wrong: "",
  },
  {
    name: "people decide about themselves",
    file: "src/core/platform/colleagues/deciders.ts",
    right: '  if (concerns.includes(userId)) throw new AppError("approval.concerns_you");\n',
    wrong: "",
  },
  {
    name: "an appointee agrees to what the appointer asks",
    file: "src/core/platform/colleagues/deciders.ts",
    right: '  if (row!.isDependent) throw new AppError("approval.too_new");\n',
    wrong: "",
  },
  {
    name: "people correct their own wallet",
    file: "src/core/ledger/wallet.ts",
    right: '    if (userId === by.userId) throw new AppError("auth.own_account");\n',
    wrong: "",
  },
  {
    name: "a manager corrects an owner's wallet and bans them",
    file: "src/shared/rights.ts",
    right: 'return hasRight(by, right) && (!isStaff(account) || hasRight(by, "staff.manage"));',
    wrong: "return account !== null && hasRight(by, right);",
  },
  {
    name: "a form of staff forgets its right",
    file: "src/web/answer-form.ts",
    right: "  if (right) requireRight(context.by, right);\n",
    wrong: "",
  },
  {
    name: "a banned account's session goes on",
    file: "src/core/identity/logins/sessions.ts",
    right: " and s.expires_at > now() and u.status = 'ACTIVE'`",
    wrong: " and s.expires_at > now()`",
  },
  {
    name: "a rule is loosened by one person",
    file: "src/core/platform/settings/setting-asks.ts",
    right: 'typeof after === "number" ? after > Number(before) : after === false',
    wrong: 'typeof after !== "number" && after === false',
  },
  {
    name: "staff are appointed by one person",
    file: "src/core/identity/users.ts",
    right: "isStaff(row) ? askToCreate(row) : null",
    wrong: "null",
  },
  {
    name: "no proof of who it is for a correction",
    file: "src/core/ledger/wallet.ts",
    right: '  isConfirmed: true,\n  asks: "Correction of a wallet",\n',
    wrong: '  asks: "Correction of a wallet",\n',
  },
];
