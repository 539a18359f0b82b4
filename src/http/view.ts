// Views: what the API shows of a row, as schema and presenter in one. Amounts become GH₵ and moments text by their
// types.
import { z } from "zod";
import { as, type Fields, publicName, type Values } from "../shared/fields.ts";
import { Cedis } from "../shared/inputs.ts";

export type View<F extends Fields, Row = Values<F>> = {
  /** What its readers get, for the description. */
  schema: z.ZodObject;
  /** What they get of a row, in the order of the fields; what a row has besides stays inside. */
  present: (row: Row) => Record<string, unknown>;
};

/** A view of rows with these fields, by their names in the core; `of` gives those that a row has in another form. */
export function view<F extends Fields>(fields: F): View<F>;
export function view<F extends Fields, Row>(fields: F, of: (row: Row) => Values<F>): View<F, Row>;
export function view<F extends Fields>(fields: F, of: (row: never) => Values<F> = (row) => row): View<F, never> {
  const own = Object.entries(fields).map(([field, schema]) => [field, publicName(fields, field), schema] as const);
  return {
    schema: z.object(Object.fromEntries(own.map(([, name, schema]) => [name, shownType(schema)]))),
    present: (row) => {
      const values: Record<string, unknown> = of(row);
      return Object.fromEntries(own.map(([field, name, schema]) => [name, shown(schema, values[field])]));
    },
  };
}

/** An amount in pesewas, shown in GH₵ by this name. */
export const money = (name: string, description = "GH₵, at most two decimals") => as(name, Cedis.describe(description));

/** A moment, shown as 2026-11-21T09:30:00.000Z. */
export const Moment = z.codec(z.iso.datetime(), z.date(), {
  decode: (text) => new Date(text),
  encode: (date) => date.toISOString(),
});

/** Rows within a view, each shown by a view of its own. */
export function many<F extends Fields, Row>({ schema, present }: View<F, Row>) {
  const rows = z.custom<readonly Row[]>();
  const encode = (all: readonly Row[]) => all.map(present);
  return z.codec(schema.array(), rows, { decode: (shown) => shown as never, encode });
}

/** A thing within a view, shown by a view of its own. */
export function one<F extends Fields, Row>({ schema, present }: View<F, Row>) {
  return z.codec(schema, z.custom<Row>(), { decode: (shown) => shown as never, encode: present });
}

/** The schema of what is shown for a field. */
function shownType(schema: z.ZodType): z.ZodType {
  const { description } = schema;
  const type =
    schema instanceof z.ZodNullable
      ? shownType(schema.unwrap() as z.ZodType).nullable()
      : schema instanceof z.ZodCodec
        ? (schema.def.in as z.ZodType)
        : schema;
  return description && type !== schema ? type.describe(description) : type;
}

function shown(schema: z.ZodType, value: unknown): unknown {
  if (value === null || value === undefined) return value;
  if (schema instanceof z.ZodNullable) return shown(schema.unwrap() as z.ZodType, value);
  return schema instanceof z.ZodCodec ? z.encode(schema, value as never) : value;
}
