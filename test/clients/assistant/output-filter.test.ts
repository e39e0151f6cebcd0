import { fc } from '../../support/property.ts';
import { expect, test } from 'vitest';
import { createOutputFilter } from '#src/clients/assistant/output-filter.ts';

function through(phrases: readonly string[], pieces: readonly string[]): string {
  const filter = createOutputFilter(phrases);
  return [...pieces.map((piece) => filter.push(piece)), filter.end()].join('');
}

test('a phrase is removed from a text with any split, and the rest is shown', () => {
  const offsets = fc.array(fc.nat(80), { maxLength: 12 });
  fc.assert(
    fc.property(fc.stringMatching(/^[ab ]{0,30}$/u), fc.stringMatching(/^[ab ]{0,30}$/u), offsets, (before, after, at) => {
      const text = `${before}SeCret.${after}`;
      const edges = [0, ...at.map((place) => place % text.length).toSorted((a, b) => a - b), text.length];
      const pieces = edges.slice(1).map((edge, index) => text.slice(edges[index], edge));

      expect(through(['secret.', 'ab'], pieces)).toBe(text.replaceAll(/secret\.|ab/giu, '[…]'));
    }),
  );
});

test('a text with only the beginning of a phrase is shown', () => {
  expect(through(['secret'], ['a sec', 'ond thing: sec'])).toBe('a second thing: sec');
});

test('without phrases, each piece is shown at once', () => {
  const filter = createOutputFilter([]);

  expect(filter.push('s')).toBe('s');
});
