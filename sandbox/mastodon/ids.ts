import type { People } from '../social/people.ts';
import type { StoredPost } from '../social/posts.ts';
import { createDice } from '../world/dice.ts';
import { memoize } from '#src/clients/operation/memoize.ts';
import type { WorldPerson } from '../world/world.ts';

const LOW_BITS = 16n;
const LOW_MASK = 0xffffn;
const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const ULID_LENGTH = 26;
const BITS_PER_CHARACTER = 5n;
const RANDOM_BITS = 64n;
/** Posts and reposts from the API count up, so that posts of one millisecond keep their order. Other posts get a hashed order. */
const WRITTEN = 0x8000;
const REPOST = 0x4000;
/** The ids of things that belong to a post differ from the id of the post. */
const RELATED = { poll: 0x2a55n, conversation: 0x1b3dn, entry: 0x6c17n } as const;

/** The number behind an id: milliseconds since 1970 and 16 bits of order. */
export type IdNumber = bigint;
type Dated = Pick<StoredPost, 'id' | 'createdAtMs'>;

/** The number of an instant. `order` counts within the millisecond, up to 65535. */
export function idNumberAt(atMs: number, order: number): IdNumber {
  return (BigInt(Math.floor(atMs)) << LOW_BITS) | (BigInt(order) & LOW_MASK);
}

/** A constant hash of a name below `most`. */
export function hashedOrder(name: string, most = 0x10000): number {
  return Math.floor(createDice(0, `place ${name}`)(0) * most);
}

/** How a server writes ids. Ids sort by their numbers. */
export interface IdFormat {
  write(number: IdNumber): string;
  /** Undefined if the text is not an id of this format. */
  read(id: string): IdNumber | undefined;
}

export const idFormats = {
  /** The format of Mastodon. */
  snowflakes: {
    write: (number) => number.toString(),
    read: (id) => (/^\d{1,20}$/.test(id) ? BigInt(id) : undefined),
  },
  /** The format of GoToSocial. */
  ulids: {
    write(number) {
      const dice = createDice(0, `ulid ${number}`);
      const random = (BigInt(Math.floor(dice(1) * 2 ** 32)) << 32n) | BigInt(Math.floor(dice(2) * 2 ** 32));
      let bits = (number << RANDOM_BITS) | random;
      let text = '';
      for (let index = 0; index < ULID_LENGTH; index++) {
        text = CROCKFORD.charAt(Number(bits & 31n)) + text;
        bits >>= BITS_PER_CHARACTER;
      }
      return text;
    },
    read(id) {
      if (!/^[0-9A-HJKMNP-TV-Z]{26}$/.test(id)) return undefined;
      let bits = 0n;
      for (const character of id) bits = (bits << BITS_PER_CHARACTER) | BigInt(CROCKFORD.indexOf(character));
      return bits >> RANDOM_BITS;
    },
  },
} as const satisfies Record<string, IdFormat>;

/** The ids of the server. They are derived from stored data, so they survive a restart and sort by time. */
export class Ids implements IdFormat {
  readonly #format: () => IdFormat;
  readonly #numbers: PersonNumbers;
  readonly #postByNumber = new Map<IdNumber, string>();

  constructor({ all }: Pick<People, 'all'>, format: () => IdFormat) {
    this.#format = format;
    this.#numbers = numbersAmong(all);
  }

  write(number: IdNumber): string {
    return this.#format().write(number);
  }

  read(id: string): IdNumber | undefined {
    return this.#format().read(id);
  }

  account(personId: string): string {
    return this.write(this.#numbers.ofPerson.get(personId) ?? 0n);
  }

  findPerson(id: string): WorldPerson | undefined {
    return this.#numbers.persons.get(this.read(id) ?? -1n);
  }

  /** The position of a person in a list. Mastodon pages lists of accounts by the relation, not by the account. */
  accountEntry(personId: string): string {
    return this.write((this.#numbers.ofPerson.get(personId) ?? 0n) ^ RELATED.entry);
  }

  numberOf(post: Dated): IdNumber {
    const number = idNumberAt(post.createdAtMs, orderOf(post.id));
    this.#postByNumber.set(number, post.id);
    return number;
  }

  status(post: Dated): string {
    return this.write(this.numberOf(post));
  }

  /** The id of a thing that belongs to a post. */
  related(kind: keyof typeof RELATED, post: Dated): string {
    return this.write(this.numberOf(post) ^ RELATED[kind]);
  }

  /** The name of the post with this status or poll id. `candidates` is searched if no answer has contained the id yet. */
  postName(kind: 'status' | 'poll', id: string, candidates: () => Iterable<Dated>): string | undefined {
    const read = this.read(id);
    if (read === undefined) return undefined;
    const number = kind === 'poll' ? read ^ RELATED.poll : read;
    if (!this.#postByNumber.has(number)) for (const post of candidates()) this.numberOf(post);
    return this.#postByNumber.get(number);
  }
}

interface PersonNumbers {
  readonly ofPerson: ReadonlyMap<string, IdNumber>;
  readonly persons: ReadonlyMap<IdNumber, WorldPerson>;
}

const numbersAmong = memoize((people: readonly WorldPerson[]): PersonNumbers => {
  const ofPerson = new Map<string, IdNumber>();
  const persons = new Map<IdNumber, WorldPerson>();
  for (const person of people) {
    let number = idNumberAt(person.createdAt.getTime(), hashedOrder(person.id));
    while (persons.has(number)) number += 1n;
    persons.set(number, person);
    ofPerson.set(person.id, number);
  }
  return { ofPerson, persons };
});

function orderOf(postId: string): number {
  const [, kind, number] = /^(own|repost)-(\d+)$/.exec(postId) ?? [];
  if (kind === 'own') return WRITTEN | (Number(number) & (WRITTEN - 1));
  if (kind === 'repost') return REPOST | (Number(number) & (REPOST - 1));
  return hashedOrder(postId, REPOST);
}
