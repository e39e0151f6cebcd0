import { z } from 'zod';
import { countGraphemes } from '#src/clients/operation/text/characters.ts';
import { AtUri, Cid, Did, StrongRef } from './addresses.ts';
import { COLLECTIONS } from './records.ts';

const Datetime = z.iso.datetime({ offset: true, error: 'must be an valid atproto datetime' });
const Language = z.string().regex(/^(i|[a-zA-Z]{2,3})(-[a-zA-Z0-9]+)*$/, 'must be a well-formed BCP 47 language tag');
const Uri = z.string().regex(/^[a-zA-Z][a-zA-Z0-9+.-]{0,80}:\S{1,8000}$/, 'must be a uri');

/** A text of at most this many graphemes, and ten times as many bytes. */
export function limitedText(graphemes: number) {
  return z
    .string()
    .refine((text) => Buffer.byteLength(text) <= 10 * graphemes, `must not be longer than ${10 * graphemes} characters`)
    .refine((text) => countGraphemes(text) <= graphemes, `must not be longer than ${graphemes} graphemes`);
}

/** One of several schemas, selected by `$type`. Like the platform, it accepts unknown types. */
function union(schemas: Readonly<Record<string, z.ZodType>>) {
  return z.looseObject({ $type: z.string() }).superRefine((value, context) => {
    const issues = schemas[value.$type]?.safeParse(value).error?.issues ?? [];
    for (const { message, path } of issues) context.addIssue({ code: 'custom', message, path });
  });
}

/** An uploaded file with one of the types and at most this size. */
function blob(types: RegExp, mostBytes: number) {
  return z.looseObject({
    $type: z.literal('blob'),
    ref: z.strictObject({ $link: Cid }),
    mimeType: z.string().regex(types, `must match ${types.source}`),
    size: z.int().min(1).max(mostBytes, `must not be larger than ${mostBytes} bytes`),
  });
}

const Facet = z.looseObject({
  index: z.looseObject({ byteStart: z.int().min(0), byteEnd: z.int().min(0) }),
  features: z.array(
    union({
      'app.bsky.richtext.facet#mention': z.looseObject({ did: Did }),
      'app.bsky.richtext.facet#link': z.looseObject({ uri: Uri }),
      'app.bsky.richtext.facet#tag': z.looseObject({ tag: limitedText(64) }),
    }),
  ),
});

const IMAGE = /^image\//;
const AspectRatio = z.looseObject({ width: z.int().min(1), height: z.int().min(1) });
const Picture = z.looseObject({ image: blob(IMAGE, 2_000_000), alt: z.string(), aspectRatio: AspectRatio.optional() });
const Card = z.looseObject({ uri: Uri, title: z.string(), description: z.string(), thumb: blob(IMAGE, 1_000_000).optional() });

const media = {
  'app.bsky.embed.images': z.looseObject({ images: z.array(Picture).max(4) }),
  'app.bsky.embed.video': z.looseObject({
    video: blob(/^video\/mp4$/, 300_000_000),
    alt: limitedText(10_000).optional(),
    aspectRatio: AspectRatio.optional(),
  }),
  'app.bsky.embed.external': z.looseObject({ external: Card }),
};

const Embed = union({
  ...media,
  'app.bsky.embed.record': z.looseObject({ record: StrongRef }),
  'app.bsky.embed.recordWithMedia': z.looseObject({ record: z.looseObject({ record: StrongRef }), media: union(media) }),
});

const SelfLabel = z.looseObject({ val: z.string().max(128) });
const Reaction = z.looseObject({ subject: StrongRef, createdAt: Datetime });
const Relation = z.looseObject({ subject: Did, createdAt: Datetime });

/** The schemas of the collections that the server knows. */
export const recordSchemas: Readonly<Record<string, z.ZodType>> = {
  [COLLECTIONS.post]: z.looseObject({
    text: limitedText(300),
    facets: z.array(Facet).optional(),
    reply: z.looseObject({ root: StrongRef, parent: StrongRef }).optional(),
    embed: Embed.optional(),
    langs: z.array(Language).max(3).optional(),
    labels: z.looseObject({ $type: z.literal('com.atproto.label.defs#selfLabels'), values: z.array(SelfLabel).max(10) }).optional(),
    createdAt: Datetime,
  }),
  [COLLECTIONS.like]: Reaction,
  [COLLECTIONS.repost]: Reaction,
  [COLLECTIONS.threadgate]: z.looseObject({
    post: AtUri,
    allow: z.array(union({})).max(5).optional(),
    hiddenReplies: z.array(AtUri).max(300).optional(),
    createdAt: Datetime,
  }),
  [COLLECTIONS.postgate]: z.looseObject({
    post: AtUri,
    embeddingRules: z.array(union({})).max(5).optional(),
    detachedEmbeddingUris: z.array(AtUri).max(50).optional(),
    createdAt: Datetime,
  }),
  [COLLECTIONS.follow]: Relation,
  [COLLECTIONS.block]: Relation,
  [COLLECTIONS.list]: z.looseObject({
    purpose: z.string(),
    name: z.string().min(1).max(64),
    description: limitedText(300).optional(),
    createdAt: Datetime,
  }),
  [COLLECTIONS.listItem]: Relation.extend({ list: AtUri }),
  [COLLECTIONS.profile]: z.looseObject({
    displayName: limitedText(64).optional(),
    description: limitedText(256).optional(),
    pinnedPost: StrongRef.optional(),
  }),
};
