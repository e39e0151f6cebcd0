import { z } from 'zod';
import type { Media } from '#src/social/records/media.ts';
import { count, filled, id, maybe, rowsOf } from './parts.ts';

const Variant = z.object({ content_type: maybe(z.string()), url: z.string(), bit_rate: maybe(count) });

const KINDS: Readonly<Record<string, Media['kind']>> = { photo: 'image', video: 'video', animated_gif: 'gif' };

export const MediaRow = z
  .object({
    media_key: id,
    type: z.string().catch('photo'),
    url: maybe(filled),
    preview_image_url: maybe(filled),
    alt_text: maybe(filled),
    width: maybe(count),
    height: maybe(count),
    duration_ms: maybe(count),
    variants: rowsOf(Variant),
  })
  .transform((wire) => ({
    key: wire.media_key,
    media: {
      id: uploadIdOf(wire.media_key),
      kind: KINDS[wire.type] ?? 'image',
      url: wire.url ?? bestOf(wire.variants),
      previewUrl: wire.preview_image_url,
      altText: wire.alt_text,
      width: wire.width,
      height: wire.height,
      durationMs: wire.duration_ms,
      state: 'ready',
    } satisfies Media,
  }));

/** The id of an upload, from its key in a post: the key has the kind in front, as `3_1880028106020515840`. */
function uploadIdOf(key: string): string {
  return key.slice(key.indexOf('_') + 1);
}

function bestOf(variants: readonly z.output<typeof Variant>[]): string | undefined {
  const films = variants.filter(({ content_type: type }) => type === 'video/mp4');
  return films.toSorted((a, b) => (b.bit_rate ?? 0) - (a.bit_rate ?? 0))[0]?.url ?? variants[0]?.url;
}
