import type { PausedBy } from '#src/rules/episode.ts';
import { muteSuppression, type MuteSuppression } from '../gates/gates.ts';

/** Changes that waited for the steps of a section. */
interface WithoutMuted<T> {
  /** The changes that the steps get. */
  readonly left: readonly T[];
  /** The number of changes whose items a person muted since, and the last mute of them; absent: there are none. */
  readonly muted?: { readonly changes: number; readonly suppressedBy: MuteSuppression } | undefined;
}

/** Separates the changes of muted items. `muteOf`: the mute of the item of a change. */
export function withoutMuted<T>(all: readonly T[], muteOf: (one: T) => PausedBy | undefined, slotMs: number): WithoutMuted<T> {
  const mutes = all.flatMap((one) => muteOf(one) ?? []);
  const last = mutes.toSorted((a, b) => a.atMs - b.atMs).at(-1);
  if (!last) return { left: all };
  return {
    left: all.filter((one) => !muteOf(one)),
    muted: { changes: mutes.length, suppressedBy: muteSuppression(last, slotMs) },
  };
}
