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
type Place = Pick<Reaction, 'userId' | 'postId'>;

/** What was last said about posts, by kind; who says the same again changes nothing. */
export class Reactions {
  readonly #journal: Journal;
  /** By kind and post, then by user; said first comes first. */
  readonly #said = new Map<string, Map<string, Reaction>>();
  readonly #byNumber = new Map<number, Reaction>();
  #last = 0;

  constructor(journal: Journal) {
    this.#journal = journal;
    const reactions = journal.all(COLLECTION).map((document) => Reaction.parse(document));
    for (const reaction of reactions.toSorted((a, b) => a.number - b.number)) this.#remember(reaction);
  }

  set(kind: ReactionKind, { userId, postId }: Place, { on, atMs }: Pick<Reaction, 'on' | 'atMs'>): void {
    if (this.find(kind, { userId, postId }) === on) return;
    const reaction = { kind, userId, postId, on, atMs, number: this.#last + 1 };
    // First where it survives a kill.
    this.#journal.put(COLLECTION, `${kind} ${userId} ${postId}`, reaction);
    this.#remember(reaction);
  }

  /** Whether somebody said so, or took it back; undefined where they said nothing. */
  find(kind: ReactionKind, { userId, postId }: Place): boolean | undefined {
    return this.#said.get(placeOf({ kind, postId }))?.get(userId)?.on;
  }

  /** What was said under this number; undefined where the same person has said something else since. */
  numbered(number: number): Reaction | undefined {
    return this.#byNumber.get(number);
  }

  /** Those of a kind on a post, the latest first; what was taken back is among them. */
  on(kind: ReactionKind, postId: string): readonly Reaction[] {
    return [...(this.#said.get(placeOf({ kind, postId }))?.values() ?? [])].toReversed();
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
    const { userId, number } = reaction;
    const place = placeOf(reaction);
    this.#last = number;
    const said = this.#said.get(place) ?? new Map<string, Reaction>();
    this.#byNumber.delete(said.get(userId)?.number ?? 0);
    this.#byNumber.set(number, reaction);
    // Deleted first, so that the order is that of saying.
    said.delete(userId);
    this.#said.set(place, said.set(userId, reaction));
  }
}

function placeOf({ kind, postId }: Pick<Reaction, 'kind' | 'postId'>): string {
  return `${kind} ${postId}`;
}
