// Errors about bulk lists, line by line and as a whole.

export const bulkErrors = {
  "bulk.lines_refused": {
    status: 422,
    message: "Nothing was placed: some lines need fixing",
    retry: "after_change",
  },
  "bulk.line_unclear": {
    status: 422,
    message: "This can be read in two ways. Write it like 0241234567,2",
    retry: "after_change",
  },
  "bulk.remark_unclear": {
    status: 422,
    message: "Is this an order? Keep only its number and size, or remove it.",
    retry: "after_change",
  },
  "bulk.cell_without_value": {
    status: 422,
    message: "A cell of this row has no clear value. Write the line like 0241234567 5GB.",
    retry: "after_change",
  },
  "bulk.number_rounded": {
    status: 422,
    message: "The sheet has rounded this number. Type it in full.",
    retry: "after_change",
  },
  "bulk.figure_unclear": {
    status: 422,
    message: "Is this figure GB or bundles? Answer the question about the figures.",
    retry: "after_change",
  },
  "bulk.size_missing": {
    status: 422,
    message: "Which size? Write it like 0241234567 5GB, or choose a package.",
    retry: "after_change",
  },
  "bulk.size_not_sold": {
    status: 422,
    message: "No bundle of this size is on sale for this network. Choose another size.",
    retry: "after_change",
  },
  "bulk.bundle_unclear": {
    status: 422,
    message: "Two kinds of bundle have this size. Choose one, or write it like 0271234567 15GB BigTime.",
    retry: "after_change",
  },
  "bulk.network_missing": {
    status: 422,
    message: "Which network? Write it like 0241234567 5GB MTN.",
    retry: "after_change",
  },
  "bulk.network_unconfirmed": {
    status: 422,
    message: "This number looks like another network. Answer the question about networks.",
    retry: "after_change",
  },
  "bulk.list_changed": {
    status: 409,
    message: "The list or a price has changed since you looked. Check it and place it again.",
    retry: "after_change",
  },
  "bulk.reader_busy": {
    status: 503,
    message: "Too many lists are being read right now. Nothing is lost; try again in a minute.",
    retry: "later",
  },
  "bulk.not_found": { status: 404, message: "Bulk order not found", retry: "never" },
  "draft.not_found": {
    status: 404,
    message: "This list no longer exists: it was placed, deleted or has expired",
    retry: "never",
  },
  "draft.too_many": {
    status: 409,
    message: "You already have 20 drafts. Delete one you no longer need.",
    retry: "after_change",
  },
} as const;
