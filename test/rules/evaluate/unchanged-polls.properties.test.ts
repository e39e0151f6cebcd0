import { expect, test } from 'vitest';
import { advance, type AdvanceOptions } from '#src/rules/evaluate/advance.ts';
import type { Advance } from '#src/rules/evaluate/effects/effects.ts';
import { unchangedPolls } from '#src/rules/evaluate/unchanged-polls.ts';
import { fc, runs } from '../../support/property.ts';
import { MINUTE } from './fixture.ts';
import { compare } from './model/compare.ts';
import { someRule, someTimers, someWorld } from './model/world.ts';
import { storedAndLoaded, withChange } from './run-polls.ts';

const WORLDS = runs(25, 1_000);
const DAY_MIN = 24 * 60;

test('slots with the same poll have the result of a complete evaluation', () => {
  const passes = fc.array(fc.constantFrom(1, 1, 1, 2, 3, 10, 30 * DAY_MIN, 61 * DAY_MIN), { minLength: 3, maxLength: 3 });
  const found = { unchanged: 0, ended: 0, compared: 0 };

  /** Repeats the poll of a slot, and evaluates each repetition both ways. */
  function compareRepeats(options: AdvanceOptions, made: Advance, minutes: readonly number[]): void {
    const unchanged = unchangedPolls(options, made);
    if (!unchanged || !made.change) return;
    found.unchanged++;
    let state = { ...options.state, ...withChange(options.state, made.change) };
    let { slotMs } = options;
    for (const pass of minutes) {
      slotMs += pass * MINUTE;
      if (slotMs > unchanged.untilMs) {
        found.ended++;
        return;
      }
      // After a gap, the scheduler evaluates the slot.
      const evaluated = advance({ ...options, state, slotMs, gap: false, woken: false });
      const repeated = unchanged.at(slotMs);
      expect(repeated).toEqual(evaluated);
      found.compared++;
      if (repeated.change) state = { ...state, ...storedAndLoaded(withChange(state, repeated.change)) };
    }
  }

  const property = fc.property(someRule, someTimers, someWorld, passes, (rule, edit, world, minutes) => {
    compare(rule, world, () => edit, { onAdvance: (options, made) => compareRepeats(options, made, minutes), onClose: () => undefined });
  });
  fc.assert(property, { numRuns: WORLDS });

  // The worlds contain such slots, and episodes that are forgotten.
  expect(found.unchanged).toBeGreaterThan(WORLDS / 2);
  expect(found.compared).toBeGreaterThan(WORLDS);
  expect(found.ended).toBeGreaterThan(0);
});
