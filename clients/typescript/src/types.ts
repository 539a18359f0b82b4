// What each call takes and gives, read from the generated description.
import type { paths } from "./schema.ts";

export type Method = "get" | "post" | "put" | "patch" | "delete";

export type CallOptions = {
  /** For calls that move money: the number of your sale. The same key has the same effect once, for 48 hours. */
  idempotencyKey?: string;
  signal?: AbortSignal;
  timeoutMs?: number;
};

type Short<Path> = Path extends `/api/v1${infer P}` ? P : never;

/** The paths that have a method: "/orders/{id}". */
export type PathWith<M extends Method> = {
  [Path in keyof paths]: paths[Path] extends Record<M, object> ? Short<Path> : never;
}[keyof paths];

type Operation<M extends Method, P> = {
  [Path in keyof paths]: Short<Path> extends P ? paths[Path][M] : never;
}[keyof paths];

/** An id may be the number that it is in an answer. */
type PathParams<Op> = Op extends { parameters: { path: infer Params } }
  ? { [Name in keyof Params]: Params[Name] | number }
  : undefined;
type Query<Op> = Op extends { parameters: { query: infer Query } }
  ? Query
  : Op extends { parameters: { query?: infer Query } }
    ? Query | undefined
    : undefined;
type Sendable<Request> = Request extends { content: { "application/json": infer Body } } ? Body : never;
/** A body that may be left out is one, or undefined. */
type Body<Op> = Op extends { requestBody: infer Request }
  ? Sendable<Request>
  : Op extends { requestBody?: infer Request }
    ? Sendable<NonNullable<Request>> | undefined
    : undefined;

type Given<Name extends string, Value> = undefined extends Value ? { [N in Name]?: Value } : { [N in Name]: Value };
type InputOf<Op> = CallOptions & Given<"params", PathParams<Op>> & Given<"query", Query<Op>> & Given<"body", Body<Op>>;

/** What a method takes after the path: nothing is needed where nothing is required. */
export type Arguments<M extends Method, P> =
  Record<never, never> extends InputOf<Operation<M, P>>
    ? [input?: InputOf<Operation<M, P>>]
    : [input: InputOf<Operation<M, P>>];

type Json<Response> = Response extends { content: { "application/json": infer Body } } ? Body : never;

/** The body of the answer. */
export type Answer<M extends Method, P> =
  Operation<M, P> extends { responses: infer Responses } ? Json<Responses[keyof Responses]> : never;

/** The lists that come in pages. */
export type PagedPath = {
  [P in PathWith<"get">]: "cursor" extends keyof NonNullable<Query<Operation<"get", P>>> ? P : never;
}[PathWith<"get">];

/** An entry of a list. */
export type Item<P> = Answer<"get", P> extends (infer Entry)[] ? Entry : never;
