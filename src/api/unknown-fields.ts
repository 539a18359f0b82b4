// Unknown fields of a body. A sandbox refuses all of them: one that is ignored in silence is noticed only when it
// matters. A live shop ignores them, so that a program may send more than this shop knows, but for those that are a
// known one with a slip, and all where API keys are made.
import type { z } from "zod";
import { limits } from "../shared/domain.ts";
import { AppError } from "../shared/errors/app-error.ts";

type Schema = z.core.$ZodType;

/** Refuses a body with a field that its schema does not have. Throws request.unknown_field. */
export function refuseUnknownFields(schema: z.ZodType, body: unknown): void {
  refuse(unknownIn([schema], body, "", () => true));
}

/** Refuses a body with a field that is one of its schema's in other letters, or with a single slip. Throws likewise. */
export function refuseMisspeltFields(schema: z.ZodType, body: unknown): void {
  refuse(unknownIn([schema], body, "", (name, known) => known.some((one) => isSlip(plain(name), plain(one)))));
}

/** Short names and plurals are names of their own: "id" is no slip of "ids", nor "price" of "prices". */
function isSlip(name: string, known: string): boolean {
  if (name === known) return true;
  const isPlural = name === `${known}s` || known === `${name}s`;
  return name.length >= 6 && !isPlural && distance(name, known) <= 1;
}

function refuse(found: Unknown | null): void {
  if (!found) return;
  const { field, known } = found;
  const nearest = nearestOf(field.slice(field.lastIndexOf(".") + 1), known);
  const instead = nearest
    ? `Did you mean "${nearest}"?`
    : known.length > 0
      ? `Known here: ${known.join(", ")}.`
      : "No field is known here.";
  throw new AppError(
    "request.unknown_field",
    { fields: { [field]: `is not a field here. ${instead}` }, field, nearest },
    `There is no field "${field}" here. ${instead}`,
  );
}

type Unknown = { field: string; known: string[] };
/** Whether an unknown name, beside the known ones, is looked for. */
type IsWanted = (name: string, known: string[]) => boolean;

/** The first wanted field that none of these schemas, of which one may fit, has at this place. */
function unknownIn(schemas: Schema[], value: unknown, path: string, isWanted: IsWanted): Unknown | null {
  if (value === null || typeof value !== "object") return null;
  const inner = schemas.flatMap(unwrapped);
  if (Array.isArray(value)) {
    const elements = inner.flatMap((schema) => (isOf(schema, "array") ? [schema._zod.def.element] : []));
    if (elements.length === 0) return null;
    // A longer list is refused for its length.
    return first(value.slice(0, limits.bulkLines), (item, n) => unknownIn(elements, item, `${path}${n}.`, isWanted));
  }
  const shapes = inner.flatMap((schema) => (isOf(schema, "object") ? [schema._zod.def.shape] : []));
  // What takes any object, such as a record, knows all fields.
  if (shapes.length === 0 || shapes.length < inner.filter(takesObjects).length) return null;
  const known = [...new Set(shapes.flatMap((shape) => Object.keys(shape)))];
  return first(Object.entries(value), ([name, item]) => {
    const fitting = shapes.flatMap((shape) => (Object.hasOwn(shape, name) ? [shape[name]!] : []));
    const field = path + name.slice(0, NAME_CHARS);
    if (fitting.length > 0) return unknownIn(fitting, item, `${field}.`, isWanted);
    return isWanted(name.slice(0, NAME_CHARS), known) ? { field, known } : null;
  });
}

const NAME_CHARS = 50;

function first<T>(items: T[], find: (item: T, n: number) => Unknown | null): Unknown | null {
  for (const [n, item] of items.entries()) {
    const found = find(item, n);
    if (found) return found;
  }
  return null;
}

type Defs = {
  array: z.core.$ZodArrayDef<Schema>;
  object: z.core.$ZodObjectDef<Record<string, Schema>>;
  union: z.core.$ZodUnionDef<Schema[]>;
  pipe: z.core.$ZodPipeDef;
  intersection: z.core.$ZodIntersectionDef;
  lazy: { type: "lazy"; getter: () => Schema };
};

function isOf<T extends keyof Defs>(schema: Schema, type: T): schema is Schema & { _zod: { def: Defs[T] } } {
  return schema._zod.def.type === type;
}

/** A schema without what is around it: optional, default, pipes; each option of a union. */
function unwrapped(schema: Schema): Schema[] {
  if (isOf(schema, "union")) return schema._zod.def.options.flatMap(unwrapped);
  if (isOf(schema, "pipe")) return unwrapped(schema._zod.def.in);
  if (isOf(schema, "lazy")) return unwrapped(schema._zod.def.getter());
  if (isOf(schema, "intersection")) {
    const { left, right } = schema._zod.def;
    return [left, right].flatMap(unwrapped);
  }
  const { innerType } = schema._zod.def as { innerType?: Schema };
  return innerType ? unwrapped(innerType) : [schema];
}

const takesObjects = (schema: Schema) =>
  ["object", "record", "any", "unknown", "custom"].includes(schema._zod.def.type);

/** The known name that is most like a misspelt one; null when none is like it. */
function nearestOf(name: string, known: string[]): string | null {
  const [nearest] = known
    .map((candidate) => ({ candidate, distance: distance(plain(name), plain(candidate)) }))
    .filter(({ candidate, distance }) => distance <= Math.max(1, Math.floor(candidate.length / 3)))
    .sort((a, b) => a.distance - b.distance);
  return nearest?.candidate ?? null;
}

const plain = (text: string) => text.toLowerCase().replace(/[^a-z0-9]/g, "");

/** How many letters must be added, left out, replaced or swapped with the next (Damerau and Levenshtein). */
function distance(a: string, b: string): number {
  const rows = Array.from({ length: a.length + 1 }, (_, i) => [i, ...Array<number>(b.length).fill(0)]);
  for (let j = 1; j <= b.length; j++) rows[0]![j] = j;
  for (let i = 1; i <= a.length; i++) {
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let best = Math.min(rows[i - 1]![j]! + 1, rows[i]![j - 1]! + 1, rows[i - 1]![j - 1]! + cost);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        best = Math.min(best, rows[i - 2]![j - 2]! + 1);
      rows[i]![j] = best;
    }
  }
  return rows[a.length]![b.length]!;
}
