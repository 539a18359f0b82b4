// The formula that changes all prices that are shown: its folded fields, and what they hold.
import * as formulas from "../../../../core/catalog/price-formulas.ts";
import type { Tier } from "../../../../core/catalog/tiers.ts";
import { AppError } from "../../../../shared/errors/app-error.ts";
import { parseCedis } from "../../../../shared/money.ts";
import { submits } from "../../../ui/action.tsx";
import { Field } from "../../../ui/fields.tsx";
import type { PriceAction } from "./prices.tsx";

/** How a formula is called in its form and in the list of changes. */
export const FORMULA_LABELS: Record<formulas.FormulaKind, string> = {
  percent: "Price + %",
  amount: "Price + GH₵",
  cost_percent: "Cost + %",
  cost_amount: "Cost + GH₵",
};
const ROUNDINGS: [number, string][] = [
  [1, "0.01"],
  [5, "0.05"],
  [10, "0.10"],
];

/** `query` may fill in the kind and the amount, for links to it. */
type Props = { tiers: Tier[]; query: URLSearchParams; isOpen: boolean };

/** The fields that compute all prices that are shown, within the form of the table. */
export function FormulaFold({ tiers, query, isOpen }: Props) {
  const kind = formulas.FORMULAS.find((one) => one === query.get("kind")) ?? "percent";

  return (
    <details className="all-shown" open={isOpen || query.has("kind")}>
      <summary>Change all shown …</summary>
      <div className="formula">
        <Field label="Change" name="kind" value={kind}>
          {formulas.FORMULAS.map((kind) => (
            <option key={kind} value={kind}>
              {FORMULA_LABELS[kind]}
            </option>
          ))}
        </Field>
        <Field
          label="By"
          name="by"
          inputMode="decimal"
          placeholder="5 or -0.20"
          value={(query.get("by") ?? "").slice(0, 20)}
          autoComplete="off"
        />
        <Field label="For" name="tier" value="">
          <option value="">All prices</option>
          {tiers.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Field>
        <Field label="Round to" name="rounding" value="5">
          {ROUNDINGS.map(([pesewas, label]) => (
            <option key={pesewas} value={pesewas}>
              {label}
            </option>
          ))}
        </Field>
        <button className="quiet" type="submit" {...submits<PriceAction>("formula")}>
          Preview all shown
        </button>
      </div>
    </details>
  );
}

/** The formula of a form. Throws request.invalid about its amount. */
export function formulaIn(form: URLSearchParams): formulas.Formula {
  const kind = formulas.FORMULAS.find((one) => one === form.get("kind")) ?? "percent";
  const rounding = ROUNDINGS.find(([pesewas]) => String(pesewas) === form.get("rounding"))?.[0] ?? 1;
  const typed = (form.get("by") ?? "").trim().replace(/^\+/, "").replace("−", "-").replace(/\s*%$/, "");
  // Hundredths of a per cent are written as pesewas are.
  const value = parseCedis(typed);
  const isPercent = kind === "percent" || kind === "cost_percent";
  if (value === null || (isPercent && (value < -9_000 || value > 100_000))) {
    const message = isPercent ? "Enter a number like 5 or -2.5" : "Enter an amount like 0.20 or -0.20";
    throw new AppError("request.invalid", { fields: { by: message } }, message);
  }
  return { kind, value, rounding };
}
