// Errors about network operators and their lines of bundles.

export const operatorErrors = {
  "operator.not_found": { status: 404, message: "There is no such network or line", retry: "after_change" },
  "operator.exists": {
    status: 409,
    message: "A network or line with this code exists already",
    retry: "after_change",
  },
  "operator.name_taken": {
    status: 409,
    message: "Another network or line is called this. Lists and SMS could not tell them apart.",
    retry: "after_change",
  },
  "operator.path_taken": {
    status: 409,
    message: "This address belongs to another page",
    retry: "after_change",
  },
  "operator.color_unreadable": {
    status: 422,
    message: "Neither dark nor white letters can be read on this colour. Choose a lighter or a darker one.",
    retry: "after_change",
  },
  "operator.prefix_taken": {
    status: 409,
    message: "This prefix belongs to another network. Move it from there.",
    retry: "after_change",
  },
  "operator.ussd_number_taken": {
    status: 409,
    message: "Another network has this number in the USSD menu",
    retry: "after_change",
  },
  "operator.retired": {
    status: 409,
    message: "This network or line is no longer on sale",
    retry: "after_change",
  },
  "operator.last": {
    status: 409,
    message: "A network on sale needs a line on sale. Add another line first, or retire the network.",
    retry: "after_change",
  },
  "operator.has_afa": {
    status: 409,
    message: "This network registers people for AFA, so it stays",
    retry: "never",
  },
  "operator.merge_into_itself": {
    status: 422,
    message: "Choose another network to merge it into",
    retry: "after_change",
  },
  "operator.merge_same_bundle": {
    status: 409,
    message: "Both networks sell a bundle with the same name and size. Rename one or take it off sale first.",
    retry: "after_change",
  },
} as const;
