import type { RuleState } from '#src/rules/episode.ts';
import { muteSuppression, type MuteSuppression } from '../gates/gates.ts';

/** Changes that waited for the steps of a section. */
interface WithoutMuted<T> {
  /** The changes that the steps get. */
  readonly left: readonly T[];
  /** The number of changes whose items a person muted since, and the last mute of them; absent: there are none. */
  readonly muted?: { readonly changes: number; readonly suppressedBy: MuteSuppression } | undefined;
}

/** Separates the changes of muted items. `episodeOf`: the id of the episode of a change. */
export function withoutMuted<T>(
  all: readonly T[],
  episodeOf: (one: T) => string,
  { state: { muted }, slotMs }: { readonly state: Pick<RuleState, 'muted'>; readonly slotMs: number },
): WithoutMuted<T> {
  if (!muted) return { left: all };
  const mutes = all.flatMap((one) => muted.get(episodeOf(one)) ?? []);
  const last = mutes.toSorted((a, b) => a.atMs - b.atMs).at(-1);
  if (!last) return { left: all };
  return {
    left: all.filter((one) => !muted.has(episodeOf(one))),
    muted: { changes: mutes.length, suppressedBy: muteSuppression(last, slotMs) },
  };
}
