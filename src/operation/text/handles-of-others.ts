import { DOMAIN_ENDINGS } from './lengths/domain-endings.ts';
import { outsideLinks } from './links.ts';

/** U+2060, as in foreign text: not seen, and no part of a name. */
const WORD_JOINER = '\u2060';

/** `@ada.bsky.social`: a name that is a host, of which X would take the first part for one of its own. */
const HOST_AS_NAME = new RegExp(
  String.raw`(?<![A-Za-z0-9_@＠])([@＠])(?=[A-Za-z0-9_]+(?:\.[A-Za-z0-9-]+)*\.(?:${[...DOMAIN_ENDINGS].join('|')})(?![A-Za-z0-9_@＠]))`,
  'giu',
);

/** A text for X in which the handles of other networks call nobody there. */
export function withoutHandlesOfOthers(text: string): string {
  return outsideLinks(text, (run) => run.replace(HOST_AS_NAME, `$1${WORD_JOINER}`));
}
