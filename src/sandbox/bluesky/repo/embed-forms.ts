import { z } from 'zod';
import { StrongRef } from '../xrpc/params.ts';
import { blob, Language, limited, union, Uri } from './parts.ts';

const IMAGE = ['image/*'];
const IMAGE_BYTES = 2_000_000;
const THUMBNAIL_BYTES = 1_000_000;
const VIDEO_BYTES = 300_000_000;
const CAPTION_BYTES = 20_000;
const ALT = limited({ graphemes: 10_000, bytes: 100_000 });

const AspectRatio = z.looseObject({ width: z.int().min(1), height: z.int().min(1) });
const Picture = z.looseObject({ image: blob({ accept: IMAGE, most: IMAGE_BYTES }), alt: z.string(), aspectRatio: AspectRatio.optional() });

const MEDIA = {
  'app.bsky.embed.images': z.looseObject({ images: z.array(Picture).max(4) }),
  'app.bsky.embed.gallery': z.looseObject({
    items: z.array(union({ 'app.bsky.embed.gallery#image': Picture.extend({ aspectRatio: AspectRatio }) })).max(20),
  }),
  'app.bsky.embed.video': z.looseObject({
    video: blob({ accept: ['video/mp4'], most: VIDEO_BYTES }),
    captions: z
      .array(z.looseObject({ lang: Language, file: blob({ accept: ['text/vtt'], most: CAPTION_BYTES }) }))
      .max(20)
      .optional(),
    alt: ALT.optional(),
    aspectRatio: AspectRatio.optional(),
  }),
  'app.bsky.embed.external': z.looseObject({
    external: z.looseObject({
      uri: Uri,
      title: z.string(),
      description: z.string(),
      thumb: blob({ accept: IMAGE, most: THUMBNAIL_BYTES }).optional(),
    }),
  }),
};

/** What a post shows below its text. */
export const Embed = union({
  ...MEDIA,
  'app.bsky.embed.record': z.looseObject({ record: StrongRef }),
  'app.bsky.embed.recordWithMedia': z.looseObject({ record: z.looseObject({ record: StrongRef }), media: union(MEDIA) }),
});
