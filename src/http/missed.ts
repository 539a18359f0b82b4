// Requests that fit no route, which may have the wrong address or only the wrong method; and who they are from.
import { AppError } from "../shared/errors/app-error.ts";

type Missed = {
  /** What is mounted, once all of it is. */
  routes: () => Mounted;
  /** The page about an unknown address. */
  unknownPage: (request: Request) => Promise<Response>;
  fail: (error: unknown, request: Request) => Response | Promise<Response>;
  /** Notes whose request it was, before it is refused. */
  note: (request: Request) => Promise<unknown>;
};

/** Returns the answer to requests that fit no route. */
export function missedBy({ routes, unknownPage, fail, note }: Missed) {
  return async (request: Request): Promise<Response> => {
    const allowed = methodsAt(routes(), pathOf(request));
    if (allowed.length > 0 && (isForMachines(request) || changesSomething(request)))
      return fail(new AppError("request.method", { allowed }), request);
    if (!isForMachines(request)) return unknownPage(request);
    await note(request);
    return fail(new AppError("request.not_found"), request);
  };
}

type Mounted = readonly { method: string; path: string }[];

/** The methods with which there is something at a path: at the path itself, or else at one that it fits. */
function methodsAt(routes: Mounted, path: string): string[] {
  // These have a secret in them, and are like no address at all to whoever does not know it.
  if (/^\/(?:channels|webhooks)\//.test(path)) return [];
  const exact = routes.filter((route) => route.path === path);
  const parts = path.split("/");
  const found = exact.length > 0 ? exact : routes.filter((route) => fits(parts, route.path));
  const methods = new Set(found.map(({ method }) => method));
  if (methods.has("GET")) methods.add("HEAD");
  return [...methods].sort();
}

/** Whether a path has these parts of a route's, where ":id" stands for any one. */
function fits(parts: readonly string[], pattern: string): boolean {
  const wanted = pattern.split("/");
  return (
    parts.length === wanted.length &&
    wanted.every((part, n) => part === parts[n] || (part.startsWith(":") && parts[n] !== ""))
  );
}

export function changesSomething({ method }: Request): boolean {
  return method !== "GET" && method !== "HEAD";
}

const pathOf = (request: Request) => new URL(request.url).pathname;

/** Whether a request is a program's, which wants an answer in JSON. */
export function isForMachines(request: Request): boolean {
  const pathname = pathOf(request);
  return (
    pathname.startsWith("/api/") ||
    pathname === "/openapi.json" ||
    pathname === "/readyz" ||
    pathname === "/metrics" ||
    pathname.startsWith("/webhooks/") ||
    pathname.startsWith("/channels/")
  );
}
