/** Something that changes: a post, a notification or a conversation. */
export interface Versioned {
  readonly id: string;
  /** Differs after each edit. */
  readonly version: string;
}

/** What changed since the last look. */
export interface Differences<T> {
  /** Oldest first. */
  readonly added: readonly T[];
  readonly changed: readonly T[];
  readonly removed: readonly T[];
}

/** Compares a list, newest first, with the last one. */
export function createDifferences<T extends Versioned>(first: readonly T[]): (now: readonly T[]) => Differences<T> {
  let before = new Map(first.map((one) => [one.id, one]));
  return (now) => {
    const current = new Map(now.map((one) => [one.id, one]));
    const added = now.filter(({ id }) => !before.has(id)).toReversed();
    const changed = now.filter(({ id, version }) => before.has(id) && before.get(id)?.version !== version);
    const removed = [...before.values()].filter(({ id }) => !current.has(id));
    before = current;
    return { added, changed, removed };
  };
}
