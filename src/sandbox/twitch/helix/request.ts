import type { FaultKind, FaultOrder } from '../../faults.ts';
import type { World } from '../../world/world.ts';
import type { Pictures } from '../pictures/addresses.ts';
import type { Query } from './query.ts';

/** What an endpoint of Helix works with. */
export interface HelixRequest {
  readonly world: World;
  readonly query: Query;
  /** The instant that the answer is true of. */
  readonly nowMs: number;
  readonly pictures: Pictures;
  /** Uses up a fault that is in force for this request. */
  readonly fault: (kind: FaultKind) => FaultOrder | undefined;
}

/** An instant as Helix writes it: without fractions of a second. */
export function wireInstant(at: Date): string {
  return at.toISOString().replace(/\.\d+Z$/, 'Z');
}
