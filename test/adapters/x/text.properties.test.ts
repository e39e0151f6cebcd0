import { fc } from '../../support/property.ts';
import { expect, test } from 'vitest';
import { isSameText } from '#adapters/x/text/same-text.ts';
import { entitiesOf, toText } from '#adapters/x/wire/text.ts';

/** A written text in pieces. */
type Piece = readonly ['text' | 'link' | 'mention' | 'tag', string];

const plain = fc
  .array(fc.constantFrom('a', 'Z', ' ', '\n', '&', '<', '>', '&amp;', '"', 'é', '日', '👩‍👩‍👧', '🇩🇪', '\u202E', '.', ',', 'e\u0301'), {
    minLength: 1,
    maxLength: 6,
  })
  .map((parts): Piece => ['text', parts.join('')]);
const link = fc
  .constantFrom('https://a.example/x?b=c&d=e', 'https://www.twitch.tv/ada', 'http://日本.example')
  .map((url): Piece => ['link', url]);
const mention = fc.constantFrom('@ada', '@Grace_H').map((name): Piece => ['mention', name]);
const tag = fc.constantFrom('#live', '#日本').map((name): Piece => ['tag', name]);
const written = fc
  .array(fc.oneof(plain, link, mention, tag), { maxLength: 8 })
  .map((pieces) => pieces.flatMap((piece): Piece[] => [piece, ['text', ' ']]));

/** The response of X: three escaped characters, short links, and offsets in code points. */
function renderPieces(pieces: readonly Piece[], escapedOffsets: boolean) {
  const urls: object[] = [];
  const mentions: object[] = [];
  const hashtags: object[] = [];
  let raw = '';
  let counted = '';
  for (const [index, [kind, source]] of pieces.entries()) {
    const start = Array.from(escapedOffsets ? raw : counted).length;
    const shown = kind === 'link' ? `https://t.co/${'abcdefghij'.slice(0, 8)}${String(index).padStart(2, '0')}` : source;
    raw += shown.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
    counted += shown;
    const end = Array.from(escapedOffsets ? raw : counted).length;
    if (kind === 'link') urls.push({ start, end, url: shown, expanded_url: source });
    if (kind === 'mention') mentions.push({ start, end, username: source.slice(1), id: '1' });
    if (kind === 'tag') hashtags.push({ start, end, tag: source.slice(1) });
  }
  return { raw, found: entitiesOf({ urls, mentions, hashtags }) };
}

test('a text is restored exactly, with its entities in place, for each way to count', () => {
  fc.assert(
    fc.property(written, fc.boolean(), (pieces, escapedOffsets) => {
      const text = pieces.map(([, source]) => source).join('');
      const { raw, found } = renderPieces(pieces, escapedOffsets);

      const read = toText(raw, found);

      expect(read.text).toBe(text);
      const marked = read.entities.map(({ start, end }) => read.text.slice(start, end));
      expect(marked).toEqual(pieces.flatMap(([kind, source]) => (kind === 'text' ? [] : [source])));
    }),
  );
});

test('texts are equal despite different spaces and invisible characters, and different texts are not', () => {
  fc.assert(
    fc.property(written, fc.stringMatching(/^[a-z]{1,5}$/), (pieces, more) => {
      const text = pieces.map(([, source]) => source).join('');

      expect(isSameText(text, ` ${text.normalize('NFD').replaceAll(' ', '  ')}\n`)).toBe(true);
      expect(isSameText(text, `${text}${more}`)).toBe(false);
    }),
  );
});

test.for([
  ['a slash after a host', 'See https://ada.example', 'See https://ada.example/'],
  ['a protocol that X adds', 'See ada.example now', 'See http://ada.example now'],
  ['marks of direction', 'a \u202Eb', 'a b'],
] as const)('the same text: %s', ([, one, other]) => {
  expect(isSameText(one, other)).toBe(true);
});
