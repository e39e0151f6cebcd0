import { z } from 'zod';
import { isBareAddress, isCutAddress } from '#src/clients/operation/text/links.ts';
import { countIn, objectIn, rowsIn, textIn } from '#src/http/values.ts';
import type { Post } from '#src/clients/social/records/post.ts';
import { profileUrl, tagUrl } from '../addresses.ts';

/** Where a UTF-16 offset is in UTF-8. */
export function toByteOffset(text: string, offset: number): number {
  return Buffer.byteLength(text.slice(0, offset));
}

/** Where UTF-8 offsets are in UTF-16; undefined for one that is within a character or beyond the end. */
function fromByteOffsets(text: string): (offset: number) => number | undefined {
  const bytes = Buffer.from(text);
  return (offset) => {
    if (offset < 0 || offset > bytes.length) return undefined;
    const isWithin = offset < bytes.length && ((bytes[offset] ?? 0) & 0b1100_0000) === 0b1000_0000;
    return isWithin ? undefined : bytes.subarray(0, offset).toString().length;
  };
}

type Entities = Post['entities'];

type Feature =
  | { readonly $type: 'app.bsky.richtext.facet#link'; readonly uri: string }
  | { readonly $type: 'app.bsky.richtext.facet#mention'; readonly did: string }
  | { readonly $type: 'app.bsky.richtext.facet#tag'; readonly tag: string };

function featureIn(wire: unknown): Feature | undefined {
  const feature = objectIn(wire);
  const [uri, did, tag] = [textIn(feature?.['uri']), textIn(feature?.['did']), textIn(feature?.['tag'])];
  switch (feature?.['$type']) {
    case 'app.bsky.richtext.facet#link':
      return uri === undefined ? undefined : { $type: 'app.bsky.richtext.facet#link', uri };
    case 'app.bsky.richtext.facet#mention':
      return did === undefined ? undefined : { $type: 'app.bsky.richtext.facet#mention', did };
    case 'app.bsky.richtext.facet#tag':
      return tag === undefined ? undefined : { $type: 'app.bsky.richtext.facet#tag', tag };
    default:
      return undefined;
  }
}

/** A part of a text with a meaning. */
export interface Facet {
  readonly byteStart: number;
  readonly byteEnd: number;
  readonly feature: Feature;
}

function facetIn(wire: unknown): Facet | undefined {
  const facet = objectIn(wire);
  const index = objectIn(facet?.['index']);
  const [byteStart, byteEnd] = [countIn(index?.['byteStart']), countIn(index?.['byteEnd'])];
  const [feature] = rowsIn(facet?.['features'], featureIn);
  return byteStart === undefined || byteEnd === undefined || !feature ? undefined : { byteStart, byteEnd, feature };
}

/** The readable facets of a text. */
export function facetsIn(wire: unknown): readonly Facet[] {
  return rowsIn(wire, facetIn);
}

export const Facets = z.transform(facetsIn);

/** The facets as offsets into the text as JavaScript has it. */
export function toEntities(text: string, facets: readonly Facet[]): Entities {
  if (facets.length === 0) return [];
  const offsetOf = fromByteOffsets(text);
  return facets
    .flatMap(({ byteStart, byteEnd, feature }) => {
      const [start, end] = [offsetOf(byteStart), offsetOf(byteEnd)];
      return start === undefined || end === undefined || end <= start ? [] : [{ start, end, ...described(feature) }];
    })
    .toSorted((a, b) => a.start - b.start);
}

/** A text with its entities. Its links are complete: the app of Bluesky writes them without a protocol, and cuts long ones. */
export function toText(text: string, facets: readonly Facet[]): { readonly text: string; readonly entities: Entities } {
  const entities = toEntities(text, facets);
  const grown: { readonly end: number; readonly by: number }[] = [];
  let complete = '';
  let from = 0;
  for (const { type, start, end, url = '' } of entities) {
    const shown = text.slice(start, end);
    if (type !== 'url' || start < from || !(isCutAddress(shown, url) || isBareAddress(shown, url))) continue;
    complete += text.slice(from, start) + url;
    grown.push({ end, by: url.length - shown.length });
    from = end;
  }
  if (grown.length === 0) return { text, entities };
  const moved = (offset: number): number => grown.reduce((sum, { end, by }) => (end <= offset ? sum + by : sum), offset);
  return {
    text: complete + text.slice(from),
    entities: entities.map((entity) => ({ ...entity, start: moved(entity.start), end: moved(entity.end) })),
  };
}

function described(feature: Feature): Omit<Entities[number], 'start' | 'end'> {
  switch (feature.$type) {
    case 'app.bsky.richtext.facet#link':
      return { type: 'url', url: feature.uri };
    case 'app.bsky.richtext.facet#mention':
      return { type: 'mention', userId: feature.did, url: profileUrl(feature) };
    case 'app.bsky.richtext.facet#tag':
      return { type: feature.tag.startsWith('$') ? 'cashtag' : 'hashtag', url: tagUrl(feature.tag) };
  }
}
