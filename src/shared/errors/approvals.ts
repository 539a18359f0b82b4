// Errors of acts that need a second person, and of requests for one.

export const approvalErrors = {
  "approval.needed": {
    status: 409,
    message: "Somebody else with the same right must agree to this first",
    retry: "never",
  },
  "approval.nobody": {
    status: 409,
    message: "This is above what one person may do, and nobody else can agree to it. Add a second owner.",
    retry: "after_change",
  },
  "approval.open_already": {
    status: 409,
    message: "Somebody has asked for a change of the same thing. Decide or withdraw that request first.",
    retry: "after_change",
  },
  "approval.not_found": { status: 404, message: "There is no such request", retry: "never" },
  "approval.decided": { status: 409, message: "This request has been decided already", retry: "never" },
  "approval.expired": {
    status: 409,
    message: "This request has expired. Ask again if it is still wanted.",
    retry: "never",
  },
  "approval.outdated": {
    status: 409,
    message: "What this request was about has changed since. Nothing was done; ask again if it is still wanted.",
    retry: "never",
  },
  "approval.own": {
    status: 403,
    message: "You asked for this yourself: somebody else must decide it",
    retry: "never",
  },
  "approval.not_own": { status: 403, message: "Only whoever asked can withdraw a request", retry: "never" },
  "approval.concerns_you": {
    status: 403,
    message: "This concerns your own account: somebody else must decide it",
    retry: "never",
  },
  "approval.too_new": {
    status: 403,
    message: "Whoever asks gave you your role, or changed your account, within the last 7 days",
    retry: "later",
  },
} as const;
