import { PlatformError } from '#src/errors.ts';
import { isFault } from '#src/http/errors.ts';
import type { FeedEntry } from '../client.ts';

export interface FeedEntriesOptions {
  /** The channel or the playlist, for messages. */
  readonly name: string;
  /** Whether the API knows it, with videos. */
  readonly hasVideos: () => Promise<boolean>;
}

/**
 * The entries of a requested feed. YouTube has no feed of a closed channel, and during outages, none of other channels, so the API decides
 * what a missing feed means.
 */
export async function feedEntries(
  requested: Promise<readonly FeedEntry[]>,
  { name, hasVideos }: FeedEntriesOptions,
): Promise<readonly FeedEntry[]> {
  try {
    return await requested;
  } catch (error) {
    if (!isFault(error, 'missing')) throw error;
    if (!(await hasVideos())) return [];
    throw new PlatformError(`youtube: the feed of the ${name} is missing, although the API lists videos of it; try again later.`, {
      platform: 'youtube',
      fault: 'unavailable',
      status: error.status,
      cause: error,
    });
  }
}
