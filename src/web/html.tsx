// HTML responses: rendered once and compressed, with a content security policy that runs nothing but islands and loads
// nothing from elsewhere.
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import type { ReactElement } from "react";
import { renderToString } from "react-dom/server";
import { built, hasIsland } from "./island.tsx";
import { operatorStyles } from "./operator-styles.ts";

export const sheets = built.sheets;

/**
 * A stylesheet that a part of a page needs. React moves it to the head, once, however many parts name it; its rules
 * are put in afterwards, because React would search them for the end of the element in every page.
 * (https://react.dev/reference/react-dom/components/style)
 */
export function Sheet({ name }: { name: keyof typeof sheets }) {
  return (
    <style href={name} precedence="page">
      {""}
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
/** The element that React makes of a page's sheets. User content cannot match, because React escapes it. */
const SHEETS = /<style [^>]*data-href="([^"]*)">/;

type Rules = { text: string; source: string };
/** By the names of the sheets, of which pages have some twenty combinations. Each change of a network begins anew. */
let combined = { operators: "", rules: new Map<string, Rules>() };

function rulesOf(names: string): Rules {
  const operators = operatorStyles();
  if (combined.operators !== operators) combined = { operators, rules: new Map() };
  const known = combined.rules.get(names);
  if (known) return known;
  const text = names
    .split(" ")
    .map((name) => sheets[name as keyof typeof sheets] + (name === "style" ? operators : ""))
    .join("");
  const rules = { text, source: `'sha256-${digest(text)}'` };
  combined.rules.set(names, rules);
  return rules;
}

/** The page with the rules of its sheets, and the loader last, so that it finds every island. */
function complete(markup: string, isScripted: boolean): { text: string; styleSource: string } {
  const [element, names] = SHEETS.exec(markup)!;
  const rules = rulesOf(names!);
  const rulesAt = markup.indexOf(element) + element.length;
  const end = isScripted ? markup.lastIndexOf("</body>") : markup.length;
  const loader = isScripted ? `<script>${built.loader}</script>` : "";
  const text = `<!doctype html>${markup.slice(0, rulesAt)}${rules.text}${markup.slice(rulesAt, end)}${loader}`;
  return { text: text + markup.slice(end), styleSource: rules.source };
}

/** `formTargets` are origins that a form may redirect to: browsers apply form-action to redirects as well. */
const policy = (formTargets: string[], isScripted: boolean, styleSource: string) =>
  [
    "default-src 'none'",
    `style-src ${styleSource}`,
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
  const { text, styleSource } = complete(markup, isScripted);
  const { body, encoding } = compress(text, request.headers.get("accept-encoding") ?? "");
  return new Response(body, {
    status,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": policy(formTargets, isScripted, styleSource),
      "cross-origin-opener-policy": "same-origin",
      "cache-control": "private, no-store",
      vary: "accept-encoding, cookie",
      ...(encoding && { "content-encoding": encoding }),
      ...headers,
    },
  });
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
