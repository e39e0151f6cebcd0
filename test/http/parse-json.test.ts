import { expect, test } from 'vitest';
import { hasTooManyValues, parseJson } from '#src/http/parse-json.ts';

const MOST = 300_000;

test.each([',', '[', '{'])('JSON with more than 300,000 times %s is not parsed', (sign) => {
  const padding = ' '.repeat(MOST);

  expect(hasTooManyValues(padding + sign.repeat(MOST))).toBe(false);
  expect(hasTooManyValues(padding + sign.repeat(MOST + 1))).toBe(true);
});

test('JSON up to this size is parsed, and other texts are undefined', () => {
  const list = (length: number): string => JSON.stringify(Array.from({ length }, () => 0));

  expect(parseJson(list(MOST))).toHaveLength(MOST);
  expect(parseJson(list(MOST + 1))).toBeUndefined();
  expect(parseJson('{"a":')).toBeUndefined();
});
