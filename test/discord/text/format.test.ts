import { expect, test } from 'vitest';
import { figure, timeSpan } from '#src/discord/text/format.ts';

test.each([
  ['en-GB', '21k', '3 hrs, 20 mins'],
  ['de', '21.000', '3 Std., 20 Min.'],
  ['ja', '21K', '3 hr, 20 min'],
  ['hi', '21K', '3 hr, 20 min'],
  ['sv-SE', '21K', '3 hr, 20 min'],
])('words of numbers and times for %s are in the language of the texts', (locale, count, time) => {
  expect([figure(21_000, { locale }), timeSpan(12_000_000, { locale })]).toEqual([count, time]);
});

test('numbers of four digits are grouped like those of five digits, which are beside them in a list', () => {
  expect([9_693, 10_215, 950].map((count) => figure(count, { locale: 'de' }))).toEqual(['9.693', '10.215', '950']);
});
