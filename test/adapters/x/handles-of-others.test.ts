import twitterText from 'twitter-text';
import { expect, test } from 'vitest';
import { withoutHandlesOfOthers } from '#adapters/x/text/limit.ts';
import { TEXT_LIMITS } from '../../support/text-limits.ts';

test.for([
  ['a handle of Bluesky', 'thanks @ada.bsky.social!', []],
  ['a handle that ends with a country code', '(@ada.example.de)', []],
  ['a handle of Mastodon', 'thanks @ada@mastodon.social', []],
  ['handles of X', 'thanks @ada, and @grace.', ['ada', 'grace']],
  ['a handle before a full stop without a space', 'thanks @ada.Bye', ['ada']],
  ['a handle in a link', 'https://example.com/@ada.bsky.social', []],
] as const)('the users whom X mentions for %s', ([, text, called]) => {
  const found = twitterText.extractEntitiesWithIndices(withoutHandlesOfOthers(text));

  expect(found.flatMap((one) => ('screenName' in one ? [one.screenName] : []))).toEqual(called);
});

test('the length includes the characters that are inserted into a text', () => {
  const text = `${'@a.de '.repeat(10)}hello`;

  expect(TEXT_LIMITS.x.lengthOf(text)).toBeGreaterThanOrEqual(twitterText.parseTweet(withoutHandlesOfOthers(text)).weightedLength);
  expect(withoutHandlesOfOthers(text).replaceAll('\u2060', '')).toBe(text);
});
