import { commonLinksIn } from './escape-post.ts';
import { DOMAIN_ENDINGS } from './lengths/domain-endings.ts';
import { outsideLinks } from './links.ts';

/** The names in a text: those that mention a user if the user exists, and those that are only text. */
export interface Mentions {
  readonly called: readonly string[];
  readonly uncalled: readonly string[];
}

/** A name as people read it. */
const NAME = /(?<![\p{L}\p{N}_/@＠.])[@＠][\p{L}\p{N}_](?:[\p{L}\p{N}_.@-]*[\p{L}\p{N}_])?/gu;

/** A mention as X reads it. */
export const X_MENTION = /(?<![\w!#$%&*@＠])[@＠]\w{1,20}(?![\w@＠\u00C0-\u024F]|:\/\/)/gu;

/** A mention as each platform reads it. */
const TAKEN: Readonly<Record<string, RegExp>> = {
  x: X_MENTION,
  bluesky:
    /(?<=^|[\s(])@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?(?![\w-]|\.[A-Za-z0-9])/gu,
  mastodon:
    /(?<![=/\p{L}\p{M}\p{N}\p{Pc}@])@[A-Za-z0-9_]+(?:@[\p{L}\p{N}_]+(?:[.-]+[\p{L}\p{N}_]+)+|(?![\p{L}\p{N}_@]|[.-]+[\p{L}\p{N}_]))/gu,
};

/** The mentions in a post on a platform, each once. On an unknown platform, every name counts. */
export function mentionsIn(text: string, platform: string | undefined): Mentions {
  const taken = (platform !== undefined && Object.hasOwn(TAKEN, platform) && TAKEN[platform]) || NAME;
  const names = found(text, NAME);
  const called = found(platform === 'x' ? withoutHandlesOfOthers(text) : text, taken);
  // X reads the first part of some names as a mention.
  return { called, uncalled: names.filter((name) => !called.some((one) => name.startsWith(one))) };
}

function found(text: string, pattern: RegExp): readonly string[] {
  const links = commonLinksIn(text);
  const outside = [...text.matchAll(pattern)].filter(({ index }) => !links.some(({ start, end }) => index >= start && index < end));
  return [...new Set(outside.map(([name]) => name))];
}

/** U+2060 is invisible and no part of a name. */
const WORD_JOINER = '\u2060';

/** A name that is a host, for example `@ada.bsky.social`. X would read its first part as a mention. */
const HOST_AS_NAME = new RegExp(
  String.raw`(?<![A-Za-z0-9_@＠])([@＠])(?=[A-Za-z0-9_]+(?:\.[A-Za-z0-9-]+)*\.(?:${[...DOMAIN_ENDINGS].join('|')})(?![A-Za-z0-9_@＠]))`,
  'giu',
);

/** Changes the handles of other networks in a text for X so that they mention nobody there. */
export function withoutHandlesOfOthers(text: string): string {
  return outsideLinks(text, (run) => run.replace(HOST_AS_NAME, `$1${WORD_JOINER}`));
}
