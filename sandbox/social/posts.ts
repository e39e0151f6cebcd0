import { z } from 'zod';
import { PostConversationFilters } from '#src/social/enumerations.ts';
import type { Journal } from '../journal.ts';

/** Which of somebody's writes was made with which key; the first one stays. */
export class Keys {
  readonly #ids = new Map<string, string>();

  remember({ ownerId, key, id }: { readonly ownerId: string; readonly key: string | undefined; readonly id: string }): void {
    if (key === undefined) return;
    const place = placeOf(ownerId, key);
    if (!this.#ids.has(place)) this.#ids.set(place, id);
  }

  /** The id of what was made. */
  find(ownerId: string, key: string): string | undefined {
    return this.#ids.get(placeOf(ownerId, key));
  }
}

function placeOf(ownerId: string, key: string): string {
  return `${ownerId} ${key}`;
}

const COLLECTION = 'social.posts';

export const StoredMedia = z.object({
  id: z.string(),
  kind: z.enum(['image', 'video', 'gif', 'audio']),
  altText: z.string().optional(),
  width: z.number().optional(),
  height: z.number().optional(),
  sizeBytes: z.number().optional(),
});

/** A picture, a video or a sound in a post. */
export type StoredMedia = z.output<typeof StoredMedia>;

const StoredPoll = z.object({
  options: z.array(z.object({ label: z.string(), /** How many of the people choose it by the end. */ crowd: z.number() })),
  endsAtMs: z.number(),
  multiple: z.boolean(),
});
export type StoredPoll = z.output<typeof StoredPoll>;

const Version = z.object({ text: z.string(), media: z.array(StoredMedia), atMs: z.number() });

// The defaults are those of journals that were written before there was more than text.
const storedPost = z.object({
  id: z.string(),
  authorId: z.string(),
  text: z.string(),
  language: z.string().default('en'),
  createdAtMs: z.number(),
  /** How many of the people like it by themselves. */
  likes: z.number(),
  /** How many of the people pass it on by themselves. */
  reposts: z.number(),
  /** How many of the people answer it by themselves. */
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
  /** How it stood before each edit, oldest first. */
  earlier: z.array(Version).default([]),
  editedAtMs: z.number().optional(),
});

/** A post as the platform keeps it. */
export interface StoredPost extends Readonly<z.output<typeof storedPost>> {
  /** The post that it passes on; made when it is looked at, never stored. */
  readonly repostOf?: string | undefined;
}

const WrittenPost = storedPost.extend({
  /** The idempotency key of the author. */
  key: z.string().optional(),
  /** Whether it was written to go out later; it is created when it goes out. */
  scheduled: z.boolean().default(false),
  /** From when on reads show it. */
  visibleAtMs: z.number(),
  deletedAtMs: z.number().optional(),
});

/** A post that somebody wrote through the API. One that was deleted is kept, and so is its key. */
export interface WrittenPost extends Readonly<z.output<typeof WrittenPost>> {}

/** A post that has no id yet. */
export type NewPost = Omit<WrittenPost, 'id' | 'likes' | 'reposts' | 'replies' | 'earlier'>;

/** What comes by itself of a post; nothing where it does not say. */
export interface Resonance extends Partial<Pick<WrittenPost, 'likes' | 'reposts' | 'replies'>> {
  /** For each answer of its poll. */
  readonly votes?: readonly number[] | undefined;
}

/** What was written through the API; it is in the journal before anybody hears of it. */
export class WrittenPosts {
  readonly #journal: Journal;
  readonly #resonanceOf: (id: string, draft: NewPost) => Resonance;
  readonly #byId = new Map<string, WrittenPost>();
  readonly #posted = new Keys();
  readonly #scheduled = new Keys();
  #last = 0;

  constructor(journal: Journal, resonanceOf: (id: string, draft: NewPost) => Resonance = () => ({})) {
    this.#journal = journal;
    this.#resonanceOf = resonanceOf;
    for (const document of journal.all(COLLECTION)) this.#remember(WrittenPost.parse(document));
  }

  /** Oldest first. */
  all(): readonly WrittenPost[] {
    return [...this.#byId.values()];
  }

  find(id: string): WrittenPost | undefined {
    return this.#byId.get(id);
  }

  /** The first one that its author wrote, or scheduled, with this key. */
  findByKey({
    authorId,
    key,
    scheduled,
  }: {
    readonly authorId: string;
    readonly key: string;
    readonly scheduled: boolean;
  }): WrittenPost | undefined {
    const id = (scheduled ? this.#scheduled : this.#posted).find(authorId, key);
    return id === undefined ? undefined : this.#byId.get(id);
  }

  add(draft: NewPost): WrittenPost {
    const id = `own-${this.#last + 1}`;
    const { likes = 0, reposts = 0, replies = 0, votes = [] } = this.#resonanceOf(id, draft);
    const options = draft.poll?.options.map(({ label }, index) => ({ label, crowd: votes[index] ?? 0 })) ?? [];
    const post = { ...draft, id, likes, reposts, replies, poll: draft.poll && { ...draft.poll, options }, earlier: [] };
    this.#put(post);
    return post;
  }

  edit(post: WrittenPost, { text, media, atMs }: z.output<typeof Version>): WrittenPost {
    const before = { text: post.text, media: post.media, atMs: post.editedAtMs ?? post.createdAtMs };
    const edited = { ...post, text, media, editedAtMs: atMs, earlier: [...post.earlier, before] };
    this.#put(edited);
    return edited;
  }

  delete(post: WrittenPost, atMs: number): void {
    if (post.deletedAtMs === undefined) this.#put({ ...post, deletedAtMs: atMs });
  }

  #put(post: WrittenPost): void {
    // First where it survives a kill.
    this.#journal.put(COLLECTION, post.id, { ...post });
    this.#remember(post);
  }

  #remember(post: WrittenPost): void {
    this.#byId.set(post.id, post);
    (post.scheduled ? this.#scheduled : this.#posted).remember({ ownerId: post.authorId, key: post.key, id: post.id });
    this.#last = Math.max(this.#last, Number(post.id.slice('own-'.length)));
  }
}
