// Start of a payment from any page: the amount, the paying phone, and the redirect to the payment page.

import { z } from "zod";
import type { Db } from "../../../../db/connect.ts";
import { PayerNetwork } from "../../../../islands/payer-network.tsx";
import * as phones from "../../../core/identity/phones/phones.ts";
import * as prompts from "../../../core/payments/momo-prompts.ts";
import * as payments from "../../../core/payments/payments.ts";
import { NETWORKS, type Network } from "../../../shared/domain.ts";
import { AppError } from "../../../shared/errors/app-error.ts";
import { decimal, parseCedis, show } from "../../../shared/money.ts";
import { guessNetwork } from "../../../shared/operators.ts";
import { localMsisdn, parseMsisdn, spacedMsisdn } from "../../../shared/phones/msisdn.ts";
import { Sheet } from "../../html.tsx";
import { Island } from "../../island.tsx";
import { type Context, type Leave, originOf, type Refused } from "../../page.tsx";
import { readFields, readValues } from "../../read-fields.ts";
import { Field, Once, RefusalNote } from "../fields.tsx";
import { Form } from "../form.tsx";
import { PageLink } from "../frame/permitted.tsx";
import { OperatorsForIslands } from "./operator-facts.tsx";

const notAnAmount = "Please enter a valid amount";

/** A typed amount in cedis, as pesewas above zero. */
export const Amount = z
  .string(notAnAmount)
  .transform((text) => parseCedis(text) ?? 0)
  .refine((pesewas) => pesewas > 0, notAnAmount);

/** In a shop without Paystack's key: how its agents pay all the same, and for owners where to enter it. */
export function NoPaystackYet({ manualNumber }: { manualNumber: string }) {
  return (
    <p className="note warn" id="manual">
      Prompts and cards are not set up in this shop yet.{" "}
      {manualNumber ? (
        <>
          <a href="/wallet/manual">Send mobile money yourself</a> and report its transaction ID.
        </>
      ) : (
        <>
          Pay the shop in cash, and it puts the money in your wallet. <a href="/support#write">Ask the shop</a>
        </>
      )}{" "}
      <PageLink href="/admin/setup/paystack">Enter Paystack's key</PageLink>
    </p>
  );
}

/** The amounts that most top-ups have, in pesewas. */
const USUAL_PESEWAS = [2_000, 5_000, 10_000, 20_000];

type FormProps = {
  minimumPesewas: number;
  payerPhone: OwnPhone | null;
  refused?: Refused | undefined;
  amount?: string | undefined;
  /** The page to return to once it is paid. */
  back?: string;
};

/** Mobile money first: the amount, the number, and a prompt. The same as last time is one press. */
export function TopUpForm({ minimumPesewas, payerPhone, refused, amount, back }: FormProps) {
  const last = payerPhone?.last;
  const isFresh = !refused && !amount;
  return (
    <>
      <Sheet name="paying" />
      {last && isFresh && last.amountPesewas >= minimumPesewas && <LastTime last={last} />}
      <RefusalNote refused={refused} />
      <Form
        to="/wallet/top-up"
        refused={refused}
        sends={{ back: back || undefined }}
        idPrefix="top-up"
        isOnce
        className="fields paying"
        noValidate
      >
        <AmountFields
          minimumPesewas={minimumPesewas}
          refused={refused}
          amount={amount}
          lastPesewas={isFresh ? last?.amountPesewas : undefined}
        />
        <PhoneFields refused={refused} payerPhone={payerPhone} />
        <Once needs={["amount", "preset"]} />
      </Form>
    </>
  );
}

function LastTime({ last }: { last: prompts.Prompt }) {
  return (
    <Form
      to="/wallet/top-up"
      sends={{ amount: decimal(last.amountPesewas), phone: localMsisdn(last.msisdn), network: last.network }}
      isOnce
      className="last-time"
    >
      <button className="quiet wide" name="by" value="phone" type="submit" data-sending="Sending…">
        <span className="small soft">Same as last time</span>
        <span>
          {show(last.amountPesewas).replace(".00", "")} from <span className="money">{spacedMsisdn(last.msisdn)}</span>
        </span>
      </button>
    </Form>
  );
}

type AmountProps = Pick<FormProps, "minimumPesewas" | "refused" | "amount"> & {
  lastPesewas: number | undefined;
};

/** The usual amounts as radio buttons, and a field for any other, which counts when both are filled in. */
function AmountFields({ minimumPesewas, refused, amount, lastPesewas }: AmountProps) {
  const usual = USUAL_PESEWAS.filter((pesewas) => pesewas >= minimumPesewas);
  const chosen = refused ? refused.values.get("preset") : lastPesewas && decimal(lastPesewas);
  return (
    <fieldset className="amounts">
      <legend className="label">Amount in GH₵</legend>
      <div className="presets">
        {usual.map((pesewas) => {
          const cedis = decimal(pesewas);
          return (
            <label className="preset" key={pesewas}>
              <input type="radio" name="preset" value={cedis} defaultChecked={cedis === chosen} />
              <span>{cedis.replace(".00", "")}</span>
            </label>
          );
        })}
      </div>
      <Field
        label="Other amount"
        name="amount"
        inputMode="decimal"
        autoComplete="off"
        placeholder="35.00"
        hint={`Minimum ${show(minimumPesewas)}`}
        {...(amount && { value: amount })}
      />
    </fieldset>
  );
}

/** The phone that somebody most likely pays from. */
export type OwnPhone = {
  msisdn: string;
  /** Whether it is the account's confirmed phone; else the one of the last top-up. */
  isConfirmed: boolean;
  /** Set when the last top-up has shown that the number is not with the network of its prefix. */
  portedTo: Network | null;
  last: prompts.Prompt | null;
};

/** The confirmed phone of an account, or else the one of its last top-up by a prompt; null without either. */
export async function ownPhone(db: Db, userId: number): Promise<OwnPhone | null> {
  const [{ phone }, last] = await Promise.all([phones.stateOf(db, userId), prompts.last(db, userId)]);
  const msisdn = phone?.msisdn ?? last?.msisdn;
  if (!msisdn) return null;
  const isPorted = last?.msisdn === msisdn && last.network !== guessNetwork(msisdn);
  return { msisdn, isConfirmed: phone !== null, portedTo: isPorted ? last.network : null, last };
}

type PhoneProps = { refused?: Refused | undefined; payerPhone: OwnPhone | null };

/** The two ways to pay: a prompt on a phone, of any network, because numbers are portable, or the provider's page. */
export function PhoneFields({ refused, payerPhone }: PhoneProps) {
  const own = payerPhone ? localMsisdn(payerPhone.msisdn) : "";
  const isNetworkOpen = Boolean(refused?.values.get("network") || fieldsOf(refused?.error).network);
  return (
    <>
      <Field
        label="Mobile money number"
        name="phone"
        idPrefix="top-up"
        type="tel"
        inputMode="tel"
        autoComplete="tel"
        placeholder="0541234567"
        refused={refused}
        live={<PayerHelp own={own} />}
        {...(payerPhone && { value: own, hint: hintAbout(payerPhone) })}
      />
      <div className="ways">
        <button name="by" value="phone" type="submit" data-sending="Sending…">
          Send prompt to my phone
        </button>
        <button className="quiet" name="by" value="page" type="submit" data-sending="One moment…">
          Card or bank
        </button>
      </div>
      <details className="ported" open={isNetworkOpen || Boolean(payerPhone?.portedTo)}>
        <summary>Number moved to another network?</summary>
        <Field
          label="Mobile money network"
          name="network"
          idPrefix="top-up"
          refused={refused}
          value={payerPhone?.portedTo ?? ""}
        >
          <option value="">From the number</option>
          {Object.entries(NETWORKS).map(([network, name]) => (
            <option key={network} value={network}>
              {name}
            </option>
          ))}
        </Field>
      </details>
    </>
  );
}

function hintAbout({ msisdn, isConfirmed, portedTo }: OwnPhone): string {
  const network = portedTo ?? guessNetwork(msisdn);
  const whose = isConfirmed ? "Your confirmed phone" : "The phone you paid from last time";
  return network ? `${whose}, ${NETWORKS[network]}` : whose;
}

type Phone = { network: Network; msisdn: string };

const Phone = z.object({
  network: z.enum(["", ...(Object.keys(NETWORKS) as Network[])], "Choose the network").default(""),
  phone: z.string().trim().min(1, "Enter the mobile money number").max(40),
});

/**
 * Reads the number, and its network as it was chosen or by its prefix. Throws request.invalid and msisdn.invalid with
 * messages for their fields.
 */
export function readPhone(form: URLSearchParams): Phone {
  const { network: chosen, phone } = readFields(Phone, form);
  const msisdn = parseMsisdn(phone);
  if (!msisdn) throw refusalOf("phone", new AppError("msisdn.invalid"));
  const network = chosen || guessNetwork(msisdn);
  if (!network) {
    const message = "Choose the network of this number";
    throw refusalOf("network", new AppError("request.invalid", undefined, message));
  }
  return { network, msisdn };
}

/** Reads the amount of a top-up: what was typed, or else the chosen one. Throws request.invalid. */
export function readAmount(form: URLSearchParams): number {
  const amount = form.get("amount")?.trim() || (form.get("preset") ?? "");
  return readValues(z.object({ amount: Amount }), { amount }).amount;
}

/** Reads two parts of a form. Throws the first refusal, with the messages for the fields of both. */
export function readBoth<A, B>(readOne: () => A, readOther: () => B): [A, B] {
  const [one, other] = [attempt(readOne), attempt(readOther)];
  if ("value" in one && "value" in other) return [one.value, other.value];
  const [first, second] = [one, other].flatMap((read) => ("error" in read ? [read.error] : []));
  const fields = { ...fieldsOf(first), ...fieldsOf(second) };
  throw new AppError(first!.code, { ...first!.details, fields }, first!.message);
}

function attempt<T>(read: () => T): { value: T } | { error: AppError } {
  try {
    return { value: read() };
  } catch (error) {
    if (error instanceof AppError) return { error };
    throw error;
  }
}

const fieldsOf = (error: AppError | undefined): Record<string, string> => error?.details?.fields ?? {};

function refusalOf(field: string, { code, message }: AppError): AppError {
  return new AppError(code, { fields: { [field]: message } }, message);
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

function PayerHelp({ own }: { own: string }) {
  return (
    <>
      <OperatorsForIslands />
      <Island component={PayerNetwork} props={{ own }} on="idle" />
    </>
  );
}
