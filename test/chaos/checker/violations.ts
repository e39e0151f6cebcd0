import { z } from 'zod';

const Violation = z.object({
  kind: z.enum(['lost', 'duplicated', 'out of order', 'late', 'unexpected']),
  rule: z.string().optional(),
  account: z.string().optional(),
  /** The person or the slot. */
  item: z.string().optional(),
  what: z.string(),
  /** The interval in which it happened; the report shows its faults. */
  fromMs: z.number(),
  toMs: z.number(),
  evidence: z.array(z.string()),
});
export const Violations = z.array(Violation);

/** A violation of the guarantees, with its evidence. */
export interface Violation extends Readonly<z.output<typeof Violation>> {}

/** The event with its place and time, in one line. */
export function formatHeading({ kind, rule, account, item, what, fromMs, toMs }: Violation): string {
  const where = [rule, account, item].filter((part) => part !== undefined).join(', ');
  return `${kind}: ${what} (${where}), ${formatInstant(fromMs)} to ${formatInstant(toMs)}`;
}

/** An instant of the report, with milliseconds. */
export function formatInstant(atMs: number): string {
  return new Date(atMs).toISOString().slice(11, 23);
}
