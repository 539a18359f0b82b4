// Texts for a second person about staff: new accounts, changes of roles and of anybody's mailbox, and removal of the
// extra login code.
import type { Tx } from "../../../db/connect.ts";
import type { ByUser, Role } from "../../shared/domain.ts";
import { isStaff, labelOf } from "../../shared/rights.ts";
import { noteStaffChange } from "../platform/deciders.ts";
import { type Ask, require } from "../platform/second-person.ts";
import type { StaffToCreate, User } from "./users.ts";

const OF_STAFF = { right: "staff.manage" } as const;

export function askToCreate(row: StaffToCreate): Ask {
  const { username, email, roles } = row;
  return {
    ...OF_STAFF,
    kind: "user.create",
    subject: `new user ${username.toLowerCase()}`,
    command: row,
    seen: { state: { Account: "does not exist yet" } },
    summary: `create ${username} (${email}) as ${roleNames(roles)}`,
  };
}

/**
 * Before an account gets another mailbox, by which its password is reset and its wallet can be spent, or staff get
 * other roles. Throws as secondPerson.require.
 */
export async function requireToEdit(tx: Tx, by: ByUser, before: User, change: Change): Promise<void> {
  const isMoved = change.email !== before.email;
  const isOfStaff = (isMoved || !Bun.deepEquals(change.roles, before.roles)) && (isStaff(change) || isStaff(before));
  const right = isOfStaff ? "staff.manage" : "agents.manage";
  await require(tx, by, isOfStaff || isMoved ? { ...askToEdit(before, change), right } : null);
  if (isOfStaff) await noteStaffChange(tx, by, { userId: before.id, before, after: change });
}

type Change = { username: string; email: string | null; roles: Role[] };

function askToEdit(before: User, change: Change): Omit<Ask, "right"> {
  const isMoved = roleNames(before.roles) !== roleNames(change.roles);
  const parts = [
    isMoved && `from ${roleNames(before.roles)} to ${roleNames(change.roles)}`,
    change.email !== before.email && `to the mailbox ${change.email}`,
  ].filter(Boolean);
  return {
    ...of(before),
    kind: "user.edit",
    command: { userId: before.id, ...change },
    summary: `change ${before.username} ${parts.join(" and ")}`,
  };
}

export function askToResetFactor(user: User): Ask {
  return {
    ...OF_STAFF,
    ...of(user),
    kind: "factor.reset",
    command: { userId: user.id },
    summary: `turn off the extra login code of ${user.username}`,
  };
}

function of({ id, username, email, roles, status }: User): Pick<Ask, "subject" | "concerns" | "seen"> {
  const state = { Username: username, Email: email, Roles: roleNames(roles), Account: status };
  return { subject: `user ${id}`, concerns: [id], seen: { state } };
}

const roleNames = (roles: readonly Role[]) => roles.map(labelOf).join(", ");
