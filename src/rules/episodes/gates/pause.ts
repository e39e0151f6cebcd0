import type { PausedBy } from '../../episode.ts';
import type { Refusal } from '../../reasons/refusal.ts';

/** Why a rule says nothing that a person paused. */
export function pauseRefusal({ by, atMs }: PausedBy, slotMs: number): Extract<Refusal, { readonly kind: 'paused' }> {
  return { kind: 'paused', by, agoMs: Math.max(0, slotMs - atMs) };
}
