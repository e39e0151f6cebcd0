import { createDice } from '../../world/dice.ts';

const LOW_BITS = 16n;
const LOW_MASK = 0xffffn;
const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const ULID_CHARS = 26;
const BITS_A_CHAR = 5n;
/** What stands behind the time and the order in a ULID, so that it looks thrown. */
const FILLING_BITS = 64n;

/** Where something stands in time, and among what came at the same millisecond: what an id says of it. */
export type Place = bigint;

/** A place by its instant; `order` counts within the millisecond, up to 65535. */
export function placeAt(atMs: number, order: number): Place {
  return (BigInt(Math.floor(atMs)) << LOW_BITS) | (BigInt(order) & LOW_MASK);
}

/** How places are written as ids: in the order of their places. */
export interface Spelling {
  write(place: Place): string;
  /** Undefined for what no such id is. */
  read(id: string): Place | undefined;
}

/** As Mastodon does: milliseconds since 1970 and sixteen bits, in digits. */
export const snowflakes: Spelling = {
  write: (place) => place.toString(),
  read: (id) => (/^\d{1,20}$/.test(id) ? BigInt(id) : undefined),
};

/** As servers do that others wrote. */
export const ulids: Spelling = {
  write(place) {
    let bits = (place << FILLING_BITS) | filling(place);
    let text = '';
    for (let char = 0; char < ULID_CHARS; char++) {
      text = CROCKFORD.charAt(Number(bits & 31n)) + text;
      bits >>= BITS_A_CHAR;
    }
    return text;
  },
  read(id) {
    if (!/^[0-9A-HJKMNP-TV-Z]{26}$/.test(id)) return undefined;
    let bits = 0n;
    for (const char of id) bits = (bits << BITS_A_CHAR) | BigInt(CROCKFORD.indexOf(char));
    return bits >> FILLING_BITS;
  },
};

function filling(place: Place): bigint {
  const dice = createDice(0, `ulid ${place}`);
  return (BigInt(Math.floor(dice(1) * 2 ** 32)) << 32n) | BigInt(Math.floor(dice(2) * 2 ** 32));
}

/** Sixteen bits or fewer that are always the same for a name. */
export function orderOf(name: string, most = 0x10000): number {
  return Math.floor(createDice(0, `place ${name}`)(0) * most);
}
