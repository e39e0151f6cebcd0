import { ROOT_CONTEXT, SpanStatusCode, trace, TraceFlags } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, TracerProvider, type SpanExporter } from '@opentelemetry/sdk-trace';
import project from '../../../package.json' with { type: 'json' };
import type { Log } from '#src/log.ts';
import type { Span, SpanSink } from './span.ts';

/** The shutdown waits this long for the receiver. */
const EXPORT_TIMEOUT_MS = 5_000;

export interface OtlpOptions {
  /** The address that receives the spans, for example `http://127.0.0.1:4318/v1/traces`. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly service: string;
  readonly worker: string;
  readonly log: Log;
}

/** Exports spans over OTLP/HTTP with the OpenTelemetry SDK. */
export function exportSpans({ url, headers, service, worker, log }: OtlpOptions): SpanSink {
  // Spans have ids that every worker computes alike; the SDK asks for them while a span starts.
  let next: Span | undefined;
  const idGenerator = { generateTraceId: () => next?.traceId ?? '', generateSpanId: () => next?.spanId ?? '' };
  const exporter = new OTLPTraceExporter({ url, headers: { ...headers }, timeoutMillis: EXPORT_TIMEOUT_MS });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.name': service,
      'service.version': project.version,
      'service.instance.id': worker,
    }),
    idGenerator,
    spanProcessors: [new BatchSpanProcessor({ exporter: withIncidents(exporter, log), exportTimeoutMillis: EXPORT_TIMEOUT_MS })],
  });
  const tracer = provider.getTracer('fanfare', project.version);

  return {
    onSpan(span) {
      next = span;
      const { traceId, parentId, name, beganMs, endedMs, attributes, fault } = span;
      const context =
        parentId === undefined
          ? ROOT_CONTEXT
          : trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId: parentId, traceFlags: TraceFlags.SAMPLED, isRemote: true });
      const started = tracer.startSpan(name, { startTime: beganMs, attributes: { ...attributes, 'fanfare.fault': fault } }, context);
      if (fault !== undefined) started.setStatus({ code: SpanStatusCode.ERROR, message: fault });
      started.end(endedMs);
    },

    [Symbol.asyncDispose]: () => provider.shutdown(),
  };
}

/** Logs once when the receiver of the spans stops answering, and once when it answers again. Fanfare runs on without it. */
function withIncidents(exporter: SpanExporter, log: Log): SpanExporter {
  let isFailing = false;
  return {
    export(spans, done) {
      exporter.export(spans, ({ code, error }) => {
        const isFailed = error !== undefined || code !== 0;
        if (isFailed && !isFailing) log.warn({ why: error?.message }, 'traces cannot be exported');
        if (!isFailed && isFailing) log.info({}, 'traces are exported again');
        isFailing = isFailed;
        // The SDK would print a failure as well.
        done({ code: 0 });
      });
    },
    shutdown: () => exporter.shutdown(),
    forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
  };
}
