// Which routes are for programs: the calls that an API key may make, and so those of the guide and of the client.
import type { Route } from "./route.ts";

/** The part of a path behind the prefix of the version: /orders/:id. */
export const shortPath = ({ path }: Pick<Route, "path">): string => path.replace(/^\/api\/v1/, "");

/** Those of `routes` that a program may call with a key, in the same order. */
export function routesForKeys(routes: readonly Route[]): Route[] {
  return routes.filter(({ scope }) => scope !== undefined);
}
