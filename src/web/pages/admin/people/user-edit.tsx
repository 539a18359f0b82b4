// Form that edits a user's name, e-mail and role.
import { z } from "zod";
import * as users from "../../../../core/identity/users.ts";
import { SignUp } from "../../../../http/schemas/accounts.ts";
import { ROLES } from "../../../../shared/domain.ts";
import { errors } from "../../../../shared/errors/codes.ts";
import { roleLabel } from "../../../../shared/rights.ts";
import { type Context, type Leave, type Page, type Refused, readFields, redirect, type View } from "../../../page.tsx";
import { Permit } from "../../../ui/frame/permitted.tsx";
import { Field, RefusalNote } from "../../../ui/parts.tsx";
import { userIdOf } from "./user-frame.tsx";

export const userEditPages: Page[] = [
  {
    path: "/admin/users/:id/edit",
    right: "agents.manage",
    subject: "user",
    show: showEdit,
    submit: editUser,
  },
];

const typed = z
  .string()
  .trim()
  .transform((text) => text || undefined);
const Edit = z.object({
  username: typed.pipe(SignUp.shape.username.optional()),
  email: typed.pipe(SignUp.shape.email.optional()),
  roles: z
    .enum(ROLES)
    .transform((role) => [role])
    .optional(),
});

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
  const common = { idPrefix: "edit", refused, autoComplete: "off" };
  return (
    <form method="post" action={`/admin/users/${user.id}/edit`} className="fields" noValidate>
      <RefusalNote refused={refused} />
      <Field {...common} label="Username" name="username" value={user.username} />
      <Field {...common} label="Email" name="email" type="email" value={user.email ?? ""} />
      <Permit right="staff.manage">
        <Field {...common} label="Role" name="roles" value={user.roles[0]!} hint="A new role ends their sessions">
          {ROLES.map((role) => (
            <option key={role} value={role}>
              {roleLabel({ roles: [role] })}
            </option>
          ))}
        </Field>
      </Permit>
      <p className="hint">Empty fields stay unchanged.</p>
      <button type="submit">Save user</button>
    </form>
  );
}

async function editUser({ db, by, params, form }: Context): Promise<Leave> {
  const userId = userIdOf(params);
  await users.edit(db, { by, userId, ...readFields(Edit, form) });
  return redirect(`/admin/users/${userId}`, "User saved.");
}
