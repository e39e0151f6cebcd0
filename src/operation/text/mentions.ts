import { commonLinksIn } from './escape-post.ts';
import { withoutHandlesOfOthers } from './handles-of-others.ts';

/** The names in a text: those that call somebody on a platform, if there is one of that name, and those that are only text there. */
export interface Mentions {
  readonly called: readonly string[];
  readonly uncalled: readonly string[];
}

/** What a person would take for a name. */
const NAME = /(?<![\p{L}\p{N}_/@＠.])[@＠][\p{L}\p{N}_](?:[\p{L}\p{N}_.@-]*[\p{L}\p{N}_])?/gu;

/** What each platform takes for one. */
const TAKEN: Readonly<Record<string, RegExp>> = {
  x: /(?<![\w!#$%&*@＠])[@＠]\w{1,20}(?![\w@＠\u00C0-\u024F]|:\/\/)/gu,
  bluesky:
    /(?<=^|[\s(])@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?(?![\w-]|\.[A-Za-z0-9])/gu,
  mastodon:
    /(?<![=/\p{L}\p{M}\p{N}\p{Pc}@])@[A-Za-z0-9_]+(?:@[\p{L}\p{N}_]+(?:[.-]+[\p{L}\p{N}_]+)+|(?![\p{L}\p{N}_@]|[.-]+[\p{L}\p{N}_]))/gu,
};

/** Whom the text of a post names on a platform, each once; of one that is not known all names count. */
export function mentionsIn(text: string, platform: string | undefined): Mentions {
  const taken = (platform !== undefined && Object.hasOwn(TAKEN, platform) && TAKEN[platform]) || NAME;
  const names = found(text, NAME);
  const called = found(platform === 'x' ? withoutHandlesOfOthers(text) : text, taken);
  // X takes the first part of some names for one of its own.
  return { called, uncalled: names.filter((name) => !called.some((one) => name.startsWith(one))) };
}

function found(text: string, pattern: RegExp): readonly string[] {
  const links = commonLinksIn(text);
  const outside = [...text.matchAll(pattern)].filter(({ index }) => !links.some(({ start, end }) => index >= start && index < end));
  return [...new Set(outside.map(([name]) => name))];
}
