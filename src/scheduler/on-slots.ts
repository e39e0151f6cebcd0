import type { Slots } from './slots.ts';

/** What was seen last by each slot, since the slot before; a slot that nothing was seen for is left out. */
export async function* onSlots<T extends { readonly slotMs: number }>(
  seen: AsyncIterable<T>,
  { slots, untilMs }: { readonly slots: Slots; readonly untilMs: number },
): AsyncGenerator<T, void> {
  let held: T | undefined;
  let slotMs: number | undefined;
  for await (const one of seen) {
    if (held && slotMs !== undefined && one.slotMs > slotMs) yield { ...held, slotMs };
    if (held === undefined || slotMs === undefined || one.slotMs > slotMs) slotMs = slots.next(one.slotMs - 1);
    if (slotMs === undefined || slotMs > untilMs) return;
    held = one;
  }
  if (held && slotMs !== undefined) yield { ...held, slotMs };
}
