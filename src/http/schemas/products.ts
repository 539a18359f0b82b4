// Schemas of products and pauses of sale.

import { z } from "zod";
import type { OperatorState as StoredOperator } from "../../core/catalog/operators/operators.ts";
import type { ProductOnSale } from "../../core/catalog/products.ts";
import { Family, Id, Operator } from "../../shared/inputs.ts";
import type { Pause } from "../../shared/pause.ts";
import { Moment, money, view } from "../view.ts";

export const ProductQuery = z.object({ operator: z.string().toUpperCase().pipe(Operator).optional() });

export const OperatorState = view(
  {
    operator: Operator,
    name: z.string(),
    paused: z.boolean(),
    message: z.string().nullable(),
    since: Moment.nullable(),
    until: Moment.nullable().describe("When it sells again by itself; null: unknown, or not paused"),
  },
  ({ paused, ...operator }: StoredOperator) => ({
    ...operator,
    paused: paused !== null,
    message: paused?.message ?? null,
    since: paused?.since ?? null,
    until: paused?.until ?? null,
  }),
);

/** What a pause of sale shows: the shop's message, and its end. */
export const pauseOf = (paused: Pause | null) => ({
  paused: paused?.message ?? null,
  pausedUntil: paused?.until ?? null,
});

export const Product = view(
  {
    id: Id,
    operator: Operator,
    family: Family.nullable().describe("The kind of bundle; null for AFA registrations"),
    name: z.string(),
    size: z.string(),
    pricePesewas: money("price"),
    paused: z.string().nullable().describe("Why it cannot be bought now; null: it can"),
    pausedUntil: Moment.nullable().describe("When it can be bought again; null: unknown, or not paused"),
  },
  (product: Omit<ProductOnSale, "ownPause">) => ({ ...product, ...pauseOf(product.paused) }),
);
