// The fields of limits on spending, for a tier or an account, and how they are read. An empty field is no limit.
import { z } from "zod";
import type { Bounds } from "../../../../core/identity/spending-limits.ts";
import { decimal, parseCedis } from "../../../../shared/money.ts";
import type { Refused } from "../../../page.tsx";
import { Field } from "../../../ui/parts.tsx";

const notAnAmount = "Enter an amount such as 500.00, or nothing";
const notACount = "Enter a whole number, or nothing";

const MaxAmount = z
  .string()
  .default("")
  .transform((text, context) => {
    if (text.trim() === "") return null;
    const pesewas = parseCedis(text);
    if (pesewas === null || pesewas < 0) context.addIssue(notAnAmount);
    return pesewas;
  });

const MaxCount = z
  .string()
  .trim()
  .regex(/^\d{0,5}$/, notACount)
  .default("")
  .transform((text) => (text === "" ? null : Number(text)));

export const BoundsFields = z
  .object({ perDay: MaxAmount, perHour: MaxCount, youngDays: MaxCount, topUps: MaxCount, balance: MaxAmount })
  .refine(({ youngDays, topUps }) => (youngDays === null) === (topUps === null), {
    error: "Fill in both of these fields, or none",
    path: ["topUps"],
  })
  .refine(({ youngDays }) => youngDays !== 0, { error: "At least 1 day, or nothing", path: ["youngDays"] })
  .transform(
    ({ perDay, perHour, youngDays, topUps, balance }): Bounds => ({
      dayMaxPesewas: perDay,
      hourOrdersMax: perHour,
      youngDays,
      youngTopUpsMax: topUps,
      balanceMaxPesewas: balance,
    }),
  );

type Props = { idPrefix: string; refused: Refused | undefined; bounds: Bounds };

/** The fields that `BoundsFields` reads, filled in with these limits. */
export function BoundsForm({ bounds, ...common }: Props) {
  const { dayMaxPesewas, hourOrdersMax, youngDays, youngTopUpsMax, balanceMaxPesewas } = bounds;
  return (
    <>
      <Field
        {...common}
        label="Spend a day (GH₵)"
        name="perDay"
        inputMode="decimal"
        placeholder="No limit"
        value={amountText(dayMaxPesewas)}
      />
      <Field
        {...common}
        label="Orders an hour"
        name="perHour"
        inputMode="numeric"
        placeholder="No limit"
        value={countText(hourOrdersMax)}
      />
      <Field
        {...common}
        label="Balance for top-ups (GH₵)"
        name="balance"
        inputMode="decimal"
        placeholder="No limit"
        value={amountText(balanceMaxPesewas)}
        hint="Money that arrives above it is still credited"
      />
      <Field
        {...common}
        label="Top-ups a day of a young account"
        name="topUps"
        inputMode="numeric"
        placeholder="No limit"
        value={countText(youngTopUpsMax)}
        hint="Payments for orders count as well: their money comes to the wallet when the order is cancelled"
      />
      <Field
        {...common}
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
