/** Ends replays early. Several replays can share it. */
export interface ReplayLimit {
  /** Whether no further slot may be simulated after this many slots of the period. */
  isReached(slots: number): boolean;
}

/** A limit of slots, and of the real time from now on. */
export function createReplayLimit({ mostSlots, withinMs }: { readonly mostSlots: number; readonly withinMs: number }): ReplayLimit {
  const beganMs = performance.now();
  return { isReached: (slots) => slots >= mostSlots || performance.now() - beganMs >= withinMs };
}
