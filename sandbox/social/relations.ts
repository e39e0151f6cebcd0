import { z } from 'zod';
import type { Journal } from '../journal.ts';
import type { FollowGraph } from './people.ts';

const COLLECTION = 'social.relations';

const Relation = z.object({
  kind: z.enum(['follow', 'block', 'notify']),
  from: z.string(),
  to: z.string(),
  on: z.boolean(),
  /** Counts up: what was said later has the greater one. */
  number: z.int(),
  atMs: z.number(),
});
type Relation = z.output<typeof Relation>;
type Kind = Relation['kind'];

/** How people stand to each other: what they said through the API, and where they said nothing, whom they follow anyway. */
export class Relations {
  readonly #journal: Journal;
  readonly #graph: FollowGraph;
  /** By kind and from whom, then to whom; said first comes first. */
  readonly #from = new Map<string, Map<string, Relation>>();
  /** By kind and to whom, then from whom. */
  readonly #to = new Map<string, Map<string, Relation>>();
  #last = 0;

  constructor(journal: Journal, graph: FollowGraph) {
    this.#journal = journal;
    this.#graph = graph;
    const relations = journal.all(COLLECTION).map((document) => Relation.parse(document));
    for (const relation of relations.toSorted((a, b) => a.number - b.number)) this.#remember(relation);
  }

  follows(from: string, to: string): boolean {
    return this.#recorded('follow', from, to)?.on ?? this.#graph.has(from, to);
  }

  blocks(from: string, to: string): boolean {
    return this.#recorded('block', from, to)?.on ?? false;
  }

  /** Whether one of the two has blocked the other: neither sees the other then. */
  parted(one: string, other: string): boolean {
    return this.blocks(one, other) || this.blocks(other, one);
  }

  /** Since when somebody wants to hear of another's new posts; undefined where they do not. */
  notifiedSinceMs(from: string, to: string): number | undefined {
    const relation = this.#recorded('notify', from, to);
    return relation?.on ? relation.atMs : undefined;
  }

  /** Ids, the latest first. */
  followersOf(id: string): readonly string[] {
    return latestFirst(this.#to.get(`follow ${id}`), this.#graph.followersOf(id));
  }

  /** Ids, the latest first. */
  followingsOf(id: string): readonly string[] {
    return latestFirst(this.#from.get(`follow ${id}`), this.#graph.followingsOf(id));
  }

  /** Ids of those followers who pay for it. */
  subscribersOf(id: string): readonly string[] {
    return this.followersOf(id).filter((follower) => this.#graph.pays(follower, id));
  }

  /** Ids, the latest first. */
  blockedBy(id: string): readonly string[] {
    return latestFirst(this.#from.get(`block ${id}`), []);
  }

  setFollow(from: string, to: string, on: boolean, atMs: number): void {
    if (this.follows(from, to) !== on) this.#put({ kind: 'follow', from, to, on, atMs });
  }

  setNotify(from: string, to: string, on: boolean, atMs: number): void {
    if ((this.notifiedSinceMs(from, to) !== undefined) !== on) this.#put({ kind: 'notify', from, to, on, atMs });
  }

  /** A block ends what either wanted of the other, and taking it back brings nothing of that back. */
  setBlock(from: string, to: string, on: boolean, atMs: number): void {
    if (this.blocks(from, to) !== on) this.#put({ kind: 'block', from, to, on, atMs });
    if (!on) return;
    for (const [one, other] of [
      [from, to],
      [to, from],
    ] as const) {
      this.setFollow(one, other, false, atMs);
      this.setNotify(one, other, false, atMs);
    }
  }

  #recorded(kind: Kind, from: string, to: string): Relation | undefined {
    return this.#from.get(`${kind} ${from}`)?.get(to);
  }

  #put(recorded: Omit<Relation, 'number'>): void {
    const relation = { ...recorded, number: this.#last + 1 };
    // First where it survives a kill.
    this.#journal.put(COLLECTION, `${recorded.kind} ${recorded.from} ${recorded.to}`, relation);
    this.#remember(relation);
  }

  #remember(relation: Relation): void {
    const { kind, from, to, number } = relation;
    this.#last = number;
    putLast(this.#from, `${kind} ${from}`, to, relation);
    putLast(this.#to, `${kind} ${to}`, from, relation);
  }
}

function putLast(relations: Map<string, Map<string, Relation>>, of: string, person: string, relation: Relation): void {
  const known = relations.get(of) ?? new Map<string, Relation>();
  known.delete(person);
  relations.set(of, known.set(person, relation));
}

/** Those of whom it was said, then those of whom nothing was. */
function latestFirst(recorded: ReadonlyMap<string, Relation> | undefined, generated: readonly string[]): readonly string[] {
  if (!recorded) return generated;
  const standing = [...recorded].filter(([, { on }]) => on).map(([id]) => id);
  return [...standing.toReversed(), ...generated.filter((id) => !recorded.has(id))];
}
