// Top-up of a wallet: the amount, then the payment page or a prompt on the payer's phone.
import * as wallet from "../../../core/ledger/wallet.ts";
import * as accountLimits from "../../../core/payments/account-limits.ts";
import * as payments from "../../../core/payments/payments.ts";
import * as settings from "../../../core/platform/settings/settings.ts";
import { decimal, parseCedis, show } from "../../../shared/money.ts";
import { type Context, type Leave, localPath, type Page, type Refused, type View } from "../../page.tsx";
import { HeldAndOwed } from "../../ui/funds.tsx";
import {
  leadToPayment,
  NoPaystackYet,
  ownPhone,
  readAmount,
  readBoth,
  readPhone,
  TopUpForm,
} from "../../ui/orders/paying.tsx";
import { Money } from "../../ui/parts.tsx";
import { TopUpLimits } from "../../ui/staff/limits.tsx";

export const topUpPages: Page[] = [{ path: "/wallet/top-up", role: "user", show: showTopUp, submit: topUp }];

async function showTopUp(context: Context, refused?: Refused): Promise<View> {
  const { db, by, gateway, url } = context;
  const [minimumPesewas, manualNumber, standing, limits, payerPhone] = await Promise.all([
    settings.get(db, "top_up_minimum_pesewas"),
    settings.get(db, "manual_payment_number"),
    wallet.standing(db, by.userId),
    accountLimits.of(db, by.userId),
    ownPhone(db, by.userId),
  ]);
  const requestedPesewas = parseCedis(url.searchParams.get("amount") ?? "") ?? 0;
  const back = localPath(refused?.values.get("back") ?? url.searchParams.get("back"), "");
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
        <TopUpLimits limits={limits} />
        {back && (
          <p className="note info">
            After the top-up you return to your purchase.
            {requestedPesewas > 0 && requestedPesewas < minimumPesewas && (
              <>
                {" "}
                You need {show(requestedPesewas)}; the minimum top-up is {show(minimumPesewas)}.
              </>
            )}
          </p>
        )}
        {gateway.keyState() === "missing" ? (
          <NoPaystackYet manualNumber={manualNumber} />
        ) : (
          <>
            <TopUpForm
              minimumPesewas={minimumPesewas}
              refused={refused}
              amount={requestedPesewas > 0 ? decimal(Math.max(requestedPesewas, minimumPesewas)) : undefined}
              payerPhone={payerPhone}
              back={back}
            />
            <p className="small soft after" id="manual">
              Or <a href="/wallet/manual">send mobile money yourself</a> and tell us its transaction ID.
            </p>
          </>
        )}
      </div>
    ),
  };
}

async function topUp(context: Context): Promise<Leave> {
  const { db, by, form, key } = context;
  const isByPhone = form.get("by") === "phone";
  const [amountPesewas, phone] = readBoth(
    () => readAmount(form),
    () => (isByPhone ? readPhone(form) : null),
  );
  const { answer } = await payments.startTopUp(db, { by, key, amountPesewas });
  const leave = await leadToPayment(context, { paymentId: answer.id }, phone);
  return { ...leave, afterTopUp: localPath(form.get("back"), "") || null };
}
