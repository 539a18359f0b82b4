// Routes in a line or three: one that runs a command has its right, body, errors and key from the command's
// declaration, and every answer is a view.
import { z } from "zod";
import type { Caller, Command } from "../core/platform/commands.ts";
import { Done, Page, PathId, Removed, sentId } from "../http/schemas/common.ts";
import type { View } from "../http/view.ts";
import type { ByUser } from "../shared/domain.ts";
import { type Fields, type Plain, publicName, publicSchema, type Values, valuesOf } from "../shared/fields.ts";
import { Id } from "../shared/inputs.ts";
import type { Access, Right } from "../shared/rights.ts";
import { type ApiDeps, page, type Route, route } from "./route.ts";

/** What shows an answer, and its schema: a view, or one of neither fields nor rows. */
type Shown<A> = { schema: z.ZodType; present: (answer: A) => unknown };

/** What commands may need of the server. */
type Serving = Pick<ApiDeps, "vendors">;

type Written = Pick<Route, "subject" | "scope" | "bodyBytesMax"> & {
  /** What the address takes, where the command is anybody's. */
  right?: Right;
  /** The field of the command that the id in the address is; others in it are fields by their own names. */
  idOf?: string;
  /** An example of the body; none for a command whose input is the address. */
  example?: object;
  /** How the query gives the command's fields, for a method that has no body. */
  query?: z.ZodType;
  /** An example of the answer. */
  gives: object;
  status?: 200 | 201 | 202;
};

/** `read`: what is shown after the command, where that is another thing than its answer. */
type Reads<Input, Answer, Row> = Answer extends Row
  ? { read?: (context: Reader, input: Input, answer: Answer) => Promise<Row> }
  : { read: (context: Reader, input: Input, answer: Answer) => Promise<Row> };

/** Declares `at`, as "POST /admin/cash/hand-ins", to run a command; `shown` shows its answer, or what is read then. */
export function run<F extends Fields, Answer, Row>(
  at: `${Exclude<Route["method"], "GET">} /${string}`,
  command: Command<F, Answer, Serving>,
  shown: Shown<Row>,
  { idOf, example, query, gives, status = 200, read, right, ...own }: Written & Reads<Values<F>, Answer, Row>,
): Route {
  const { name, about, input, errors, asks, isConfirmed } = command.declared;
  const [method, path] = at.split(" ") as [Route["method"], string];
  const inAddress = fieldsIn(path, input, idOf);
  const named = Object.entries(inAddress);
  return route({
    ...{ method, path: `/api/v1${path}`, summary: about, takesKey: true, command: name, ...own },
    ...accessOf(right ?? command.declared.right),
    ...(asks && { mayAsk: true as const }),
    ...(named.length > 0 && {
      params: z.object(Object.fromEntries(named.map(([at, field]) => [at, at === "id" ? PathId : input[field]!]))),
    }),
    ...(query && { query }),
    ...(example && { body: bodyOf(name, input, Object.values(inAddress)), example }),
    answer: { status, schema: shown.schema, example: gives },
    errors: [...errors, ...(isConfirmed && !asks ? ["auth.confirm_needed" as const] : [])],
    handle: async ({ params, query: given, body, ...context }) => {
      const { db, by, key, vendors } = context;
      const address = Object.fromEntries(named.map(([at, field]) => [field, (params as Plain)[at]]));
      const sent = { ...(given as object | undefined), ...(body as object | undefined) };
      const values = { ...valuesOf(input, sent), ...address } as Values<F>;
      const call: object = { by, key, vendors, ...values };
      const { answer, replayed } = await command(db, call as Caller & Serving & Values<F>);
      return { body: shown.present(read ? await read(context, values, answer) : (answer as unknown as Row)), replayed };
    },
  });
}

const accessOf = (right: Right | null): Access => (right ? { right } : { role: "user" });

/** What a route answers where there is nothing to show. */
export const done: Shown<unknown> = { schema: Done, present: () => ({ ok: true }) };

/** What a route answers where a thing with this id is gone. */
export const removed = { schema: Removed, present: (id: number) => ({ id, removed: true }) };

type Reader = ApiDeps & { by: ByUser };
type Reading<T> = { summary: string; example: object; read: (context: Reader) => Promise<T> };

/** Declares a route that shows one thing. */
export function get<F extends Fields>(
  path: `/${string}`,
  right: Right,
  shown: View<F>,
  { summary, example, read }: Reading<Values<F>>,
): Route {
  return route({
    ...{ method: "GET", path: `/api/v1${path}`, right, summary, errors: [] },
    answer: { status: 200, schema: shown.schema, example },
    handle: async (context) => ({ body: shown.present(await read(context)) }),
  });
}

type Span = { limit: number; cursor?: number | undefined };
type Listing<T> = { summary: string; read: (context: Reader, span: Span) => Promise<T[]> };

/** Declares a route that lists rows page by page, newest first. */
export function list<F extends Fields>(
  path: `/${string}`,
  right: Right,
  shown: View<F>,
  { summary, read }: Listing<Values<F> & { id: number }>,
): Route {
  return route({
    ...{ method: "GET", path: `/api/v1${path}`, right, summary, query: Page, errors: [] },
    answer: { status: 200, schema: shown.schema.array(), example: [] },
    handle: async (context) => {
      const { request, query } = context;
      return page(request, await read(context, query), query.limit, shown.present);
    },
  });
}

/** The fields that an address has, by its names for them. */
function fieldsIn(path: string, input: Fields, idOf?: string): Record<string, string> {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name!);
  const fieldOf = (name: string) =>
    name === "id" ? idOf! : Object.keys(input).find((field) => publicName(input, field) === name)!;
  return Object.fromEntries(names.map((name) => [name, fieldOf(name)]));
}

/** The schema of a body, named after its command; an id in it may have been kept as text. */
function bodyOf(command: string, input: Fields, leftOut: readonly string[]): z.ZodObject {
  const { shape } = publicSchema(input, leftOut);
  const sent = Object.entries(shape).map(([name, schema]) => [
    name,
    isId(schema) ? sentId(schema as z.ZodType) : schema,
  ]);
  const id = command.replace(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase());
  return z.object(Object.fromEntries(sent)).meta({ id });
}

function isId(schema: z.core.$ZodType): boolean {
  for (let one: z.core.$ZodType | undefined = schema; one; one = one._zod.parent) if (one === Id) return true;
  return schema instanceof z.ZodOptional && isId(schema.unwrap());
}
