// Errors about tiers and changes of prices.

export const priceErrors = {
  "tier.not_found": { status: 404, message: "There is no such tier", retry: "after_change" },
  "tier.exists": { status: 409, message: "There is a tier with this name already", retry: "after_change" },
  "tier.too_many": {
    status: 409,
    message: "There are 20 tiers, which is the most. Delete one first.",
    retry: "after_change",
  },
  "tier.standard_stays": {
    status: 409,
    message: "The Standard tier cannot be deleted: every new account begins in it",
    retry: "never",
  },
  "tier.has_accounts": {
    status: 409,
    message: "Accounts have this tier. Check where they go.",
    retry: "after_change",
  },
  "price.needs_confirmation": {
    status: 409,
    message: "Some of these prices are unusual or below cost. Check them, then confirm them.",
    retry: "after_change",
  },
  "price.changed_meanwhile": {
    status: 409,
    message: "Somebody has changed some of these prices meanwhile. Check the difference again.",
    retry: "after_change",
  },
  "price.standard_needed": {
    status: 422,
    message: "Every product needs a Standard price",
    retry: "after_change",
  },
  "price.from_invalid": {
    status: 422,
    message: "Choose a moment in the future, at most 366 days ahead",
    retry: "after_change",
  },
  "price.repeated": {
    status: 422,
    message: "A price is set twice in this change",
    retry: "after_change",
  },
  "price.change_not_found": {
    status: 404,
    message: "There is no such change of prices",
    retry: "after_change",
  },
  "price.change_begun": {
    status: 409,
    message: "This change has begun, so that it cannot be taken back. Undo it instead.",
    retry: "after_change",
  },
  "price.change_planned": {
    status: 409,
    message: "This change has not begun yet. Take it back instead.",
    retry: "after_change",
  },
  "price.undone_already": { status: 409, message: "This change has been undone already", retry: "never" },
  "price.nothing_to_undo": {
    status: 409,
    message: "Nothing of this change is left to undo: newer prices have replaced all of it",
    retry: "never",
  },
} as const;
