import type { Episode } from '../episode.ts';
import type { Rule, Watched } from '../rule.ts';

/** Whether a rule looks only at who enters: then an episode that is open is written again only when its item is gone, or another. */
export function isCompact({ if: condition, while: lasting, finally: closing, readsList }: Rule, { changes, per }: Watched): boolean {
  const looksBack = readsList || condition?.source.includes('changes') === true;
  return per === 'item' && !looksBack && lasting.length === 0 && closing.length === 0 && changes.every(({ kind }) => kind === 'entered');
}

/** The episode as such a rule keeps it after a poll; of whom the poll did not show it is known when they were seen last. */
export function compacted(
  episode: Episode,
  { watched: { kind }, slotMs }: { readonly watched: Watched; readonly slotMs: number },
): Episode {
  if (episode.phase !== 'open' || episode.lastSeenMs !== slotMs || episode.held || episode.unsaid) return episode;
  // Of a feed many keys are kept, and for long.
  return { ...episode, item: kind === 'feed' ? {} : episode.item, peak: {}, listed: true };
}
