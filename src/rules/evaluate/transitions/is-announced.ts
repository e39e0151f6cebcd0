import type { Episode, RuleMemory } from '#src/rules/episode.ts';

/** Whether an episode was announced: by `then`, or by steps of `quiet` or `limit` that no longer wait to run. */
export function isAnnounced(episode: Episode, { limited = [] }: Pick<RuleMemory, 'limited'>): boolean {
  const { id, announcedBy, suppressedBy, deferredChanges } = episode;
  if (announcedBy !== undefined) return true;
  switch (typeof suppressedBy === 'object' ? suppressedBy.kind : undefined) {
    case 'deferredToQuietSteps':
      return deferredChanges?.entered === undefined;
    case 'deferredToLimitSteps':
      return !limited.some(({ episode: waiting, change }) => waiting === id && change['kind'] === 'entered');
    default:
      return false;
  }
}
