export interface Pairs<L, R> {
  readonly restLeft: readonly L[];
  readonly restRight: readonly R[];
}

/** Pairs as many of both sides as can be, each with one that it fits; gives those that are left over. */
export function pairUp<L, R>(left: readonly L[], right: readonly R[], fits: (one: L, other: R) => boolean): Pairs<L, R> {
  const partnerOf = new Map<number, number>();

  /** Finds a partner for one of the left, moving others to another where that helps. */
  function place(l: number, tried: Set<number>): boolean {
    const one = left[l];
    return right.some((other, r) => {
      if (one === undefined || tried.has(r) || !fits(one, other)) return false;
      tried.add(r);
      const holder = partnerOf.get(r);
      if (holder !== undefined && !place(holder, tried)) return false;
      partnerOf.set(r, l);
      return true;
    });
  }

  const placed = new Set(left.keys().filter((l) => place(l, new Set())));
  return { restLeft: left.filter((_, l) => !placed.has(l)), restRight: right.filter((_, r) => !partnerOf.has(r)) };
}
