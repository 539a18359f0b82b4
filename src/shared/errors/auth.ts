// Errors about authentication and permission.

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
  "auth.password_outgrown": {
    status: 403,
    message: "Staff need a password of at least 12 characters. Set a new one by “Forgot password?”.",
    retry: "after_change",
  },
  "auth.forbidden": { status: 403, message: "Your account may not do this", retry: "never" },
  "auth.own_account": {
    status: 403,
    message: "You cannot decide about your own account. Ask somebody else with this right.",
    retry: "never",
  },
  "auth.confirm_needed": {
    status: 403,
    message:
      "Confirm that it is you: send the code of your authenticator app, or without one your password, in the header " +
      "x-confirm with the same request",
    retry: "after_change",
  },
  "auth.second_factor_required": {
    status: 401,
    message: "Enter the code from your authenticator app",
    retry: "after_change",
  },
  "auth.second_step_ended": {
    status: 401,
    message: "This login took too long or too many tries. Log in again.",
    retry: "after_change",
  },
  "auth.second_factor_missing": {
    status: 403,
    message: "Staff need an extra login code here. Set yours up in your profile first.",
    retry: "after_change",
  },
  "factor.wrong": {
    status: 422,
    message: "This code is wrong or already used. Wait for the next one.",
    retry: "after_change",
  },
  "factor.exists": { status: 409, message: "Your extra login code is already set up", retry: "never" },
  "factor.none": { status: 409, message: "This account has no extra login code", retry: "never" },
  "factor.own": {
    status: 409,
    message: "Turn off your own extra login code in your profile, or ask another owner to reset it.",
    retry: "never",
  },
} as const;
