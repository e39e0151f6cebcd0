import { expect, test } from 'vitest';
import { textsFor } from '#src/discord/language/languages.ts';

const { reasons } = textsFor('de');

test.for([
  [1, '1 fehlt noch: Ada (darf noch 1 Min. fehlen)'],
  [2, '2 fehlen noch: Ada (darf noch 1 Min. fehlen) und 1 weitere'],
] as const)('a German verb agrees with the number of missing items: %i', ([count, text]) => {
  const missing = { count, named: [{ name: 'Ada', missing: { graceMs: 60_000 } }] };

  expect(reasons.decided({ message: '', reason: { kind: 'unchanged', read: 3, followed: 3, missing } })).toContain(text);
});
