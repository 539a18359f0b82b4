// Fields that have one name and type in the core and another in the API and forms: `amountPesewas`, whole pesewas, is
// `amount` in GH₵. Inputs of commands and views are made of them, so that each conversion is written once.
import { z } from "zod";
import { AppError, type ErrorCode } from "./errors/app-error.ts";
import { errors } from "./errors/codes.ts";

/** Fields by their names in the core. A schema is a codec where the two types differ. */
export type Fields = Record<string, z.ZodType>;
/** The values of fields in the core: amounts in pesewas, moments as dates. */
export type Values<F extends Fields> = z.output<z.ZodObject<F>>;
/** Values as JSON has them. */
export type Plain = Record<string, unknown>;

const names = z.registry<{ name: string }>();

/** A field with another name in the API and forms: `countedPesewas: as("counted", Cedis)`. */
export function as<S extends z.ZodType>(name: string, schema: S): S {
  const own = schema.clone() as S;
  names.add(own, { name });
  return own;
}

/** Fields that can be left out, by the same names. */
export function partial<F extends Fields>(fields: F): { [Field in keyof F]: z.ZodOptional<F[Field]> } {
  const own = Object.keys(fields).map((field) => [field, as(publicName(fields, field), fields[field]!.optional())]);
  return Object.fromEntries(own);
}

/** The name of a field in the API and forms, also where it can be null or left out. */
export function publicName(fields: Fields, field: string): string {
  return nameOf(fields[field]!) ?? field;
}

function nameOf(schema: z.core.$ZodType): string | undefined {
  const isWrapped =
    schema instanceof z.ZodNullable || schema instanceof z.ZodOptional || schema instanceof z.ZodDefault;
  return names.get(schema)?.name ?? (isWrapped ? nameOf(schema.unwrap()) : undefined);
}

/** The schema of fields by their names in the API and forms, without those left out. */
export function publicSchema(fields: Fields, leftOut: readonly string[] = []): z.ZodObject {
  const own = Object.entries(fields).filter(([field]) => !leftOut.includes(field));
  return z.object(Object.fromEntries(own.map(([field, schema]) => [publicName(fields, field), schema])));
}

/** Values by their names in the core, from those that `publicSchema` has read. */
export function valuesOf(fields: Fields, read: Plain): Plain {
  const own = Object.keys(fields).map((field) => [field, read[publicName(fields, field)]] as const);
  return Object.fromEntries(own.filter(([, value]) => value !== undefined));
}

/** Fields within a field: an object by their names, inside as outside. */
export function nested<F extends Fields>(fields: F) {
  const renamed = (values: Values<F>) =>
    Object.fromEntries(Object.keys(fields).map((field) => [publicName(fields, field), (values as Plain)[field]]));
  const decode = (read: Plain) => valuesOf(fields, read) as Values<F>;
  return z.codec(publicSchema(fields), z.custom<Values<F>>(), { decode, encode: renamed });
}

/** Values as plain JSON. Throws request.invalid, or the code that the check of a field has for message. */
export function encoded(fields: Fields, values: object): Plain {
  const own = Object.entries(values).filter(([field, value]) => field in fields && value !== undefined);
  return checked(fields, () => z.encode(schemaOf(fields), Object.fromEntries(own)));
}

/** The values of plain JSON. Throws as `encoded`. */
export function decoded<F extends Fields>(fields: F, plain: Plain): Values<F> {
  return checked(fields, () => z.decode(schemaOf(fields), plain)) as Values<F>;
}

/** Made once for each command: zod compiles a schema when it is first used. */
const schemas = new WeakMap<Fields, z.ZodObject>();

function schemaOf(fields: Fields): z.ZodObject {
  const known = schemas.get(fields) ?? z.object(fields);
  schemas.set(fields, known);
  return known;
}

function checked<T>(fields: Fields, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof z.core.$ZodError)) throw error;
    const messages = error.issues.map(({ path: [field], message }) => [
      publicName(fields, String(field)),
      isCode(message) ? errors[message].message : message,
    ]);
    const [first] = error.issues;
    const code = first && isCode(first.message) ? first.message : "request.invalid";
    throw new AppError(code, { fields: Object.fromEntries(messages) });
  }
}

const isCode = (message: string): message is ErrorCode => Object.hasOwn(errors, message);
