import type { People } from '../../social/people.ts';
import type { StoredPost } from '../../social/posts.ts';
import type { WorldPerson } from '../../world/world.ts';
import { orderOf, placeAt, snowflakes, ulids, type Place, type Spelling } from './places.ts';

/** What came through the API counts up, so that a millisecond keeps its order; what is made when it is looked at has a thrown place. */
const OWN = 0x8000;
const REPOST = 0x4000;
/** Things that belong to a post have ids of their own, which lead nowhere else. */
const POLL = 0x2a55n;
const CONVERSATION = 0x1b3dn;
const INTERNAL = 0x6c17n;

type Dated = Pick<StoredPost, 'id' | 'createdAtMs'>;

export interface IdentifiersOptions {
  readonly people: People;
  /** How ids are written at this moment. */
  readonly spelling: () => Spelling;
}

export const spellings = { snowflakes, ulids } as const;

/** The ids of the server: made from what is there already, so that they survive a restart and come in the order of time. */
export class Identifiers {
  readonly #spelling: () => Spelling;
  readonly #placeOfPerson = new Map<string, Place>();
  readonly #personAt = new Map<Place, WorldPerson>();
  readonly #postAt = new Map<Place, string>();

  constructor({ people, spelling }: IdentifiersOptions) {
    this.#spelling = spelling;
    for (const person of people.all) {
      let place = placeAt(person.createdAt.getTime(), orderOf(person.id));
      while (this.#personAt.has(place)) place += 1n;
      this.#personAt.set(place, person);
      this.#placeOfPerson.set(person.id, place);
    }
  }

  write(place: Place): string {
    return this.#spelling().write(place);
  }

  read(id: string): Place | undefined {
    return this.#spelling().read(id);
  }

  account(personId: string): string {
    return this.write(this.#placeOfPerson.get(personId) ?? 0n);
  }

  findPerson(id: string): WorldPerson | undefined {
    const place = this.read(id);
    return place === undefined ? undefined : this.#personAt.get(place);
  }

  /** What a list of people is paged by: not the people's own ids, as a follow is not whom it is about. */
  internal(personId: string): string {
    return this.write((this.#placeOfPerson.get(personId) ?? 0n) ^ INTERNAL);
  }

  placeOf(post: Dated): Place {
    const place = placeAt(post.createdAtMs, orderWithin(post.id));
    this.#postAt.set(place, post.id);
    return place;
  }

  status(post: Dated): string {
    return this.write(this.placeOf(post));
  }

  /** The name of a post by its id; `known` is looked through where nobody has seen the id since the start. */
  postNamed(id: string, known: () => Iterable<Dated>): string | undefined {
    const place = this.read(id);
    return place === undefined ? undefined : this.#postPlaced(place, known);
  }

  poll(post: Dated): string {
    return this.write(this.placeOf(post) ^ POLL);
  }

  /** What a list of posts that somebody keeps is paged by. */
  kept(post: Dated): string {
    return this.write(this.placeOf(post) ^ INTERNAL);
  }

  postOfPoll(id: string, known: () => Iterable<Dated>): string | undefined {
    const place = this.read(id);
    return place === undefined ? undefined : this.#postPlaced(place ^ POLL, known);
  }

  /** The id of the conversation that a post began. */
  conversation(root: Dated): string {
    return this.write(this.placeOf(root) ^ CONVERSATION);
  }

  #postPlaced(place: Place, known: () => Iterable<Dated>): string | undefined {
    const seen = this.#postAt.get(place);
    if (seen !== undefined) return seen;
    for (const post of known()) this.placeOf(post);
    return this.#postAt.get(place);
  }
}

function orderWithin(postId: string): number {
  const [, kind, number] = /^(own|repost)-(\d+)$/.exec(postId) ?? [];
  if (kind === 'own') return OWN | (Number(number) & (OWN - 1));
  if (kind === 'repost') return REPOST | (Number(number) & (REPOST - 1));
  return orderOf(postId, REPOST);
}
