import { z } from 'zod';
import { AtUri, Did, StrongRef } from '../xrpc/params.ts';
import { Embed } from './embed-forms.ts';
import { blob, Datetime, Facet, Language, limited, SelfLabels, union } from './parts.ts';

const AVATAR = { accept: ['image/png', 'image/jpeg'], most: 1_000_000 };
const tag = limited({ graphemes: 64, bytes: 640 });
const description = limited({ graphemes: 300, bytes: 3000 });

/** What a record has to be, by its collection. */
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
