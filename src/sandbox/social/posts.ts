import { z } from 'zod';
import type { Journal } from '../journal.ts';

const COLLECTION = 'social.posts';

/** A post as the platform keeps it. */
export interface StoredPost {
  readonly id: string;
  readonly authorId: string;
  readonly text: string;
  readonly createdAtMs: number;
  readonly likes: number;
  readonly reposts: number;
  readonly replyTo?: string | undefined;
  readonly quote?: string | undefined;
}

const WrittenPost = z.object({
  id: z.string(),
  authorId: z.string(),
  text: z.string(),
  createdAtMs: z.number(),
  likes: z.number(),
  reposts: z.number(),
  replyTo: z.string().optional(),
  quote: z.string().optional(),
  /** What its writer gave so that a repeat is known for one. */
  key: z.string().optional(),
  /** From when on reads show it. */
  visibleAtMs: z.number(),
  deletedAtMs: z.number().optional(),
});

/** A post that somebody wrote through the API. One that was deleted is kept, and so is its key. */
export type WrittenPost = z.output<typeof WrittenPost>;

/** What was written through the API; it is in the journal before anybody hears of it. */
export class WrittenPosts {
  readonly #journal: Journal;
  readonly #byId = new Map<string, WrittenPost>();
  readonly #byKey = new Map<string, WrittenPost>();

  constructor(journal: Journal) {
    this.#journal = journal;
    for (const document of journal.all(COLLECTION)) this.#remember(WrittenPost.parse(document));
  }

  /** Oldest first. */
  all(): readonly WrittenPost[] {
    return [...this.#byId.values()];
  }

  find(id: string): WrittenPost | undefined {
    return this.#byId.get(id);
  }

  /** The first one that was written with this key. */
  findByKey(key: string): WrittenPost | undefined {
    return this.#byKey.get(key);
  }

  add(draft: Omit<WrittenPost, 'id' | 'likes' | 'reposts'>): WrittenPost {
    const post = { ...draft, id: `own-${this.#byId.size + 1}`, likes: 0, reposts: 0 };
    this.#put(post);
    return post;
  }

  delete(post: WrittenPost, atMs: number): void {
    if (post.deletedAtMs === undefined) this.#put({ ...post, deletedAtMs: atMs });
  }

  #put(post: WrittenPost): void {
    // First where it survives a kill.
    this.#journal.put(COLLECTION, post.id, post);
    this.#remember(post);
  }

  #remember(post: WrittenPost): void {
    this.#byId.set(post.id, post);
    const first = post.key === undefined ? undefined : this.#byKey.get(post.key);
    if (post.key !== undefined && (first === undefined || first.id === post.id)) this.#byKey.set(post.key, post);
  }
}
