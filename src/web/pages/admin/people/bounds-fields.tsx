// The fields of limits on spending, for a tier or an account. An empty field is no limit.
import type { Bounds } from "../../../../core/identity/spending-limits.ts";
import { decimal } from "../../../../shared/money.ts";
import { Field } from "../../../ui/fields.tsx";

/** The fields of `BOUNDS`, filled in with these limits. */
export function BoundsForm({ bounds }: { bounds: Bounds }) {
  const { dayMaxPesewas, hourOrdersMax, youngDays, youngTopUpsMax, balanceMaxPesewas } = bounds;
  return (
    <>
      <Field
        label="Spend a day (GH₵)"
        name="perDay"
        inputMode="decimal"
        placeholder="No limit"
        value={amountText(dayMaxPesewas)}
      />
      <Field
        label="Orders an hour"
        name="ordersPerHour"
        inputMode="numeric"
        placeholder="No limit"
        value={countText(hourOrdersMax)}
      />
      <Field
        label="Balance for top-ups (GH₵)"
        name="balanceMax"
        inputMode="decimal"
        placeholder="No limit"
        value={amountText(balanceMaxPesewas)}
        hint="Money that arrives above it is still credited"
      />
      <Field
        label="Top-ups a day of a young account"
        name="youngTopUpsPerDay"
        inputMode="numeric"
        placeholder="No limit"
        value={countText(youngTopUpsMax)}
        hint="Payments for orders count as well: their money comes to the wallet when the order is cancelled"
      />
      <Field
        label="Young for (days)"
        name="youngDays"
        inputMode="numeric"
        placeholder="30"
        value={countText(youngDays)}
      />
    </>
  );
}

function amountText(pesewas: number | null): string {
  return pesewas === null ? "" : decimal(pesewas);
}

function countText(count: number | null): string {
  return count === null ? "" : String(count);
}
