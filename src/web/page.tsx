// Declaration of a page: its path, who may see it, how it is shown and what its forms do. Serving, with every guard, is
// in serve.tsx.
import type { ReactNode } from "react";
import type { z } from "zod";
import type { Db } from "../../db/connect.ts";
import type { CardSafe } from "../core/afa/card-safe.ts";
import type { ReceiptKeys } from "../core/books/receipts.ts";
import type { BundleVendor } from "../core/fulfilment/vendor.ts";
import type { OtherMode } from "../core/identity/api-keys.ts";
import type { CodeKeys } from "../core/identity/logins/codes.ts";
import type { DeviceKeys } from "../core/identity/logins/devices.ts";
import type { FactorKeys } from "../core/identity/logins/second-factor.ts";
import type { PinKeys } from "../core/identity/phones/pins.ts";
import type { Callback } from "../core/messaging/callbacks.ts";
import type { PushGateway } from "../core/messaging/sender.ts";
import type { PaymentGateway } from "../core/payments/gateway.ts";
import type { Key } from "../core/platform/idempotency.ts";
import type { ProviderSetup } from "../core/platform/provider-keys.ts";
import type { OtherLog } from "../core/requests/queries.ts";
import type { WebhookKeys } from "../core/webhooks/endpoints.ts";
import type { Guide } from "../http/guide.ts";
import type { Subject } from "../http/subject.ts";
import type { KeyMode } from "../shared/api-keys.ts";
import type { ByUser } from "../shared/domain.ts";
import type { AppError } from "../shared/errors/app-error.ts";
import type { Access, Right } from "../shared/rights.ts";
import type { Badges } from "./badge-keys.ts";
import type { IconName } from "./ui/frame/icons.tsx";

/** The person who views a page. */
export type Viewer = {
  by: ByUser;
  sessionId: string;
  isCookie: boolean;
  username: string;
  email: string;
  /** Somebody of staff who must set up a second factor first. */
  mustEnrol: boolean;
  /** The account may look, and not spend. */
  isFrozen: boolean;
  /** The account waits before it spends: its password was set with a code to the phone. */
  isWaiting: boolean;
};

export type WebDeps = {
  db: Db;
  gateway: PaymentGateway;
  codeKeys: CodeKeys;
  deviceKeys: DeviceKeys;
  receiptKeys: ReceiptKeys;
  pinKeys: PinKeys;
  factorKeys: FactorKeys;
  webhookKeys: WebhookKeys;
  /** The mode of the shop's data, and the keys of the other one. */
  keyMode: KeyMode;
  otherMode: OtherMode;
  /** The log of requests by the keys of the other mode. */
  otherLog: OtherLog;
  vendors: readonly BundleVendor[];
  /** The providers that an owner can set up here; null where that is not possible. */
  providerSetup: ProviderSetup | null;
  /** The address for a vendor's delivery reports; null without a public base URL. */
  vendorAddress: (code: string) => string | null;
  /** The address for Africa's Talking's callbacks; null without a public base URL. */
  callbackAddress: (callback: Callback) => string | null;
  cards: CardSafe;
  /** Null: push messages are off. */
  push: PushGateway | null;
  baseUrl: string | null;
  /** The viewer by the session cookie; null without one. Throws auth.session_ended when the session is over. */
  identify: (request: Request) => Promise<Viewer | null>;
  /** The same as it is now, for an answer that goes on. Throws as `identify`. */
  identifyAnew: (request: Request) => Promise<Viewer | null>;
  addressOf: (request: Request) => string;
  sign: (sessionId: string) => Promise<string>;
  requestIdOf: (request: Request) => string;
  /** The guide for programs. */
  guide: () => Guide;
  /** Sends a request with a test key to the sandbox, on behalf of the sender of another request. */
  tryCall: (request: Request, from: Request) => Promise<Response>;
};

/** A refused form, for showing its page again with the values and the error. */
export type Refused = {
  values: URLSearchParams;
  error: AppError;
  /** Not refused, but kept while its sender logged in or topped up. */
  isKept?: true;
  /** The address that restores the form after a top-up. */
  back?: string;
};

export type Context = WebDeps & {
  request: Request;
  url: URL;
  params: Record<string, string>;
  /** Null only on pages for anyone. */
  viewer: Viewer | null;
  by: ByUser;
  form: URLSearchParams;
  /** The form's files by field; empty unless the page accepts files. */
  files: Map<string, File>;
  /** The form's idempotency key, for commands that move money. */
  key: Key;
  /** What waits for the viewer, by the links of the menu; for a stream as it was last read. */
  badges: (isLive?: boolean) => Promise<Badges>;
};

/** A page's content. Plain pages have a top bar, the others the menu. */
export type View = {
  /** Left out where the words that lead to the page are its title: those of its tab, or of its link in the menu. */
  title?: string | undefined;
  body: ReactNode;
  /** For search engines. */
  description?: string;
  isPlain?: boolean;
  /** Without the heading and the tabs of its page's section. */
  isAlone?: true;
  /** On a page for customers: the name of the agent's shop; null where they have given it none. */
  seller?: string | null;
  status?: number;
  headers?: Record<string, string>;
  /** Origins that its forms may redirect to: the payment page's. */
  formTargets?: string[];
};

/**
 * What a notice offers to take back until `untilMs`: an order that was just paid, or what a command did, by its name
 * and its entry in the log of changes.
 */
export type Undo = { of: string; id: number; untilMs: number };
export const ORDER = "order";

/** A redirect, on this shop or to the payment page, with the cookies that it sets. */
export type Leave = {
  to: string;
  notice?: string | undefined;
  undo?: Undo | undefined;
  /** The request for a second person that the notice is about. */
  approvalId?: number;
  session?: string | null;
  /** The page to return to after the top-up that begins now; null clears it. */
  afterTopUp?: string | null;
  pendingLogin?: string | null;
  /** The cookie of a known device. */
  device?: string | undefined;
  /** The cookie of a browser that has asked for a code. */
  asker?: string;
  /** Of a new account, for the login to fill in. */
  newEmail?: string;
  /** Hides the first steps on this browser's dashboard. */
  hidesSteps?: true;
};

/** A file, or JSON for one of our scripts, streamed piece by piece as it is read. */
export type Download = {
  pieces: AsyncGenerator<string> | AsyncGenerator<Uint8Array> | readonly string[];
  headers: Record<string, string>;
};

export type Answer = View | Leave | Download;

/** The places of the staff's menu, in its order. */
export const PLACES = ["Today", "Orders", "Inbox", "Bundles", "Agents", "Suppliers", "Money", "Reports"] as const;
/** Those at its foot. */
export const FOOT_PLACES = ["Settings", "Team"] as const;
export type StaffPlace = (typeof PLACES)[number] | (typeof FOOT_PLACES)[number];

/** Places whose pages share a heading and tabs. */
export type Section = Exclude<StaffPlace, "Today" | "Suppliers" | "Team">;

/** A tab of a section; pages with the same label are its parts, with links of their own below the tabs. */
export type Tab = { section: Section; label: string; part?: string };

export type Page = Access & {
  path: string;
  /** Its link in the menu, as labelled for agents or as a place of staff's; also in an agent's bar on a phone. */
  menu?: { agent?: string; admin?: StaffPlace; inBar?: true; icon: IconName };
  /** The path of the menu's link that it belongs to, if its own path does not begin with it. */
  under?: string;
  /** Its own tab in a section of staff's, or the path of the tab that it belongs under. */
  tab?: Tab | { section: Section; under: string };
  /** What one can do there, by which staff find it, besides its labels in the menu and the tabs: "Raise prices". */
  palette?: readonly string[];
  /**
   * For customers of agents, who have no account. Neither it nor an error on it links to anything of the shop, whose
   * prices are what the agent pays; at its top is the name of the agent's shop, or this one.
   */
  forCustomers?: string;
  /** What the id in its path identifies. */
  subject?: Subject;
  /**
   * Suffixes of the path at which tests open it: "?all=1", or "?draft=:draft" with the id of a draft. The bare path by
   * default; an empty list for files and for steps that only forms lead to.
   */
  examples?: readonly string[];
  /** Open to staff who still have to set up a second factor. */
  isForEnrolment?: true;
  bodyBytesMax?: number;
  /** Set when the form may carry files: the limit of the whole body. */
  uploadBytesMax?: number;
  /** Shows the page; with `refused`, shows it again with the values and the error. */
  show?: (context: Context, refused?: Refused) => Promise<Answer>;
  /** What its form that names no action takes beside the page's right. */
  submitRight?: Right;
  /** Handles the form that names no action. An AppError that it throws is shown by `show`. */
  submit?: ((context: Context) => Promise<Answer>) | Action;
  /** Handlers of its other forms, by the name that they send (ui/action.tsx). Errors are shown in the same way. */
  actions?: Record<string, Action>;
};

/** The handler of a form: checks its fields, then runs. `right` is what it takes beside the page's own. */
export type Action = {
  right?: Right;
  fields?: z.ZodType;
  run(context: Context, fields: unknown): Promise<Answer>;
};

/** A page's actions by name. Types the second argument of each `run` by the `fields` beside it. */
export function actionsOf<Read extends Record<string, unknown>>(
  actions: {
    [Name in keyof Read]: {
      right?: Right;
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

/** Redirects with a notice for the next page; one that begins with "!" is a warning. */
export function redirect(to: string, notice?: string): Leave {
  return { to, notice };
}

/** Returns `path` if it is one on this shop that no browser could read as another site, else `otherwise`. */
export function localPath(path: string | null, otherwise: string): string {
  return path && /^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(path) ? path : otherwise;
}

/** The origin that a payer returns to. */
export function originOf({ baseUrl, url }: Context): string {
  return baseUrl ?? url.origin;
}

/** The id in a page's path or query; null when it is none. */
export function readId(text: string | null | undefined): number | null {
  return /^[1-9]\d{0,14}$/.test(text ?? "") ? Number(text) : null;
}
