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

test('URLs, mentions and hashtags have positions in UTF-16', () => {
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
  ['a missing account', '@nobody_at_all'],
  ['an email address', 'post@ada'],
  ['an id', '@24000000'],
  ['a number', '#1'],
  ['a # inside a word', 'a#b'],
  ['a name in a URL', 'ftp://x/@ada#b'],
] as const)('%s is not an entity', ([, text]) => {
  expect(partsOf(text).filter(([, part]) => part !== '@ada')).toEqual([]);
});

test('entities of any text are inside the text, in order and without overlap', () => {
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
