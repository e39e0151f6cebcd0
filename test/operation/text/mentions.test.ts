import { RichText } from '@atproto/api';
import twitterText from 'twitter-text';
import { describe, expect, test } from 'vitest';
import { mentionsIn, withoutHandlesOfOthers } from '#src/operation/text/mentions.ts';

const ALL = [
  'live with @ada',
  'live with @ada, at last',
  'live with @ada.bsky.social.',
  'live with @ada@example.social!',
  '@ada @grace.bsky.social @linus@example.social',
  'mail ada@example.com',
  'see https://example.social/@ada',
  '(@ada)',
  '@ada-lovelace',
  '@ada_lovelace and @ADA',
  '@\u2060ada',
  'no @ nobody, no @. either',
  'https://a.b,@ada',
  'http://@ada',
  'https://ok.com/x(@ada',
  'https://ok.com/x(@ada.bsky.social',
  'https://ok.com/@ada and https://ok.com/x?y=@ada',
];

describe('whom a text calls on each platform', () => {
  test.each<[text: string, x: string[], bluesky: string[], mastodon: string[]]>([
    ['live with @ada', ['@ada'], [], ['@ada']],
    ['live with @ada.bsky.social', [], ['@ada.bsky.social'], []],
    ['live with @ada@example.social', [], [], ['@ada@example.social']],
    ['mail ada@example.com', [], [], []],
    ['see https://example.social/@ada', [], [], []],
    ['\u2060@\u2060ada', [], [], []],
    ['https://a.b,@ada', ['@ada'], [], ['@ada']],
    ['https://ok.com/x(@ada', ['@ada'], [], ['@ada']],
    ['https://ok.com/x(@ada.bsky.social', ['@ada'], ['@ada.bsky.social'], []],
    ['https://ok.com/@ada', [], [], []],
  ])('%s', (text, onX, onBluesky, onMastodon) => {
    expect(mentionsIn(text, 'x').called).toEqual(onX);
    expect(mentionsIn(text, 'bluesky').called).toEqual(onBluesky);
    expect(mentionsIn(text, 'mastodon').called).toEqual(onMastodon);
  });

  test.each(ALL)('X takes the same for mentions: %s', (text) => {
    const entities = twitterText.extractEntitiesWithIndices(withoutHandlesOfOthers(text));
    const taken = entities.flatMap((one) => ('screenName' in one ? [`@${one.screenName}`] : []));

    expect(mentionsIn(text, 'x').called).toEqual(taken);
  });

  test.each(ALL)('Bluesky takes the same for mentions: %s', (text) => {
    const rich = new RichText({ text });
    rich.detectFacetsWithoutResolution();
    const taken = (rich.facets ?? []).flatMap(({ features }) => features.flatMap((one) => ('did' in one ? [`@${String(one.did)}`] : [])));

    expect(mentionsIn(text, 'bluesky').called).toEqual(taken);
  });

  test('a name that calls nobody there is told apart', () => {
    const text = '@ada @grace.bsky.social @linus@example.social @ada';

    expect(mentionsIn(text, 'x').uncalled).toEqual(['@grace.bsky.social', '@linus@example.social']);
    expect(mentionsIn(text, 'bluesky').uncalled).toEqual(['@ada', '@linus@example.social']);
    expect(mentionsIn(text, 'mastodon').uncalled).toEqual(['@grace.bsky.social']);
    expect(mentionsIn(text, 'sandbox')).toEqual({ called: ['@ada', '@grace.bsky.social', '@linus@example.social'], uncalled: [] });
  });
});
