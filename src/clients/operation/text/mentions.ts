import { commonLinksIn } from './escape-post.ts';
import type { TextLimit } from './limit.ts';

/** The names in a text: those that mention a user if the user exists, and those that are only text. */
export interface Mentions {
  readonly called: readonly string[];
  readonly uncalled: readonly string[];
}

/** A name as people read it. */
const NAME = /(?<![\p{L}\p{N}_/@＠.])[@＠][\p{L}\p{N}_](?:[\p{L}\p{N}_.@-]*[\p{L}\p{N}_])?/gu;

/** The mentions in a post on a platform, each once. On an unknown platform, every name counts. */
export function mentionsIn(text: string, platform: Pick<TextLimit, 'mentionsIn'> | undefined): Mentions {
  const names = namesIn(text, NAME);
  const called = platform?.mentionsIn?.(text) ?? names;
  // X reads the first part of some names as a mention.
  return { called, uncalled: names.filter((name) => !called.some((one) => name.startsWith(one))) };
}

/** The matches of a pattern outside of links, each once. */
export function namesIn(text: string, pattern: RegExp): readonly string[] {
  const links = commonLinksIn(text);
  const outside = [...text.matchAll(pattern)].filter(({ index }) => !links.some(({ start, end }) => index >= start && index < end));
  return [...new Set(outside.map(([name]) => name))];
}
