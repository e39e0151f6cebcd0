import { expect, test } from 'vitest';
import { onSlots, slotsOf } from '#src/scheduler/slots.ts';

async function* seenAt(...seconds: readonly number[]): AsyncGenerator<{ slotMs: number; seen: number }, void> {
  for (const second of seconds) yield { slotMs: second * 1000, seen: second };
}

const everyMinute = { slots: slotsOf({ everyMs: 60_000 }), untilMs: 300_000 };

test.for([
  [
    'of several values before a slot, the last one counts',
    [50, 60, 70, 110, 180],
    [
      [60, 60],
      [120, 110],
      [180, 180],
    ],
  ],
  [
    'a slot without a value is left out',
    [60, 61, 240],
    [
      [60, 60],
      [120, 61],
      [240, 240],
    ],
  ],
  ['values after the end are left out', [240, 310], [[240, 240]]],
  ['no values give no slots', [], []],
] as const)('%s', async ([, seconds, expected]) => {
  const found = await Array.fromAsync(onSlots(seenAt(...seconds), everyMinute));

  expect(found.map(({ slotMs, seen }) => [slotMs / 1000, seen])).toEqual(expected);
});
