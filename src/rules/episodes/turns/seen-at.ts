import type { Episode } from '../../episode.ts';

/** An episode with the instant at which its item was seen last. */
export function seenAt(episode: Episode, { lastPollMs }: { readonly lastPollMs?: number | undefined }): Episode {
  return episode.listed ? { ...episode, lastSeenMs: lastPollMs ?? episode.lastSeenMs, listed: undefined } : episode;
}
