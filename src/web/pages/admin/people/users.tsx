// List of agents, and of all users, for staff: search, creation of agents, and buttons to ban or delete an account.

import * as userLists from "../../../../core/identity/user-search.ts";
import * as users from "../../../../core/identity/users.ts";
import { SignUp } from "../../../../http/schemas/accounts.ts";
import { type ByUser, ROLES, USER_STATUSES, type UserStatus } from "../../../../shared/domain.ts";
import { show } from "../../../../shared/money.ts";
import { roleLabel } from "../../../../shared/rights.ts";
import { type Context, type Leave, type Page, type Refused, redirect, type View } from "../../../page.tsx";
import { readFields } from "../../../read-fields.ts";
import { money, text } from "../../../ui/columns.tsx";
import { Choice, RefusalNote, SearchField } from "../../../ui/fields.tsx";
import { FilterChips } from "../../../ui/filter-chips.tsx";
import { Form } from "../../../ui/form.tsx";
import { NewAccountFields } from "../../../ui/frame/new-account.tsx";
import { PageLink, Permit, usePermissions } from "../../../ui/frame/permitted.tsx";
import { AdminDesk, marksOf } from "../../../ui/orders/desk.tsx";
import { paged } from "../../../ui/paged.tsx";
import { KeptViews, readViews, SaveView } from "../../../ui/staff/kept-views.tsx";
import { type Column, Table } from "../../../ui/table.tsx";
import type { UserAction } from "./user.tsx";

export const userListPages: Page[] = [
  {
    path: "/admin/users",
    right: "agents.see",
    menu: { admin: "Agents", icon: "people" },
    tab: { section: "Agents", label: "All" },
    palette: ["Create an agent"],
    show: showUsers,
    submit: createUser,
    submitRight: "agents.manage",
  },
];

const CHIP_OF_STATUS: Record<UserStatus, string> = { ACTIVE: "good", BANNED: "bad", CLOSED: "" };

export function UserChip({ status }: { status: UserStatus }) {
  return <span className={`chip ${CHIP_OF_STATUS[status]}`}>{status}</span>;
}

/** Creates an agent. Staff are created on their own page. */
async function createUser({ db, by, form, gateway }: Context): Promise<Leave> {
  const user = await users.create(db, { by, ...readFields(SignUp, form), roles: ["USER"] });
  const next = gateway.keyState() === "missing" ? " Put the cash they pay you in the wallet below." : "";
  return redirect(`/admin/users/${user.id}`, `Created: ${user.username} can log in now.${next}`);
}

async function showUsers(context: Context, refused?: Refused): Promise<View> {
  const { db, url, by } = context;
  const param = (name: string) => url.searchParams.get(name)?.trim() ?? "";
  const filter = {
    search: param("search").replaceAll("\0", "").slice(0, 100) || undefined,
    status: USER_STATUSES.find((value) => value === param("status")),
    role: ROLES.find((value) => value === param("role")),
  };
  // A search covers everybody, as that of orders does.
  const isOfAgents = !filter.search && !filter.role && param("all") !== "1";
  const [{ shown, links }, views] = await Promise.all([
    paged(url, (span) => userLists.list(db, isOfAgents ? { ...filter, role: "USER" } : filter, span)),
    readViews(context, "/admin/users"),
  ]);
  return {
    body: (
      <>
        <Permit right="agents.manage">
          <details className="card" open={refused !== undefined || url.searchParams.has("new")}>
            <summary>Create agent</summary>
            <CreateForm refused={refused} />
          </details>
        </Permit>
        <KeptViews {...views} />
        <FilterForm url={url} />
        <FilterChips
          url={url}
          clearPath="/admin/users"
          filters={[
            isOfAgents && { label: "Agents only", without: { all: "1" } },
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
        {links}
        <AdminDesk />
      </>
    ),
  };
}

function CreateForm({ refused }: { refused: Refused | undefined }) {
  return (
    <Form to="/admin/users" refused={refused} idPrefix="create">
      <RefusalNote />
      <NewAccountFields passwordHint="At least 6 characters" />
      <button className="after" type="submit">
        Create agent
      </button>
    </Form>
  );
}

function FilterForm({ url }: { url: URL }) {
  const value = (name: string) => url.searchParams.get(name) ?? "";
  return (
    <form method="get" action="/admin/users" className="card filter">
      {value("all") === "1" && <input type="hidden" name="all" value="1" />}
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
          <Choice
            name="role"
            label="Role"
            value={value("role")}
            choices={ROLES.map((it) => [it, roleLabel({ roles: [it] })])}
          />
        </div>
      </details>
    </form>
  );
}

function UserTable({ rows, backTo, by }: { rows: userLists.UserRow[]; backTo: string; by: ByUser }) {
  const { may } = usePermissions();
  const actions: Column<userLists.UserRow> = {
    head: "Actions",
    className: "full last",
    cell: (user) => (
      <div className="actions" data-desk="row" data-name={`user ${user.id}`}>
        <Permit right="agents.manage" over={user}>
          <a className="button tiny quiet" href={`/admin/users/${user.id}/edit`}>
            Edit<span className="sr"> user {user.id}</span>
          </a>
        </Permit>
        <BanForm user={user} by={by} backTo={backTo} />
        <DeleteForm user={user} by={by} backTo={backTo} balancePesewas={user.balancePesewas} />
      </div>
    ),
  };
  const columns = may("agents.manage") ? [...COLUMNS, actions] : COLUMNS;
  return <Table rows={rows} columns={columns} className="lines" empty="No matching users found." />;
}

const COLUMNS: Column<userLists.UserRow>[] = [
  {
    head: "Username",
    cell: ({ id, username }) => (
      <a href={`/admin/users/${id}`}>
        <bdi>{username}</bdi>
      </a>
    ),
  },
  money("Balance", "balancePesewas", { className: "end" }),
  text("ID", "id", { className: "small soft money below" }),
  { head: "Status", isPlainInCards: true, className: "below", cell: ({ status }) => <UserChip status={status} /> },
  {
    head: "Email",
    isPlainInCards: true,
    className: "mail below last",
    cell: ({ email }) => <bdi title={email ?? ""}>{email ?? "None"}</bdi>,
  },
  { head: "Role", isPlainInCards: true, className: "small below", cell: (user) => roleLabel(user) },
];

type ActionProps = { user: users.User; by: ByUser; backTo?: string };

/** A button that bans a user after a confirmation, or unbans one. Nobody can ban themselves. */
export function BanForm({ user, by, backTo }: ActionProps) {
  if (user.status === "CLOSED" || user.id === by.userId) return null;
  const isBanned = user.status === "BANNED";
  return (
    <Permit right="agents.manage" over={user}>
      <Form<UserAction> to={`/admin/users/${user.id}`} does={isBanned ? "unban" : "ban"} sends={{ back: backTo }}>
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
      </Form>
    </Permit>
  );
}

/** A button that deletes an account after a confirmation; while its wallet holds money, what comes first. */
export function DeleteForm({ user, by, backTo, balancePesewas }: ActionProps & { balancePesewas: number }) {
  if (user.status === "CLOSED" || user.id === by.userId) return null;
  if (balancePesewas > 0) return <MoneyFirst user={user} balancePesewas={balancePesewas} />;
  return (
    <Permit right="agents.manage" over={user}>
      <Form<UserAction> to={`/admin/users/${user.id}`} does="delete" sends={{ back: backTo }}>
        <details className="sure">
          <summary className="tiny danger">
            Delete …<span className="sr"> user {user.id}</span>
          </summary>
          <p className="small">Delete user? Name and email are erased; orders and books stay.</p>
          <button className="tiny danger" type="submit">
            Delete user {user.id}
          </button>
        </details>
      </Form>
    </Permit>
  );
}

function MoneyFirst({ user, balancePesewas }: { user: users.User; balancePesewas: number }) {
  return (
    <Permit right="agents.manage" over={user}>
      <details className="sure">
        <summary className="tiny danger">
          Delete …<span className="sr"> user {user.id}</span>
        </summary>
        <p className="small">
          {show(balancePesewas)} is still in the wallet.{" "}
          {user.status === "BANNED" ? (
            <>
              Pay it out first. <PageLink href={`/admin/users/${user.id}/payout`}>Pay out</PageLink>
            </>
          ) : (
            "Ban the account, pay the money out to its owner, then delete it."
          )}
        </p>
      </details>
    </Permit>
  );
}
