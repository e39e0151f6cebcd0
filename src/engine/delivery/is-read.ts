import { catalogue } from '#src/clients/catalogue.ts';
import { isReading } from '#src/clients/operation/declared.ts';

/** The verbs that only read. */
export const READING_VERBS: readonly string[] = [...catalogue].filter(([, declared]) => isReading(declared)).map(([verb]) => verb);

/** Whether a step only reads, so that nothing is sent. */
export function isRead(verb: string): boolean {
  return isReading(catalogue.get(verb));
}
