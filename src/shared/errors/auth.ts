// The refusals that are about who somebody is: a part of the catalogue.

export const authErrors = {
  "auth.required": { status: 401, message: "Log in to continue", retry: "after_change" },
  "auth.session_ended": {
    status: 401,
    message: "Your session has ended. Log in again.",
    retry: "after_change",
  },
  "auth.bad_credentials": { status: 401, message: "Invalid credentials", retry: "after_change" },
  "auth.banned": {
    status: 403,
    message: "This account has been banned. Contact support.",
    retry: "never",
  },
  "auth.forbidden": { status: 403, message: "You are not allowed to do this", retry: "never" },
  "auth.own_account": {
    status: 403,
    message: "Ask another admin: nobody decides about their own account.",
    retry: "never",
  },
  "auth.second_factor_required": {
    status: 401,
    message: "Enter the code of your authenticator app",
    retry: "after_change",
  },
  "auth.second_step_ended": {
    status: 401,
    message: "This login took too long or too many tries. Log in again.",
    retry: "after_change",
  },
  "auth.second_factor_missing": {
    status: 403,
    message: "Admins need an extra login code here. Set yours up in the profile first.",
    retry: "after_change",
  },
  "factor.wrong": {
    status: 422,
    message: "This code is not right, or was used already. Wait for the next one.",
    retry: "after_change",
  },
  "factor.exists": { status: 409, message: "Your extra login code is set up already", retry: "never" },
  "factor.none": { status: 409, message: "There is no extra login code on this account", retry: "never" },
  "factor.own": {
    status: 409,
    message: "You take your own extra login code off in the profile. Another admin can reset it.",
    retry: "never",
  },
} as const;
