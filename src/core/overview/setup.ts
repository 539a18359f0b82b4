// The needs of a shop: to sell, be paid, send and be reached. An empty shop has nothing waiting, and is not well: Today
// names what stops it, and so does the start's output.
import { sql } from "drizzle-orm";
import type { Reads } from "../../../db/connect.ts";
import type { KeyMode } from "../../shared/api-keys.ts";
import { isNotYet } from "../../shared/pause.ts";
import * as products from "../catalog/products.ts";
import { familiesVia } from "../fulfilment/vendors.ts";
import type { KeyState, PaymentGateway } from "../payments/gateway.ts";
import * as settings from "../platform/settings/settings.ts";
import * as support from "../support/requests.ts";

/** What the environment has set up. */
export type SetUp = {
  gateway: Pick<PaymentGateway, "keyState">;
  /** The connected vendors. */
  vendors: readonly { code: string; name?: string }[];
  channels: { sms: boolean; email: boolean };
  /** Of the shop's data; the one for tests sends no messages. */
  keyMode: KeyMode;
};

/** What is missing, what does not work because of it, and the page that ends it; null where that is the environment. */
export type Missing = { name: string; effect: string; to: string | null };

export type Step = {
  /** The thing: "Bundles", "Paystack". */
  name: string;
  key: StepKey;
  /** Null while it is there. */
  missing: Missing | null;
  /** What there is, in a sentence. */
  there: string;
  /** The page of what comes after it, once it is there. */
  after?: string;
  /** A shop sells without it. */
  isOptional?: true;
};

export type StepKey =
  | "bundles"
  | "sending"
  | "paystack"
  | "deposits"
  | "support"
  | "email"
  | "sms"
  | "factor"
  | "team"
  | "ussd"
  | "purchase";

/** What stops a shop, what stops most first; empty for one that can sell. */
export async function missing(tx: Reads, setUp: SetUp): Promise<Missing[]> {
  return (await neededSteps(tx, setUp, await settings.all(tx))).flatMap(({ missing }) => missing ?? []);
}

/** All steps, in the order in which they are best taken. */
export async function steps(tx: Reads, setUp: SetUp): Promise<Step[]> {
  const set = await settings.all(tx);
  const [needed, [facts]] = await Promise.all([neededSteps(tx, setUp, set), tx.execute<Facts>(FACTS)]);
  return [...needed, firstPurchase(facts!, setUp.gateway.keyState()), ...optionalSteps(set, facts!)];
}

async function neededSteps(
  tx: Reads,
  { gateway, vendors, channels, keyMode }: SetUp,
  set: settings.Settings,
): Promise<Step[]> {
  const [bundles, [desk]] = await Promise.all([
    products.list(tx),
    tx.execute<{ was_used: boolean }>(sql`select exists (select from desk_batches) as was_used`),
  ]);
  const onSale = bundles.filter(({ paused }) => paused === null).length;
  const waiting = bundles.filter(({ paused }) => paused && isNotYet(paused)).length;
  const { email, phone, whatsApp } = support.contactsIn(set);
  const contacts = [email && "e-mail", phone && "phone", whatsApp && "WhatsApp"].filter(Boolean);
  const messages = keyMode === "test" ? [] : messageSteps(channels);
  return [
    {
      ...{ key: "bundles", name: "Bundles" },
      there: `${onSale} ${onSale === 1 ? "bundle is" : "bundles are"} on sale.`,
      missing:
        onSale > 0
          ? null
          : {
              name: "No bundle is on sale",
              ...(waiting > 0
                ? {
                    effect: `${waiting === 1 ? "1 waits" : `${waiting} wait`} for a cost.`,
                    to: "/admin/prices?show=not_yet",
                  }
                : { effect: "Nobody can buy anything.", to: "/admin/products/add" }),
            },
    },
    paystackStep(gateway.keyState()),
    sendingStep(vendors, set, set.sends_by_hand || desk!.was_used),
    {
      ...{ key: "support", name: "Support contact" },
      there: `Agents and customers reach you by ${contacts.join(", ")}.`,
      missing:
        contacts.length > 0
          ? null
          : {
              name: "No support contact",
              effect: "Agents and customers cannot reach you.",
              to: "/admin/settings#set-support_email",
            },
    },
    ...messages,
  ];
}

type Facts = {
  staff: number;
  with_factor: number;
  was_delivered: boolean;
};

const FACTS = sql`
  select (select count(*) from users where 'USER' <> all (roles) and status = 'ACTIVE')::int as staff,
         (select count(*) from users u join second_factors f on f.user_id = u.id and f.confirmed_at is not null
          where 'USER' <> all (u.roles) and u.status = 'ACTIVE')::int as with_factor,
         exists (select from orders where status in ('DELIVERED', 'COMPLETED')) as was_delivered`;

function paystackStep(key: KeyState): Step {
  const lacks: Record<KeyState, Missing | null> = {
    accepted: null,
    missing: {
      name: "No Paystack key",
      effect: "Nobody can pay by mobile money or card.",
      to: "/admin/setup/paystack",
    },
    refused: {
      name: "Paystack refuses the key",
      effect: "Nobody can pay by mobile money or card.",
      to: "/admin/setup/paystack",
    },
    unknown: {
      name: "Paystack has not answered yet",
      effect: "Whether anybody can pay by mobile money or card is not known.",
      to: null,
    },
  };
  return {
    ...{ key: "paystack", name: "Paystack" },
    there: "Paystack takes the key.",
    missing: lacks[key],
  };
}

/** A supplier sends nothing before a route has it. */
function sendingStep(vendors: SetUp["vendors"], set: settings.Settings, isByHand: boolean): Step {
  const [used, idle] = [true, false].map((isUsed) =>
    vendors.filter(({ code }) => familiesVia(set, code).length > 0 === isUsed).map(({ code, name }) => name ?? code),
  ) as [string[], string[]];
  const waits = idle.length > 0 ? ` ${idle.join(", ")}: connected, and in no route yet.` : "";
  return {
    ...{ key: "sending", name: "Sending" },
    after: vendors.length > 0 ? "/admin/vendors" : "/admin/setup#keys",
    there: `${used.length > 0 ? `Sent by ${used.join(", ")}.` : "Sent by hand."}${waits}`,
    missing: used.length > 0 || isByHand ? null : idle.length > 0 ? NO_ROUTE : NO_SENDER,
  };
}

const NO_ROUTE: Missing = {
  name: "A supplier is connected, and in no route yet",
  effect: "Paid orders wait at the desk until you choose what it sends.",
  to: "/admin/vendors",
};
const NO_SENDER: Missing = {
  name: "No supplier is connected, and nobody has taken a batch",
  effect: "Paid orders wait at the desk until somebody sends them.",
  to: "/admin/desk",
};

function messageSteps({ email, sms }: SetUp["channels"]): Step[] {
  return [
    {
      ...{ key: "email", name: "E-mail" },
      there: "E-mail is set up.",
      missing: email
        ? null
        : {
            name: "No e-mail",
            effect: "Passwords cannot be reset by e-mail, and staff get no notices.",
            to: "/admin/setup/email",
          },
    },
    {
      ...{ key: "sms", name: "SMS" },
      there: "An SMS gateway is set up.",
      missing: sms
        ? null
        : {
            name: "No SMS",
            effect: "Phones cannot be confirmed. Set up one of the SMS gateways.",
            to: "/admin/setup/africastalking",
          },
    },
  ];
}

const open = (is: boolean, name: string, effect: string, to: string): Missing | null =>
  is ? null : { name, effect, to };

/** Nobody fills their own wallet but through Paystack: without it an owner needs an agent for the first purchase. */
function firstPurchase({ was_delivered }: Facts, key: KeyState): Step {
  const [how, to] =
    key === "missing"
      ? ["Add an agent, put the cash they pay you in their wallet, and let them buy one bundle.", "/admin/users?new=1"]
      : ["Buy one bundle for your own phone: it shows that everything works.", "/buy"];
  return {
    ...{ key: "purchase", name: "First purchase", isOptional: true },
    there: "A bundle has been delivered.",
    missing: open(was_delivered, "Nothing has been delivered yet", how!, to!),
  };
}

/** What is up to the owner, and stops nobody. */
function optionalSteps(set: settings.Settings, { staff, with_factor }: Facts): Step[] {
  return [
    {
      ...{ key: "deposits", name: "Deposits by hand", isOptional: true },
      there: `Agents deposit to ${set.manual_payment_number}.`,
      missing: open(
        set.manual_payment_number !== "",
        "No mobile money number for deposits",
        "Agents can only top up through Paystack.",
        "/admin/settings#set-manual_payment_number",
      ),
    },
    {
      ...{ key: "factor", name: "Extra login code", isOptional: true },
      there: `${with_factor} of ${staff} staff have one.`,
      missing: open(
        with_factor === staff,
        with_factor === 0
          ? "Nobody has an extra login code"
          : `Only ${with_factor} of ${staff} staff have an extra login code`,
        "A stolen password is enough to take the shop's money.",
        "/profile/second-factor",
      ),
    },
    {
      ...{ key: "team", name: "Team", isOptional: true },
      there: `${staff} people run the shop.`,
      missing: open(
        staff > 1,
        "You run the shop alone",
        "Nobody can agree to what needs a second person.",
        "/admin/staff",
      ),
    },
    {
      ...{ key: "ussd", name: "USSD code", isOptional: true },
      there: `Agents dial ${set.ussd_code}.`,
      missing: open(
        set.ussd_code !== "",
        "No USSD code",
        "Agents buy on the web and by SMS.",
        "/admin/settings#set-ussd_code",
      ),
    },
  ];
}
