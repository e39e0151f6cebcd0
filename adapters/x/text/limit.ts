import { DOMAIN_ENDINGS } from '#src/clients/operation/text/domain-endings.ts';
import type { TextLimit } from '#src/clients/operation/text/limit.ts';
import { outsideLinks } from '#src/clients/operation/text/links.ts';
import { namesIn } from '#src/clients/operation/text/mentions.ts';
import { xLength } from './length.ts';

/** A mention as X reads it. */
export const MENTION = /(?<![\w!#$%&*@＠])[@＠]\w{1,20}(?![\w@＠\u00C0-\u024F]|:\/\/)/gu;

/** X does not document how long it remembers a text. People report 12 to 24 hours. */
const REMEMBERS_TEXT_MS = 12 * 3_600_000;

/** The limit of a post. */
export const TEXT_LIMIT: TextLimit = {
  most: 280,
  lengthOf: (text) => xLength(withoutHandlesOfOthers(text)),
  mentionsIn: (text) => namesIn(withoutHandlesOfOthers(text), MENTION),
  refusesRepeatsForMs: REMEMBERS_TEXT_MS,
};

/** The limit of the options of a poll. */
export const ANSWER_LIMIT: TextLimit = { most: 25, lengthOf: xLength };

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
