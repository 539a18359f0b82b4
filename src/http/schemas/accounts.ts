// API schemas of users: signing up, logging in, profiles, and admins' changes.
import { z } from "zod";
import { Roles } from "../../core/identity/users.ts";
import { ROLES, USER_STATUSES } from "../../shared/domain.ts";
import { Email, errorCode, Id, text, Username } from "../../shared/inputs.ts";
import { Moment, money, view } from "../view.ts";
import { Page } from "./common.ts";

const Password = text(200).min(1, errorCode("user.password_short"));

export const UserQuery = Page.extend({
  search: text(100).optional(),
  status: z.string().toUpperCase().pipe(z.enum(USER_STATUSES)).optional(),
});

export const SignUp = z.object({ username: Username, email: Email, password: Password });

export const FirstOwner = SignUp.extend({ code: text(40).min(1, errorCode("owner.code_wrong")) });

export const LogIn = z.object({
  email: text(254).min(1, errorCode("auth.bad_credentials")),
  password: text(200).min(1, errorCode("auth.bad_credentials")),
});

/** A change of one's own account; it takes the current password. */
export const ProfileChange = z.object({
  username: Username,
  email: Email,
  currentPassword: text(200).min(1, errorCode("user.current_password_wrong")),
});

export const PasswordChange = z.object({
  password: Password,
  currentPassword: text(200).min(1, errorCode("user.current_password_wrong")),
});

export const NewUser = SignUp.extend({ roles: Roles.default(["USER"]) });

const shown = {
  id: Id,
  username: z.string(),
  email: z.string().nullable().describe("Null for an account registered by USSD and not yet claimed"),
  roles: z.array(z.enum(ROLES)),
  status: z.enum(USER_STATUSES),
  createdAt: Moment,
};

export const User = view(shown);

export const UserWithBalance = view({ ...shown, balancePesewas: money("balance") });

export const LoggedIn = z.object({ token: z.string(), user: User.schema });
