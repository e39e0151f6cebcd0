import type { Clock } from '#src/clock.ts';
import type { Log } from '#src/log.ts';
import { traceFirings, type FiringTraces } from './trace-firings.ts';

/** Where traces go. */
interface TraceSettings {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The name of the service in the traces. */
  readonly service: string;
}

export interface OpenTracesOptions {
  /** Absent: nothing is traced, and the SDK is not loaded. */
  readonly settings: TraceSettings | undefined;
  readonly worker: string;
  readonly clock: Clock;
  readonly log: Log;
}

/** Opens the traces of firings; undefined without settings. */
export async function openTraces({
  settings,
  worker,
  clock,
  log,
}: OpenTracesOptions): Promise<(FiringTraces & AsyncDisposable) | undefined> {
  if (!settings) return undefined;
  const { exportSpans } = await import('./otlp-exporter.ts');
  const sink = exportSpans({ ...settings, worker, log });
  return { ...traceFirings({ onSpan: (span) => sink.onSpan(span), clock }), [Symbol.asyncDispose]: () => sink[Symbol.asyncDispose]() };
}
