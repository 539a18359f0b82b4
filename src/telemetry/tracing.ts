// Export of spans to a collector by OpenTelemetry's protocol (OTLP over HTTP). Loaded only if one is configured.
import { context, trace } from "@opentelemetry/api";

/** Starts the export to `endpoint` (/v1/traces is appended); the returned function flushes and stops it. */
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
  // An unreachable collector must not hold anything up, least of all the shutdown.
  return () => provider.shutdown().catch(() => {});
}
