// What a second person reads about new staff, about changes of roles and mailboxes of staff, and about removing their
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

/** Before staff get other roles or another mailbox. Throws as secondPerson.require. */
export async function requireToEdit(tx: Tx, by: ByUser, before: User, change: Change): Promise<void> {
  const isOther = change.email !== before.email || !Bun.deepEquals(change.roles, before.roles);
  const isOfStaff = isOther && (isStaff(change) || isStaff(before));
  await require(tx, by, isOfStaff ? askToEdit(before, change) : null);
  if (isOfStaff) await noteStaffChange(tx, by, { userId: before.id, before, after: change });
}

type Change = { username: string; email: string | null; roles: Role[] };

function askToEdit(before: User, change: Change): Ask {
  const isMoved = roleNames(before.roles) !== roleNames(change.roles);
  const parts = [
    isMoved && `from ${roleNames(before.roles)} to ${roleNames(change.roles)}`,
    change.email !== before.email && `to the mailbox ${change.email}`,
  ].filter(Boolean);
  return {
    ...OF_STAFF,
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
