// Sends spans to a collector by OpenTelemetry's protocol (OTLP over HTTP). Loaded only when there is one.
import { context, trace } from "@opentelemetry/api";

/** Starts sending to `endpoint` (…/v1/traces is added); the returned function sends what is left. */
export async function startTracing(endpoint: string): Promise<() => Promise<void>> {
  const [{ AsyncLocalStorageContextManager }, { OTLPTraceExporter }, { resourceFromAttributes }, sdk] =
    await Promise.all([
      import("@opentelemetry/context-async-hooks"),
      import("@opentelemetry/exporter-trace-otlp-http"),
      import("@opentelemetry/resources"),
      import("@opentelemetry/sdk-trace"),
    ]);
  const exporter = new OTLPTraceExporter({ url: `${endpoint}/v1/traces`, timeoutMillis: 3_000 });
  const provider = new sdk.TracerProvider({
    resource: resourceFromAttributes({ "service.name": "datafie", "service.instance.id": `${process.pid}` }),
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter })],
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  trace.setGlobalTracerProvider(provider);
  // A collector that is away must hold up nothing, least of all the end.
  return () => provider.shutdown().catch(() => {});
}
