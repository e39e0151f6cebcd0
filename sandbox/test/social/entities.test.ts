import { fc } from '../../../test/support/property.ts';
import { expect, test } from 'vitest';
import { entitiesOf } from '../../social/records.ts';
import { peopleOf } from '../../social/people.ts';
import { freshWorld } from '../../../test/support/sandbox-world.ts';

const people = peopleOf(freshWorld());
const url = 'http://127.0.0.1:1/social';

function partsOf(text: string): readonly (readonly [string, string])[] {
  return entitiesOf(text, { people, url }).map(({ type, start, end }) => [type, text.slice(start, end)]);
}

test('addresses, people and hashtags are found where they stand, counted as JavaScript counts', () => {
  const text = '👩‍👩‍👧 @Ada, see https://fanfare.example/a?b=c#d! #Schach_2 and (#ü).';

  const found = entitiesOf(text, { people, url });

  expect(partsOf(text)).toEqual([
    ['mention', '@Ada'],
    ['url', 'https://fanfare.example/a?b=c#d'],
    ['hashtag', '#Schach_2'],
    ['hashtag', '#ü'],
  ]);
  expect(found[0]).toEqual({ type: 'mention', start: 9, end: 13, url: `${url}/@ada`, userId: people.find('ada')?.id });
  expect(found[1]?.url).toBe('https://fanfare.example/a?b=c#d');
});

test.for([
  ['somebody who is not there', '@nobody_at_all'],
  ['an address of mail', 'post@ada'],
  ['an id', '@24000000'],
  ['a number', '#1'],
  ['what stands inside a word', 'a#b'],
  ['a name in an address alone', 'ftp://x/@ada#b'],
] as const)('%s is no entity', ([, text]) => {
  expect(partsOf(text).filter(([, part]) => part !== '@ada')).toEqual([]);
});

test('entities lie in their text, in order and side by side, whatever the text', () => {
  const piece = fc.oneof(fc.constantFrom('@ada', '#tag', 'https://a.example', ' ', '.', '😀'), fc.string({ unit: 'grapheme' }));

  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      const text = pieces.join('');
      const entities = entitiesOf(text, { people, url });

      const ends = [0, ...entities.map(({ end }) => end)];
      expect(entities.every(({ start, end }, index) => start >= (ends[index] ?? 0) && end > start && end <= text.length)).toBe(true);
    }),
  );
});
