import { createHash } from 'node:crypto';

/** A piece of work that has ended. */
export interface Span {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** 16 hexadecimal digits. */
  readonly spanId: string;
  /** The span that it is a part of; absent for the first span of a trace. */
  readonly parentId?: string | undefined;
  readonly name: string;
  readonly beganMs: number;
  readonly endedMs: number;
  readonly attributes: Readonly<Record<string, string | number | undefined>>;
  /** Why it failed, for example `unavailable`; absent if it did not. */
  readonly fault?: string | undefined;
}

/** Receives spans, and sends the last ones when it is disposed of. */
export interface SpanSink extends AsyncDisposable {
  onSpan(span: Span): void;
}

const TRACE_DIGITS = 32;
const SPAN_DIGITS = 16;

/** The trace of a firing. Each worker computes the same id, so no id is stored or sent. */
export function traceIdOf(firing: string): string {
  return digest('trace', firing).slice(0, TRACE_DIGITS);
}

/** The id of a span, equal for equal parts. */
export function spanIdOf(...parts: readonly (string | number)[]): string {
  return digest('span', ...parts).slice(0, SPAN_DIGITS);
}

function digest(...parts: readonly (string | number)[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}
