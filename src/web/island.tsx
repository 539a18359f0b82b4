// Islands: parts of a page that the server renders once and that a script of their own takes over in the browser.
import type { ComponentType, ReactNode } from "react";
import { preloadModule } from "react-dom";
import type { BuiltFile } from "../../islands/build.ts";
import { builtForBrowsers } from "./built.ts";

export const built = await builtForBrowsers();

/** When an island starts: at once, when the browser is idle, or when it is about to be visible. */
type When = "load" | "idle" | "visible";

declare module "react" {
  namespace JSX {
    interface IntrinsicElements {
      "is-land": { src: string; on: When; props: string; children?: ReactNode };
    }
  }
}

/** Props travel as JSON: functions, dates, maps and elements cannot. */
type Json<T> = T extends string | number | boolean | null | undefined
  ? T
  : T extends ((...args: never[]) => unknown) | Date | Map<unknown, unknown> | Set<unknown> | symbol | bigint
    ? never
    : { [K in keyof T]: Json<T[K]> };

type Props<P extends object> = { props: P & Json<P>; on: When };

/** Places an island. `component` is exported by a file directly in islands/. */
export function Island<P extends object>({
  component: Component,
  props,
  on,
}: Props<P> & { component: ComponentType<P> }) {
  return (
    <Land name={Component.name} {...{ props, on }}>
      <Component {...props} />
    </Land>
  );
}

/**
 * An island that shows nothing before its script runs. The server only knows its name, so that it does not load what
 * only browsers need: `<BrowserIsland<typeof SalesPlot> name="SalesPlot" … />`.
 */
export function BrowserIsland<C extends (props: never) => ReactNode>(island: Props<PropsOf<C>> & { name: string }) {
  return <Land {...island} />;
}

/**
 * A function of its place, from islands/plain/ or islands/admin/, with what it replaces: `<PlainIsland<typeof
 * orderWatch> name="OrderWatch" …>`.
 */
export function PlainIsland<F extends (place: Element, props: never) => void>(
  island: Props<PlainPropsOf<F>> & { name: string; children: ReactNode },
) {
  return <Land {...island} />;
}

type PlainPropsOf<F extends (place: Element, props: never) => void> =
  Parameters<F> extends [Element, infer P extends object] ? P : Record<never, never>;

type PropsOf<C extends (props: never) => ReactNode> =
  Parameters<C> extends [infer P extends object] ? P : Record<never, never>;

function Land({ name, props, on, children }: { name: string; props: object; on: When; children?: ReactNode }) {
  const island = built.islands.get(name);
  if (!island) throw new Error(`${name} is not exported by a file of islands/`);
  if (on !== "visible") for (const path of [island.src, ...island.deps]) preloadModule(path, { as: "script" });
  return (
    <is-land src={island.src} on={on} props={JSON.stringify(props)}>
      {children}
    </is-land>
  );
}

/** Whether a page holds an island. User content cannot match, because React escapes it. */
export function hasIsland(html: string): boolean {
  return html.includes("<is-land ");
}

/** The service worker; a browser asks for it often, and mostly gets only the answer that it has not changed. */
export function serviceWorker(request: Request): Response {
  const etag = `"${workerDigest}"`;
  const headers = {
    "cache-control": "no-cache",
    etag,
    // Its own requests: the shop's pages and files.
    "content-security-policy": "default-src 'none'; connect-src 'self'",
  };
  if (request.headers.get("if-none-match")?.includes(etag)) return new Response(null, { status: 304, headers });
  return script(request, built.worker, headers);
}

const workerDigest = new Bun.CryptoHasher("sha256").update(built.worker.plain).digest("hex").slice(0, 16);

/** A built file in the best encoding that the browser accepts; null when the path names none. */
export function builtFile(request: Request): Response | null {
  const file = built.files.get(new URL(request.url).pathname);
  if (!file) return null;
  return script(request, file, { "cache-control": "public, max-age=31536000, immutable" });
}

function script(request: Request, file: BuiltFile, headers: Record<string, string>): Response {
  const accepts = request.headers.get("accept-encoding") ?? "";
  const encoding = (["br", "gzip"] as const).find((name) => new RegExp(`\\b${name}\\b`).test(accepts));
  return new Response(file[encoding ?? "plain"], {
    headers: {
      "content-type": "text/javascript; charset=utf-8",
      vary: "accept-encoding",
      ...(encoding && { "content-encoding": encoding }),
      ...headers,
    },
  });
}
