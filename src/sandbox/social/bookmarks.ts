import { z } from 'zod';
import type { Journal } from '../journal.ts';

const COLLECTION = 'social.bookmarks';

const Bookmark = z.object({
  userId: z.string(),
  postId: z.string(),
  /** Counts up: what was kept later has the greater one. */
  number: z.int(),
});
type Bookmark = z.output<typeof Bookmark>;

/** Which posts people keep for themselves. */
export class Bookmarks {
  readonly #journal: Journal;
  /** By user, then by post; kept first comes first. */
  readonly #byUser = new Map<string, Map<string, Bookmark>>();
  #last = 0;

  constructor(journal: Journal) {
    this.#journal = journal;
    const bookmarks = journal.all(COLLECTION).map((document) => Bookmark.parse(document));
    for (const bookmark of bookmarks.toSorted((a, b) => a.number - b.number)) this.#remember(bookmark);
  }

  /** Ids of posts, the latest kept first. */
  of(userId: string): readonly string[] {
    return [...(this.#byUser.get(userId)?.keys() ?? [])].toReversed();
  }

  has(userId: string, postId: string): boolean {
    return this.#byUser.get(userId)?.has(postId) ?? false;
  }

  /** How many people keep a post. */
  count(postId: string): number {
    return [...this.#byUser.values()].filter((kept) => kept.has(postId)).length;
  }

  add(userId: string, postId: string): void {
    if (this.has(userId, postId)) return;
    const bookmark = { userId, postId, number: this.#last + 1 };
    // First where it survives a kill.
    this.#journal.put(COLLECTION, `${userId} ${postId}`, bookmark);
    this.#remember(bookmark);
  }

  remove(userId: string, postId: string): void {
    this.#journal.drop(COLLECTION, `${userId} ${postId}`);
    this.#byUser.get(userId)?.delete(postId);
  }

  #remember(bookmark: Bookmark): void {
    const { userId, postId, number } = bookmark;
    this.#last = number;
    const kept = this.#byUser.get(userId) ?? new Map<string, Bookmark>();
    this.#byUser.set(userId, kept.set(postId, bookmark));
  }
}
