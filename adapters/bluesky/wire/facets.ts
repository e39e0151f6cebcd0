import { z } from 'zod';
import type { Post } from '#src/social/records/post.ts';
import { profileUrl, tagUrl } from '../addresses.ts';
import { anything, listOf } from './parts.ts';

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

const Feature = z.union([
  z.object({ $type: z.literal('app.bsky.richtext.facet#link'), uri: z.string() }),
  z.object({ $type: z.literal('app.bsky.richtext.facet#mention'), did: z.string() }),
  z.object({ $type: z.literal('app.bsky.richtext.facet#tag'), tag: z.string() }),
  z.looseObject({ $type: anything }).transform(() => undefined),
]);
type Feature = Exclude<z.output<typeof Feature>, undefined>;

const Facet = z.object({ index: z.object({ byteStart: z.int(), byteEnd: z.int() }), features: listOf(Feature) });

/** The readable facets of a text. */
export const Facets = z
  .array(z.unknown())
  .nullish()
  .catch(undefined)
  .transform((facets) => (facets ?? []).flatMap((facet) => Facet.safeParse(facet).data ?? []));

/** The facets as offsets into the text as JavaScript has it. */
export function toEntities(text: string, facets: z.output<typeof Facets>): Entities {
  const offsetOf = fromByteOffsets(text);
  return facets
    .flatMap(({ index, features }) => {
      const [start, end] = [offsetOf(index.byteStart), offsetOf(index.byteEnd)];
      const feature = features.find((one) => one !== undefined);
      return start === undefined || end === undefined || end <= start || !feature ? [] : [{ start, end, ...described(feature) }];
    })
    .toSorted((a, b) => a.start - b.start);
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
