import { RichText } from '@atproto/api';
import { fc, runs } from '../../support/property.ts';
import twitterText from 'twitter-text';
import { describe, expect, test } from 'vitest';
import { withoutHandlesOfOthers } from '#adapters/x/text/limit.ts';
import { TEXT_LIMITS } from '../../support/text-limits.ts';
import { runsOf } from '#src/clients/operation/text/links.ts';
import { neutral } from '#src/clients/operation/text/sanitize.ts';
import { countedByPage, countedByServer } from '../../adapters/mastodon/mastodon-counts.ts';
import { rendered, textsOf } from './fixture.ts';

const { parseTweet, extractUrls, extractMentions, extractHashtags, extractCashtags } = twitterText;
const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** A platform by an independent implementation. */
interface Judge {
  /** Whether the text is within the limit. */
  readonly takes: (text: string) => boolean;
  /** The links, mentions and tags in a text, with their signs. */
  readonly entities: (text: string) => readonly string[];
}

const JUDGES: Readonly<Record<'x' | 'bluesky' | 'mastodon', Judge>> = {
  x: {
    takes: (text) => parseTweet(withoutHandlesOfOthers(text)).weightedLength <= 280,
    entities: (written) => entitiesOnX(withoutHandlesOfOthers(written)),
  },
  bluesky: {
    takes(text) {
      const rich = new RichText({ text });
      return rich.graphemeLength <= 300 && rich.length <= 3000 && graphemesOf(text).length <= 300;
    },
    entities(text) {
      const rich = new RichText({ text });
      rich.detectFacetsWithoutResolution();
      return Array.from(rich.segments()).flatMap(({ text: segment, facet }) => (facet ? [segment] : []));
    },
  },
  mastodon: {
    takes: (text) => countedByServer(text) <= 500 && countedByPage(text) <= 500,
    entities: (text) => [
      ...(text.match(
        /(?<![=/\p{L}\p{M}\p{N}\p{Pc}])@[a-z0-9_]+(?:[.-]+[a-z0-9_]+)*(?:@[\p{L}\p{M}\p{N}\p{Pc}.-]*[\p{L}\p{M}\p{N}\p{Pc}])?/giu,
      ) ?? []),
      ...(text.match(/(?<![\w/)])[#＃][\p{L}\p{M}\p{N}\p{Pc}·]+/gu) ?? []),
    ],
  },
};

function entitiesOnX(text: string): readonly string[] {
  return [
    ...extractUrls(text),
    ...extractMentions(text).map((name) => `@${name}`),
    ...extractHashtags(text).map((tag) => `#${tag}`),
    ...extractCashtags(text).map((tag) => `$${tag}`),
  ];
}

function graphemesOf(text: string): readonly string[] {
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

const LINKS = [
  'https://www.twitch.tv/ada_',
  'https://example.com/a_(b)?c=d&e=%20f#g',
  'https://youtu.be/x-_1',
  'https://bücher.example.de/ä',
];
const NAMES = [
  '@ada',
  '@ada.bsky.social',
  '@grace@example.social',
  '(@ada)',
  '#speedrun',
  '#日本語',
  '#ÜberRaschung',
  '＃live',
  '$FANF',
  '#c3_x!',
];
const WORDS = [
  'Ada',
  'plays',
  'chess.',
  'Now!',
  'e\u0301',
  'Z͑ͫ̓ͪ̂ͫ',
  '👩‍👩‍👧‍👦',
  '🇩🇪🇯🇵🇺',
  '👍🏽',
  '❤️‍🔥',
  '1️⃣',
  'שלום',
  '\u200Fمرحبا\u200F',
  '日本語。',
  'क्षि',
  'ไทย',
  'example.com/live',
  'Hello.there',
  'ada@example.com',
  '"',
  ')',
  '…',
  '\\*',
];

const piece = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...WORDS) },
  { weight: 3, arbitrary: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 15 }) },
  { weight: 2, arbitrary: fc.constantFrom(...LINKS) },
  { weight: 2, arbitrary: fc.constantFrom(...NAMES) },
);
/** A long text of all kinds of words, some of them without a space between them. */
const longText = fc
  .array(
    fc.tuple(piece, fc.oneof({ weight: 12, arbitrary: fc.constantFrom(' ', '\n', '  ') }, { weight: 1, arbitrary: fc.constant('') })),
    {
      minLength: 20,
      maxLength: 160,
    },
  )
  .map((parts) => neutral(parts.flat().join('')).replaceAll('${{', ''))
  .filter((text) => text.trim() !== '');

function linksIn(text: string): readonly string[] {
  return runsOf(text).flatMap((run) => (run.link ? [run.text] : []));
}

// Failing texts are slow to shrink.
const limits = { numRuns: runs(8, 300) };

describe.for(['x', 'bluesky', 'mastodon'] as const)('a text on %s', (platform) => {
  const { takes, entities } = JUDGES[platform];
  const textLimit = TEXT_LIMITS[platform];

  test('fits after shortening, with only names and links of its author', () => {
    fc.assert(
      fc.property(longText, (text) => {
        const [short = ''] = textsOf(rendered({ text }, { fit: 'truncate' }, { textLimit }));

        expect(takes(short)).toBe(true);
        const links = linksIn(text);
        for (const link of linksIn(short)) expect(links).toContain(link);
        // A platform may end a link before its author does.
        const known = (entity: string): boolean => entities(text).includes(entity) || links.some((link) => link.startsWith(entity));
        expect(entities(short).filter((entity) => !known(entity))).toEqual([]);
        const characters = new Set([...graphemesOf(text), '…', ' ']);
        for (const one of graphemesOf(short)) expect(characters).toContain(one);
      }),
      limits,
    );
  });

  test('fits in every part of a thread, and the parts have the whole text with all links and names', () => {
    fc.assert(
      fc.property(longText, (text) => {
        const parts = textsOf(rendered({ text }, { fit: 'thread' }, { textLimit }));

        for (const part of parts) expect(takes(part)).toBe(true);
        expect(parts.join('').replace(/\s/gu, '')).toBe(text.replace(/\s/gu, ''));
        expect(parts.flatMap(entities).toSorted()).toEqual(entities(text).toSorted());
        expect(parts.flatMap(linksIn)).toEqual(linksIn(text));
        const characters = new Set(graphemesOf(text));
        for (const one of parts.flatMap(graphemesOf)) expect(characters).toContain(one);
      }),
      limits,
    );
  });

  test('is unchanged if it fits, and fails with fit: error if it does not', () => {
    fc.assert(
      fc.property(longText, (text) => {
        const answer = rendered({ text }, { fit: 'error' }, { textLimit });

        const tooLong = /the text has \d+ characters, and the limit is \d+/;
        const isRight = 'failure' in answer ? tooLong.test(answer.failure) : textsOf(answer).every((post) => post === text && takes(post));
        expect(isRight).toBe(true);
      }),
      limits,
    );
  });
});
