import { createRecentIds } from '#src/admin/incoming-webhooks/recent-ids.ts';
import type { Clock } from '#src/clock.ts';

/** Lets one process handle an event of Discord that may arrive more than once: over the gateway, over HTTP, or at two processes. */
export interface HandledEvents {
  /** Whether the caller handles the event; false if it was claimed before. */
  claim(id: string): Promise<boolean>;
}

/** How long repeated events are recognized. */
export const REMEMBERED_MS = 5 * 60_000;

/** The handled events of one process. */
export function memoryHandledEvents(clock: Clock): HandledEvents {
  const isRepeat = createRecentIds({ forMs: REMEMBERED_MS, most: Infinity, clock });
  return { claim: async (id) => !isRepeat(id) };
}
