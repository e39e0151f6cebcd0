import { expect, test } from 'vitest';
import { escapePost } from '#src/operation/text/escape-post.ts';

test.each([
  ['thanks @ada', 'thanks @\u2060ada'],
  ['＠ada', '＠\u2060ada'],
  ['RT@ada', 'RT@\u2060ada'],
  ['@', '@\u2060'],
  ['https://social.test/@ada is not called, @ada neither', 'https://social.test/@ada is not called, @\u2060ada neither'],
  ['#speedrun *x*', '#speedrun *x*'],
])('foreign text in a post calls nobody: %j', (text, expected) => {
  expect(escapePost(text)).toBe(expected);
});
