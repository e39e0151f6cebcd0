import { z } from 'zod';
import type { ContentWarning } from '#src/clients/operation/text/content-warning.ts';
import { PostConversationFilters, QuoteAudience } from '#src/clients/social/enumerations.ts';
import type { Journal } from '../journal.ts';
import { StoredMap } from '../stored-map.ts';

/** The first document that an owner wrote with an idempotency key. */
export function byKey<T extends { readonly key?: string | undefined }>(
  stored: StoredMap<T>,
  ownerOf: (value: T) => string,
): (ownerId: string, key: string) => T | undefined {
  const find = stored.index((value) => (value.key === undefined ? undefined : `${ownerOf(value)} ${value.key}`));
  return (ownerId, key) => find(`${ownerId} ${key}`)[0];
}

/** The number in an id such as `list-3`. */
export function numberIn(id: string): number {
  return Number(id.slice(id.lastIndexOf('-') + 1));
}

export const StoredMedia = z.object({
  id: z.string(),
  kind: z.enum(['image', 'video', 'gif', 'audio']),
  altText: z.string().optional(),
  width: z.number().optional(),
  height: z.number().optional(),
  sizeBytes: z.number().optional(),
  /** Whether the file is covered although the post has no warning. */
  sensitive: z.boolean().optional(),
});

/** A file in a post. */
export type StoredMedia = z.output<typeof StoredMedia>;

const StoredPoll = z.object({
  options: z.array(z.object({ label: z.string(), /** The number of generated votes at the end of the poll. */ crowd: z.number() })),
  endsAtMs: z.number(),
  multiple: z.boolean(),
});
export type StoredPoll = z.output<typeof StoredPoll>;

const Version = z.object({ text: z.string(), media: z.array(StoredMedia), atMs: z.number() });

// The defaults are for older journals, whose posts have only a text.
const storedPost = z.object({
  id: z.string(),
  authorId: z.string(),
  text: z.string(),
  language: z.string().default('en'),
  createdAtMs: z.number(),
  /** The number of generated likes. */
  likes: z.number(),
  /** The number of generated reposts. */
  reposts: z.number(),
  /** The number of generated replies. */
  replies: z.number().default(0),
  replyTo: z.string().optional(),
  quote: z.string().optional(),
  media: z.array(StoredMedia).default([]),
  poll: StoredPoll.optional(),
  place: z.string().optional(),
  community: z.string().optional(),
  /** Whether a post in a community also shows outside it. */
  onTimeline: z.boolean().optional(),
  audience: z.enum(PostConversationFilters).optional(),
  quotable: z.enum(QuoteAudience).optional(),
  /** The content warning, which the text begins with. */
  warning: z.string().optional(),
  sensitive: z.boolean().optional(),
  /** The versions before each edit, oldest first. */
  earlier: z.array(Version).default([]),
  editedAtMs: z.number().optional(),
});

/** A post. */
export interface StoredPost extends Readonly<z.output<typeof storedPost>> {
  /** The id of the reposted post. Reposts are generated for each read and never stored. */
  readonly repostOf?: string | undefined;
}

const WrittenPost = storedPost.extend({
  /** The idempotency key of the author. */
  key: z.string().optional(),
  /** Whether the post was scheduled. Its creation is the scheduled time. */
  scheduled: z.boolean().default(false),
  /** Reads show the post from this time on. */
  visibleAtMs: z.number(),
  deletedAtMs: z.number().optional(),
});

/** A post that was written through the API. A deleted post stays stored, so that its key stays known. */
export interface WrittenPost extends Readonly<z.output<typeof WrittenPost>> {}

/** A post that has no id yet. */
export type NewPost = Omit<WrittenPost, 'id' | 'likes' | 'reposts' | 'replies' | 'earlier'>;

/** The generated reactions to a post. Absent numbers are 0. */
export interface Resonance extends Partial<Pick<WrittenPost, 'likes' | 'reposts' | 'replies'>> {
  /** For each option of the poll. */
  readonly votes?: readonly number[] | undefined;
}

/** Newest first, with a constant order of posts of the same time. */
export function byTime(a: StoredPost, b: StoredPost): number {
  return b.createdAtMs - a.createdAtMs || b.id.localeCompare(a.id, 'en', { numeric: true });
}

/** The posts that were written through the API. */
export class WrittenPosts {
  readonly #resonanceOf: (id: string, draft: NewPost) => Resonance;
  readonly #stored: StoredMap<WrittenPost>;
  readonly #byKey: (key: string) => readonly WrittenPost[];

  constructor(journal: Journal, resonanceOf: (id: string, draft: NewPost) => Resonance = () => ({})) {
    this.#resonanceOf = resonanceOf;
    this.#stored = new StoredMap({ journal, collection: 'social.posts', schema: WrittenPost, keyOf: ({ id }) => id });
    this.#byKey = this.#stored.index((post) => post.key);
  }

  /** Oldest first. */
  all(): readonly WrittenPost[] {
    return this.#stored.all();
  }

  find(id: string): WrittenPost | undefined {
    return this.#stored.get(id);
  }

  /** The first post that an author wrote, or scheduled, with a key. */
  findByKey({ authorId, key, scheduled }: Pick<WrittenPost, 'authorId' | 'scheduled'> & { readonly key: string }): WrittenPost | undefined {
    return this.#byKey(key).find((post) => post.authorId === authorId && post.scheduled === scheduled);
  }

  add(draft: NewPost): WrittenPost {
    const id = `own-${this.#stored.nextNumber((post) => numberIn(post.id))}`;
    const { likes = 0, reposts = 0, replies = 0, votes = [] } = this.#resonanceOf(id, draft);
    const options = draft.poll?.options.map(({ label }, index) => ({ label, crowd: votes[index] ?? 0 })) ?? [];
    return this.#stored.put({ ...draft, id, likes, reposts, replies, poll: draft.poll && { ...draft.poll, options }, earlier: [] });
  }

  /** A poll that is given as undefined is removed. */
  edit(
    post: WrittenPost,
    { text, media, atMs, ...changed }: z.output<typeof Version> & ContentWarning & { readonly poll?: StoredPoll | undefined },
  ): WrittenPost {
    const before = { text: post.text, media: post.media, atMs: post.editedAtMs ?? post.createdAtMs };
    return this.#stored.put({ ...post, ...changed, text, media, editedAtMs: atMs, earlier: [...post.earlier, before] });
  }

  delete(post: WrittenPost, atMs: number): void {
    if (post.deletedAtMs === undefined) this.#stored.put({ ...post, deletedAtMs: atMs });
  }
}
