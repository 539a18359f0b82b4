// Form that edits a user's name, e-mail and roles.
import { z } from "zod";
import * as users from "../../../core/identity/users.ts";
import { SignUp } from "../../../http/schemas/accounts.ts";
import { ROLES } from "../../../shared/domain.ts";
import { AppError } from "../../../shared/errors/app-error.ts";
import { errors } from "../../../shared/errors/codes.ts";
import {
  type Context,
  type Leave,
  type Page,
  type Refused,
  readFields,
  redirect,
  type View,
} from "../../page.tsx";
import { Field, RefusalNote } from "../../ui/parts.tsx";
import { userIdOf } from "./user-frame.tsx";
import { RolesField } from "./users.tsx";

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
          <EditForm user={user} refused={refused} />
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
  const ticked = refused?.values.has("changesRoles") ? refused.values.getAll("roles") : user.roles;
  return (
    <form method="post" action={`/admin/users/${user.id}/edit`} className="fields" noValidate>
      <RefusalNote refused={refused} />
      <Field {...common} label="Username" name="username" value={user.username} />
      <Field {...common} label="Email" name="email" type="email" value={user.email ?? ""} />
      <RolesField ticked={ticked} refused={refused} />
      <input type="hidden" name="changesRoles" value="yes" />
      <p className="hint">Empty fields stay unchanged. Changing roles ends the user's sessions.</p>
      <button type="submit">Save user</button>
    </form>
  );
}

async function editUser({ db, by, params, form }: Context): Promise<Leave> {
  const userId = userIdOf(params);
  const roles = ROLES.filter((role) => form.getAll("roles").includes(role));
  const changesRoles = form.has("changesRoles");
  if (changesRoles && roles.length === 0) {
    const message = "Choose at least one role";
    throw new AppError("request.invalid", { fields: { roles: message } }, message);
  }
  const change = { ...readFields(Edit, form), roles: changesRoles ? roles : undefined };
  await users.edit(db, { by, userId, ...change });
  return redirect(`/admin/users/${userId}`, "User saved.");
}
