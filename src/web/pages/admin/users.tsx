// Admins' list of users: search, creation, and buttons to ban or delete an account.

import * as userLists from "../../../core/identity/user-search.ts";
import * as users from "../../../core/identity/users.ts";
import { SignUp } from "../../../http/schemas/accounts.ts";
import { type ByUser, limits, ROLES, USER_STATUSES, type UserStatus } from "../../../shared/domain.ts";
import {
  type Context,
  type Leave,
  type Page,
  type Refused,
  readFields,
  readId,
  redirect,
  type View,
} from "../../page.tsx";
import { Action } from "../../ui/action.tsx";
import { AdminDesk, marksOf } from "../../ui/desk.tsx";
import { FilterChips } from "../../ui/filter-chips.tsx";
import { KeptViews, readViews, SaveView } from "../../ui/kept-views.tsx";
import { Choice, Field, Money, PageLinks, pageOf, RefusalNote, SearchField } from "../../ui/parts.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import type { UserAction } from "./user.tsx";

export const userListPages: Page[] = [
  {
    path: "/admin/users",
    right: "agents.see",
    menu: { admin: "Users", icon: "people" },
    palette: ["Create a user"],
    show: showUsers,
    submit: createUser,
  },
];

const CHIP_OF_STATUS: Record<UserStatus, string> = { ACTIVE: "good", BANNED: "bad", CLOSED: "" };

export function UserChip({ status }: { status: UserStatus }) {
  return <span className={`chip ${CHIP_OF_STATUS[status]}`}>{status}</span>;
}

/** Creates a user; an agent, if no role is ticked. */
async function createUser({ db, by, form }: Context): Promise<Leave> {
  const ticked = ROLES.filter((role) => form.getAll("roles").includes(role));
  const fields = readFields(SignUp, form);
  const user = await users.create(db, { by, ...fields, roles: ticked.length > 0 ? ticked : ["USER"] });
  return redirect(`/admin/users/${user.id}`, `Created: ${user.username} can log in now.`);
}

async function showUsers(context: Context, refused?: Refused): Promise<View> {
  const { db, url, by } = context;
  const param = (name: string) => url.searchParams.get(name)?.trim() ?? "";
  const filter = {
    search: param("search").replaceAll("\0", "").slice(0, 100) || undefined,
    status: USER_STATUSES.find((value) => value === param("status")),
    role: ROLES.find((value) => value === param("role")),
  };
  const cursor = readId(url.searchParams.get("cursor")) ?? undefined;
  const [rows, views] = await Promise.all([
    userLists.list(db, filter, { limit: limits.pageSize + 1, cursor }),
    readViews(context, "/admin/users"),
  ]);
  const { shown, older } = pageOf(rows, limits.pageSize);
  return {
    title: "Users",
    body: (
      <>
        <h1>Users</h1>
        <details className="card" open={refused !== undefined}>
          <summary>Create user</summary>
          <CreateForm refused={refused} />
        </details>
        <KeptViews {...views} />
        <FilterForm url={url} />
        <FilterChips
          url={url}
          clearPath="/admin/users"
          filters={[
            filter.search !== undefined && {
              label: "Search",
              value: filter.search,
              without: { search: null },
            },
            filter.status && { label: "Status", value: filter.status, without: { status: null } },
            filter.role && { label: "Role", value: filter.role, without: { role: null } },
          ]}
        />
        <SaveView {...views} />
        <section className="card">
          <UserTable rows={shown} backTo={url.pathname + url.search} by={by} />
        </section>
        <PageLinks url={url} older={older} />
        <AdminDesk />
      </>
    ),
  };
}

function CreateForm({ refused }: { refused: Refused | undefined }) {
  const common = { idPrefix: "create", refused, required: true, autoComplete: "off" };
  const ticked = refused?.values.getAll("roles") ?? ["USER"];
  return (
    <form method="post" action="/admin/users">
      <RefusalNote refused={refused} />
      <div className="row top-aligned">
        <Field {...common} label="Username" name="username" />
        <Field {...common} label="Email" name="email" type="email" />
        <Field
          {...common}
          label="Password"
          name="password"
          type="password"
          autoComplete="new-password"
          isSecret
          hint="At least 6 characters, 12 for admins"
        />
        <RolesField ticked={ticked} refused={refused} />
      </div>
      <button className="after" type="submit">
        Create User
      </button>
    </form>
  );
}

/** The checkboxes for an account's roles, with the message of a refusal about them. */
export function RolesField({ ticked, refused }: { ticked: readonly string[]; refused: Refused | undefined }) {
  const error = refused?.error.details?.fields?.roles;
  return (
    <fieldset aria-describedby={error && "roles-error"}>
      <legend className="label">Roles</legend>
      {ROLES.map((role) => (
        <label key={role} className="check">
          <input type="checkbox" name="roles" value={role} defaultChecked={ticked.includes(role)} />
          {role}
        </label>
      ))}
      {error && (
        <p className="error" id="roles-error">
          {error}
        </p>
      )}
    </fieldset>
  );
}

function FilterForm({ url }: { url: URL }) {
  const value = (name: string) => url.searchParams.get(name) ?? "";
  return (
    <form method="get" action="/admin/users" className="card filter">
      <SearchField
        label="Search users"
        value={value("search")}
        placeholder="Username, email, phone, role, status or ID"
      />
      <details open={value("status") !== "" || value("role") !== ""}>
        <summary>Filters</summary>
        <div className="row">
          <Choice
            name="status"
            label="Status"
            value={value("status")}
            choices={USER_STATUSES.map((it) => [it, it])}
            marks={marksOf(CHIP_OF_STATUS)}
          />
          <Choice name="role" label="Role" value={value("role")} choices={ROLES.map((it) => [it, it])} />
        </div>
      </details>
    </form>
  );
}

function UserTable({ rows, backTo, by }: { rows: userLists.UserRow[]; backTo: string; by: ByUser }) {
  const actions: Column<userLists.UserRow> = {
    head: "Actions",
    className: "full",
    cell: (user) => (
      <div className="actions" data-desk="row" data-name={`user ${user.id}`}>
        <a className="button tiny quiet" href={`/admin/users/${user.id}/edit`}>
          Edit<span className="sr"> user {user.id}</span>
        </a>
        <BanForm user={user} by={by} backTo={backTo} />
        <DeleteForm user={user} by={by} backTo={backTo} />
      </div>
    ),
  };
  return <Table rows={rows} columns={[...COLUMNS, actions]} empty="No matching users found." />;
}

const COLUMNS: Column<userLists.UserRow>[] = [
  {
    head: "Username",
    cell: ({ id, username }) => (
      <bdi>
        <a href={`/admin/users/${id}`}>{username}</a>
      </bdi>
    ),
  },
  { head: "Balance", isNumber: true, cell: ({ balancePesewas }) => <Money pesewas={balancePesewas} /> },
  { head: "ID", className: "small soft money", cell: ({ id }) => `ID ${id}` },
  { head: "Status", className: "end", cell: ({ status }) => <UserChip status={status} /> },
  {
    head: "Email",
    className: "full mail",
    cell: ({ email }) => <bdi title={email ?? ""}>{email ?? "None"}</bdi>,
  },
  { head: "Roles", className: "small", cell: ({ roles }) => roles.join(", ") },
];

type ActionProps = { user: users.User; by: ByUser; backTo?: string };

/** A button that bans a user after a confirmation, or unbans one. Nobody can ban themselves. */
export function BanForm({ user, by, backTo }: ActionProps) {
  if (user.status === "CLOSED" || user.id === by.userId) return null;
  const isBanned = user.status === "BANNED";
  return (
    <form method="post" action={`/admin/users/${user.id}`}>
      <Action<UserAction> name={isBanned ? "unban" : "ban"} />
      {backTo && <input type="hidden" name="back" value={backTo} />}
      {isBanned ? (
        <button className="tiny quiet" type="submit">
          Unban<span className="sr"> user {user.id}</span>
        </button>
      ) : (
        <details className="sure">
          <summary className="tiny danger">
            Ban …<span className="sr"> user {user.id}</span>
          </summary>
          <p className="small">They are logged out everywhere and cannot log in.</p>
          <button className="tiny danger" type="submit">
            Ban user {user.id}
          </button>
        </details>
      )}
    </form>
  );
}

/** A button that deletes an account after a confirmation. */
export function DeleteForm({ user, by, backTo }: ActionProps) {
  if (user.status === "CLOSED" || user.id === by.userId) return null;
  return (
    <form method="post" action={`/admin/users/${user.id}`}>
      <Action<UserAction> name="delete" />
      {backTo && <input type="hidden" name="back" value={backTo} />}
      <details className="sure">
        <summary className="tiny danger">
          Delete …<span className="sr"> user {user.id}</span>
        </summary>
        <p className="small">Delete user? Name and email are erased; orders and books stay.</p>
        <button className="tiny danger" type="submit">
          Delete user {user.id}
        </button>
      </details>
    </form>
  );
}
