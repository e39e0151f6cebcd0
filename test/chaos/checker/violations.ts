/** Something that may not happen, with what shows it. */
export interface Violation {
  readonly kind: 'lost' | 'duplicated' | 'out of order' | 'late' | 'unexpected';
  readonly rule?: string | undefined;
  readonly account?: string | undefined;
  /** The person or the slot. */
  readonly item?: string | undefined;
  readonly what: string;
  /** The interval in which it happened; the report shows its faults. */
  readonly fromMs: number;
  readonly toMs: number;
  readonly evidence: readonly string[];
}

/** An instant of the report, with milliseconds. */
export function formatInstant(atMs: number): string {
  return new Date(atMs).toISOString().slice(11, 23);
}
