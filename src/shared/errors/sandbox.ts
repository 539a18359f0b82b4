// Errors about the sandbox, what is only there, and fields that nothing reads.

export const sandboxErrors = {
  "request.unknown_field": {
    status: 422,
    message: "There is no such field here",
    retry: "after_change",
  },
  "sandbox.only": {
    status: 404,
    message: "This is only in the sandbox. Call it with a test key (dfk_test_…).",
    retry: "after_change",
  },
  "sandbox.too_much_money": {
    status: 422,
    message: "A sandbox account cannot hold so much money",
    retry: "after_change",
  },
} as const;
