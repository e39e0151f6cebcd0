import { countGraphemes } from './graphemes.ts';
import { withoutHandlesOfOthers } from './handles-of-others.ts';
import { blueskyLength } from './lengths/bluesky.ts';
import { mastodonLength } from './lengths/mastodon.ts';
import { xLength } from './lengths/x.ts';

/** How long a post may be on a platform. */
export interface TextLimit {
  readonly most: number;
  /** As the platform counts; a text is sent only where this is at most `most`. */
  readonly lengthOf: (text: string) => number;
}

/** How long an answer of a poll may be where each platform has polls; servers of Mastodon may take more. */
export const ANSWER_LIMITS: Readonly<Record<'mastodon' | 'x', TextLimit>> = {
  mastodon: { most: 50, lengthOf: countGraphemes },
  x: { most: 25, lengthOf: xLength },
};

/** The limits that are known before anybody asks the platform, by its name: rules are checked without any account. */
export const TEXT_LIMITS: Readonly<Record<'sandbox' | 'bluesky' | 'mastodon' | 'x', TextLimit>> = {
  sandbox: { most: 500, lengthOf: countGraphemes },
  bluesky: { most: 300, lengthOf: blueskyLength },
  mastodon: { most: 500, lengthOf: (text) => mastodonLength(text) },
  x: { most: 280, lengthOf: (text) => xLength(withoutHandlesOfOthers(text)) },
};
