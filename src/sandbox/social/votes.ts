import { z } from 'zod';
import type { Journal } from '../journal.ts';

const COLLECTION = 'social.votes';

const Vote = z.object({ userId: z.string(), postId: z.string(), choices: z.array(z.number()) });

/** What somebody chose in a poll. */
export interface Vote extends Readonly<z.output<typeof Vote>> {}

/** The votes in polls that came through the API; none can be taken back. */
export class Votes {
  readonly #journal: Journal;
  /** By post, then by user. */
  readonly #onPost = new Map<string, Map<string, Vote>>();

  constructor(journal: Journal) {
    this.#journal = journal;
    for (const document of journal.all(COLLECTION)) this.#remember(Vote.parse(document));
  }

  find({ userId, postId }: Pick<Vote, 'userId' | 'postId'>): Vote | undefined {
    return this.#onPost.get(postId)?.get(userId);
  }

  on(postId: string): readonly Vote[] {
    return [...(this.#onPost.get(postId)?.values() ?? [])];
  }

  add(vote: Vote): void {
    // First where it survives a kill.
    this.#journal.put(COLLECTION, `${vote.userId} ${vote.postId}`, { ...vote });
    this.#remember(vote);
  }

  #remember(vote: Vote): void {
    const votes = this.#onPost.get(vote.postId) ?? new Map<string, Vote>();
    this.#onPost.set(vote.postId, votes.set(vote.userId, vote));
  }
}
