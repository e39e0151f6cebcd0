import type { Did } from './did.ts';

/** Something that is done at a slot. */
export interface Timed {
  /** See `placeName`. */
  readonly place: string;
  readonly atMs: number;
  /** The id of its firing. */
  readonly firing: string;
}

/** Finds what was done beside what would be. */
export interface Pairing {
  /** What was done in the same place nearest in time, and no further away than `withinMs`. */
  nearest(one: Timed): Did | undefined;
  /** Pairs of a place, of which none could be with one that is nearer and still free. */
  pairs<T extends Timed>(would: readonly T[]): ReadonlyMap<T, Did>;
}

interface Near {
  readonly other: Did;
  /** Less is nearer; of the same slot, what the same decision brought about is nearest. */
  readonly apart: number;
}

/** `did` stand in the order of time. */
export function pairing(did: readonly Did[], withinMs: number): Pairing {
  const byPlace = Map.groupBy(did, ({ place }) => place);

  function near({ place, atMs, firing }: Timed): readonly Near[] {
    const all = byPlace.get(place) ?? [];
    const close: Near[] = [];
    for (let at = firstFrom(all, atMs - withinMs); at < all.length; at++) {
      const other = all[at];
      if (!other || other.atMs > atMs + withinMs) break;
      close.push({ other, apart: 2 * Math.abs(other.atMs - atMs) + (other.delivery.firing === firing ? 0 : 1) });
    }
    return close.toSorted((a, b) => a.apart - b.apart);
  }

  return {
    nearest: (one) => near(one)[0]?.other,

    pairs(would) {
      const pairs = new Map<(typeof would)[number], Did>();
      const taken = new Set<Did>();
      const pair = (one: (typeof would)[number], other: Did): void => {
        if (pairs.has(one) || taken.has(other)) return;
        pairs.set(one, other);
        taken.add(other);
      };
      for (const one of would) for (const { other, apart } of near(one)) if (apart === 0) pair(one, other);
      const rest = would.filter((one) => !pairs.has(one));
      const close = rest.flatMap((one) => near(one).map((it) => ({ one, ...it })));
      for (const { one, other } of close.toSorted((a, b) => a.apart - b.apart)) pair(one, other);
      return pairs;
    },
  };
}

/** The place of the first at or after an instant. */
function firstFrom(did: readonly Did[], atMs: number): number {
  let [low, high] = [0, did.length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if ((did[middle]?.atMs ?? Infinity) < atMs) low = middle + 1;
    else high = middle;
  }
  return low;
}
