import { z } from 'zod';
import { parseJson } from '#src/http/parse-json.ts';

/** Posts and reposts are in the feed of an account. */
export const FEED_COLLECTIONS: readonly string[] = ['app.bsky.feed.post', 'app.bsky.feed.repost'];

/** An event of Jetstream, without the text of a post. */
export interface JetstreamEvent {
  /** The account. */
  readonly did: string;
  /** When Jetstream received it, in microseconds. A new connection can begin at this time. */
  readonly timeUs: number;
  readonly kind: 'commit' | 'identity' | 'account';
  /** Whether the feed of the account may have changed: with a post, a repost, a new handle or a suspension. */
  readonly isAboutFeed: boolean;
}

const Event = z.object({
  did: z.string().startsWith('did:'),
  time_us: z.int().nonnegative(),
  kind: z.enum(['commit', 'identity', 'account']),
  commit: z.object({ collection: z.string() }).optional(),
});

/** Reads an event; undefined if it is malformed. */
export function readJetstreamEvent(text: string): JetstreamEvent | undefined {
  const { data } = Event.safeParse(parseJson(text));
  if (!data) return undefined;
  const { did, time_us: timeUs, kind, commit } = data;
  return { did, timeUs, kind, isAboutFeed: kind !== 'commit' || FEED_COLLECTIONS.includes(commit?.collection ?? '') };
}
