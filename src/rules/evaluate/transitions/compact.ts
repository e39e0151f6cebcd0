import { onlyName } from '#src/rules/evaluate/items/item-fields.ts';
import type { Episode } from '#src/rules/episode.ts';
import type { Rule, Watched } from '#src/rules/rule.ts';
import type { PollInstant } from './transition.ts';

/**
 * Whether a rule needs only the presence of its open items. Then it writes an open episode again only if its item changes or leaves.
 */
export function isCompact({ if: condition, while: lasting, finally: closing, readsList }: Rule, { changes, per }: Watched): boolean {
  const readsHistory = readsList || condition?.source.includes('changes') === true;
  return per === 'item' && !readsHistory && lasting.length === 0 && closing.length === 0 && changes.every(({ kind }) => kind === 'entered');
}

/** The compact form of an open episode that the poll shows. Other episodes stay complete. */
export function compacted(episode: Episode, { watched: { kind }, slotMs }: Pick<PollInstant, 'watched' | 'slotMs'>): Episode {
  if (episode.phase !== 'open' || episode.lastSeenMs !== slotMs || episode.deferredChanges || episode.deferred) return episode;
  // A feed keeps many keys for a long time.
  return {
    ...episode,
    item: kind === 'feed' ? onlyName(episode.item) : episode.item,
    peak: {},
    games: undefined,
    noticedBy: undefined,
    ...NO_DATA,
    compact: true,
  };
}

const NO_DATA = { totals: undefined, peaks: undefined, spans: undefined, nextSpan: undefined };

/** The episode with the instant at which its item was last seen. A compact episode does not store it. */
export function expanded(episode: Episode, { lastPollMs }: { readonly lastPollMs?: number | undefined }): Episode {
  return episode.compact ? { ...episode, lastSeenMs: lastPollMs ?? episode.lastSeenMs, compact: undefined } : episode;
}
