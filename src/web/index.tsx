// The web channel: the core as pages for people with a browser. Each page declares who may see it, and all of them work
// without scripts.
import { join } from "node:path";
import { staticPlugin } from "@elysiajs/static";
import { Elysia, NotFoundError } from "elysia";
import * as operatorRegistry from "../core/platform/operator-registry.ts";
import { AppError } from "../shared/errors/app-error.ts";
import { operatorAt } from "../shared/operators.ts";
import { builtFile, serviceWorker } from "./island.tsx";
import { takesForms, type WebDeps } from "./page.tsx";
import { networkPage, pages } from "./pages/index.tsx";
import { refusalPage, servePage, unknownPage } from "./serve.tsx";

export type { WebDeps } from "./page.tsx";

/** Awaited here, because a pending plugin has no routes yet when it is used, and adds them too late for the server. */
const publicFiles = await staticPlugin({
  assets: join(import.meta.dir, "../../public"),
  prefix: "/",
  indexHTML: false,
  alwaysStatic: true,
});

const files = new Set(["/sw.js", ...publicFiles.routes.map(({ path }) => path)]);

/** The routes of the pages, with the responses to refusals and unknown addresses. */
export function web(deps: WebDeps) {
  const routes = new Elysia().use(publicFiles);
  routes.get("/built/:name", ({ request }) => {
    const file = builtFile(request);
    if (!file) throw new AppError("request.not_found");
    return file;
  });
  // Where people look for the guide.
  for (const path of ["/docs", "/api", "/api-docs", "/developer"])
    routes.get(path, () => new Response(null, { status: 308, headers: { location: "/developers" } }));
  routes.get("/sw.js", ({ request }) => serviceWorker(request));
  for (const page of pages) {
    const serve = ({ request, params }: { request: Request; params: Record<string, string> }) =>
      servePage(deps, page, request, params);
    if (page.show) routes.get(page.path, serve, { parse: "none" });
    if (takesForms(page)) routes.post(page.path, serve, { parse: "none" });
  }
  // The addresses of networks are data, so what is none of theirs is decided here.
  const serveNetwork = async ({ request }: { request: Request }) => {
    if (!(await isNetwork(deps, request))) throw new NotFoundError();
    const { pathname: path } = new URL(request.url);
    return servePage(deps, { ...networkPage, path }, request, {});
  };
  routes.get(networkPage.path, serveNetwork, { parse: "none" });
  routes.post(networkPage.path, serveNetwork, { parse: "none" });
  return {
    routes,
    /** Whether a request is for a file that is served from memory, at no more cost than its refusal. */
    isFile: ({ method, url }: Request): boolean => {
      const { pathname } = new URL(url);
      return (method === "GET" || method === "HEAD") && (files.has(pathname) || pathname.startsWith("/built/"));
    },
    refuse: (request: Request, refusal: AppError): Response => refusalPage(deps, request, refusal),
    unknown: (request: Request): Promise<Response> => unknownPage(deps, request),
  };
}

/** Whether the address is a network's, also of one that was added a moment ago through another server. */
async function isNetwork({ db }: WebDeps, request: Request): Promise<boolean> {
  const { pathname } = new URL(request.url);
  if (operatorAt(pathname)) return true;
  await operatorRegistry.renew(db);
  return operatorAt(pathname) !== undefined;
}
