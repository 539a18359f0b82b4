// The total of a purchase and the balance afterwards, as the form is filled in.
import { useRef } from "react";
import { QUANTITY_MAX } from "../src/shared/domain.ts";
import { Cost, unitPriceOf } from "./parts/cost.tsx";
import { useFields } from "./parts/form.ts";

type Props = { balancePesewas: number; productId: string; quantity: string };

export function PurchaseTotal({ balancePesewas, productId, quantity }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const chosen = useFields(place, { productId, quantity });
  const unitPesewas = unitPriceOf(chosen.productId);
  const count = /^\d{1,3}$/.test(chosen.quantity.trim()) ? Number(chosen.quantity) : 0;
  const isKnown = unitPesewas !== null && count >= 1 && count <= QUANTITY_MAX;
  return (
    <div ref={place} role="status">
      {isKnown && <Cost totalPesewas={unitPesewas * count} balancePesewas={balancePesewas} />}
    </div>
  );
}
