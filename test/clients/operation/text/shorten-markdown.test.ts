import { expect, test } from 'vitest';
import { shorten } from '#src/clients/operation/text/shorten.ts';
import { shortenMarkdown } from '#src/clients/operation/text/shorten-markdown.ts';

const list = ['**Clips**', '- [The save](<https://a.test/1>)', '- [The fall](<https://a.test/2>)', '- [The end](<https://a.test/3>)'];

test.for([
  ['two of three', 80, [...list.slice(0, 3), '…']],
  ['one of three', 60, [...list.slice(0, 2), '…']],
  ['all', 200, list],
] as const)('a list of links keeps whole lines: %s', ([, max, lines]) => {
  expect(shortenMarkdown(list.join('\n'), max)).toBe(lines.join('\n'));
});

test.for([
  ['before', ['An announcement of several words and one more', ...list.slice(1, 3)], ['An announcement of…', ...list.slice(1, 3)]],
  ['behind', [...list.slice(1, 3), 'An announcement of several words and one more'], [...list.slice(1, 3), 'An announcement of…']],
] as const)('a long line %s the links becomes shorter', ([, lines, short]) => {
  expect(shortenMarkdown(lines.join('\n'), short.join('\n').length)).toBe(short.join('\n'));
});

test.for([
  ['a list of which no line fits', list.join('\n'), 40],
  ['lines without links', 'The stream is over.\nThank you for watching!', 30],
  ['a text with one link', 'A long introduction\n[The recording](https://a.test/1) is online', 50],
] as const)('%s is shortened like another text', ([, text, max]) => {
  expect(shortenMarkdown(text, max)).toBe(shorten(text, max));
});
