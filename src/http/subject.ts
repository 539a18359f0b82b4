/** What the id in the path of a page or of an API route can identify. */
export type Subject =
  | "order"
  | "unpaidOrder"
  | "deliveredOrder"
  | "bulkOrder"
  | "draft"
  | "registration"
  | "deposit"
  | "paymentReference"
  | "payment"
  | "chargeback"
  | "request"
  | "dispute"
  | "webhook"
  | "webhookDelivery"
  | "product"
  | "user"
  | "batch";
