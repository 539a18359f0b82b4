// Errors about the sandbox and what is only there.

export const sandboxErrors = {
  "request.unknown_field": {
    status: 422,
    message: "There is no such field here. Live requests ignore it, so it would have no effect.",
    retry: "after_change",
  },
  "sandbox.too_much_money": {
    status: 422,
    message: "A sandbox account cannot hold so much money",
    retry: "after_change",
  },
} as const;
