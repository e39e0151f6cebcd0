import { z } from 'zod';
import type { Journal } from '../../journal.ts';

const COLLECTION = 'mastodon.statuses';

export const visibilities = ['public', 'unlisted', 'private', 'direct'] as const;
export type Visibility = (typeof visibilities)[number];
export const quotePolicies = ['public', 'followers', 'nobody'] as const;
export type QuotePolicy = (typeof quotePolicies)[number];

export const PollFacts = z.object({
  options: z.array(z.string()),
  expiresInSeconds: z.int(),
  multiple: z.boolean(),
  hideTotals: z.boolean(),
});
export type PollFacts = z.output<typeof PollFacts>;

const Warned = z.object({ spoilerText: z.string(), sensitive: z.boolean() });

const StatusFacts = Warned.extend({
  postId: z.string(),
  visibility: z.enum(visibilities),
  quotePolicy: z.enum(quotePolicies),
  /** From when on what it quotes agrees; absent where it quotes nothing. */
  quoteAcceptedAtMs: z.number().optional(),
  application: z.object({ name: z.string(), website: z.string().optional() }),
  hideTotals: z.boolean(),
  /** What became of its poll in edits; counts up with each change that took the votes away. */
  poll: z.object({ edition: z.int(), endsAtMs: z.number(), poll: PollFacts.optional() }).optional(),
  /** How it was warned of before each edit, oldest first. */
  earlier: z.array(Warned),
});

/** What only Mastodon knows of a post that was written through the API. */
export interface StatusFacts extends Readonly<z.output<typeof StatusFacts>> {}

/** What is known of posts beside what every platform keeps. */
export class FactsOfStatuses {
  readonly #journal: Journal;
  readonly #byPost = new Map<string, StatusFacts>();

  constructor(journal: Journal) {
    this.#journal = journal;
    for (const document of journal.all(COLLECTION)) {
      const facts = StatusFacts.parse(document);
      this.#byPost.set(facts.postId, facts);
    }
  }

  find(postId: string): StatusFacts | undefined {
    return this.#byPost.get(postId);
  }

  put(facts: StatusFacts): void {
    this.#journal.put(COLLECTION, facts.postId, { ...facts, poll: facts.poll && { ...facts.poll } });
    this.#byPost.set(facts.postId, facts);
  }
}
