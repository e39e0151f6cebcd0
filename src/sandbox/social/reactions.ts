import { z } from 'zod';
import type { Journal } from '../journal.ts';

const COLLECTION = 'social.reactions';

const Reaction = z.object({
  kind: z.enum(['like', 'repost', 'pin', 'hide']),
  userId: z.string(),
  postId: z.string(),
  /** Whether it is so; false where it was taken back. */
  on: z.boolean(),
  /** Counts up: what was said later has the greater one. */
  number: z.int(),
});

/** What somebody said through the API about a post. */
export interface Reaction extends Readonly<z.output<typeof Reaction>> {}

export type ReactionKind = Reaction['kind'];
type Place = Pick<Reaction, 'userId' | 'postId'>;

/** What was last said about posts, by kind; who says the same again changes nothing. */
export class Reactions {
  readonly #journal: Journal;
  /** By kind and post, then by user; said first comes first. */
  readonly #said = new Map<string, Map<string, Reaction>>();
  #last = 0;

  constructor(journal: Journal) {
    this.#journal = journal;
    const reactions = journal.all(COLLECTION).map((document) => Reaction.parse(document));
    for (const reaction of reactions.toSorted((a, b) => a.number - b.number)) this.#remember(reaction);
  }

  set(kind: ReactionKind, { userId, postId }: Place, on: boolean): void {
    if (this.find(kind, { userId, postId }) === on) return;
    const reaction = { kind, userId, postId, on, number: this.#last + 1 };
    // First where it survives a kill.
    this.#journal.put(COLLECTION, `${kind} ${userId} ${postId}`, reaction);
    this.#remember(reaction);
  }

  /** Whether somebody said so, or took it back; undefined where they said nothing. */
  find(kind: ReactionKind, { userId, postId }: Place): boolean | undefined {
    return this.#said.get(`${kind} ${postId}`)?.get(userId)?.on;
  }

  /** Those of a kind on a post, the latest first; what was taken back is among them. */
  on(kind: ReactionKind, postId: string): readonly Reaction[] {
    return [...(this.#said.get(`${kind} ${postId}`)?.values() ?? [])].toReversed();
  }

  /** Those of a kind by somebody, the latest first, without what was taken back. */
  by(kind: ReactionKind, userId: string): readonly Reaction[] {
    const all = this.#said
      .values()
      .map((said) => said.get(userId))
      .filter((reaction) => reaction !== undefined);
    return [...all].filter((reaction) => reaction.kind === kind && reaction.on).toSorted((a, b) => b.number - a.number);
  }

  #remember(reaction: Reaction): void {
    const { kind, userId, postId, number } = reaction;
    this.#last = number;
    const said = this.#said.get(`${kind} ${postId}`) ?? new Map<string, Reaction>();
    // Deleted first, so that the order is that of saying.
    said.delete(userId);
    this.#said.set(`${kind} ${postId}`, said.set(userId, reaction));
  }
}
