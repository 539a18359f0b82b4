// Topping up a wallet: how much, and then either the payment page or a prompt on the payer's phone.
import { z } from "zod";
import * as payments from "../../core/payments.ts";
import * as settings from "../../core/settings.ts";
import * as wallet from "../../core/wallet.ts";
import { NETWORKS, type Network } from "../../shared/domain.ts";
import { AppError } from "../../shared/errors.ts";
import { parseCedis, show } from "../../shared/money.ts";
import { parseMsisdn } from "../../shared/msisdn.ts";
import {
  type Context,
  type Leave,
  originOf,
  type Page,
  type Refused,
  readFields,
  type View,
} from "../page.tsx";
import { Field, FormKey, HeldAndOwed, Money, RefusalNote } from "../parts.tsx";

export const topUpPages: Page[] = [{ path: "/wallet/top-up", role: "user", show: showTopUp, submit: topUp }];

const notAnAmount = "Please enter a valid amount";
/** An amount that a person typed, in pesewas and above zero. */
export const Amount = z
  .string(notAnAmount)
  .transform((text) => parseCedis(text) ?? 0)
  .refine((pesewas) => pesewas > 0, notAnAmount);

const TopUp = z.object({ amount: Amount, by: z.enum(["page", "phone"]).default("page") });

async function showTopUp(context: Context, refused?: Refused): Promise<View> {
  const { db, by, gateway, url } = context;
  const [minimumPesewas, standing] = await Promise.all([
    settings.get(db, "top_up_minimum_pesewas"),
    wallet.standing(db, by.userId!),
  ]);
  const amount = url.searchParams.get("amount") ?? undefined;
  return {
    title: "Top Up Wallet",
    formTargets: [gateway.checkoutOrigin],
    body: (
      <div className="card narrow">
        <h1>Top Up Wallet</h1>
        <p className="soft">
          In your wallet: <Money pesewas={standing.balancePesewas} />
        </p>
        <HeldAndOwed standing={standing} />
        <TopUpForm minimumPesewas={minimumPesewas} refused={refused} amount={amount} />
        <p className="small soft">
          You can also <a href="/wallet#manual">send mobile money yourself</a> and tell us its transaction ID.
        </p>
      </div>
    ),
  };
}

type FormProps = { minimumPesewas: number; refused?: Refused | undefined; amount?: string | undefined };

export function TopUpForm({ minimumPesewas, refused, amount }: FormProps) {
  return (
    <>
      <RefusalNote refused={refused} />
      <form method="post" action="/wallet/top-up" className="fields" noValidate>
        <FormKey refused={refused} />
        <Field
          label="Amount in GH₵"
          name="amount"
          idPrefix="top-up"
          inputMode="decimal"
          autoComplete="off"
          placeholder="20.00"
          refused={refused}
          required
          hint={`Minimum ${show(minimumPesewas)}`}
          {...(amount && { value: amount })}
        />
        <button name="by" value="page" type="submit">
          Pay with Paystack
        </button>
        <p className="hint">By card or mobile money, on Paystack's own page.</p>
        <PhoneFields refused={refused} />
      </form>
    </>
  );
}

/** Mobile money without leaving the shop. Any network may be chosen: numbers are portable. */
export function PhoneFields({ refused }: { refused?: Refused | undefined }) {
  return (
    <details className="phone" open={refused?.values.get("by") === "phone"}>
      <summary>Approve on my phone (MoMo)</summary>
      <div className="fields">
        <Field label="Mobile money network" name="network" idPrefix="top-up" refused={refused}>
          {Object.entries(NETWORKS).map(([network, name]) => (
            <option key={network} value={network}>
              {name}
            </option>
          ))}
        </Field>
        <Field
          label="Mobile money number"
          name="phone"
          idPrefix="top-up"
          type="tel"
          inputMode="tel"
          autoComplete="tel"
          placeholder="0541234567"
          refused={refused}
        />
        <button className="quiet" name="by" value="phone" type="submit">
          Ask my phone
        </button>
      </div>
    </details>
  );
}

async function topUp(context: Context): Promise<Leave> {
  const { db, by, form, key } = context;
  const { amount: amountPesewas, by: way } = readFields(TopUp, form);
  const phone = way === "phone" ? readPhone(form) : null;
  const { answer } = await payments.startTopUp(db, { by, key, amountPesewas });
  return leadToPayment(context, { paymentId: answer.id }, phone);
}

type Phone = { network: Network; msisdn: string };

const Phone = z.object({
  network: z.enum(Object.keys(NETWORKS) as [Network, ...Network[]], "Choose the network"),
  phone: z.string().trim().min(1, "Enter the mobile money number").max(40),
});

/** Throws request.invalid and msisdn.invalid beside their fields. */
export function readPhone(form: URLSearchParams): Phone {
  const { network, phone } = readFields(Phone, form);
  const msisdn = parseMsisdn(phone);
  if (!msisdn) {
    const { message } = new AppError("msisdn.invalid");
    throw new AppError("msisdn.invalid", { fields: { phone: message } }, message);
  }
  return { network, msisdn };
}

/** Opens the payment page, or sends the prompt and leads to the page that tells what becomes of it. */
export async function leadToPayment(
  context: Context,
  subject: payments.Subject,
  phone: Phone | null,
  email: string | null = null,
): Promise<Leave> {
  const { db, by, gateway } = context;
  if (phone) {
    const { reference } = await payments.charge(db, gateway, { by, subject, email, ...phone });
    return { to: `/payments/${reference}` };
  }
  const origin = originOf(context);
  const callbackUrl = `${origin}/payments/return`;
  const cancelUrl = `${origin}${"orderId" in subject ? `/orders/${subject.orderId}` : "/wallet"}`;
  const { authorizationUrl } = await payments.checkOut(db, gateway, {
    by,
    subject,
    email,
    callbackUrl,
    cancelUrl,
  });
  return { to: authorizationUrl };
}
