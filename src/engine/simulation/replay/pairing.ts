import type { ActualDelivery } from './actual-deliveries.ts';

/** A delivery and its slot. */
export interface SlotDelivery {
  /** See `slotKey` in `delivery-slot.ts`. */
  readonly slotKey: string;
  readonly atMs: number;
  /** The id of its firing. */
  readonly firing: string;
}

/** Finds actual deliveries for expected ones. */
export interface Pairing {
  /** The actual delivery with the same slot key that is nearest in time, within `withinMs`. */
  nearest(one: SlotDelivery): ActualDelivery | undefined;
  /** Pairs with equal slot keys; the nearest pairs are made first. */
  pairs<T extends SlotDelivery>(expected: readonly T[]): ReadonlyMap<T, ActualDelivery>;
}

interface Near {
  readonly other: ActualDelivery;
  /** Less is nearer. In the same slot, a delivery of the same firing is nearest. */
  readonly apart: number;
}

/** `actual` is in the order of time. */
export function pairing(actual: readonly ActualDelivery[], withinMs: number): Pairing {
  const bySlotKey = Map.groupBy(actual, ({ slotKey }) => slotKey);

  function near({ slotKey, atMs, firing }: SlotDelivery): readonly Near[] {
    const all = bySlotKey.get(slotKey) ?? [];
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

    pairs(expected) {
      const pairs = new Map<(typeof expected)[number], ActualDelivery>();
      const taken = new Set<ActualDelivery>();
      const pair = (one: (typeof expected)[number], other: ActualDelivery): void => {
        if (pairs.has(one) || taken.has(other)) return;
        pairs.set(one, other);
        taken.add(other);
      };
      for (const one of expected) for (const { other, apart } of near(one)) if (apart === 0) pair(one, other);
      const rest = expected.filter((one) => !pairs.has(one));
      const close = rest.flatMap((one) => near(one).map((it) => ({ one, ...it })));
      for (const { one, other } of close.toSorted((a, b) => a.apart - b.apart)) pair(one, other);
      return pairs;
    },
  };
}

/** The index of the first delivery at or after an instant. */
function firstFrom(actual: readonly ActualDelivery[], atMs: number): number {
  let [low, high] = [0, actual.length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if ((actual[middle]?.atMs ?? Infinity) < atMs) low = middle + 1;
    else high = middle;
  }
  return low;
}
