import { RichText, type AppBskyRichtextFacet } from '@atproto/api';
import { fc } from '../support/property.ts';
import twitterText from 'twitter-text';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { withoutHandlesOfOthers } from '#adapters/x/text/limit.ts';
import { TEXT_LIMITS } from '../support/text-limits.ts';
import { runsOf } from '#src/clients/operation/text/links.ts';
import { neutral } from '#src/clients/operation/text/sanitize.ts';
import { openBluesky } from '../adapters/bluesky/open-bluesky.ts';
import { openMastodon } from '../adapters/mastodon/open-mastodon.ts';
import { openX } from '../adapters/x/open-x.ts';
import { countedByServer } from '../adapters/mastodon/mastodon-counts.ts';
import { rendered, textsOf } from '../rules/rendering/fixture.ts';

const SAMPLES = 12;

const LINKS = ['https://www.twitch.tv/ada_', 'https://example.com/a_(b)?c=d&e=%20f#g', 'https://youtu.be/x-_1'];
const FRAGMENTS = [
  'Ada',
  'plays',
  'chess.',
  'e\u0301',
  '👩‍👩‍👧‍👦',
  '🇩🇪🇯🇵',
  '👍🏽',
  '❤️',
  'שלום',
  'مرحبا',
  '日本語。',
  'क्षि',
  '<b>',
  '&amp;',
  '"',
  '@ada',
  '@ada.bsky.social',
  '#speedrun',
  '#日本',
];

/** A long text. */
const texts = fc
  .array(fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...FRAGMENTS) }, { weight: 1, arbitrary: fc.constantFrom(...LINKS) }), {
    minLength: 40,
    maxLength: 120,
  })
  .map((parts) => neutral(parts.join(' ')));

/** Shortened texts and parts of threads. */
function shortenedTexts(platform: 'x' | 'bluesky' | 'mastodon'): readonly string[] {
  const textLimit = TEXT_LIMITS[platform];
  return fc.sample(texts, SAMPLES).flatMap((text, index) => {
    // X refuses duplicate texts.
    const numbered = `${index} ${text}`;
    const answers = [rendered({ text: numbered }, {}, { textLimit }), rendered({ text: numbered }, { fit: 'thread' }, { textLimit })];
    return answers.flatMap(textsOf);
  });
}

function linksIn(text: string): readonly string[] {
  return runsOf(text).flatMap((run) => (run.link ? [run.text] : []));
}

test('X accepts all texts and returns them unchanged with complete links', async () => {
  await using fixture = await openX();

  for (const text of new Set(shortenedTexts('x'))) {
    const post = await fixture.social.createPost(text);

    const sent = withoutHandlesOfOthers(text);
    expect(twitterText.parseTweet(sent).weightedLength).toBeLessThanOrEqual(280);
    expect(post.text.normalize()).toBe(sent.normalize());
    expect(post.entities.filter(({ type }) => type === 'url').map(({ start, end }) => post.text.slice(start, end))).toEqual(linksIn(text));
    expect(post.entities.filter(({ type }) => type === 'mention').every(({ start, end }) => post.text.slice(start, end) === '@ada')).toBe(
      true,
    );
  }
  expect((await fixture.postTexts()).length).toBe(new Set(shortenedTexts('x')).size);
});

const Facets = z.looseObject({ facets: z.array(z.custom<AppBskyRichtextFacet.Main>()).default([]) });

test('Bluesky accepts all records, and their facets cover links, mentions and tags exactly', async () => {
  await using fixture = await openBluesky();
  for (const text of shortenedTexts('bluesky')) await fixture.social.createPost(text);

  const records = await fixture.records();
  expect(records.map(({ text }) => text).toSorted()).toEqual(shortenedTexts('bluesky').toSorted());
  for (const { text, record } of records) {
    const rich = new RichText({ text, facets: Facets.parse(record).facets });
    expect(rich.graphemeLength).toBeLessThanOrEqual(300);
    expect(rich.length).toBeLessThanOrEqual(3000);
    const segments = Array.from(rich.segments());
    expect(segments.map((segment) => segment.text).join('')).toBe(text);
    expect(segments.flatMap(({ link, text: shown }) => (link ? [[shown, link.uri]] : []))).toEqual(
      linksIn(text).map((link) => [link, link]),
    );
    expect(segments.flatMap(({ tag, text: shown }) => (tag ? [[shown, tag.tag]] : []))).toEqual(
      [...text.matchAll(/(?<=^|\s)#(\S+)/gu)].map(([shown, tag]) => [shown, tag]),
    );
  }
});

test('Mastodon accepts all texts, and its HTML shows them unchanged', async () => {
  await using fixture = await openMastodon();

  for (const text of shortenedTexts('mastodon')) {
    const post = await fixture.social.createPost(text);

    expect(countedByServer(text)).toBeLessThanOrEqual(500);
    expect(post.text).toBe(text);
    expect(post.entities.filter(({ type }) => type === 'url').map(({ start, end, url }) => [post.text.slice(start, end), url])).toEqual(
      linksIn(text).map((link) => [link, link]),
    );
  }
  expect((await fixture.postTexts()).toSorted()).toEqual(shortenedTexts('mastodon').toSorted());
});
