// Errors of the views of lists that staff keep.

export const viewErrors = {
  "view.not_found": { status: 404, message: "There is no such view of yours", retry: "never" },
  "view.empty": { status: 422, message: "Filter the list first, then keep the view", retry: "after_change" },
  "view.exists": {
    status: 409,
    message: "You have a view of this list with this name already. Choose another name.",
    retry: "after_change",
  },
  "view.too_many": {
    status: 409,
    message: "There are 20 views, which is the most. Delete one first.",
    retry: "after_change",
  },
} as const;
