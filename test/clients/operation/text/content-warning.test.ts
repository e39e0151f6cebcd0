import { expect, test } from 'vitest';
import { textBehind, textWithout } from '#src/clients/operation/text/content-warning.ts';

test.each([
  ['Spoilers', ''],
  [' Spoilers\n', ''],
  ['Spoilers\n\nThe end', 'The end'],
  [' Spoilers\n\nThe end', 'The end'],
  ['Spoilers of the end', 'Spoilers of the end'],
  [' The end', ' The end'],
])('the text %j repeats its warning only once', (text, rest) => {
  expect(textWithout('Spoilers', text)).toBe(rest);
  expect(textBehind('Spoilers', text)).toBe(rest === '' ? 'Spoilers' : `Spoilers\n\n${rest}`);
});
