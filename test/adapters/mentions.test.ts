import { RichText } from '@atproto/api';
import twitterText from 'twitter-text';
import { describe, expect, test } from 'vitest';
import { withoutHandlesOfOthers } from '#adapters/x/text/limit.ts';
import { mentionsIn } from '#src/clients/operation/text/mentions.ts';
import { TEXT_LIMITS } from '../support/text-limits.ts';

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

describe('the mentions in a text on each platform', () => {
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
    expect(mentionsIn(text, TEXT_LIMITS.x).called).toEqual(onX);
    expect(mentionsIn(text, TEXT_LIMITS.bluesky).called).toEqual(onBluesky);
    expect(mentionsIn(text, TEXT_LIMITS.mastodon).called).toEqual(onMastodon);
  });

  test.each(ALL)('the library of X finds the same mentions: %s', (text) => {
    const entities = twitterText.extractEntitiesWithIndices(withoutHandlesOfOthers(text));
    const taken = entities.flatMap((one) => ('screenName' in one ? [`@${one.screenName}`] : []));

    expect(mentionsIn(text, TEXT_LIMITS.x).called).toEqual(taken);
  });

  test.each(ALL)('the library of Bluesky finds the same mentions: %s', (text) => {
    const rich = new RichText({ text });
    rich.detectFacetsWithoutResolution();
    const taken = (rich.facets ?? []).flatMap(({ features }) => features.flatMap((one) => ('did' in one ? [`@${String(one.did)}`] : [])));

    expect(mentionsIn(text, TEXT_LIMITS.bluesky).called).toEqual(taken);
  });

  test('names that do not mention anyone on the platform are listed separately', () => {
    const text = '@ada @grace.bsky.social @linus@example.social @ada';

    expect(mentionsIn(text, TEXT_LIMITS.x).uncalled).toEqual(['@grace.bsky.social', '@linus@example.social']);
    expect(mentionsIn(text, TEXT_LIMITS.bluesky).uncalled).toEqual(['@ada', '@linus@example.social']);
    expect(mentionsIn(text, TEXT_LIMITS.mastodon).uncalled).toEqual(['@grace.bsky.social']);
    expect(mentionsIn(text, TEXT_LIMITS.sandbox)).toEqual({
      called: ['@ada', '@grace.bsky.social', '@linus@example.social'],
      uncalled: [],
    });
  });
});
