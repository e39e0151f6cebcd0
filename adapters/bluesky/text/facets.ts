import { countGraphemes } from '#src/clients/operation/text/characters.ts';
import { DOMAIN_ENDINGS } from '#src/clients/operation/text/domain-endings.ts';
import { linkAt, runsOf } from '#src/clients/operation/text/links.ts';
import { toHandle } from '../addresses.ts';
import { toByteOffset } from '../wire/facets.ts';

/** A link, mention or tag in a text. Offsets count UTF-16 units. */
interface Span {
  readonly kind: 'link' | 'mention' | 'tag';
  readonly start: number;
  readonly end: number;
  /** The address, the handle, or the tag without its sign. */
  readonly value: string;
}

/** An address that the protocol accepts. */
const URI = /^https?:\/\/[^\s/]\S*$/i;
const MOST_URI_BYTES = 8192;

/** A link without a protocol. Its ending is in lower case: a capital letter begins the next sentence. */
const BARE_LINK = new RegExp(
  String.raw`(?<=^|[\s(])(?=[A-Za-z0-9-]*[A-Za-z])(?:[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?\.)+(?:${[...DOMAIN_ENDINGS].join('|')})(?![A-Za-z0-9@-]|\.[A-Za-z0-9])(?::\d+)?(?:[\/?#][^\s<>]*)?`,
  'gu',
);

const MENTION = /(?<=^|[\s(])@([a-zA-Z0-9.-]+)\b/gu;

/** A tag ends at the next space or invisible character. */
const TAG = /(?<=^|\s)[#＃](?!\uFE0F)((?:(?!\u20E2)[^\s\u00AD\u2060\u200A-\u200D])+)/gu;
const TRAILING_PUNCTUATION = /\p{P}+$/u;
/** A number is no tag. */
const HAS_LETTER = /[^\d\p{P}]/u;
const MOST_TAG_CHARACTERS = 64;
const MOST_TAG_BYTES = 640;

/** Links, mentions and tags of a text, in order. If two overlap, links win over mentions, and mentions over tags. */
export function spansOf(text: string): readonly Span[] {
  const spans: Span[] = [];
  for (const span of [...linksIn(text), ...bareLinksIn(text), ...mentionsIn(text), ...tagsIn(text)]) {
    if (spans.every(({ start, end }) => span.end <= start || span.start >= end)) spans.push(span);
  }
  return spans.toSorted((a, b) => a.start - b.start);
}

function linksIn(text: string): readonly Span[] {
  let end = 0;
  return runsOf(text).flatMap(({ text: value, link }) => {
    const start = end;
    end += value.length;
    return link && isUri(value) ? [{ kind: 'link', start, end, value }] : [];
  });
}

function bareLinksIn(text: string): readonly Span[] {
  return [...text.matchAll(BARE_LINK)].flatMap(({ 0: found, index: start }) => {
    const link = linkAt(found, 0);
    const value = `https://${link}`;
    return isUri(value) ? [{ kind: 'link', start, end: start + link.length, value }] : [];
  });
}

function isUri(value: string): boolean {
  return URI.test(value) && URL.canParse(value) && Buffer.byteLength(value) <= MOST_URI_BYTES;
}

function mentionsIn(text: string): readonly Span[] {
  return [...text.matchAll(MENTION)].flatMap(({ 0: whole, 1: name = '', index: start }) => {
    const value = toHandle(name);
    return value === undefined ? [] : [{ kind: 'mention', start, end: start + whole.length, value }];
  });
}

function tagsIn(text: string): readonly Span[] {
  return [...text.matchAll(TAG)].flatMap(({ 1: run = '', index: start }) => {
    const value = run.replace(TRAILING_PUNCTUATION, '');
    const isTag = HAS_LETTER.test(value) && countGraphemes(value) <= MOST_TAG_CHARACTERS && Buffer.byteLength(value) <= MOST_TAG_BYTES;
    return isTag ? [{ kind: 'tag', start, end: start + 1 + value.length, value }] : [];
  });
}

/** A link, mention or tag of a text; its offsets count bytes of UTF-8. */
export interface WrittenFacet {
  readonly index: { readonly byteStart: number; readonly byteEnd: number };
  readonly features: readonly [{ readonly $type: string; readonly [key: string]: string }];
}

/** The facets of a text. A mention of an unknown handle has none. */
export async function facetsOf(text: string, didOf: (handle: string) => Promise<string | undefined>): Promise<readonly WrittenFacet[]> {
  const facets = await Promise.all(
    spansOf(text).map(async (span): Promise<readonly WrittenFacet[]> => {
      const index = { byteStart: toByteOffset(text, span.start), byteEnd: toByteOffset(text, span.end) };
      const feature = await featureOf(span, didOf);
      return feature ? [{ index, features: [feature] }] : [];
    }),
  );
  return facets.flat();
}

async function featureOf(
  { kind, value }: Span,
  didOf: (handle: string) => Promise<string | undefined>,
): Promise<WrittenFacet['features'][0] | undefined> {
  if (kind === 'link') return { $type: 'app.bsky.richtext.facet#link', uri: value };
  if (kind === 'tag') return { $type: 'app.bsky.richtext.facet#tag', tag: value };
  const did = await didOf(value);
  return did === undefined ? undefined : { $type: 'app.bsky.richtext.facet#mention', did };
}
