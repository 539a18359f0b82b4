// Spans: what a request, a settlement or a round waited for. They go nowhere, and cost next to nothing, until
// `src/telemetry/tracing.ts` has been told where to send them. Attributes are words and counts of ours, never what people typed,
// the values of a statement, or an error's own words, which may quote them.
import { type Attributes, SpanStatusCode, trace } from "@opentelemetry/api";

/** Does `work` within a span of this name; `describe` adds what is known of the answer. A fault marks it by its kind. */
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

/** Gives the span that is open now a better name, once it is known, and what else became known. */
export function nameSpan(name: string, attributes: Attributes): void {
  trace.getActiveSpan()?.updateName(name).setAttributes(attributes);
}
