import { RichText } from '@atproto/api';
import { fc, runs } from '../../support/property.ts';
import twitterText from 'twitter-text';
import { describe, expect, test } from 'vitest';
import { withoutHandlesOfOthers } from '#src/operation/text/mentions.ts';
import { TEXT_LIMITS } from '#src/operation/text/limit.ts';
import { runsOf } from '#src/operation/text/links.ts';
import { neutral } from '#src/operation/text/sanitize.ts';
import { countedByPage, countedByServer } from '../../operation/text/lengths/mastodon-counts.ts';
import { rendered, textsOf } from './fixture.ts';

const { parseTweet, extractUrls, extractMentions, extractHashtags, extractCashtags } = twitterText;
const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** A platform as what is not ours judges it. */
interface Judge {
  /** Whether it takes a text of this length. */
  readonly takes: (text: string) => boolean;
  /** What in a text means something there, each with its sign. */
  readonly marks: (text: string) => readonly string[];
}

const JUDGES: Readonly<Record<'x' | 'bluesky' | 'mastodon', Judge>> = {
  x: {
    takes: (text) => parseTweet(withoutHandlesOfOthers(text)).weightedLength <= 280,
    marks: (written) => marksOnX(withoutHandlesOfOthers(written)),
  },
  bluesky: {
    takes(text) {
      const rich = new RichText({ text });
      return rich.graphemeLength <= 300 && rich.length <= 3000 && graphemesOf(text).length <= 300;
    },
    marks(text) {
      const rich = new RichText({ text });
      rich.detectFacetsWithoutResolution();
      return Array.from(rich.segments()).flatMap(({ text: said, facet }) => (facet ? [said] : []));
    },
  },
  mastodon: {
    takes: (text) => countedByServer(text) <= 500 && countedByPage(text) <= 500,
    marks: (text) => [
      ...(text.match(
        /(?<![=/\p{L}\p{M}\p{N}\p{Pc}])@[a-z0-9_]+(?:[.-]+[a-z0-9_]+)*(?:@[\p{L}\p{M}\p{N}\p{Pc}.-]*[\p{L}\p{M}\p{N}\p{Pc}])?/giu,
      ) ?? []),
      ...(text.match(/(?<![\w/)])[#＃][\p{L}\p{M}\p{N}\p{Pc}·]+/gu) ?? []),
    ],
  },
};

function marksOnX(text: string): readonly string[] {
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
/** What somebody says at length, of everything that there is; now and then without a space between two words. */
const said = fc
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
const limits = { numRuns: runs(40, 1_000), interruptAfterTimeLimit: 20_000 };

describe.for(['x', 'bluesky', 'mastodon'] as const)('what is said on %s', (platform) => {
  const { takes, marks } = JUDGES[platform];
  const textLimit = TEXT_LIMITS[platform];

  test('fits when it was shortened, and names and links nothing that its author did not', () => {
    fc.assert(
      fc.property(said, (text) => {
        const [short = ''] = textsOf(rendered({ text }, { fit: 'truncate' }, { textLimit }));

        expect(takes(short)).toBe(true);
        const links = linksIn(text);
        for (const link of linksIn(short)) expect(links).toContain(link);
        // A platform may end a link earlier or later than its author does.
        const isLink = (mark: string): boolean =>
          links.some((link) => link.startsWith(mark) || (mark.startsWith(link) && text.includes(mark)));
        const known = (mark: string): boolean => marks(text).includes(mark) || isLink(mark);
        expect(marks(short).filter((mark) => !known(mark))).toEqual([]);
        const characters = new Set([...graphemesOf(text), '…', ' ']);
        for (const one of graphemesOf(short)) expect(characters).toContain(one);
      }),
      limits,
    );
  });

  test('fits in every part of a thread, whose parts together say it all in its order, with every link and every name', () => {
    fc.assert(
      fc.property(said, (text) => {
        const parts = textsOf(rendered({ text }, { fit: 'thread' }, { textLimit }));

        for (const part of parts) expect(takes(part)).toBe(true);
        expect(parts.join('').replace(/\s/gu, '')).toBe(text.replace(/\s/gu, ''));
        expect(parts.flatMap(marks).toSorted()).toEqual(marks(text).toSorted());
        expect(parts.flatMap(linksIn)).toEqual(linksIn(text));
        const characters = new Set(graphemesOf(text));
        for (const one of parts.flatMap(graphemesOf)) expect(characters).toContain(one);
      }),
      limits,
    );
  });

  test('is sent as it is where it fits, and fails where it does not and that is wanted', () => {
    fc.assert(
      fc.property(said, (text) => {
        const answer = rendered({ text }, { fit: 'error' }, { textLimit });

        const isSaid = /a text is \d+ long, and \d+ is the most that fits/;
        const isRight = 'failure' in answer ? isSaid.test(answer.failure) : textsOf(answer).every((sent) => sent === text && takes(sent));
        expect(isRight).toBe(true);
      }),
      limits,
    );
  });
});
