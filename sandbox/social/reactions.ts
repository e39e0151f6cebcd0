import { z } from 'zod';
import type { Journal } from '../journal.ts';
import { StoredMap } from '../stored-map.ts';

const Reaction = z.object({
  kind: z.enum(['like', 'repost', 'pin', 'hide']),
  userId: z.string(),
  postId: z.string(),
  /** False after the person withdrew the reaction. */
  on: z.boolean(),
  // Older journals have reactions without a time.
  atMs: z.number().default(0),
  /** A later reaction has a greater number. */
  number: z.int(),
});

/** A reaction to a post that came through the API. */
export interface Reaction extends Readonly<z.output<typeof Reaction>> {}

export type ReactionKind = Reaction['kind'];
type ReactionKey = Pick<Reaction, 'userId' | 'postId'>;

/** The reactions that came through the API. A repeated reaction changes nothing. */
export class Reactions {
  readonly #stored: StoredMap<Reaction>;
  readonly #onPost: (kindAndPost: string) => readonly Reaction[];
  readonly #byUser: (kindAndUser: string) => readonly Reaction[];
  readonly #byNumber: (number: string) => readonly Reaction[];

  constructor(journal: Journal) {
    const keyOf = ({ kind, userId, postId }: Reaction): string => `${kind} ${userId} ${postId}`;
    this.#stored = new StoredMap({ journal, collection: 'social.reactions', schema: Reaction, keyOf });
    this.#onPost = this.#stored.index(({ kind, postId }) => `${kind} ${postId}`);
    this.#byUser = this.#stored.index(({ kind, userId }) => `${kind} ${userId}`);
    this.#byNumber = this.#stored.index(({ number }) => String(number));
  }

  set(kind: ReactionKind, { userId, postId }: ReactionKey, { on, atMs }: Pick<Reaction, 'on' | 'atMs'>): void {
    if (this.find(kind, { userId, postId }) === on) return;
    this.#stored.put({ kind, userId, postId, on, atMs, number: this.#stored.nextNumber(({ number }) => number) });
  }

  /** False after the person withdrew the reaction; undefined if the person never reacted through the API. */
  find(kind: ReactionKind, { userId, postId }: ReactionKey): boolean | undefined {
    return this.#stored.get(`${kind} ${userId} ${postId}`)?.on;
  }

  /** The reaction with a number; undefined after the person changed the reaction. */
  numbered(number: number): Reaction | undefined {
    return this.#byNumber(String(number))[0];
  }

  /** The reactions to a post, the latest first. Withdrawn reactions are included. */
  on(kind: ReactionKind, postId: string): readonly Reaction[] {
    return latestFirst(this.#onPost(`${kind} ${postId}`));
  }

  /** The reactions of a person, the latest first. Withdrawn reactions are left out. */
  by(kind: ReactionKind, userId: string): readonly Reaction[] {
    return latestFirst(this.#byUser(`${kind} ${userId}`).filter(({ on }) => on));
  }
}

function latestFirst<T extends { readonly number: number }>(values: readonly T[]): readonly T[] {
  return values.toSorted((a, b) => b.number - a.number);
}

const Bookmark = z.object({
  userId: z.string(),
  postId: z.string(),
  /** A later bookmark has a greater number. */
  number: z.int(),
});

/** The posts that people bookmarked. */
export class Bookmarks {
  readonly #stored: StoredMap<z.output<typeof Bookmark>>;
  readonly #byUser: (userId: string) => readonly z.output<typeof Bookmark>[];
  readonly #onPost: (postId: string) => readonly z.output<typeof Bookmark>[];

  constructor(journal: Journal) {
    const keyOf = ({ userId, postId }: z.output<typeof Bookmark>): string => `${userId} ${postId}`;
    this.#stored = new StoredMap({ journal, collection: 'social.bookmarks', schema: Bookmark, keyOf });
    this.#byUser = this.#stored.index(({ userId }) => userId);
    this.#onPost = this.#stored.index(({ postId }) => postId);
  }

  /** Ids of posts, the latest bookmark first. */
  of(userId: string): readonly string[] {
    return latestFirst(this.#byUser(userId)).map(({ postId }) => postId);
  }

  has(userId: string, postId: string): boolean {
    return this.#stored.has(`${userId} ${postId}`);
  }

  /** The number of people who bookmarked a post. */
  count(postId: string): number {
    return this.#onPost(postId).length;
  }

  add(userId: string, postId: string): void {
    if (!this.has(userId, postId)) this.#stored.put({ userId, postId, number: this.#stored.nextNumber(({ number }) => number) });
  }

  remove(userId: string, postId: string): void {
    this.#stored.delete(`${userId} ${postId}`);
  }
}

const Vote = z.object({ userId: z.string(), postId: z.string(), choices: z.array(z.number()) });

/** The choices of one person in a poll. */
export interface Vote extends Readonly<z.output<typeof Vote>> {}

/** The votes from the API. They cannot be withdrawn. */
export class Votes {
  readonly #stored: StoredMap<Vote>;
  readonly on: (postId: string) => readonly Vote[];

  constructor(journal: Journal) {
    const keyOf = ({ userId, postId }: Vote): string => `${userId} ${postId}`;
    this.#stored = new StoredMap({ journal, collection: 'social.votes', schema: Vote, keyOf });
    this.on = this.#stored.index(({ postId }) => postId);
  }

  find({ userId, postId }: Pick<Vote, 'userId' | 'postId'>): Vote | undefined {
    return this.#stored.get(`${userId} ${postId}`);
  }

  add(vote: Vote): void {
    this.#stored.put(vote);
  }
}
