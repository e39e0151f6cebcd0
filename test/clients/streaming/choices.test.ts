import { describe, expect, test } from 'vitest';
import { languages } from '#src/clients/streaming/choices.ts';
import { Language } from '#src/clients/streaming/enumerations.ts';

describe('languages', () => {
  test.for([
    ['en', ['EN']],
    ['EN, fr ,zh-hk', ['EN', 'FR', 'ZH_HK']],
    [
      ['de', 'ZH_HK'],
      ['DE', 'ZH_HK'],
    ],
    [
      [Language.OTHER, 'asl'],
      ['OTHER', 'ASL'],
    ],
    [[], []],
  ] as const)('%j is %j', ([value, expected]) => {
    expect(languages.parse(value)).toEqual(expected);
  });

  test.for(['', 'english', 'en,', ['de', 'xx'], 7])('%j is rejected', (value) => {
    expect(languages.safeParse(value).success).toBe(false);
  });
});
