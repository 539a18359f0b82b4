// Zod schemas of the API's requests and answers. They validate requests and generate the OpenAPI document. A check's
// message may be an error code; the refusal then has that code and its message.
import { z } from "zod";
import {
  DELIVERY_KINDS,
  limits,
  NETWORKS,
  type Network,
  OPERATORS,
  PAYMENT_STATES,
  ROLES,
  STATUSES,
  USER_STATUSES,
} from "../../shared/domain.ts";
import type { ErrorCode } from "../../shared/errors/app-error.ts";
import { parseCedis } from "../../shared/money.ts";
import { withoutDirectionMarks } from "../../shared/text.ts";

/** Lets a failed check be refused with this error code. */
export const errorCode = (code: ErrorCode): string => code;

// ---------------------------------------------------------------- parts

/** Postgres cannot store NUL, and a lone surrogate is not valid text. */
const isText = (value: string) => !value.includes("\u0000") && value.isWellFormed();
export const text = (charsMax: number, message = `at most ${charsMax} characters`) =>
  z
    .string()
    .max(charsMax, message)
    .refine(isText, "contains characters that are not text")
    .overwrite(withoutDirectionMarks);
export const requiredText = (charsMax: number, missing: string) => text(charsMax).trim().min(1, missing);

export const Id = z.int().positive().max(Number.MAX_SAFE_INTEGER);
const PathId = z
  .string()
  .regex(/^[1-9]\d{0,15}$/, "must be an id, such as 4711")
  .transform(Number)
  .refine(Number.isSafeInteger, "must be an id, such as 4711");
export const Operator = z.enum(OPERATORS);
export const OrderStatus = z.enum(STATUSES);
const Quantity = z
  .int(errorCode("order.quantity_invalid"))
  .min(1, errorCode("order.quantity_invalid"))
  .max(limits.quantityMax, errorCode("order.quantity_invalid"));

/** GH₵ with at most two decimals in JSON, parsed to whole pesewas. */
const cedis = (message: string) =>
  z.number(message).transform((value, context) => {
    const pesewas = parseCedis(value);
    if (pesewas === null) context.addIssue(message);
    return pesewas ?? 0;
  });
export const Cedis = cedis("must be an amount in GH₵ with at most two decimals");
export const AboveZero = cedis("must be an amount above zero with at most two decimals").refine(
  (pesewas) => pesewas > 0,
  "must be above zero",
);

const Username = requiredText(50, "Enter a username").regex(/^[^\s@<>]+$/u, "must have no spaces, @, < or >");
const Email = text(254).trim().pipe(z.email("Enter a valid email address"));
const Password = text(200).min(1, errorCode("user.password_short"));
const Roles = z
  .array(z.string().toUpperCase().pipe(z.enum(ROLES)))
  .min(1)
  .max(ROLES.length)
  .transform((roles) => [...new Set(roles)]);
const flagText = z
  .enum(["true", "false", "1", "0", "on"])
  .transform((value) => value !== "false" && value !== "0");

/** A day (2026-11-21) or a time (2026-11-21T10:00:00Z). */
const aDate = "must be a date such as 2026-11-21";
const Moment = z
  .union([z.iso.date(), z.iso.datetime({ offset: true })], aDate)
  .refine((value) => value >= "2000" && value < "2100", { error: aDate, abort: true });
/** The start of the range. */
const From = Moment.transform((value) => new Date(value));
/** The end of the range, exclusive; a day is included whole. */
const To = Moment.transform((value) => {
  const date = new Date(value);
  return value.length === 10 ? new Date(date.getTime() + 86_400_000) : date;
});

// ---------------------------------------------------------------- requests

export const IdParams = z.object({ id: PathId });

export const Page = z.object({
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(limits.pageSizeMax)
    .default(limits.pageSize)
    .describe("How many, newest first"),
  cursor: PathId.optional().describe("The id to continue after, from the Link header"),
});
export const OrderQuery = Page.extend({
  search: text(100)
    .optional()
    .describe("Part of a phone number, or a bundle, an id, an operator, a status or a reference"),
  status: z.string().toUpperCase().pipe(OrderStatus).optional(),
  operator: z.string().toUpperCase().pipe(Operator).optional(),
  open: flagText.optional().describe("Only orders that are not finished"),
  from: From.optional(),
  to: To.optional(),
});
export const UserQuery = Page.extend({
  search: text(100).optional(),
  status: z.string().toUpperCase().pipe(z.enum(USER_STATUSES)).optional(),
});
export const PaymentState = z.enum(PAYMENT_STATES);
export const PaymentQuery = Page.extend({ state: PaymentState.optional() });
export const ClaimQuery = Page.extend({ open: flagText.optional() });
export const ClaimRefusal = z.object({ reason: requiredText(300, "Say why") });
export const ReconciliationQuery = z.object({ from: From, to: To });
export const ProductQuery = z.object({ operator: z.string().toUpperCase().pipe(Operator).optional() });
export const StatementQuery = z
  .object({ from: From, to: To, format: z.enum(["json", "csv"]).default("json") })
  .refine((query) => query.to > query.from, { error: "must be after from", path: ["to"] })
  .refine((query) => query.to.getTime() - query.from.getTime() <= (limits.statementDays + 1) * 86_400_000, {
    error: `at most ${limits.statementDays} days at a time`,
    path: ["to"],
  });

export const SignUp = z.object({ username: Username, email: Email, password: Password });
export const LogIn = z.object({
  email: text(254).min(1, errorCode("auth.bad_credentials")),
  password: text(200).min(1, errorCode("auth.bad_credentials")),
});

/** A change of one's own account; it takes the current password. */
export const ProfileChange = z.object({
  username: Username,
  email: Email,
  currentPassword: text(200).min(1, errorCode("user.current_password_wrong")),
});
export const PasswordChange = z.object({
  password: Password,
  currentPassword: text(200).min(1, errorCode("user.current_password_wrong")),
});

export const SupportMessage = z.object({
  fullName: requiredText(100, "Enter your full name"),
  email: Email,
  subject: requiredText(150, "Enter a subject"),
  message: requiredText(2000, "Say what happened"),
});
export const OrderReport = z.object({
  orderId: z
    .string()
    .trim()
    .min(1, "Enter the order ID")
    .regex(/^#?[1-9]\d{0,14}$/, errorCode("order.not_found"))
    .transform((id) => Number(id.replace("#", ""))),
  message: text(2000).trim().default(""),
});

const missingLine = "Select package and enter number";
const OrderLine = z.object({
  productId: z
    .int({
      error: (issue) =>
        issue.input === undefined || issue.input === null ? missingLine : errorCode("product.not_found"),
    })
    .max(Number.MAX_SAFE_INTEGER, errorCode("product.not_found")),
  operator: Operator.optional().describe("If given, the product must belong to it"),
  msisdn: z
    .string({
      error: (issue) =>
        issue.input === undefined || issue.input === null ? missingLine : errorCode("msisdn.invalid"),
    })
    .min(1, missingLine)
    .max(40, errorCode("msisdn.invalid")),
  quantity: Quantity.default(1),
  amount: Cedis.optional().describe("Price times quantity in GH₵, as you expect it; refused if it differs"),
});
export const NewOrder = OrderLine.extend({
  pay: z
    .literal("wallet")
    .optional()
    .describe("Pays from the wallet at once; without it the order stays unpaid"),
  allowDuplicate: z.boolean().default(false),
});
export const BulkOrder = z.object({
  orders: z
    .array(OrderLine, "Add at least one number")
    .min(1, "Add at least one number")
    .max(limits.bulkLines, `At most ${limits.bulkLines} lines at once`),
  allowDuplicate: z.boolean().default(false),
});
/** Any lines, valid or not: a preview reports on each. */
export const BulkPreview = z.object({
  orders: z
    .array(
      z.object({
        productId: z.number(),
        operator: Operator.optional(),
        msisdn: text(200),
        quantity: z.number().default(1),
        amount: Cedis.optional(),
      }),
      "Add at least one number",
    )
    .min(1, "Add at least one number")
    .max(limits.bulkLines, `At most ${limits.bulkLines} lines at once`),
  allowDuplicate: z.boolean().default(false),
});
export const Spend = z.object({
  orderId: Id,
  amount: Cedis.optional().describe("The order's amount, as you expect it; refused if it differs"),
  note: text(200).optional(),
});
const topUpAmount = "Please enter a valid amount";
export const TopUpInit = z.object({
  amount: cedis(topUpAmount).refine((pesewas) => pesewas > 0, topUpAmount),
});

/** Either a top-up that was started earlier, or an order. */
const subject = { transactionId: Id.optional(), orderId: Id.optional() };
const hasOneSubject = (body: { transactionId?: number | undefined; orderId?: number | undefined }) =>
  (body.transactionId === undefined) !== (body.orderId === undefined);
const oneSubject = { error: "Give a transactionId or an orderId", path: ["transactionId"] };
export const PaystackInit = z
  .object({
    ...subject,
    email: Email.optional(),
    amount: z.unknown().optional().describe("Ignored: our own record sets the amount"),
    callbackUrl: text(2000).optional().describe("Only on our own origin; anything else is ignored"),
  })
  .refine(hasOneSubject, oneSubject);
const Reference = z.string().regex(/^[A-Za-z0-9.=-]{1,100}$/, errorCode("payment.not_found"));
export const PaystackVerify = z.object({ reference: Reference, ...subject });
export const ReferenceParams = z.object({ reference: Reference });
export const MomoNetwork = z.enum(Object.keys(NETWORKS) as [Network, ...Network[]]);
export const MomoCharge = z
  .object({ ...subject, network: MomoNetwork, phone: text(40) })
  .refine(hasOneSubject, oneSubject);
export const MomoCode = z.object({
  reference: Reference,
  code: z.string().regex(/^\d{4,8}$/, "Enter the code, digits only"),
});
export const NewClaim = z.object({
  transactionId: text(40),
  amount: cedis(topUpAmount).refine((pesewas) => pesewas > 0, topUpAmount),
});
export const DelayReport = z.object({ message: requiredText(1000, "Say what happened") });

export const OrderNote = z.object({
  note: requiredText(limits.noteChars, "Write a note"),
  forAgent: z.boolean().default(false).describe("Shows it to the agent; otherwise only admins see it"),
});
export const NewUser = SignUp.extend({ roles: Roles.default(["USER"]) });
export const UserEdit = z.object({
  username: z.union([z.literal(""), Username]).optional(),
  email: z.union([z.literal(""), Email]).optional(),
  roles: Roles.optional().describe("Replaces their roles and ends their sessions"),
});
export const Adjustment = z.object({
  amount: Cedis.refine((pesewas) => pesewas !== 0, "must not be zero").describe(
    "Signed GH₵: positive adds, negative removes",
  ),
  reason: requiredText(300, "Say why"),
});

// ---------------------------------------------------------------- answers

export const money = z.number().describe("GH₵, at most two decimals");
export const moment = z.iso.datetime();
/** A pause of sale. */
export const Paused = z.object({
  message: z.string().describe("The shop's message"),
  until: moment.nullable().describe("When it can be bought again; null: unknown"),
});

export const User = z.object({
  id: Id,
  username: z.string(),
  email: z.string(),
  roles: z.array(z.enum(ROLES)),
  status: z.enum(USER_STATUSES),
  createdAt: moment,
});
export const UserWithBalance = User.extend({ balance: money });
export const LoggedIn = z.object({ token: z.string(), user: User });
export const Order = z.object({
  id: Id,
  userId: Id,
  operator: Operator,
  productId: Id,
  product: z.string(),
  size: z.string(),
  msisdn: z.string().describe("The recipient's number, 0541234567"),
  quantity: z.int(),
  amount: money,
  status: OrderStatus,
  paid: z.boolean(),
  paidAt: moment.nullable(),
  paymentMethod: z.enum(["wallet", "paystack", "cash"]).nullable(),
  refundedAt: moment.nullable(),
  bulkOrderId: Id.nullable(),
  note: z.string().nullable(),
  createdAt: moment,
});
export const OrderEvent = z.object({
  at: moment,
  event: z.string(),
  code: z.enum(Object.keys(DELIVERY_KINDS)).nullable().describe("The kind of delivery event"),
  from: OrderStatus.nullable(),
  to: OrderStatus.nullable(),
  note: z.string().nullable(),
  internal: z.boolean().describe("Only admins see it"),
});
const Outlook = z.object({
  state: z.enum(["promised", "number_held", "with_network", "being_sent", "checking"]),
  until: moment.nullable(),
  message: z.string(),
});
export const OrderWithTimeline = Order.extend({
  outlook: Outlook.nullable().describe("What a paid, undelivered order is waiting for, and until when"),
  timeline: z.array(OrderEvent),
});
export const PlacedOrder = Order.extend({
  balance: money.optional().describe("The wallet's balance afterwards, if the order was paid"),
});
export const BulkPlaced = z.object({
  count: z.int(),
  bulkOrderId: Id,
  amount: money,
  balance: money,
  orders: z.array(Order),
});
export const BulkPreviewed = z.object({
  lines: z.array(
    z.object({
      line: z.int(),
      msisdn: z.string().nullable(),
      operatorGuess: Operator.nullable().describe("From the prefix; the number may have been ported"),
      productId: z.number(),
      operator: Operator.nullable(),
      quantity: z.number(),
      amount: money.nullable(),
      code: z.string().nullable(),
      message: z.string().nullable(),
      sameAsLine: z.int().nullable(),
      paused: Paused.nullable().describe("product.paused: the reason and the end"),
    }),
  ),
  goodCount: z.int(),
  total: money.describe("The sum of the good lines"),
  balance: money,
  balanceAfter: money.nullable().describe("null: the balance is too low"),
  affordableCount: z.int(),
});
export const Spent = z.object({
  orderId: Id,
  amount: money,
  balance: money,
  status: OrderStatus,
  order: Order,
});
export const Balance = z.object({
  balance: money,
  held: money.describe("The part that cannot be spent while a chargeback is open; it may exceed the balance"),
  owed: money.describe("What the account owes; money that comes in pays it first"),
  available: money.describe("What can be spent"),
});
export const WalletTransaction = z.object({
  id: Id,
  type: z.enum(["TOPUP", "SPEND", "REFUND", "ADJUST", "REVERSAL"]),
  amount: money.describe("Always positive; `change` has the sign"),
  change: money,
  balanceAfter: money,
  status: z.literal("COMPLETED"),
  description: z.string(),
  orderId: Id.nullable(),
  paymentReference: z.string().nullable(),
  createdAt: moment,
});
export const Statement = z.object({
  from: moment,
  to: moment,
  openingBalance: money,
  closingBalance: money,
  transactions: z.array(WalletTransaction),
});
const days = z.array(z.object({ day: z.iso.date(), sales: money, orders: z.int() }));
export const Overview = z.object({
  totals: z.object({ totalSales: money, ordersCount: z.int() }),
  usageByOperator: z.record(Operator, z.number()).describe("GB of data bought"),
  dataUsage: z.object({ totalGb: z.number(), thisMonthGb: z.number(), lastMonthGb: z.number() }),
  recentOrders: z.array(Order),
  lastSevenDays: days,
});
export const AdminStats = z.object({
  totalOrders: z.int(),
  byStatus: z.record(OrderStatus, z.int()),
  successPercent: z.int(),
  failurePercent: z.int(),
  usersCount: z.int(),
  productsCount: z.int(),
  walletsTotal: money,
  salesToday: money,
  lastSevenDays: days,
});
export const MoveResults = z.object({
  status: OrderStatus,
  moved: z.int(),
  refused: z.int(),
  results: z.array(
    z.object({
      id: Id,
      status: OrderStatus.nullable(),
      moved: z.boolean(),
      code: z.string().nullable(),
      message: z.string().nullable(),
    }),
  ),
});
export const OperatorState = z.object({
  operator: Operator,
  name: z.string(),
  paused: z.boolean(),
  message: z.string().nullable(),
  since: moment.nullable(),
  until: moment.nullable().describe("When it sells again by itself; null: unknown, or not paused"),
});
export const Adjusted = z.object({ userId: Id, balance: money, adjustmentId: Id });
export const Removed = z.object({ id: Id, removed: z.literal(true) });
export const Done = z.object({ ok: z.literal(true) });
export const TopUpStarted = z.object({ transactionId: Id, amount: money });
export const PaystackStarted = z.object({
  authorizationUrl: z.url(),
  reference: z.string(),
  transactionId: Id,
  amount: money,
});
