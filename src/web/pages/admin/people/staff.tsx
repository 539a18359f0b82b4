// Staff: who runs the shop and in which role, and below it what each role may do. Owners create and change them here.
import { z } from "zod";
import * as staff from "../../../../core/identity/staff.ts";
import * as users from "../../../../core/identity/users.ts";
import { SignUp } from "../../../../http/schemas/accounts.ts";
import type { ByUser } from "../../../../shared/domain.ts";
import {
  hasRight,
  isStaff,
  RIGHTS,
  type Right,
  roleLabel,
  STAFF_ROLES,
  type StaffRole,
} from "../../../../shared/rights.ts";
import { does } from "../../../does.ts";
import { Sheet } from "../../../html.tsx";
import { actionsOf, type Context, type Page, type Refused, redirect, type View } from "../../../page.tsx";
import { refusedFor } from "../../../ui/action.tsx";
import { Field, RefusalNote } from "../../../ui/fields.tsx";
import { Form } from "../../../ui/form.tsx";
import { NewAccountFields } from "../../../ui/frame/new-account.tsx";
import { Permit } from "../../../ui/frame/permitted.tsx";
import { Moment, UserLink } from "../../../ui/parts.tsx";
import { type Column, Table } from "../../../ui/table.tsx";
import { UserChip } from "./users.tsx";

const PATH = "/admin/staff";
const ROLES_OF_STAFF = Object.keys(STAFF_ROLES) as StaffRole[];

const NewMember = SignUp.extend({ role: z.enum(ROLES_OF_STAFF) });

const actions = actionsOf({
  create: {
    right: "staff.manage",
    fields: NewMember,
    run: async ({ db, by }, { role, ...account }) => {
      const user = await users.create(db, { by, ...account, roles: [role] });
      return redirect(PATH, `Created: ${user.username} can log in now as ${roleLabel(user)}.`);
    },
  },
  role: {
    ...does(users.edit, (_, user) => {
      const now = isStaff(user) ? roleLabel(user) : "an agent, and no longer staff";
      return redirect(PATH, `${user.username} is now ${now}. They have to log in again.`);
    }),
    right: "staff.manage",
  },
});
type StaffAction = keyof typeof actions;

export const staffPages: Page[] = [
  {
    path: PATH,
    right: "shop.see",
    menu: { admin: "Team", icon: "person" },
    show: showStaff,
    actions,
  },
];

async function showStaff({ db, by }: Context, refused?: Refused): Promise<View> {
  const people = await staff.list(db);
  const ofCreate = refusedFor<StaffAction>("create", refused);
  return {
    body: (
      <>
        <Sheet name="staff" />
        <h1>Team</h1>
        <p className="soft">
          Each person has an account of their own with one role, and the log of changes names them. Only an owner
          creates staff or changes their accounts.
        </p>
        {refused && !ofCreate && <RefusalNote refused={refused} />}
        <section className="card">
          <Table rows={people} columns={columnsFor(by)} className="lines staff" />
        </section>
        <Permit right="staff.manage">
          <details className="card" open={ofCreate !== undefined}>
            <summary>Add somebody</summary>
            <CreateForm refused={ofCreate} />
          </details>
        </Permit>
        <section className="card">
          <h2>What each role may do</h2>
          <dl className="facts roles">
            {ROLES_OF_STAFF.map((role) => (
              <RoleSummary key={role} role={role} />
            ))}
          </dl>
          <Table rows={Object.keys(RIGHTS) as Right[]} columns={RIGHT_COLUMNS} className="rights" />
        </section>
      </>
    ),
  };
}

function columnsFor(by: ByUser): Column<staff.StaffMember>[] {
  const columns: Column<staff.StaffMember>[] = [
    {
      head: "Name",
      cell: ({ id, username }) => (
        <>
          <UserLink userId={id} username={username} />
          {id === by.userId && <span className="soft small"> (you)</span>}
        </>
      ),
    },
    { head: "Role", className: "end", cell: (person) => <strong>{roleLabel(person)}</strong> },
    {
      head: "Last login",
      className: "below",
      cell: ({ lastLoginAt }) => (lastLoginAt ? <Moment at={lastLoginAt} /> : <span className="soft">Not yet</span>),
    },
    {
      head: "Extra login code",
      className: "below",
      cell: ({ status, secondFactorSince }) =>
        status === "ACTIVE" ? (
          <span className={`chip ${secondFactorSince ? "good" : "warn"}`}>
            {secondFactorSince ? "On" : "Not set up"}
          </span>
        ) : (
          <UserChip status={status} />
        ),
    },
  ];
  if (!hasRight(by, "staff.manage")) return columns;
  return [
    ...columns,
    {
      head: "Change role",
      isPlainInCards: true,
      className: "full last",
      cell: (person) => (person.id === by.userId ? null : <RoleForm person={person} />),
    },
  ];
}

function RoleForm({ person }: { person: staff.StaffMember }) {
  const id = `role-${person.id}`;
  return (
    <Form<StaffAction> to={PATH} does="role" sends={{ userId: person.id }} className="actions">
      <label className="sr" htmlFor={id}>
        Role of {person.username}
      </label>
      <select id={id} name="roles" className="tiny" defaultValue={person.roles[0]}>
        {ROLES_OF_STAFF.map((role) => (
          <option key={role} value={role}>
            {STAFF_ROLES[role].label}
          </option>
        ))}
        <option value="USER">Agent, no longer staff</option>
      </select>
      <button className="tiny quiet" type="submit">
        Save<span className="sr"> the role of {person.username}</span>
      </button>
    </Form>
  );
}

function CreateForm({ refused }: { refused: Refused | undefined }) {
  return (
    <Form<StaffAction> to={PATH} does="create" refused={refused} idPrefix="create" noValidate>
      <RefusalNote />
      <NewAccountFields passwordHint="At least 12 characters. They change it in their profile.">
        <Field required label="Role" name="role" value="DESK">
          {ROLES_OF_STAFF.map((role) => (
            <option key={role} value={role}>
              {STAFF_ROLES[role].label}
            </option>
          ))}
        </Field>
      </NewAccountFields>
      <button className="after" type="submit">
        Create account
      </button>
    </Form>
  );
}

function RoleSummary({ role }: { role: StaffRole }) {
  const { label, summary } = STAFF_ROLES[role];
  return (
    <>
      <dt>{label}</dt>
      <dd>{summary}</dd>
    </>
  );
}

/** A row for each right. On a phone it is a card, with the names of those roles that have it. */
const RIGHT_COLUMNS: Column<Right>[] = [
  { head: "Right", className: "full", cell: (right) => RIGHTS[right].label },
  ...ROLES_OF_STAFF.map(
    (role): Column<Right> => ({
      head: STAFF_ROLES[role].label,
      isPlainInCards: true,
      className: "who",
      cell: (right) =>
        hasRight({ roles: [role] }, right) ? (
          <>
            <span className="in-rows" aria-hidden="true">
              ✓
            </span>
            <span className="in-cards soft">{STAFF_ROLES[role].label}</span>
            <span className="sr">yes</span>
          </>
        ) : (
          <span className="in-rows no soft">
            <span aria-hidden="true">–</span>
            <span className="sr">no</span>
          </span>
        ),
    }),
  ),
];
