import { filledIn, needed, objectIn, rowOf, rowsIn, textIn } from '#src/http/values.ts';
import type { Media } from '#src/clients/social/records/media.ts';
import { countIn, idIn } from './parts.ts';

interface Variant {
  readonly type: string | undefined;
  readonly url: string;
  readonly bit_rate: number | undefined;
}

function variantIn(wire: unknown): Variant | undefined {
  const row = objectIn(wire);
  const url = textIn(row?.['url']);
  return row && url !== undefined ? { type: textIn(row['content_type']), url, bit_rate: countIn(row['bit_rate']) } : undefined;
}

const KINDS: ReadonlyMap<string, Media['kind']> = new Map([
  ['photo', 'image'],
  ['video', 'video'],
  ['animated_gif', 'gif'],
]);

export const MediaRow = rowOf((row) => {
  const key = needed(idIn(row['media_key']), 'media_key');
  return {
    key,
    media: {
      id: uploadIdOf(key),
      kind: KINDS.get(textIn(row['type']) ?? 'photo') ?? 'image',
      url: filledIn(row['url']) ?? bestOf(rowsIn(row['variants'], variantIn)),
      previewUrl: filledIn(row['preview_image_url']),
      altText: filledIn(row['alt_text']),
      width: countIn(row['width']),
      height: countIn(row['height']),
      durationMs: countIn(row['duration_ms']),
      state: 'ready',
    } satisfies Media,
  };
});

/** The id of an upload, from its key in a post: the key has the kind in front, for example `3_1880028106020515840`. */
function uploadIdOf(key: string): string {
  return key.slice(key.indexOf('_') + 1);
}

function bestOf(variants: readonly Variant[]): string | undefined {
  const films = variants.filter(({ type }) => type === 'video/mp4');
  return films.toSorted((a, b) => (b.bit_rate ?? 0) - (a.bit_rate ?? 0))[0]?.url ?? variants[0]?.url;
}
