// A trace collector: it accepts spans by OTLP over HTTP (JSON), and lets tests read them.
type Value = { stringValue?: string; intValue?: number | string; boolValue?: boolean };
type Sent = {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  attributes: { key: string; value: Value }[];
};
export type CollectedSpan = Omit<Sent, "attributes"> & { attributes: Record<string, string> };

export type Collector = { url: string; spans: () => CollectedSpan[]; raw: () => string; stop: () => void };

/** Starts on a free port. Refuses anything but JSON for /v1/traces. */
export function startCollector(): Collector {
  const bodies: string[] = [];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: async (request) => {
      const isTraces = request.method === "POST" && new URL(request.url).pathname === "/v1/traces";
      if (!isTraces || !request.headers.get("content-type")?.startsWith("application/json"))
        return new Response("", { status: 404 });
      const bytes = await request.bytes();
      const isPacked = request.headers.get("content-encoding") === "gzip";
      bodies.push(new TextDecoder().decode(isPacked ? Bun.gunzipSync(bytes) : bytes));
      return Response.json({});
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    spans: () => bodies.flatMap(spansIn),
    raw: () => bodies.join("\n"),
    stop: () => void server.stop(true),
  };
}

function spansIn(body: string): CollectedSpan[] {
  const { resourceSpans } = JSON.parse(body) as {
    resourceSpans: { scopeSpans: { spans: Sent[] }[] }[];
  };
  return resourceSpans
    .flatMap((it) => it.scopeSpans.flatMap(({ spans }) => spans))
    .map((span) => ({
      ...span,
      attributes: Object.fromEntries(span.attributes.map(({ key, value }) => [key, String(Object.values(value)[0])])),
    }));
}
