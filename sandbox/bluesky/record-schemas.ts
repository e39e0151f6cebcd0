import { z } from 'zod';
import { countGraphemes } from '#src/operation/text/characters.ts';
import { AtUri, Cid, Did, StrongRef } from './endpoint.ts';

const DATETIME = /^\d{4}-[01]\d-[0-3]\dT[0-2]\d:[0-6]\d:[0-6]\d(\.\d{1,20})?(Z|[+-][0-2]\d:[0-5]\d)$/;
const LANGUAGE = /^(i|[a-zA-Z]{2,3})(-[a-zA-Z0-9]+)*$/;
const URI = /^[a-zA-Z][a-zA-Z0-9+.-]{0,80}:[^\s]+$/;

const Datetime = z
  .string()
  .refine(
    (text) => DATETIME.test(text) && !text.endsWith('-00:00') && !Number.isNaN(Date.parse(text)),
    'must be an valid atproto datetime',
  );
const Language = z.string().refine((text) => LANGUAGE.test(text), 'must be a well-formed BCP 47 language tag');
const Uri = z.string().refine((text) => URI.test(text) && text.length <= 8192, 'must be a uri');

/** A text that is no longer than this, as readers count and in UTF-8. */
export function limited({ graphemes, bytes }: { readonly graphemes: number; readonly bytes: number }) {
  return z
    .string()
    .refine((text) => Buffer.byteLength(text) <= bytes, `must not be longer than ${bytes} characters`)
    .refine((text) => countGraphemes(text) <= graphemes, `must not be longer than ${graphemes} graphemes`);
}

/** Shapes by the `$type` that names them. */
type Shapes = Readonly<Record<string, z.ZodType>>;

/** One of several shapes; one that is not known is let through, as the platform does. */
function union(shapes: Shapes) {
  return z.looseObject({ $type: z.string() }).superRefine((value, context) => {
    const checked = shapes[value.$type]?.safeParse(value);
    for (const issue of checked?.error?.issues ?? []) {
      const { message, path } = issue;
      context.addIssue({ code: 'custom', message, path, ...(issue.code === 'custom' && { params: issue.params }) });
    }
  });
}

/** A file that was uploaded before; `accept` is a type, as `image/*`. */
function blob({ accept, most }: { readonly accept: readonly string[]; readonly most: number }) {
  const fits = (type: string): boolean => accept.some((one) => one === type || (one.endsWith('/*') && type.startsWith(one.slice(0, -1))));
  return z
    .looseObject({ $type: z.literal('blob'), ref: z.strictObject({ $link: Cid }), mimeType: z.string(), size: z.int().min(1) })
    .superRefine(({ mimeType, size }, context) => {
      const refuse = (error: string, message: string): void => context.addIssue({ code: 'custom', message, params: { error } });
      if (size > most) refuse('BlobTooLarge', `This file is too large. It is ${size} bytes but the maximum size is ${most} bytes.`);
      if (!fits(mimeType)) refuse('InvalidMimeType', `Wrong type of file. It is ${mimeType} but it must match ${accept.join(', ')}.`);
    });
}

export const Facet = z.looseObject({
  index: z.looseObject({ byteStart: z.int().min(0), byteEnd: z.int().min(0) }),
  features: z.array(
    union({
      'app.bsky.richtext.facet#mention': z.looseObject({ did: Did }),
      'app.bsky.richtext.facet#link': z.looseObject({ uri: Uri }),
      'app.bsky.richtext.facet#tag': z.looseObject({ tag: limited({ graphemes: 64, bytes: 640 }) }),
    }),
  ),
});

const SelfLabels = union({
  'com.atproto.label.defs#selfLabels': z.looseObject({
    values: z.array(z.looseObject({ val: limited({ graphemes: 128, bytes: 128 }) })).max(10),
  }),
});

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
const Embed = union({
  ...MEDIA,
  'app.bsky.embed.record': z.looseObject({ record: StrongRef }),
  'app.bsky.embed.recordWithMedia': z.looseObject({ record: z.looseObject({ record: StrongRef }), media: union(MEDIA) }),
});

const AVATAR = { accept: ['image/png', 'image/jpeg'], most: 1_000_000 };
const tag = limited({ graphemes: 64, bytes: 640 });
const description = limited({ graphemes: 300, bytes: 3000 });

/** The schemas of records by collection. */
export const RECORD_FORMS: Readonly<Record<string, z.ZodType>> = {
  'app.bsky.feed.post': z.looseObject({
    text: limited({ graphemes: 300, bytes: 3000 }),
    facets: z.array(Facet).optional(),
    reply: z.looseObject({ root: StrongRef, parent: StrongRef }).optional(),
    embed: Embed.optional(),
    langs: z.array(Language).max(3).optional(),
    labels: SelfLabels.optional(),
    tags: z.array(tag).max(8).optional(),
    createdAt: Datetime,
  }),
  'app.bsky.feed.like': z.looseObject({ subject: StrongRef, createdAt: Datetime, via: StrongRef.optional() }),
  'app.bsky.feed.repost': z.looseObject({ subject: StrongRef, createdAt: Datetime, via: StrongRef.optional() }),
  'app.bsky.feed.threadgate': z.looseObject({
    post: AtUri,
    allow: z
      .array(union({ 'app.bsky.feed.threadgate#listRule': z.looseObject({ list: AtUri }) }))
      .max(5)
      .optional(),
    createdAt: Datetime,
    hiddenReplies: z.array(AtUri).max(300).optional(),
  }),
  'app.bsky.feed.postgate': z.looseObject({
    post: AtUri,
    createdAt: Datetime,
    detachedEmbeddingUris: z.array(AtUri).max(50).optional(),
    embeddingRules: z.array(union({})).max(5).optional(),
  }),
  'app.bsky.graph.follow': z.looseObject({ subject: Did, createdAt: Datetime, via: StrongRef.optional() }),
  'app.bsky.graph.block': z.looseObject({ subject: Did, createdAt: Datetime }),
  'app.bsky.graph.list': z.looseObject({
    purpose: z.string(),
    name: z
      .string()
      .min(1)
      .and(limited({ graphemes: 64, bytes: 64 })),
    description: description.optional(),
    descriptionFacets: z.array(Facet).optional(),
    avatar: blob(AVATAR).optional(),
    labels: SelfLabels.optional(),
    createdAt: Datetime,
  }),
  'app.bsky.graph.listitem': z.looseObject({ subject: Did, list: AtUri, createdAt: Datetime }),
  'app.bsky.actor.profile': z.looseObject({
    displayName: limited({ graphemes: 64, bytes: 640 }).optional(),
    description: limited({ graphemes: 256, bytes: 2560 }).optional(),
    avatar: blob(AVATAR).optional(),
    banner: blob(AVATAR).optional(),
    labels: SelfLabels.optional(),
    pinnedPost: StrongRef.optional(),
    createdAt: Datetime.optional(),
  }),
  'app.bsky.notification.declaration': z.looseObject({ allowSubscriptions: z.string() }),
  'chat.bsky.actor.declaration': z.looseObject({ allowIncoming: z.string() }),
};

/** Collections that hold one record, under this key. */
const LITERAL_KEYS: Readonly<Record<string, string>> = {
  'app.bsky.actor.profile': 'self',
  'app.bsky.notification.declaration': 'self',
  'chat.bsky.actor.declaration': 'self',
};

/** Which key the records of a collection have: always this one, that of an instant, or any. */
export function keyOf(collection: string): { readonly literal: string } | 'tid' | 'any' {
  const literal = LITERAL_KEYS[collection];
  if (literal !== undefined) return { literal };
  return collection in RECORD_FORMS ? 'tid' : 'any';
}
