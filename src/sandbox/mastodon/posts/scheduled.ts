import { z } from 'zod';
import type { Journal } from '../../journal.ts';
import { PollFacts, quotePolicies, visibilities } from './facts.ts';

const COLLECTION = 'mastodon.scheduled';

export const Draft = z.object({
  authorId: z.string(),
  text: z.string(),
  spoilerText: z.string(),
  sensitive: z.boolean(),
  visibility: z.enum(visibilities),
  language: z.string(),
  /** Uploads. */
  mediaIds: z.array(z.string()),
  poll: PollFacts.optional(),
  replyTo: z.string().optional(),
  quote: z.string().optional(),
  quotePolicy: z.enum(quotePolicies),
  application: z.object({ id: z.string().optional(), name: z.string(), website: z.string().optional() }),
});

/** A post before it is one: what was sent, by the world's own names, found good. */
export interface Draft extends Readonly<z.output<typeof Draft>> {}

const ScheduledStatus = z.object({
  number: z.int(),
  draft: Draft,
  writtenAtMs: z.number(),
  dueAtMs: z.number(),
  key: z.string().optional(),
  /** It went out, or was cancelled. */
  isGone: z.boolean(),
});

/** A post that goes out later. */
export interface ScheduledStatus extends Readonly<z.output<typeof ScheduledStatus>> {}

/** The posts that were written to go out later; those that are gone are kept, and so are their keys. */
export class ScheduledStatuses {
  readonly #journal: Journal;
  readonly #byNumber = new Map<number, ScheduledStatus>();

  constructor(journal: Journal) {
    this.#journal = journal;
    for (const document of journal.all(COLLECTION)) {
      const scheduled = ScheduledStatus.parse(document);
      this.#byNumber.set(scheduled.number, scheduled);
    }
  }

  /** Also those that are gone, the first written first. */
  all(): readonly ScheduledStatus[] {
    return [...this.#byNumber.values()];
  }

  /** Those of somebody that wait. */
  waiting(authorId: string): readonly ScheduledStatus[] {
    return this.all().filter(({ isGone, draft }) => !isGone && draft.authorId === authorId);
  }

  add(facts: Omit<ScheduledStatus, 'number' | 'isGone'>): ScheduledStatus {
    const scheduled = { ...facts, number: this.#byNumber.size + 1, isGone: false };
    this.put(scheduled);
    return scheduled;
  }

  put(scheduled: ScheduledStatus): void {
    this.#journal.put(COLLECTION, String(scheduled.number), { ...scheduled, draft: { ...scheduled.draft } });
    this.#byNumber.set(scheduled.number, scheduled);
  }
}
