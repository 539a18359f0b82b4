// Frame of every page about one user: the name and status, and the tabs between the pages with their parts.
import type { ReactNode } from "react";
import type * as users from "../../../../core/identity/users.ts";
import { AppError } from "../../../../shared/errors/app-error.ts";
import { roleLabel } from "../../../../shared/rights.ts";
import { readId } from "../../../page.tsx";
import { usePermissions } from "../../../ui/frame/permitted.tsx";
import { Moment } from "../../../ui/parts.tsx";
import { Parts, Tabs } from "../../../ui/tabs.tsx";
import { UserChip } from "./users.tsx";

type Props = { user: users.User; current: string; actions?: ReactNode; children: ReactNode };

/** `current` is the last part of the page's path, empty for the overview. */
export function UserFrame({ user, current, actions, children }: Props) {
  const path = (part: string) => `/admin/users/${user.id}${part && `/${part}`}`;
  const { may, mayOpen } = usePermissions();
  const tabs = TABS.map(([label, ...parts]) => ({
    label,
    parts: parts
      .filter(([part]) => mayOpen(path(part)) && (part !== "record" || may("agents.note", user)))
      .map(([part, name]) => [path(part), name] as const),
  })).filter(({ parts }) => parts.length > 0);
  const here = tabs.find(({ parts }) => parts.some(([address]) => address === path(current)));
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
        tabs={tabs.map(({ label, parts }) => [parts[0]![0], label] as const)}
        current={here?.parts[0]?.[0]}
      />
      {here && here.parts.length > 1 && <Parts label={here.label} parts={here.parts} current={path(current)} />}
      {children}
    </>
  );
}

/** Each with its pages, of which the first that may be opened is that of the tab. */
const TABS: [label: string, ...parts: [part: string, label: string][]][] = [
  ["Overview", ["", "Overview"]],
  ["Activity", ["orders", "Orders"], ["statement", "Statement"], ["payments", "Payments"]],
  ["Prices and limits", ["prices", "Prices"], ["limits", "Limits"]],
  ["Notes", ["record", "Notes"]],
];

/** The user id in a page's path. Throws user.not_found for an invalid one. */
export function userIdOf(params: Record<string, string>): number {
  const id = readId(params.id);
  if (id === null) throw new AppError("user.not_found");
  return id;
}
