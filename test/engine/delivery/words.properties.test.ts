import { expect, test } from 'vitest';
import { wordsOf } from '#src/engine/delivery/delivery-texts.ts';
import { fc, runs } from '../../support/property.ts';

test('a text of ASCII has the same words beside a word of another script', () => {
  const text = fc.string({ unit: 'binary-ascii', maxLength: 200 });
  fc.assert(
    fc.property(text, (ascii) => {
      expect([...wordsOf(ascii), 'ключ']).toEqual(wordsOf(`${ascii} ключ`));
    }),
    { numRuns: runs(200, 5_000) },
  );
});
