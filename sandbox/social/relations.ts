import { z } from 'zod';
import type { Journal } from '../journal.ts';
import { StoredMap } from '../stored-map.ts';
import type { FollowGraph } from './people.ts';

const Relation = z.object({
  kind: z.enum(['follow', 'block', 'notify']),
  from: z.string(),
  to: z.string(),
  on: z.boolean(),
  /** A later relation has a greater number. */
  number: z.int(),
  atMs: z.number(),
});
type Relation = z.output<typeof Relation>;

/** The relations between people. Relations from the API replace the generated follows of the same two people. */
export class Relations {
  readonly #graph: FollowGraph;
  readonly #stored: StoredMap<Relation>;
  readonly #ofKind: (kind: string) => readonly Relation[];
  readonly #from: (kindAndPerson: string) => readonly Relation[];
  readonly #to: (kindAndPerson: string) => readonly Relation[];

  constructor(journal: Journal, graph: FollowGraph) {
    this.#graph = graph;
    const keyOf = ({ kind, from, to }: Relation): string => `${kind} ${from} ${to}`;
    this.#stored = new StoredMap({ journal, collection: 'social.relations', schema: Relation, keyOf });
    this.#ofKind = this.#stored.index(({ kind }) => kind);
    this.#from = this.#stored.index(({ kind, from }) => `${kind} ${from}`);
    this.#to = this.#stored.index(({ kind, to }) => `${kind} ${to}`);
  }

  follows(from: string, to: string): boolean {
    return this.#stored.get(`follow ${from} ${to}`)?.on ?? this.#graph.has(from, to);
  }

  blocks(from: string, to: string): boolean {
    // Each post in a feed asks this, and most worlds have no blocks.
    if (this.#ofKind('block').length === 0) return false;
    return this.#stored.get(`block ${from} ${to}`)?.on ?? false;
  }

  /** Whether one of two people has blocked the other. Neither sees the other then. */
  parted(one: string, other: string): boolean {
    return this.blocks(one, other) || this.blocks(other, one);
  }

  /** The time since which a person gets notifications about another person's posts; undefined without notifications. */
  notifiedSinceMs(from: string, to: string): number | undefined {
    const relation = this.#stored.get(`notify ${from} ${to}`);
    return relation?.on ? relation.atMs : undefined;
  }

  /** Ids, the latest first. */
  followersOf(id: string): readonly string[] {
    return latestFirst(this.#to(`follow ${id}`), ({ from }) => from, this.#graph.followersOf(id));
  }

  /** Ids, the latest first. */
  followingsOf(id: string): readonly string[] {
    return latestFirst(this.#from(`follow ${id}`), ({ to }) => to, this.#graph.followingsOf(id));
  }

  /** Ids of the followers who pay. */
  subscribersOf(id: string): readonly string[] {
    return this.followersOf(id).filter((follower) => this.#graph.pays(follower, id));
  }

  /** Ids, the latest first. */
  blockedBy(id: string): readonly string[] {
    return latestFirst(this.#from(`block ${id}`), ({ to }) => to, []);
  }

  setFollow(from: string, to: string, on: boolean, atMs: number): void {
    if (this.follows(from, to) !== on) this.#put({ kind: 'follow', from, to, on, atMs });
  }

  setNotify(from: string, to: string, on: boolean, atMs: number): void {
    if ((this.notifiedSinceMs(from, to) !== undefined) !== on) this.#put({ kind: 'notify', from, to, on, atMs });
  }

  /** A block ends the follows and the notifications between two people. Unblocking does not restore them. */
  setBlock(from: string, to: string, on: boolean, atMs: number): void {
    if (this.blocks(from, to) !== on) this.#put({ kind: 'block', from, to, on, atMs });
    if (!on) return;
    for (const [one = '', other = ''] of [
      [from, to],
      [to, from],
    ]) {
      this.setFollow(one, other, false, atMs);
      this.setNotify(one, other, false, atMs);
    }
  }

  #put(relation: Omit<Relation, 'number'>): void {
    this.#stored.put({ ...relation, number: this.#stored.nextNumber(({ number }) => number) });
  }
}

/** The people of recorded relations, then the generated people without one. */
function latestFirst(
  recorded: readonly Relation[],
  personOf: (relation: Relation) => string,
  generated: readonly string[],
): readonly string[] {
  if (recorded.length === 0) return generated;
  const known = new Set(recorded.map(personOf));
  const current = recorded.filter(({ on }) => on).toSorted((a, b) => b.number - a.number);
  return [...current.map(personOf), ...generated.filter((id) => !known.has(id))];
}
