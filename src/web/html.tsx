// A page as a response: rendered once, compressed, with a policy that lets nothing run but its islands, and nothing load
// from elsewhere.
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import type { ReactElement } from "react";
import { renderToString } from "react-dom/server";
import { built, hasIsland } from "./island.tsx";

/** The stylesheets, small enough to travel in the pages: one in each, the others where they are needed. */
export const sheets = {
  style: await styles("style.css"),
  shop: await styles("shop.css"),
  landing: await styles("landing.css"),
  plot: await styles("plot.css"),
  desk: await styles("desk.css"),
};

async function styles(file: string): Promise<string> {
  const { outputs } = await Bun.build({ entrypoints: [join(import.meta.dir, file)], minify: true });
  return (await outputs[0]!.text()).trim();
}

/** A stylesheet inside of a page that needs more than the one of all pages. */
export function Sheet({ name }: { name: keyof typeof sheets }) {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: our own stylesheet, whose digest is in the policy
  return <style dangerouslySetInnerHTML={{ __html: sheets[name] }} />;
}

const digest = (text: string) => new Bun.CryptoHasher("sha256").update(text).digest("base64");
/** What a page with islands may do besides: run the loader and our own built files, and call our own API. */
const forIslands = [
  `script-src 'self' 'sha256-${digest(built.loader)}'`,
  "script-src-attr 'none'",
  "connect-src 'self'",
  "require-trusted-types-for 'script'",
];
const digests = Object.values(sheets).map(
  (sheet) => [`<style>${sheet}`, `'sha256-${digest(sheet)}'`] as const,
);
/** Of the stylesheets in a page: nothing that people write becomes a tag. */
const stylesIn = (markup: string) =>
  digests.filter(([sheet]) => markup.includes(sheet)).map(([, allowed]) => allowed);

/** A form may also lead on to these origins: browsers hold the redirect after a form to form-action. */
const policy = (formTargets: string[], isScripted: boolean, styleDigests: string[]) =>
  [
    "default-src 'none'",
    ["style-src", ...styleDigests].join(" "),
    "style-src-attr 'none'",
    "img-src 'self'",
    "manifest-src 'self'",
    ["form-action 'self'", ...formTargets].join(" "),
    ...(isScripted ? forIslands : []),
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");

export type HtmlOptions = { status?: number; headers?: Record<string, string>; formTargets?: string[] };

/** The element as a whole HTML answer in the best encoding that the browser takes. */
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

/** The loader stands last, so that it finds every island. */
function withLoader(markup: string): string {
  const end = markup.lastIndexOf("</body>");
  return `${markup.slice(0, end)}<script>${built.loader}</script>${markup.slice(end)}`;
}

/** Brotli 5 costs a tenth of a millisecond and leaves an eighth of the page; higher levels cost far more than they save. */
function compress(
  text: string,
  accepts: string,
): { body: string | Uint8Array<ArrayBuffer>; encoding: string | null } {
  if (/\bbr\b/.test(accepts)) {
    const params = { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_SIZE_HINT]: text.length };
    return { body: new Uint8Array(brotliCompressSync(text, { params })), encoding: "br" };
  }
  if (/\bgzip\b/.test(accepts)) return { body: new Uint8Array(gzipSync(text)), encoding: "gzip" };
  return { body: text, encoding: null };
}
