// Texts for a second person about staff: new accounts, changes of roles and of anybody's mailbox, and removal of the
// extra login code.
import type { Role } from "../../shared/domain.ts";
import { isStaff, labelOf } from "../../shared/rights.ts";
import type { Question } from "../platform/commands.ts";
import type { StaffToCreate, User } from "./users.ts";

const OF_STAFF = { right: "staff.manage" } as const;

export function askToCreate({ username, email, roles }: StaffToCreate): Question {
  return {
    ...OF_STAFF,
    subject: `new user ${username.toLowerCase()}`,
    seen: { state: { Account: "does not exist yet" } },
    summary: `create ${username} (${email}) as ${roleNames(roles)}`,
  };
}

type Change = { username: string; email: string | null; roles: Role[] };

/**
 * Before an account gets another mailbox, by which its password is reset and its wallet can be spent, or staff get
 * other roles; null for any other change.
 */
export function askToEdit(before: User, change: Change): Question | null {
  const isMoved = change.email !== before.email;
  const isOfStaff = (isMoved || !Bun.deepEquals(change.roles, before.roles)) && (isStaff(change) || isStaff(before));
  if (!isOfStaff && !isMoved) return null;
  const [from, to] = [roleNames(before.roles), roleNames(change.roles)];
  const parts = [from !== to && `from ${from} to ${to}`, isMoved && `to the mailbox ${change.email}`].filter(Boolean);
  return {
    ...of(before),
    right: isOfStaff ? "staff.manage" : "agents.manage",
    summary: `change ${before.username} ${parts.join(" and ")}`,
  };
}

export function askToResetFactor(user: User): Question {
  return { ...OF_STAFF, ...of(user), summary: `turn off the extra login code of ${user.username}` };
}

function of({ id, username, email, roles, status }: User): Pick<Question, "subject" | "concerns" | "seen"> {
  const state = { Username: username, Email: email, Roles: roleNames(roles), Account: status };
  return { subject: `user ${id}`, concerns: [id], seen: { state } };
}

const roleNames = (roles: readonly Role[]) => roles.map(labelOf).join(", ");
