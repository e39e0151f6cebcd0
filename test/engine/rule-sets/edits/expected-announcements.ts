/** A live channel in the world. */
export interface LiveChannel {
  readonly user: string;
  readonly id: string;
  readonly beganMs: number;
  readonly viewers: number;
}

/** The items of a poll, and the list that the rule counts. */
export interface WorldPoll {
  readonly users: readonly string[];
  readonly above: number;
  /** Whether the key is the channel, so that its next stream shows that the last one ended. */
  readonly isByChannel: boolean;
  readonly live: readonly LiveChannel[];
  readonly atMs: number;
}

interface Followed {
  isOpen: boolean;
  readonly isAnnounced: boolean;
}

/**
 * The announcements of a rule without edits, for all items that the edit between two polls did not affect. It shares no code with the product, and
 * knows of a key only whether it is the channel.
 */
export class ExpectedAnnouncements {
  readonly #followed = new Map<string, Followed>();
  #last: WorldPoll | undefined;

  /** The announcements of a poll, for example `start ada-1`. */
  poll(poll: WorldPoll): readonly string[] {
    const last = this.#last;
    this.#last = poll;
    const listed = new Set(poll.live.filter((channel) => counts(channel, poll)).map(({ id }) => id));
    const ends = [...this.#followed].flatMap(([id, followed]) => {
      if (!followed.isOpen || listed.has(id)) return [];
      followed.isOpen = false;
      const before = last?.live.find((channel) => channel.id === id);
      const isReplaced = poll.isByChannel && poll.live.some(({ user, id: other }) => user === before?.user && listed.has(other));
      // The new rule would not have counted the stream in the last poll either.
      const isByEdit = before !== undefined && !isReplaced && !counts(before, poll);
      return followed.isAnnounced && !isByEdit ? [`end ${id}`] : [];
    });
    const starts = poll.live.flatMap((channel) => {
      const { id } = channel;
      if (!listed.has(id)) return [];
      const followed = this.#followed.get(id);
      if (followed) followed.isOpen = true;
      if (followed) return [];
      const isAnnounced = last !== undefined && this.#isNew(channel, last, poll);
      this.#followed.set(id, { isOpen: true, isAnnounced });
      return isAnnounced ? [`start ${id}`] : [];
    });
    return [...ends, ...starts].toSorted();
  }

  #isNew({ user, id, beganMs }: LiveChannel, last: WorldPoll, { above }: WorldPoll): boolean {
    const wasWatched = last.users.includes(user);
    if (wasWatched && last.above === above) return true;
    const wasRead = wasWatched && last.live.some((channel) => channel.id === id);
    return !wasRead && (wasWatched || beganMs >= last.atMs);
  }
}

function counts({ user, viewers }: LiveChannel, { users, above }: WorldPoll): boolean {
  return users.includes(user) && viewers > above;
}
