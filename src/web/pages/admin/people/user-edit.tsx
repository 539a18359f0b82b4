// Form that edits a user's name, e-mail and role.
import * as users from "../../../../core/identity/users.ts";
import { ROLES } from "../../../../shared/domain.ts";
import { errors } from "../../../../shared/errors/codes.ts";
import { roleLabel } from "../../../../shared/rights.ts";
import { does } from "../../../does.ts";
import { type Context, type Page, type Refused, redirect, type View } from "../../../page.tsx";
import { Field, RefusalNote } from "../../../ui/fields.tsx";
import { Form } from "../../../ui/form.tsx";
import { Permit } from "../../../ui/frame/permitted.tsx";
import { userIdOf } from "./user-frame.tsx";

const actions = {
  edit: does(users.edit, ({ userId }) => redirect(`/admin/users/${userId}`, "User saved."), {
    userId: ({ params }) => userIdOf(params),
  }),
};

export const userEditPages: Page[] = [
  { path: "/admin/users/:id/edit", right: "agents.manage", subject: "user", show: showEdit, actions },
];

/** The dialog's form as a page of its own, for refusals and for the links of the list. */
async function showEdit({ db, params }: Context, refused?: Refused): Promise<View> {
  const user = await users.get(db, userIdOf(params));
  return {
    title: `Edit ${user.username}`,
    body: (
      <div className="card narrow">
        <h1>Edit user</h1>
        {user.status === "CLOSED" ? (
          <p className="note warn">{errors["user.closed"].message}</p>
        ) : (
          <Permit
            right="agents.manage"
            over={user}
            otherwise={<p className="note warn">Only an owner changes the accounts of staff.</p>}
          >
            <EditForm user={user} refused={refused} />
          </Permit>
        )}
        <p className="small after">
          <a href={`/admin/users/${user.id}`}>Back to the user</a>
        </p>
      </div>
    ),
  };
}

export function EditForm({ user, refused }: { user: users.User; refused?: Refused | undefined }) {
  return (
    <Form<keyof typeof actions>
      to={`/admin/users/${user.id}/edit`}
      does="edit"
      refused={refused}
      idPrefix="edit"
      className="fields"
      noValidate
    >
      <RefusalNote />
      <Field autoComplete="off" label="Username" name="username" value={user.username} />
      <Field autoComplete="off" label="Email" name="email" type="email" value={user.email ?? ""} />
      <Permit right="staff.manage">
        <Field
          autoComplete="off"
          label="Role"
          name="roles"
          value={user.roles[0]!}
          hint="A new role ends their sessions"
        >
          {ROLES.map((role) => (
            <option key={role} value={role}>
              {roleLabel({ roles: [role] })}
            </option>
          ))}
        </Field>
      </Permit>
      <p className="hint">Empty fields stay unchanged.</p>
      <button type="submit">Save user</button>
    </Form>
  );
}
