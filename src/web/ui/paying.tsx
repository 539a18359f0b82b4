// Start of a payment from any page: the amount, the paying phone, and the redirect to the payment page.
import { z } from "zod";
import type { Db } from "../../../db/connect.ts";
import * as phones from "../../core/identity/phones.ts";
import * as payments from "../../core/payments/payments.ts";
import { NETWORKS, type Network, type Operator } from "../../shared/domain.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import { parseCedis, show } from "../../shared/money.ts";
import { guessOperator, localMsisdn, parseMsisdn } from "../../shared/msisdn.ts";
import { type Context, type Leave, originOf, type Refused, readFields } from "../page.tsx";
import { Field, FormKey, Once, RefusalNote } from "./parts.tsx";

const notAnAmount = "Please enter a valid amount";

/** A typed amount in cedis, as pesewas above zero. */
export const Amount = z
  .string(notAnAmount)
  .transform((text) => parseCedis(text) ?? 0)
  .refine((pesewas) => pesewas > 0, notAnAmount);

type FormProps = {
  minimumPesewas: number;
  payerPhone: OwnPhone | null;
  refused?: Refused | undefined;
  amount?: string | undefined;
  /** The page to return to once it is paid. */
  back?: string;
};

export function TopUpForm({ minimumPesewas, payerPhone, refused, amount, back }: FormProps) {
  return (
    <>
      <RefusalNote refused={refused} />
      <form method="post" action="/wallet/top-up" className="fields" noValidate>
        <FormKey refused={refused} />
        {back && <input type="hidden" name="back" value={back} />}
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
        <button name="by" value="page" type="submit" data-sending="One moment…">
          Pay with Paystack
        </button>
        <p className="hint">By card or mobile money, on Paystack's own page.</p>
        <PhoneFields refused={refused} payerPhone={payerPhone} />
        <Once needs="amount" />
      </form>
    </>
  );
}

/** A confirmed phone, and the network that issued its number. */
type OwnPhone = { msisdn: string; network: Network | null };

const NETWORK_OF: Record<Operator, Network> = { MTN: "mtn", TELECEL: "vod", AIRTELTIGO: "atl" };

/** The confirmed phone of an account, from which most people pay. */
export async function ownPhone(db: Db, userId: number): Promise<OwnPhone | null> {
  const { phone } = await phones.stateOf(db, userId);
  if (!phone) return null;
  const operator = guessOperator(phone.msisdn);
  return { msisdn: phone.msisdn, network: operator && NETWORK_OF[operator] };
}

type PhoneProps = { refused?: Refused | undefined; payerPhone: OwnPhone | null };

/** Mobile money without leaving the shop. Any network may be chosen: numbers are portable. */
export function PhoneFields({ refused, payerPhone }: PhoneProps) {
  return (
    <details className="phone" open={refused?.values.get("by") === "phone"}>
      <summary>Approve on my phone (MoMo)</summary>
      <div className="fields">
        <Field
          label="Mobile money network"
          name="network"
          idPrefix="top-up"
          refused={refused}
          {...(payerPhone?.network && { value: payerPhone.network })}
        >
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
          {...(payerPhone && {
            value: localMsisdn(payerPhone.msisdn),
            hint: "Your confirmed phone. Any other works too.",
          })}
        />
        <button className="quiet" name="by" value="phone" type="submit" data-sending="Sending…">
          Send prompt to my phone
        </button>
      </div>
    </details>
  );
}

type Phone = { network: Network; msisdn: string };

const Phone = z.object({
  network: z.enum(Object.keys(NETWORKS) as [Network, ...Network[]], "Choose the network"),
  phone: z.string().trim().min(1, "Enter the mobile money number").max(40),
});

/** Reads the network and the number. Throws request.invalid and msisdn.invalid with messages for their fields. */
export function readPhone(form: URLSearchParams): Phone {
  const { network, phone } = readFields(Phone, form);
  const msisdn = parseMsisdn(phone);
  if (!msisdn) {
    const { message } = new AppError("msisdn.invalid");
    throw new AppError("msisdn.invalid", { fields: { phone: message } }, message);
  }
  return { network, msisdn };
}

/** Redirects to the payment page, or sends a prompt to the phone and redirects to the page that follows the payment. */
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
