// The client of the DataFie API: one method for each verb, typed by the shop's description. What may be tried again is,
// with the same idempotency key, so that nothing is bought twice.
import { type Code, DataFieError, noAnswer, refusalIn } from "./errors.ts";
import { KEYED } from "./schema.ts";
import type { Answer, Arguments, CallOptions, Item, Method, PagedPath, PathWith } from "./types.ts";

export { type Code, DataFieError } from "./errors.ts";
export type { components } from "./schema.ts";
export type { CallOptions } from "./types.ts";
export { verifyWebhook, WebhookError, type WebhookMessage } from "./webhooks.ts";

export type ClientOptions = {
  /** The API key: `dfk_live_…`, or `dfk_test_…` for the sandbox. */
  key: string;
  /** The shop's address: "https://shop.example". */
  baseUrl: string;
  /** For one attempt; the shop answers within nine seconds. 15,000 by default. */
  timeoutMs?: number;
  /** How often a call is tried at most; 5 by default. */
  attempts?: number;
  /** A longer wait is not waited for: the refusal is thrown at once. 30,000 by default. */
  waitMsMax?: number;
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
};

type Input = CallOptions & { params?: object; query?: object; body?: unknown };
type Sent = { url: string; init: RequestInit; isRepeatable: boolean; options: CallOptions };

export class DataFie {
  readonly #origin: string;
  readonly #options: Required<ClientOptions>;

  constructor(options: ClientOptions) {
    const defaults = { timeoutMs: 15_000, attempts: 5, waitMsMax: 30_000, fetch: globalThis.fetch };
    this.#options = { ...defaults, ...options };
    this.#origin = new URL(options.baseUrl).origin;
  }

  /** Reads: `get("/orders/{id}", { params: { id: 7 } })`. Throws DataFieError, as every method does. */
  get<P extends PathWith<"get">>(path: P, ...[input]: Arguments<"get", P>): Promise<Answer<"get", P>> {
    return this.#call("get", path, input);
  }

  /** Does something, once: with `idempotencyKey`, the number of your sale, also after your program was restarted. */
  post<P extends PathWith<"post">>(path: P, ...[input]: Arguments<"post", P>): Promise<Answer<"post", P>> {
    return this.#call("post", path, input);
  }

  put<P extends PathWith<"put">>(path: P, ...[input]: Arguments<"put", P>): Promise<Answer<"put", P>> {
    return this.#call("put", path, input);
  }

  patch<P extends PathWith<"patch">>(path: P, ...[input]: Arguments<"patch", P>): Promise<Answer<"patch", P>> {
    return this.#call("patch", path, input);
  }

  delete<P extends PathWith<"delete">>(path: P, ...[input]: Arguments<"delete", P>): Promise<Answer<"delete", P>> {
    return this.#call("delete", path, input);
  }

  /** A list page by page, by the Link header: nothing is missed or repeated while new entries arrive. */
  async *pages<P extends PagedPath>(path: P, ...[input]: Arguments<"get", P>): AsyncGenerator<Item<P>[]> {
    const first = this.#prepare("get", path, input);
    for (let url: string | null = first.url; url; ) {
      const { body, headers } = await this.#send({ ...first, url });
      yield body as Item<P>[];
      const next: string | undefined = /<([^>]+)>;\s*rel="next"/.exec(headers.get("link") ?? "")?.[1];
      // Only the path of the link counts: the key goes to no other server.
      const { pathname, search } = new URL(next ?? "/", this.#origin);
      url = next ? this.#origin + pathname + search : null;
    }
  }

  /** The entries of a list, one by one; the next page is read when it is needed. */
  async *each<P extends PagedPath>(path: P, ...input: Arguments<"get", P>): AsyncGenerator<Item<P>> {
    for await (const page of this.pages(path, ...input)) yield* page;
  }

  async #call<M extends Method, P extends PathWith<M>>(method: M, path: P, input?: Input): Promise<Answer<M, P>> {
    const { body } = await this.#send(this.#prepare(method, path, input));
    return body as Answer<M, P>;
  }

  #prepare(method: Method, path: string, { params, query, body, ...options }: Input = {}): Sent {
    const filled = path.replace(/\{(\w+)\}/g, (_, name) => {
      const value = (params as Record<string, unknown> | undefined)?.[name];
      if (value === undefined) throw new TypeError(`${path} needs { params: { ${name} } }`);
      return encodeURIComponent(String(value));
    });
    const given = Object.entries(query ?? {}).filter(([, value]) => value !== undefined);
    const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
    const isKeyed = KEYED.has(`${method} ${path}`);
    return {
      url: `${this.#origin}/api/v1${filled}${search.size > 0 ? `?${search}` : ""}`,
      init: {
        method: method.toUpperCase(),
        redirect: "manual",
        headers: {
          authorization: `Bearer ${this.#options.key}`,
          ...(body !== undefined && { "content-type": "application/json" }),
          // Made here, once for all attempts.
          ...(isKeyed && { "idempotency-key": options.idempotencyKey ?? crypto.randomUUID() }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      },
      // Deleting twice is refused the second time.
      isRepeatable: isKeyed || (method !== "post" && method !== "delete"),
      options,
    };
  }

  /** Sends until there is an answer that another attempt would not change. */
  async #send(sent: Sent): Promise<{ body: unknown; headers: Headers }> {
    const { attempts, waitMsMax } = this.#options;
    for (let attempt = 1; ; attempt++) {
      const error = await this.#attempt(sent).catch((cause: unknown) => {
        sent.options.signal?.throwIfAborted();
        return noAnswer(cause);
      });
      if (!(error instanceof DataFieError)) return error;
      const waitMs = error.retryAfterMs ?? Math.min(8_000, 250 * 2 ** attempt) * (0.5 + Math.random() / 2);
      const canRepeat = error.retryable && (sent.isRepeatable || !mayBeDone(error.code));
      if (!canRepeat || attempt >= attempts || waitMs > waitMsMax) throw error;
      await pause(waitMs, sent.options.signal);
    }
  }

  async #attempt({ url, init, options }: Sent): Promise<{ body: unknown; headers: Headers } | DataFieError> {
    const timeout = AbortSignal.timeout(options.timeoutMs ?? this.#options.timeoutMs);
    const signal = options.signal ? AbortSignal.any([options.signal, timeout]) : timeout;
    const answer = await this.#options.fetch(url, { ...init, signal });
    const text = await answer.text();
    return answer.ok ? { body: JSON.parse(text), headers: answer.headers } : refusalIn(answer, text);
  }
}

/** Whether a request that ended so may have taken effect: another without a key could take effect twice. */
function mayBeDone(code: Code): boolean {
  return code === "client.no_answer" || code === "service.unavailable" || code === "service.failed";
}

/** Waits; rejects with the signal's reason when it is aborted. */
async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal!.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, ms);
    signal?.addEventListener("abort", stop, { once: true });
  });
}
