// API schemas of users: signing up, logging in, profiles, and admins' changes.
import { z } from "zod";
import { ROLES, USER_STATUSES } from "../../shared/domain.ts";
import { errorCode, Id, requiredText, text } from "../../shared/inputs.ts";
import { moment, money, Page } from "./common.ts";

const Username = requiredText(50, "Enter a username").regex(/^[^\s@<>]+$/u, "must have no spaces, @, < or >");

export const Email = text(254).trim().pipe(z.email("Enter a valid email address"));

const Password = text(200).min(1, errorCode("user.password_short"));

const Roles = z
  .array(z.string().toUpperCase().pipe(z.enum(ROLES)))
  .min(1)
  .max(ROLES.length)
  .transform((roles) => [...new Set(roles)]);

export const UserQuery = Page.extend({
  search: text(100).optional(),
  status: z.string().toUpperCase().pipe(z.enum(USER_STATUSES)).optional(),
});

export const SignUp = z.object({ username: Username, email: Email, password: Password });

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

export const UserEdit = z.object({
  username: z.union([z.literal(""), Username]).optional(),
  email: z.union([z.literal(""), Email]).optional(),
  roles: Roles.optional().describe("Replaces their roles and ends their sessions"),
});

export const User = z.object({
  id: Id,
  username: z.string(),
  email: z.string().nullable().describe("Null for an account registered by USSD and not yet claimed"),
  roles: z.array(z.enum(ROLES)),
  status: z.enum(USER_STATUSES),
  createdAt: moment,
});

export const UserWithBalance = User.extend({ balance: money });

export const LoggedIn = z.object({ token: z.string(), user: User });
