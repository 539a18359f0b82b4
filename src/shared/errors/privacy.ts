// Errors about people's data.

export const privacyErrors = {
  "privacy.notice_invalid": {
    status: 422,
    message: "Write the notice, in at most 20,000 characters",
    retry: "after_change",
  },
  "privacy.notice_changed": {
    status: 409,
    message: "A newer privacy notice has been published. Read it, then agree to that one.",
    retry: "after_change",
  },
} as const;
