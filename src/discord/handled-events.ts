import type { Clock } from '#src/clock.ts';
import { RecentIds } from './recent-ids.ts';

/** Lets one process handle an event of Discord that may arrive more than once: over the gateway, over HTTP, or at two processes. */
export interface HandledEvents {
  /** Whether the caller handles the event; false if it was claimed before. */
  claim(id: string): Promise<boolean>;
}

/** How long repeated events are recognized. */
const REMEMBERED_MS = 5 * 60_000;

/** The handled events of one process. */
export function memoryHandledEvents(clock: Clock): HandledEvents {
  const ids = new RecentIds({ forMs: REMEMBERED_MS, clock });
  return { claim: async (id) => ids.add(id) };
}
