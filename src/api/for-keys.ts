// Which routes are for programs: the calls that an API key may make, and so those of the guide and of the client.
import type { Route } from "./route.ts";

/** The part of a path behind the prefix of the version: /orders/:id. */
export const shortPath = ({ path }: Pick<Route, "path">): string => path.replace(/^\/api\/v1/, "");

/** Those of `routes` that a program may call with a key, in the same order. */
export function routesForKeys(routes: readonly Route[]): Route[] {
  return routes.filter(isForKeys);
}

/** Programs have no part in what only people do: log in, pay on the payment page, and write to support. */
const FOR_PEOPLE = ["auth", "dashboard", "paystack", "payments", "support", "afa"];
const PEOPLES_ROUTES = ["/wallet/topup/init", "/wallet/claims", "/wallet/claims/:id/report"];

function isForKeys(route: Route): boolean {
  const path = shortPath(route);
  return (
    route.role !== undefined && !FOR_PEOPLE.includes(path.split("/")[1]!) && !PEOPLES_ROUTES.includes(path)
  );
}
