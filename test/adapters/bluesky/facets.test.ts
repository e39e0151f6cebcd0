import { RichText, UnicodeString } from '@atproto/api';
import { fc } from '../../support/property.ts';
import { describe, expect, test } from 'vitest';
import { DOMAIN_ENDINGS } from '#src/clients/operation/text/domain-endings.ts';
import { facetsOf, spansOf, type WrittenFacet } from '#adapters/bluesky/text/facets.ts';
import { Facets, toEntities } from '#adapters/bluesky/wire/facets.ts';
import { socialText } from '../../support/social-text.ts';

const everybody = async (handle: string): Promise<string> => `did:web:${handle}`;
const unresolved = async (): Promise<undefined> => undefined;

/** The facets that a reader of the platform sees: kind, text and target. */
function marked(text: string, facets: readonly WrittenFacet[]): readonly (readonly [string, string, string])[] {
  const rich = new RichText({ text, facets: structuredClone(facets) as never }); // the same shape, less exactly typed
  return Array.from(rich.segments()).flatMap((segment): readonly (readonly [string, string, string])[] => {
    if (segment.link) return [['link', segment.text, segment.link.uri]];
    if (segment.mention) return [['mention', segment.text, segment.mention.did]];
    return segment.tag ? [['tag', segment.text, segment.tag.tag]] : [];
  });
}

test('facets of links, mentions and tags have offsets in bytes', async () => {
  const text = '👩‍👩‍👧‍👦 @ada.test spielt: https://a.test/ä (läuft) #schach!';

  const facets = await facetsOf(text, everybody);

  expect(marked(text, facets)).toEqual([
    ['mention', '@ada.test', 'did:web:ada.test'],
    ['link', 'https://a.test/ä', 'https://a.test/ä'],
    ['tag', '#schach', 'schach'],
  ]);
  expect(facets[0]?.index).toEqual({ byteStart: 26, byteEnd: 35 });
});

test('a mention of an unknown handle has no facet', async () => {
  expect(await facetsOf('hello @ada.test', unresolved)).toEqual([]);
});

test.each([
  ['a link ends before the punctuation of its sentence', 'see https://a.test/x, ok', 'https://a.test/x'],
  ['a link keeps the brackets that it opened', 'https://a.test/x_(y)', 'https://a.test/x_(y)'],
  ['a mail address is not a mention', 'mail ada@ada.test', undefined],
  ['a mention can be in brackets', '(@ada.test)', '@ada.test'],
  ['the dot after a mention is not part of it', 'hello @ada.test.', '@ada.test'],
  ['a number is not a tag', '#1 of #2', undefined],
  ['the full-width sign begins a tag too', '＃live', '＃live'],
  ['an escaped handle is not a mention', '@\u2060ada.test', undefined],
  ['facets do not overlap', '#https://a.test/1', 'https://a.test/1'],
  ['an address without a host is not a link', 'https:///x', undefined],
])('%s', (_, text, expected) => {
  const [span] = spansOf(text);

  expect(span && text.slice(span.start, span.end)).toBe(expected);
});

test.each([
  ['watch twitch.tv/ada.', 'twitch.tv/ada', 'https://twitch.tv/ada'],
  ['(example.com)', 'example.com', 'https://example.com'],
  ['my-radio.de:8080/live?x=(1), now', 'my-radio.de:8080/live?x=(1)', 'https://my-radio.de:8080/live?x=(1)'],
  ['Twitch.tv/Ada#now', 'Twitch.tv/Ada#now', 'https://Twitch.tv/Ada#now'],
  ['„https://twitch.tv/ada“ ist live', 'https://twitch.tv/ada', 'https://twitch.tv/ada'],
  ['twitch.tv/ada\u200B', 'twitch.tv/ada', 'https://twitch.tv/ada'],
  ['9gag.com!', '9gag.com', 'https://9gag.com'],
  ['https://a.test/twitch.tv and example.org', 'https://a.test/twitch.tv', 'https://a.test/twitch.tv'],
])('a domain without a protocol is a link: %s', (text, link, uri) => {
  const [span] = spansOf(text);

  expect(span).toEqual({ kind: 'link', start: text.indexOf(link), end: text.indexOf(link) + link.length, value: uri });
});

test.each([
  'ada@example.com',
  '@ada.example.com',
  'See you.So long',
  'v1.2',
  'node.js',
  '1.2.3',
  'a..com',
  '-a.com',
  'see:example.com',
  'example.comx',
  'example.com@x',
])('%s is not a link', (text) => {
  expect(spansOf(text).filter(({ kind }) => kind === 'link')).toEqual([]);
});

describe('any text', () => {
  test('facets cover whole characters and do not overlap', async () => {
    await fc.assert(
      fc.asyncProperty(socialText({ maxWords: 30 }), async (anyText) => {
        // Half of a surrogate pair becomes a replacement character, which is whole.
        const text = anyText.toWellFormed().replaceAll('\uFFFD', '?');

        const facets = await facetsOf(text, everybody);

        const unicode = new UnicodeString(text);
        let end = 0;
        for (const { index } of facets) {
          expect(index.byteStart).toBeGreaterThanOrEqual(end);
          expect(unicode.slice(index.byteStart, index.byteEnd)).not.toContain('\uFFFD');
          end = index.byteEnd;
        }
        expect(end).toBeLessThanOrEqual(unicode.length);
        expect(marked(text, facets)).toHaveLength(facets.length);
      }),
    );
  });

  test('mentions and tags are the same as in the official client, and every link is a link there', async () => {
    await fc.assert(
      fc.asyncProperty(socialText({ maxWords: 30 }), async (anyText) => {
        const text = anyText.toWellFormed();
        const rich = new RichText({ text });
        rich.detectFacetsWithoutResolution();
        const theirs = new Set(Array.from(rich.segments(), (segment) => `${kindOf(segment)} ${segment.text}`));

        const spans = spansOf(text);

        // A handle with an unknown top-level domain has no account.
        const real = spans.filter(({ kind, value }) => kind !== 'mention' || REAL_ENDING.test(value));
        const apart = real.filter(({ start, end }) => standsAlone(text, start, end));
        for (const { kind, start, end } of apart) expect(theirs).toContain(`${kind} ${text.slice(start, end)}`);
      }),
    );
  });

  test('facets that are written and read again have the same offsets', async () => {
    await fc.assert(
      fc.asyncProperty(socialText({ maxWords: 30 }), async (anyText) => {
        const text = anyText.toWellFormed();

        const entities = toEntities(text, Facets.parse(await facetsOf(text, everybody)));

        expect(entities.map(({ start, end }) => ({ start, end }))).toEqual(spansOf(text).map(({ start, end }) => ({ start, end })));
      }),
    );
  });
});

test('a facet with offsets inside a character, beyond the end or in reverse order is omitted', () => {
  const link = { $type: 'app.bsky.richtext.facet#link', uri: 'https://a.test' };
  const at = (byteStart: number, byteEnd: number) => ({ index: { byteStart, byteEnd }, features: [link] });
  const facets = [at(1, 3), at(0, 99), at(4, 2), at(-1, 2), { index: null }, 'nonsense', at(2, 4)];

  expect(toEntities('üa b', Facets.parse(facets))).toEqual([{ type: 'url', start: 1, end: 3, url: 'https://a.test' }]);
});

const REAL_ENDING = new RegExp(`\\.(?:test|${[...DOMAIN_ENDINGS].join('|')})$`, 'iu');

function kindOf(segment: { isLink(): boolean; isMention(): boolean; isTag(): boolean }): string {
  if (segment.isLink()) return 'link';
  if (segment.isMention()) return 'mention';
  return segment.isTag() ? 'tag' : 'text';
}

/** The app of the platform finds a link only after a space, and all readers show every facet. */
function standsAlone(text: string, start: number, end: number): boolean {
  return (start === 0 || /\s/u.test(text[start - 1] ?? '')) && (end === text.length || /\s/u.test(text[end] ?? ''));
}
