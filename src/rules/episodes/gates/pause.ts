import type { PausedBy } from '../../episode.ts';
import { durationText } from '../../wording/duration-text.ts';

/** Why a rule says nothing that a person paused. */
export function pauseReason({ by, atMs }: PausedBy, slotMs: number): string {
  return `${by} paused the rule ${durationText(Math.max(0, slotMs - atMs))} ago; it says nothing until it is resumed`;
}
