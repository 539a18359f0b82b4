// What a page is: its place, who may see it, how it is shown, and what its form does. Nothing is said twice: the serving
// itself, with every guard, is in serve.tsx.
import type { ReactNode } from "react";
import type { z } from "zod";
import type { Db } from "../../db/connect.ts";
import type { CardSafe } from "../core/afa/card-safe.ts";
import type { BundleVendor } from "../core/fulfilment/vendor.ts";
import type { CodeKeys } from "../core/identity/codes.ts";
import type { DeviceKeys } from "../core/identity/devices.ts";
import type { PinKeys } from "../core/identity/pins.ts";
import type { FactorKeys } from "../core/identity/second-factor.ts";
import type { Callback } from "../core/messaging/callbacks.ts";
import type { PaymentGateway } from "../core/payments/gateway.ts";
import type { Key } from "../core/platform/idempotency.ts";
import type { WebhookKeys } from "../core/webhooks/endpoints.ts";
import { checkMessage } from "../http/schemas/check-messages.ts";
import type { By, Operator } from "../shared/domain.ts";
import { AppError, type ErrorCode } from "../shared/errors/app-error.ts";
import { errors } from "../shared/errors/codes.ts";

/** Who looks at a page. */
export type Viewer = {
  by: By;
  sessionId: string;
  isCookie: boolean;
  username: string;
  email: string;
  /** An admin who has to set up a second factor before anything else. */
  mustEnrol: boolean;
};

export type WebDeps = {
  db: Db;
  gateway: PaymentGateway;
  codeKeys: CodeKeys;
  deviceKeys: DeviceKeys;
  pinKeys: PinKeys;
  factorKeys: FactorKeys;
  webhookKeys: WebhookKeys;
  vendors: readonly BundleVendor[];
  /** Where a vendor tells us what became of its parcels; null while nobody outside can reach us. */
  vendorAddress: (code: string) => string | null;
  /** Where Africa's Talking tells us something; null while it cannot reach us. */
  callbackAddress: (callback: Callback) => string | null;
  cards: CardSafe;
  baseUrl: string | null;
  /** The viewer by the session cookie; null without one. Throws auth.session_ended for one that is over. */
  identify: (request: Request) => Promise<Viewer | null>;
  addressOf: (request: Request) => string;
  sign: (sessionId: string) => Promise<string>;
  requestIdOf: (request: Request) => string;
};

export type Role = "anyone" | "user" | "admin";

/** What a form came with, when the page is shown again because of a refusal. */
export type Refused = {
  values: URLSearchParams;
  error: AppError;
  /** Nothing was refused: it was kept while its sender logged in or topped up. */
  isKept?: true;
  /** The address that brings the form back as it was, for somebody who has to top up first. */
  back?: string;
};

export type Context = WebDeps & {
  request: Request;
  url: URL;
  params: Record<string, string>;
  /** Null only on pages for anyone. */
  viewer: Viewer | null;
  by: By;
  form: URLSearchParams;
  /** The files that came with the form, by field; only pages that take files have any. */
  files: Map<string, File>;
  /** The key that came with the form, for commands that move money. */
  key: Key;
};

/** A page's content. `plain` pages stand alone under a top bar, the others beside the menu. */
export type View = {
  title: string;
  body: ReactNode;
  /** For search engines. */
  description?: string;
  /** For whoever is sent a link to it: where the shop is, and what it says of itself. */
  preview?: { origin: string; description: string };
  isPlain?: boolean;
  status?: number;
  headers?: Record<string, string>;
  /** Origins that its forms may lead on to: the payment page. */
  formTargets?: string[];
};

/** What a notice offers to take back: an order that was just paid, until a moment. */
export type Undo = { orderId: number; untilMs: number };

/** Where the browser goes next, on this shop or to the payment page, and what it takes along. */
export type Leave = {
  to: string;
  notice?: string | undefined;
  undo?: Undo | undefined;
  session?: string | null;
  /** Where the top-up that begins now leads on to; null: nowhere in particular. */
  afterTopUp?: string | null;
  pendingLogin?: string | null;
  /** What the browser is to hold as a known device. */
  device?: string;
  /** Of an account that was just opened: the login fills it in. */
  newEmail?: string;
};

/** A file for the browser to keep, or for a script of ours: sent piece by piece as it is read. */
export type Download = {
  pieces: AsyncGenerator<string> | readonly string[];
  headers: Record<string, string>;
};

export type Answer = View | Leave | Download;

/** Admin pages that share a heading and tabs. */
export type Section = "Delivery" | "Money" | "Settings";

/** What the id in a page's path can identify. */
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
  | "webhook"
  | "product"
  | "user"
  | "batch";

export type Page = {
  path: string;
  role: Role;
  /** Its link in the drawer, as labelled for agents or for admins. */
  menu?: { agent?: string; admin?: string; operator?: Operator };
  /** Its tab in a section, or the tab that it belongs under. */
  tab?: { section: Section; label: string } | { section: Section; under: string };
  /** What the id in its path identifies. */
  subject?: Subject;
  /**
   * Addresses at which tests open it, by what follows its path: "?all=1", or "?draft=:draft" with the id of a draft.
   * The bare path by default; an empty list for files and for steps that only forms lead to.
   */
  examples?: readonly string[];
  /** Open to an admin who still has to set up a second factor. */
  isForEnrolment?: true;
  bodyBytesMax?: number;
  /** Set where the form may carry files: what everything that is sent may come to. */
  uploadBytesMax?: number;
  /** Shows the page; with `refused`, again, with what was typed and why it was not taken. */
  show?: (context: Context, refused?: Refused) => Promise<Answer>;
  /** Handles the page's form, or the one that names no action. A refusal that it throws is shown by `show`. */
  submit?: (context: Context) => Promise<Answer>;
  /** What its other forms ask for, by the name that they send (ui/action.tsx). Refusals are shown in the same way. */
  actions?: Record<string, Action>;
};

/** What one form of a page asks for: its fields are checked, then it runs. */
export type Action = { fields?: z.ZodType; run(context: Context, fields: unknown): Promise<Answer> };

/** A page's actions by name. Types the second argument of each `run` by the `fields` beside it. */
export function actionsOf<Read extends Record<string, unknown>>(
  actions: {
    [Name in keyof Read]: {
      fields?: z.ZodType<Read[Name]>;
      run: (context: Context, fields: Read[Name]) => Promise<Answer>;
    };
  },
): Record<keyof Read, Action> {
  return actions;
}

export function takesForms({ submit, actions }: Page): boolean {
  return submit !== undefined || actions !== undefined;
}

/** Sends the browser on, with a notice for the next page; one that begins with "!" is a warning. */
export function redirect(to: string, notice?: string): Leave {
  return { to, notice };
}

/** A path on this shop to go on to, and nothing that a browser could read as another site. */
export function localPath(path: string | null, otherwise: string): string {
  return path && /^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(path) ? path : otherwise;
}

/** Checks a form's fields; throws the refusal with each field's words. */
export function readFields<S extends z.ZodType>(schema: S, form: URLSearchParams): z.output<S> {
  return readValues(schema, Object.fromEntries(form));
}

/** The same for values that were put together from a form's fields. */
export function readValues<S extends z.ZodType>(schema: S, values: unknown): z.output<S> {
  const result = schema.safeParse(values, { error: checkMessage });
  if (result.success) return result.data;
  const fields = fieldMessages(result.error);
  const first = result.error.issues[0]!;
  throw new AppError(
    first.message in errors ? (first.message as ErrorCode) : "request.invalid",
    { fields },
    issueMessage(first),
  );
}

/** The first words about each field that could not be read. */
export function fieldMessages(error: z.ZodError): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const issue of error.issues) fields[issue.path.join(".")] ??= issueMessage(issue);
  return fields;
}

function issueMessage({ message, ...issue }: z.core.$ZodIssue): string {
  if (issue.code === "too_big" && issue.origin === "string" && !(message in errors))
    return `At most ${issue.maximum} characters`;
  const text = errors[message as ErrorCode]?.message ?? message;
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The origin that a payer comes back to. */
export function originOf({ baseUrl, url }: Context): string {
  return baseUrl ?? url.origin;
}

/** The id in a page's path or query; null when it is none. */
export function readId(text: string | null | undefined): number | null {
  return /^[1-9]\d{0,14}$/.test(text ?? "") ? Number(text) : null;
}

/** Where a refusal of the core is put right, when the form has such a field. */
const FIELD_OF: Partial<Record<ErrorCode, string>> = {
  "msisdn.invalid": "msisdn",
  "order.quantity_invalid": "quantity",
  "product.not_found": "productId",
  "product.paused": "productId",
  "pause.end_invalid": "until",
  "order.operator_mismatch": "productId",
  "payment.below_minimum": "amount",
  "claim.below_minimum": "amount",
  "claim.transaction_id_invalid": "transactionId",
  "claim.filed_already": "transactionId",
  "user.password_short": "password",
  "user.password_common": "password",
  "user.admin_password_short": "password",
  "user.own_admin": "roles",
  "user.last_admin": "roles",
  "product.exists": "name",
  "product.size_invalid": "size",
  "product.family_wrong": "family",
  "product.price_needs_confirmation": "price",
  "wallet.insufficient_balance": "amount",
  "user.current_password_wrong": "currentPassword",
  "code.wrong": "code",
  "factor.wrong": "code",
  "phone.taken": "code",
  "pin.trivial": "pin",
  "order.not_found": "orderId",
  "case.proof_missing": "proof",
  "webhook.exists": "url",
};

/** What people read where programs are told the words that are promised to them. */
const PLAIN_MESSAGES: Partial<Record<ErrorCode, string>> = {
  "auth.bad_credentials": "Wrong email or password",
};

/** Puts a refusal of the core beside the field that it is about, and into words for somebody who sent a form. */
export function forForm(refusal: AppError, form: URLSearchParams): AppError {
  const { code, details } = refusal;
  const plain = refusal.message === errors[code].message ? PLAIN_MESSAGES[code] : undefined;
  const error = plain ? new AppError(code, details, plain) : refusal;
  if (error.code === "request.key_reused") {
    const message = "This form was sent before with other details. Check My Orders before you send it again.";
    return new AppError(error.code, undefined, message);
  }
  const field = FIELD_OF[error.code];
  if (!field || error.details?.fields || !form.has(field)) return error;
  return new AppError(error.code, { ...error.details, fields: { [field]: error.message } }, error.message);
}
