import { expect, test } from 'vitest';
import { textsFor } from '#src/discord/language/languages.ts';

const { reasons } = textsFor('de');

test.for([
  [1, '3 Einträge in der Liste, 3 verfolgt. Ada ist nicht mehr in der Liste; die Episode endet in 1 Min.'],
  [2, 'die Episode endet in 1 Min. 1 weiterer Eintrag fehlt'],
  [3, 'die Episode endet in 1 Min. 2 weitere Einträge fehlen'],
] as const)('a German verb agrees with the number of missing items: %i', ([count, text]) => {
  const missing = { count, named: [{ name: 'Ada', missing: { graceMs: 60_000 } }] };

  expect(reasons.decided({ message: '', reason: { kind: 'unchanged', read: 3, followed: 3, missing } })).toContain(text);
});
