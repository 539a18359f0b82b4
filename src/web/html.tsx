// HTML responses: rendered once and compressed, with a content security policy that runs nothing but islands and loads
// nothing from elsewhere.
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import type { ReactElement } from "react";
import { renderToString } from "react-dom/server";
import { built, hasIsland } from "./island.tsx";
import { operatorStyles } from "./operator-styles.ts";

export const sheets = built.sheets;

/**
 * A stylesheet that a part of a page needs. React moves it to the head, once, however many parts name it.
 * (https://react.dev/reference/react-dom/components/style)
 */
export function Sheet({ name }: { name: keyof typeof sheets }) {
  return (
    <style href={name} precedence="page">
      {name === "style" ? sheets.style + operatorStyles() : sheets[name]}
    </style>
  );
}

const digest = (text: string) => new Bun.CryptoHasher("sha256").update(text).digest("base64");
/** Additional permissions of a page with islands: to run the loader and our built files. */
const forIslands = [
  `script-src 'self' 'sha256-${digest(built.loader)}'`,
  "script-src-attr 'none'",
  "worker-src 'self'",
  "require-trusted-types-for 'script'",
];
/** Digests of the stylesheets in a page. User content cannot match, because React escapes it. */
const stylesIn = (markup: string) =>
  [...markup.slice(0, markup.indexOf("</head>")).matchAll(/<style [^>]*>(.*?)<\/style>/gs)].map(([, sheet]) =>
    sourceOf(sheet!),
  );

/** By stylesheet: there are some twenty, and each network that is added makes one of them anew. */
const sources = new Map<string, string>();
const SOURCES_MAX = 100;

function sourceOf(sheet: string): string {
  const known = sources.get(sheet);
  if (known) return known;
  if (sources.size >= SOURCES_MAX) sources.clear();
  const source = `'sha256-${digest(sheet)}'`;
  sources.set(sheet, source);
  return source;
}

/** `formTargets` are origins that a form may redirect to: browsers apply form-action to redirects as well. */
const policy = (formTargets: string[], isScripted: boolean, styleDigests: string[]) =>
  [
    "default-src 'none'",
    ["style-src", ...styleDigests].join(" "),
    "style-src-attr 'none'",
    "img-src 'self'",
    "manifest-src 'self'",
    // No script runs without an island, but tools that inspect a page read robots.txt on its behalf.
    "connect-src 'self'",
    ["form-action 'self'", ...formTargets].join(" "),
    ...(isScripted ? forIslands : []),
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");

export type HtmlOptions = { status?: number; headers?: Record<string, string>; formTargets?: string[] };

/** Renders the element as a complete HTML response, in the best encoding that the browser accepts. */
export function html(
  request: Request,
  element: ReactElement,
  { status = 200, headers = {}, formTargets = [] }: HtmlOptions = {},
): Response {
  const markup = renderToString(element);
  const isScripted = hasIsland(markup);
  const text = `<!doctype html>${isScripted ? withLoader(markup) : markup}`;
  const { body, encoding } = compress(text, request.headers.get("accept-encoding") ?? "");
  return new Response(body, {
    status,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": policy(formTargets, isScripted, stylesIn(markup)),
      "cross-origin-opener-policy": "same-origin",
      "cache-control": "private, no-store",
      vary: "accept-encoding, cookie",
      ...(encoding && { "content-encoding": encoding }),
      ...headers,
    },
  });
}

/** Puts the loader last, so that it finds every island. */
function withLoader(markup: string): string {
  const end = markup.lastIndexOf("</body>");
  return `${markup.slice(0, end)}<script>${built.loader}</script>${markup.slice(end)}`;
}

/** Brotli 5 takes a tenth of a millisecond and shrinks a page to an eighth; higher levels cost more than they save. */
function compress(text: string, accepts: string): { body: string | Uint8Array<ArrayBuffer>; encoding: string | null } {
  if (/\bbr\b/.test(accepts)) {
    const params = { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_SIZE_HINT]: text.length };
    return { body: new Uint8Array(brotliCompressSync(text, { params })), encoding: "br" };
  }
  if (/\bgzip\b/.test(accepts)) return { body: new Uint8Array(gzipSync(text)), encoding: "gzip" };
  return { body: text, encoding: null };
}
