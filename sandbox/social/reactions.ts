import { z } from 'zod';
import type { Journal } from '../journal.ts';

const COLLECTION = 'social.reactions';

const Reaction = z.object({
  kind: z.enum(['like', 'repost', 'pin', 'hide']),
  userId: z.string(),
  postId: z.string(),
  /** Whether it is so; false where it was taken back. */
  on: z.boolean(),
  // The default is that of journals that were written before reposts stood in timelines.
  atMs: z.number().default(0),
  /** Counts up: what was said later has the greater one. */
  number: z.int(),
});

/** What somebody said through the API about a post. */
export interface Reaction extends Readonly<z.output<typeof Reaction>> {}

export type ReactionKind = Reaction['kind'];
type ReactionKey = Pick<Reaction, 'userId' | 'postId'>;

/** What was last said about posts, by kind; who says the same again changes nothing. */
export class Reactions {
  readonly #journal: Journal;
  /** By kind and post, then by user; said first comes first. */
  readonly #recorded = new Map<string, Map<string, Reaction>>();
  readonly #byNumber = new Map<number, Reaction>();
  #last = 0;

  constructor(journal: Journal) {
    this.#journal = journal;
    const reactions = journal.all(COLLECTION).map((document) => Reaction.parse(document));
    for (const reaction of reactions.toSorted((a, b) => a.number - b.number)) this.#remember(reaction);
  }

  set(kind: ReactionKind, { userId, postId }: ReactionKey, { on, atMs }: Pick<Reaction, 'on' | 'atMs'>): void {
    if (this.find(kind, { userId, postId }) === on) return;
    const reaction = { kind, userId, postId, on, atMs, number: this.#last + 1 };
    // First where it survives a kill.
    this.#journal.put(COLLECTION, `${kind} ${userId} ${postId}`, reaction);
    this.#remember(reaction);
  }

  /** Whether somebody said so, or took it back; undefined where they said nothing. */
  find(kind: ReactionKind, { userId, postId }: ReactionKey): boolean | undefined {
    return this.#recorded.get(keyOf({ kind, postId }))?.get(userId)?.on;
  }

  /** What was said under this number; undefined where the same person has said something else since. */
  numbered(number: number): Reaction | undefined {
    return this.#byNumber.get(number);
  }

  /** Those of a kind on a post, the latest first; what was taken back is among them. */
  on(kind: ReactionKind, postId: string): readonly Reaction[] {
    return [...(this.#recorded.get(keyOf({ kind, postId }))?.values() ?? [])].toReversed();
  }

  /** Those of a kind by somebody, the latest first, without what was taken back. */
  by(kind: ReactionKind, userId: string): readonly Reaction[] {
    const all = this.#recorded
      .values()
      .map((recorded) => recorded.get(userId))
      .filter((reaction) => reaction !== undefined);
    return [...all].filter((reaction) => reaction.kind === kind && reaction.on).toSorted((a, b) => b.number - a.number);
  }

  #remember(reaction: Reaction): void {
    const { userId, number } = reaction;
    const key = keyOf(reaction);
    this.#last = number;
    const recorded = this.#recorded.get(key) ?? new Map<string, Reaction>();
    this.#byNumber.delete(recorded.get(userId)?.number ?? 0);
    this.#byNumber.set(number, reaction);
    // Deleted first, so that the order is that of saying.
    recorded.delete(userId);
    this.#recorded.set(key, recorded.set(userId, reaction));
  }
}

function keyOf({ kind, postId }: Pick<Reaction, 'kind' | 'postId'>): string {
  return `${kind} ${postId}`;
}

const BOOKMARKS_COLLECTION = 'social.bookmarks';

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
    const bookmarks = journal.all(BOOKMARKS_COLLECTION).map((document) => Bookmark.parse(document));
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
    this.#journal.put(BOOKMARKS_COLLECTION, `${userId} ${postId}`, bookmark);
    this.#remember(bookmark);
  }

  remove(userId: string, postId: string): void {
    this.#journal.drop(BOOKMARKS_COLLECTION, `${userId} ${postId}`);
    this.#byUser.get(userId)?.delete(postId);
  }

  #remember(bookmark: Bookmark): void {
    const { userId, postId, number } = bookmark;
    this.#last = number;
    const kept = this.#byUser.get(userId) ?? new Map<string, Bookmark>();
    this.#byUser.set(userId, kept.set(postId, bookmark));
  }
}

const VOTES_COLLECTION = 'social.votes';

const Vote = z.object({ userId: z.string(), postId: z.string(), choices: z.array(z.number()) });

/** What somebody chose in a poll. */
export interface Vote extends Readonly<z.output<typeof Vote>> {}

/** The votes from the API. They cannot be withdrawn. */
export class Votes {
  readonly #journal: Journal;
  /** By post, then by user. */
  readonly #onPost = new Map<string, Map<string, Vote>>();

  constructor(journal: Journal) {
    this.#journal = journal;
    for (const document of journal.all(VOTES_COLLECTION)) this.#remember(Vote.parse(document));
  }

  find({ userId, postId }: Pick<Vote, 'userId' | 'postId'>): Vote | undefined {
    return this.#onPost.get(postId)?.get(userId);
  }

  on(postId: string): readonly Vote[] {
    return [...(this.#onPost.get(postId)?.values() ?? [])];
  }

  add(vote: Vote): void {
    // First where it survives a kill.
    this.#journal.put(VOTES_COLLECTION, `${vote.userId} ${vote.postId}`, { ...vote });
    this.#remember(vote);
  }

  #remember(vote: Vote): void {
    const votes = this.#onPost.get(vote.postId) ?? new Map<string, Vote>();
    this.#onPost.set(vote.postId, votes.set(vote.userId, vote));
  }
}
