// Frame of every page about one user: the user's name and status, and the tabs between the pages.
import type { ReactNode } from "react";
import type * as users from "../../../../core/identity/users.ts";
import { AppError } from "../../../../shared/errors/app-error.ts";
import { roleLabel } from "../../../../shared/rights.ts";
import { readId } from "../../../page.tsx";
import { usePermissions } from "../../../ui/frame/permitted.tsx";
import { Moment } from "../../../ui/parts.tsx";
import { Tabs } from "../../../ui/tabs.tsx";
import { UserChip } from "./users.tsx";

type Props = { user: users.User; current: string; actions?: ReactNode; children: ReactNode };

/** `current` is the last part of the page's path, empty for the overview. */
export function UserFrame({ user, current, actions, children }: Props) {
  const path = (part: string) => `/admin/users/${user.id}${part && `/${part}`}`;
  const { may } = usePermissions();
  const tabs = TABS.filter(([part]) => part !== "record" || may("agents.note", user));
  return (
    <>
      <p className="small">
        <a href="/admin/users">All agents</a>
      </p>
      <div className="head">
        <div>
          <h1>
            <bdi>{user.username}</bdi>
          </h1>
          <p className="small soft">
            <UserChip status={user.status} /> ID {user.id} · {roleLabel(user)} · since <Moment at={user.createdAt} />
          </p>
        </div>
        {actions && <div className="actions">{actions}</div>}
      </div>
      <Tabs
        label="About this user"
        tabs={tabs.map(([part, label]) => [path(part), label] as const)}
        current={path(current)}
      />
      {children}
    </>
  );
}

const TABS = [
  ["", "Overview"],
  ["orders", "Orders"],
  ["statement", "Statement"],
  ["payments", "Payments"],
  ["prices", "Prices"],
  ["limits", "Limits"],
  ["record", "Record"],
] as const;

/** The user id in a page's path. Throws user.not_found for an invalid one. */
export function userIdOf(params: Record<string, string>): number {
  const id = readId(params.id);
  if (id === null) throw new AppError("user.not_found");
  return id;
}
