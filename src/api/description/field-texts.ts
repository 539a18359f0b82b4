// Descriptions of fields that have the same name and meaning everywhere, for schemas without descriptions of their own.

export const FIELD_TEXTS: Readonly<Record<string, string>> = {
  productId: "The bundle's id, from GET /products",
  operator: "The network's code, from GET /operators",
  msisdn: "The recipient's number, as people write it: 0541234567 or +233 54 123 4567",
  quantity: "How many of the bundle",
  allowDuplicate: "true: the same bundle for the same number within ten minutes is intended",
  orderId: "The order's id",
  bulkOrderId: "The bulk order that it belongs to",
  userId: "The account's id",
  people: "The people to register",
  orders: "The lines of the order",
  createdAt: "When it was created",
  product: "Its name: MTN 1GB",
  paid: "Whether it has been paid",
  paidAt: "When it was paid",
  refundedAt: "When its money went back to the wallet; null: it did not",
  size: "The amount of data: 1GB, 500MB",
  webhookId: "The webhook's id",
};
