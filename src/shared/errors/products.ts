// The refusals that are about what is on sale: a part of the catalogue.

export const productErrors = {
  "product.not_found": { status: 404, message: "Invalid package selected", retry: "after_change" },
  "product.paused": { status: 409, message: "This bundle is paused at the moment", retry: "later" },
  "pause.message_missing": {
    status: 422,
    message: "Say why it is paused, for the buyers",
    retry: "after_change",
  },
  "pause.end_invalid": {
    status: 422,
    message: "A pause ends in the future, at most 90 days ahead. Choose another end.",
    retry: "after_change",
  },
  "product.exists": {
    status: 409,
    message: "This operator already has a product with that name and size",
    retry: "after_change",
  },
  "product.fixed": {
    status: 409,
    message: "The AFA registration stays on sale as it is: only its name and price can change",
    retry: "never",
  },
  "product.size_invalid": {
    status: 422,
    message: "Write the size like 5GB or 500MB",
    retry: "after_change",
  },
  "product.family_wrong": {
    status: 422,
    message: "This kind of bundle is another network's. Choose one of the product's own.",
    retry: "after_change",
  },
  "product.price_needs_confirmation": {
    status: 409,
    message: "This price is far from what one would expect. Check it, then confirm it.",
    retry: "after_change",
  },
} as const;
