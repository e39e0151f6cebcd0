import { countGraphemes } from '#src/clients/operation/text/characters.ts';
import type { TextLimit } from '#src/clients/operation/text/limit.ts';
import { namesIn } from '#src/clients/operation/text/mentions.ts';
import { mastodonLength, warningLength } from './length.ts';

/** The longest name of an account on Mastodon. Other servers also count the host of a mention. */
const LONGEST_NAME = `@${'a'.repeat(30)}`;
export const REPLY_PREFIXES = { mastodon: `${LONGEST_NAME} `, elsewhere: `${LONGEST_NAME}@${'a'.repeat(30)}.example ` } as const;

const MENTION =
  /(?<![=/\p{L}\p{M}\p{N}\p{Pc}@])@[A-Za-z0-9_]+(?:@[\p{L}\p{N}_]+(?:[.-]+[\p{L}\p{N}_]+)+|(?![\p{L}\p{N}_@]|[.-]+[\p{L}\p{N}_]))/gu;

/** The mentions in a post. */
export const mentionsIn = (text: string): readonly string[] => namesIn(text, MENTION);

/** The usual limit of a post. */
export const TEXT_LIMIT: TextLimit = {
  most: 500,
  lengthOf: (text) => mastodonLength(text),
  lengthOfWarning: (warning) => warningLength(warning),
  keepsWarning: true,
  replyPrefix: REPLY_PREFIXES.mastodon,
  mentionsIn,
  varies: true,
};

/** The usual limit of the options of a poll. */
export const ANSWER_LIMIT: TextLimit = { most: 50, lengthOf: countGraphemes, varies: true };
