// The names that the shop answers to. A Host header is a stranger's text that becomes part of the address, from which
// the router and everything else read the path, so it is checked first.

/** Returns the answer to a request whose host is not the shop's; null for one that may go on. */
export type HostGuard = (request: Request) => Response | null;

/** A name or an IP address, perhaps with a port. */
const HOST = /^(\[[0-9a-f:.]{2,45}\]|[a-z0-9_](?:[a-z0-9._-]{0,252}[a-z0-9_])?)(?::\d{1,5})?$/i;
/** What probes and collectors ask each process, by whatever address they know it. */
const ANY_NAME = ["/healthz", "/readyz", "/metrics"];

/**
 * A guard for a shop at `baseUrl` that also answers to the names in `others`, on any port. Without a public address, as
 * on a developer's machine, every well-formed name is the shop's.
 */
export function hostGuard(baseUrl: string | null, others: readonly string[]): HostGuard {
  const names = baseUrl && new Set([new URL(baseUrl).hostname, ...others].map((name) => name.toLowerCase()));
  return (request) => {
    // A request that was made here, and not received, has no header.
    const name = HOST.exec(request.headers.get("host") ?? hostIn(request.url))?.[1]?.toLowerCase();
    if (name === undefined || !URL.canParse(request.url))
      return plain(400, "The Host header is missing, or is no name.");
    if (!names || names.has(name) || ANY_NAME.includes(new URL(request.url).pathname)) return null;
    return plain(
      421,
      `This shop answers at ${baseUrl}. If this is its server, its owner can add ${name} to the setting HOSTS.`,
    );
  };
}

const hostIn = (url: string) => (URL.canParse(url) ? new URL(url).host : "");

function plain(status: number, text: string): Response {
  const headers = { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" };
  return new Response(`${text}\n`, { status, headers: { ...headers, "x-content-type-options": "nosniff" } });
}
