import twitterText from 'twitter-text';
import { expect, test } from 'vitest';
import { withoutHandlesOfOthers } from '#src/operation/text/mentions.ts';
import { TEXT_LIMITS } from '#src/operation/text/limit.ts';

test.for([
  ['a handle of Bluesky', 'thanks @ada.bsky.social!', []],
  ['one that ends as a country does', '(@ada.example.de)', []],
  ['one of Mastodon', 'thanks @ada@mastodon.social', []],
  ["X's own", 'thanks @ada, and @grace.', ['ada', 'grace']],
  ['one at the end of a sentence that nobody spaced', 'thanks @ada.Bye', ['ada']],
  ['one in a link', 'https://example.com/@ada.bsky.social', []],
] as const)('whom X calls for %s', ([, text, called]) => {
  const found = twitterText.extractEntitiesWithIndices(withoutHandlesOfOthers(text));

  expect(found.flatMap((one) => ('screenName' in one ? [one.screenName] : []))).toEqual(called);
});

test('what is put into a text is counted', () => {
  const text = `${'@a.de '.repeat(10)}hello`;

  expect(TEXT_LIMITS.x.lengthOf(text)).toBeGreaterThanOrEqual(twitterText.parseTweet(withoutHandlesOfOthers(text)).weightedLength);
  expect(withoutHandlesOfOthers(text).replaceAll('\u2060', '')).toBe(text);
});
