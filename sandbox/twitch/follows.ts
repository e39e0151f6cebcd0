import { z } from 'zod';
import type { Journal } from '../journal.ts';
import { StoredMap } from '../stored-map.ts';

const Follow = z.object({ broadcasterId: z.string(), userId: z.string(), atMs: z.number() });
/** A follow of a channel. */
export interface Follow extends z.output<typeof Follow> {}

/** The follows that the control API ordered. */
export class Follows {
  readonly #stored: StoredMap<Follow>;

  constructor(journal: Journal) {
    const keyOf = ({ broadcasterId, userId }: Follow): string => `${broadcasterId} ${userId}`;
    this.#stored = new StoredMap({ journal, collection: 'twitch.follows', schema: Follow, keyOf });
  }

  add(follow: Follow): void {
    this.#stored.put(follow);
  }

  /** The followers of a channel, newest first. */
  of(broadcasterId: string): readonly Follow[] {
    return this.#stored
      .all()
      .filter((one) => one.broadcasterId === broadcasterId)
      .toSorted((a, b) => b.atMs - a.atMs || b.userId.localeCompare(a.userId));
  }
}
