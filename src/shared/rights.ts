// Rights of staff: what each role below the owner may do. The pages, the API and the core all ask here, and the page
// Staff shows this table. An owner (the role ADMIN) has every right; an agent (USER) has none.
import type { By, Role } from "./domain.ts";
import { AppError } from "./errors/app-error.ts";

/** The roles of people who run the shop, the owner's first, with their labels and what each is for. */
export const STAFF_ROLES = {
  ADMIN: { label: "Owner", summary: "Runs the shop, its staff and its settings" },
  MANAGER: { label: "Manager", summary: "Runs the day: orders, prices, agents and money" },
  DESK: { label: "Desk", summary: "Delivers orders and registers people for AFA" },
  SUPPORT: { label: "Support", summary: "Answers agents and looks into their orders" },
  ACCOUNTS: { label: "Accounts", summary: "Checks payments, books, cash and profit" },
} as const satisfies Partial<Record<Role, { label: string; summary: string }>>;
export type StaffRole = keyof typeof STAFF_ROLES;
/** The roles of whoever runs the shop. */
export const STAFF = Object.keys(STAFF_ROLES) as StaffRole[];

type RightFacts = { label: string; roles: readonly Exclude<StaffRole, "ADMIN">[] };

const EVERYBODY = ["MANAGER", "DESK", "SUPPORT", "ACCOUNTS"] as const;

/** Each right, in the order of the table that staff see, with the roles that have it besides the owner. */
export const RIGHTS = {
  "shop.see": { label: "See what waits today", roles: EVERYBODY },
  "orders.see": { label: "See everybody's orders", roles: EVERYBODY },
  "orders.work": { label: "Process, deliver and complete orders", roles: ["MANAGER", "DESK"] },
  "orders.refund": { label: "Fail orders, which refunds them", roles: ["MANAGER", "DESK"] },
  "orders.note": { label: "Write notes on orders", roles: ["MANAGER", "DESK", "SUPPORT"] },
  "afa.work": { label: "Register people for AFA", roles: ["MANAGER", "DESK"] },
  "cards.reveal": { label: "See whole Ghana Card numbers", roles: ["MANAGER", "DESK"] },
  "delivery.manage": { label: "Pause suppliers, set routes, settle losses", roles: ["MANAGER"] },
  "switches.throw": { label: "Stop and resume sales, networks and channels", roles: ["MANAGER"] },
  "catalog.manage": { label: "Change products, networks, prices and costs", roles: ["MANAGER"] },
  "agents.see": { label: "See agents, with their wallets and orders", roles: EVERYBODY },
  "agents.manage": { label: "Create, edit, freeze and ban agents", roles: ["MANAGER"] },
  "agents.note": { label: "Write notes about agents", roles: ["MANAGER", "SUPPORT"] },
  "support.answer": { label: "Answer support requests", roles: ["MANAGER", "SUPPORT"] },
  "cases.decide": { label: "Decide what was not received", roles: ["MANAGER", "SUPPORT"] },
  "messages.see": { label: "See and resend messages", roles: ["MANAGER", "SUPPORT"] },
  "payments.see": { label: "See payments and deposits", roles: ["MANAGER", "SUPPORT", "ACCOUNTS"] },
  "payments.decide": { label: "Decide deposits, reviews and disputes", roles: ["MANAGER", "ACCOUNTS"] },
  "wallet.correct": { label: "Correct wallets", roles: ["MANAGER"] },
  "wallet.pay_out": {
    label: "Pay out wallets of banned and deleted accounts",
    roles: ["MANAGER", "ACCOUNTS"],
  },
  "cash.take": { label: "Take cash, and hand it in", roles: EVERYBODY },
  "books.see": { label: "See the books, cash and reconciliation", roles: ["MANAGER", "ACCOUNTS"] },
  "books.close": { label: "Close days and months", roles: ["ACCOUNTS"] },
  "profit.see": { label: "See statistics, costs and profit", roles: ["MANAGER", "ACCOUNTS"] },
  "texts.change": { label: "Correct texts of SMS and USSD", roles: ["MANAGER"] },
  "privacy.answer": { label: "Answer requests about people's data", roles: ["MANAGER"] },
  "views.share": { label: "Share views of lists with all staff", roles: ["MANAGER"] },
  "audit.see": { label: "See the log of changes", roles: ["MANAGER", "ACCOUNTS"] },
  "settings.change": { label: "Change settings", roles: [] },
  "staff.manage": { label: "Create staff, and change their accounts", roles: [] },
} as const satisfies Record<string, RightFacts>;
export type Right = keyof typeof RIGHTS;

/** Who may open a page or call a route: anybody, whoever is logged in, or staff with a right. */
export type Access = { role: "anyone" | "user"; right?: undefined } | { right: Right; role?: undefined };

/** Somebody with roles: who acts, or an account. */
export type Holder = Pick<By, "roles">;

/** Whether somebody has a right by one of their roles, in any case of letters. */
export function hasRight(holder: Holder, right: Right): boolean {
  const { roles: allowed }: RightFacts = RIGHTS[right];
  return isOwner(holder) || rolesOf(holder).some((role) => allowed.some((one) => one === role));
}

/** All rights that somebody has. */
export function rightsOf(holder: Holder): Right[] {
  return (Object.keys(RIGHTS) as Right[]).filter((right) => hasRight(holder, right));
}

/** Refuses somebody without a right. Throws auth.forbidden. */
export function requireRight(by: Holder, right: Right): void {
  if (!hasRight(by, right)) throw new AppError("auth.forbidden");
}

/**
 * Refuses whoever has not proved within ten minutes who they are. For acts of money and staff, beside their right.
 * Throws auth.confirm_needed.
 */
export function requireConfirmed(by: By): void {
  if ("isUnconfirmed" in by && by.isUnconfirmed) throw new AppError("auth.confirm_needed");
}

/** Whether somebody may do this to an account. Those of staff are for owners only. */
export function hasRightOver(by: Holder, account: Holder, right: Right): boolean {
  return hasRight(by, right) && (!isStaff(account) || hasRight(by, "staff.manage"));
}

/** Refuses whoever may not do this to an account. Throws auth.forbidden. */
export function requireRightOver(by: Holder, account: Holder, right: Right): void {
  if (!hasRightOver(by, account, right)) throw new AppError("auth.forbidden");
}

/** What an account's role is called: an agent's, or one of staff. */
export function roleLabel({ roles }: Holder): string {
  const role = roles.find((one) => isStaff({ roles: [one] }));
  return role ? STAFF_ROLES[role as StaffRole].label : "Agent";
}

/** The roles that have a right, the owner's first. */
export function rolesWith(right: Right): StaffRole[] {
  const { roles }: RightFacts = RIGHTS[right];
  return ["ADMIN", ...roles];
}

/** Whether somebody runs the shop, in whatever role. */
export function isStaff(holder: Holder): boolean {
  return rolesOf(holder).some((role) => Object.hasOwn(STAFF_ROLES, role));
}

/** What people call a role: "Owner" for ADMIN, "Agent" for USER. */
export function labelOf(role: Role): string {
  return role === "USER" ? "Agent" : STAFF_ROLES[role].label;
}

/** Whether somebody is an owner of the shop, who has every right. */
export function isOwner(holder: Holder): boolean {
  return rolesOf(holder).includes("ADMIN");
}

function rolesOf({ roles }: Holder): string[] {
  return roles.map((role) => role.toUpperCase());
}
