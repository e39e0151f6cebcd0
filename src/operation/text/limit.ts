import { countGraphemes } from './characters.ts';
import { withoutHandlesOfOthers } from './mentions.ts';
import { mastodonLength } from './lengths/mastodon.ts';
import { xLength } from './lengths/x.ts';

/** The length limit of a post on a platform. */
export interface TextLimit {
  readonly most: number;
  /** The length as the platform counts it. A text is sent only if it is at most `most`. */
  readonly lengthOf: (text: string) => number;
  /** The longest mention that the text of a reply gets in front; absent if the platform addresses replies without one. */
  readonly replyPrefix?: string | undefined;
}

/** The limit of a reply. */
export function limitOfReply(limit: TextLimit): TextLimit {
  const { most, lengthOf, replyPrefix } = limit;
  return replyPrefix === undefined ? limit : { ...limit, most: most - lengthOf(replyPrefix) };
}

/** The longest name of an account on Mastodon. Other servers also count the host of a mention. */
const LONGEST_NAME = `@${'a'.repeat(30)}`;
export const REPLY_PREFIXES = { mastodon: `${LONGEST_NAME} `, elsewhere: `${LONGEST_NAME}@${'a'.repeat(30)}.example ` } as const;

/** The length limits of poll options. Mastodon servers may allow more. */
export const ANSWER_LIMITS: Readonly<Record<'mastodon' | 'x', TextLimit>> = {
  mastodon: { most: 50, lengthOf: countGraphemes },
  x: { most: 25, lengthOf: xLength },
};

/** The limits by platform that are known without a request. They apply to the check of rules. */
export const TEXT_LIMITS: Readonly<Record<'sandbox' | 'bluesky' | 'mastodon' | 'x', TextLimit>> = {
  sandbox: { most: 500, lengthOf: countGraphemes },
  bluesky: { most: 300, lengthOf: blueskyLength },
  mastodon: { most: 500, lengthOf: (text) => mastodonLength(text), replyPrefix: REPLY_PREFIXES.mastodon },
  x: { most: 280, lengthOf: (text) => xLength(withoutHandlesOfOthers(text)) },
};

/** The bytes per character, from the limits of 3000 bytes and 300 characters. */
const BYTES_A_CHARACTER = 10;

/** The length of a text on Bluesky: visible characters or UTF-8 bytes, whichever uses more of its limit. */
function blueskyLength(text: string): number {
  return Math.max(countGraphemes(text), Math.ceil(Buffer.byteLength(text) / BYTES_A_CHARACTER));
}
