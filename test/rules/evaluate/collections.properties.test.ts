import { expect, test } from 'vitest';
import { NEW_STATE, type RuleState } from '#src/rules/episode.ts';
import { advance } from '#src/rules/evaluate/advance.ts';
import type { Firing } from '#src/rules/firing.ts';
import type { Limit, Rule } from '#src/rules/rule.ts';
import { fc, runs } from '../../support/property.ts';
import { aStep, cardRule, HOUR, MINUTE, START_MS, stream } from './fixture.ts';
import { storedAndLoaded, withChange } from './run-polls.ts';

const NAMES = ['a', 'b', 'c', 'd', 'e', 'f'];
const steps = [aStep()];

const poll = fc.record({
  // Four half hours are the span of `limit`, so polls are often at its ends.
  afterMinutes: fc.oneof(fc.integer({ min: 1, max: 50 }), fc.constantFrom(29, 30, 31)),
  live: fc.subarray(NAMES),
  /** The process dies before the commit, and the slot runs again. */
  isLost: fc.boolean(),
  isPaused: fc.boolean(),
});
const rules = fc.record({
  firings: fc.integer({ min: 1, max: 3 }),
  then: fc.constantFrom<Limit['then']>('hold', 'drop', steps),
  count: fc.integer({ min: 1, max: 5 }),
  quiet: fc.boolean(),
});
const HOURLY = { cron: '0 * * * *', timezone: 'Europe/Paris' };
const QUIET = { fromMinute: 20 * 60, toMinute: 21 * 60, timezone: 'UTC', then: 'hold' } as const;

function ruleOf({ firings, then, count, quiet }: { firings: number; then: Limit['then']; count: number; quiet: boolean }): Rule {
  return cardRule({
    while: [],
    finally: [],
    limit: { firings, perMs: 2 * HOUR, then },
    gather: { count, schedule: HOURLY, then: steps },
    quiet: quiet ? QUIET : undefined,
    fuse: { firings: 1_000, perMs: HOUR },
    watched: { confirm: { new: 1, gone: 1 } },
  });
}

const idsIn = ({ scope }: Firing): readonly unknown[] => (scope.held ?? []).map((one) => Object(one['episode']).id);

test('with random polls, pauses, restarts and lost commits, each item is announced or collected exactly once', () => {
  fc.assert(
    fc.property(rules, fc.array(poll, { maxLength: 40 }), (options, polls) => {
      const rule = ruleOf(options);
      let state: RuleState = NEW_STATE;
      let slotMs = START_MS;
      const firings: Firing[] = [];
      for (const { afterMinutes, live, isLost, isPaused } of polls) {
        const nextMs = slotMs + afterMinutes * MINUTE;
        const { quietEndMs } = state.memory;
        slotMs = quietEndMs !== undefined && quietEndMs < nextMs && quietEndMs > slotMs ? quietEndMs : nextMs;
        const list = { items: live.map((name) => stream(name)), complete: true };
        const paused = isPaused ? { by: 'ada', atMs: START_MS } : undefined;
        const made = advance({ rule, state: { ...state, paused }, poll: list, slotMs });
        const again = isLost ? advance({ rule, state: { ...storedAndLoaded(state), paused }, poll: list, slotMs }) : made;
        expect(again).toEqual(made);
        firings.push(...made.firings);
        if (made.change) state = storedAndLoaded(withChange(state, made.change));
      }

      const then = firings.filter(({ section }) => section === 'then');
      const gathered = firings.filter(({ section }) => section === 'gather').flatMap(idsIn);
      const limited = firings.filter(({ section }) => section === 'limit').flatMap(idsIn);
      const { memory } = state;

      expect(new Set(firings.map(({ id }) => id)).size).toBe(firings.length);
      expect([...gathered, ...(memory.gathered ?? []).map(({ episode }) => episode)]).toEqual(then.map(({ episode }) => episode));
      const announced = [...then.map(({ episode }) => episode), ...limited, ...(memory.limited ?? []).map(({ episode }) => episode)];
      expect(new Set(announced).size).toBe(announced.length);
      for (const { atMs } of then) {
        const inWindow = then.filter((one) => one.atMs <= atMs && atMs - one.atMs < 2 * HOUR);
        expect(inWindow.length).toBeLessThanOrEqual(options.firings);
      }
      // Fewer items than `count` wait, if nothing blocked the last poll.
      const last = polls.at(-1);
      const isBlocked = last === undefined || last.isPaused || options.quiet;
      expect((memory.gathered ?? []).length).toBeLessThan(isBlocked ? Infinity : options.count);
    }),
    { numRuns: runs(200, 6_000) },
  );
});
