// Trace spans: what a request, a settlement or a worker's round waited for. They cost next to nothing until
// `src/telemetry/tracing.ts` is configured to export them. Attributes are fixed labels and counts, never what people
// typed, the values of a statement, or an error's message, which may quote them.
import { type Attributes, SpanStatusCode, trace } from "@opentelemetry/api";

/** Runs `work` within a span; `describe` adds attributes of its answer. An error marks the span with its type. */
export function traced<T>(
  name: string,
  attributes: Attributes,
  work: () => Promise<T>,
  describe: (answer: T) => Attributes = () => ({}),
): Promise<T> {
  return trace.getTracer("datafie").startActiveSpan(name, { attributes }, async (span) => {
    try {
      const answer = await work();
      if (span.isRecording()) span.setAttributes(describe(answer));
      return answer;
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR });
      span.setAttribute("error.type", error instanceof Error ? error.name : "unknown");
      throw error;
    } finally {
      span.end();
    }
  });
}

/** Renames the active span once a better name is known, and adds attributes. */
export function nameSpan(name: string, attributes: Attributes): void {
  trace.getActiveSpan()?.updateName(name).setAttributes(attributes);
}
