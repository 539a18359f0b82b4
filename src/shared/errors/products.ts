// Errors about products and pauses of sale.

export const productErrors = {
  "product.not_found": { status: 404, message: "Invalid package selected", retry: "after_change" },
  "product.paused": { status: 409, message: "This bundle is paused at the moment", retry: "later" },
  "pause.message_missing": {
    status: 422,
    message: "Enter a message for buyers: why is it paused?",
    retry: "after_change",
  },
  "pause.end_invalid": {
    status: 422,
    message: "A pause ends in the future, at most 90 days ahead. Choose another end.",
    retry: "after_change",
  },
  "product.exists": {
    status: 409,
    message: "This network already has a product with this name and size",
    retry: "after_change",
  },
  "product.fixed": {
    status: 409,
    message: "Only the name, price and pause of the AFA registration can be changed",
    retry: "never",
  },
  "product.size_invalid": {
    status: 422,
    message: "Write the size like 5GB or 500MB",
    retry: "after_change",
  },
  "product.family_wrong": {
    status: 422,
    message: "This kind of bundle belongs to another network. Choose one of this network's.",
    retry: "after_change",
  },
  "product.ussd_number_invalid": {
    status: 422,
    message: "Choose the bundle's size in whole GB, or a number from 51 to 9999. 9 and 99 mean other things",
    retry: "after_change",
  },
  "product.ussd_number_taken": {
    status: 409,
    message: "Another bundle of this network has this number, or had it in the last 90 days",
    retry: "after_change",
  },
  "product.price_needs_confirmation": {
    status: 409,
    message: "This price is unusual. Check it, then confirm it.",
    retry: "after_change",
  },
  "cost.vendor_unknown": {
    status: 422,
    message: "There is no such vendor. Use the desk, or the name that a vendor has in routes.",
    retry: "after_change",
  },
  "cost.twice": {
    status: 422,
    message: "A cost is given twice for the same bundle and vendor",
    retry: "after_change",
  },
  "cost.changed_meanwhile": {
    status: 409,
    message: "Some of these costs have changed meanwhile. Check the difference again.",
    retry: "after_change",
  },
  "cost.reason_missing": {
    status: 422,
    message: "Say why it may be sold below cost",
    retry: "after_change",
  },
  "cost.raise_changed": {
    status: 409,
    message: "Prices or costs have changed since. Check the new list, then confirm it.",
    retry: "after_change",
  },
} as const;
