import { expect, test } from 'vitest';
import { NEW_STATE, type RuleState } from '#src/rules/episode.ts';
import { advance } from '#src/rules/evaluate/advance.ts';
import type { Firing } from '#src/rules/firing.ts';
import type { Poll } from '#src/rules/poll.ts';
import type { Limit, Quiet, Rule } from '#src/rules/rule.ts';
import { fc, runs } from '../../support/property.ts';
import { aStep, cardRule, HOUR, MINUTE, START_MS, stream } from './fixture.ts';
import { storedAndLoaded, withChange } from './run-polls.ts';

const NAMES = ['a', 'b', 'c', 'd'];
/** Then, nothing is edited any longer, and no quiet hours come. */
const END = 60;
const steps = [aStep()];
const minutes = (max: number) => fc.integer({ min: 1, max });
const waits = fc.constantFrom<'hold' | readonly ReturnType<typeof aStep>[]>('hold', steps);
const sometimes = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(value, { nil: undefined, freq: 2 });

const options = fc.record({
  every: fc.constantFrom(1, 2, 5),
  quiet: sometimes(fc.record({ from: minutes(15), length: fc.integer({ min: 15, max: 45 }), then: waits })),
  limit: sometimes(fc.record({ firings: fc.constantFrom(1, 1, 2), minutes: fc.constantFrom(5, 20), then: waits })),
  per: fc.constantFrom('item', 'poll'),
  grace: fc.constantFrom(0, 3, 10),
  settle: fc.constantFrom(0, 2, 5),
  hits: fc.constantFrom(1, 2),
  cards: fc.boolean(),
});
type Options = typeof options extends fc.Arbitrary<infer T> ? T : never;
const ALL_KEYS = ['every', 'quiet', 'limit', 'per', 'grace', 'settle', 'hits', 'cards'] as const;
const keys: fc.Arbitrary<readonly (keyof Options)[]> = fc.oneof(
  fc.constantFrom<(keyof Options)[]>(['quiet'], ['limit']),
  fc.subarray([...ALL_KEYS], { minLength: 1, maxLength: 3 }),
);
const edit = fc.record({
  at: minutes(END),
  changes: options,
  keys,
});
/** From minute 1 on, so that no stream is in the baseline poll. */
const streams = fc.array(fc.record({ from: minutes(END), length: sometimes(minutes(40)) }), { minLength: 1, maxLength: NAMES.length });
const world = fc.record({
  streams,
  failed: fc.uniqueArray(minutes(END)),
  /** The polls that lack all streams. */
  empty: fc.uniqueArray(minutes(END), { maxLength: 4 }),
});

function ruleOf({ every, quiet, limit, per, grace, settle, hits, cards }: Options): Rule {
  const fromMinute = 18 * 60 + (quiet?.from ?? 0);
  return cardRule({
    schedule: { everyMs: every * MINUTE },
    ...(!cards && { while: [], finally: [] }),
    quiet: quiet && ({ fromMinute, toMinute: fromMinute + quiet.length, timezone: 'UTC', then: quiet.then } satisfies Quiet),
    limit: limit && ({ firings: limit.firings, perMs: limit.minutes * MINUTE, then: limit.then } satisfies Limit),
    fuse: { firings: 1_000, perMs: HOUR },
    maxAgeMs: 24 * HOUR,
    readsList: per === 'poll',
    watched: { per, graceMs: grace * MINUTE, settleMs: settle * MINUTE, confirm: { new: hits, gone: 2 } },
  });
}

const idOf = (item: unknown): string => String(Object(item).id);

/** The ids of the streams that a firing announces. */
function announcedBy({ section, scope: { item, changes, held } }: Firing): readonly string[] {
  if (section === 'quiet' || section === 'limit') return (held ?? []).map((one) => idOf(one['item']));
  if (section !== 'then') return [];
  return item ? [idOf(item)] : [changes?.['entered'] ?? []].flat().map((one) => idOf(Object(one).item));
}

test('with random edits while changes wait, each stream is announced once if it stays live, and else at most once', () => {
  fc.assert(
    fc.property(options, fc.array(edit, { maxLength: 4 }), world, (first, edits, { streams: all, failed, empty }) => {
      let current = first;
      let rule = ruleOf(first);
      let wakeMs: number | undefined;
      let state: RuleState = NEW_STATE;
      const announced: string[] = [];
      for (let minute = 0; minute <= END + 100; minute++) {
        for (const { changes, keys: edited } of edits.filter(({ at }) => at === minute)) {
          current = { ...current, ...Object.fromEntries(edited.map((key) => [key, changes[key]])) };
          rule = ruleOf(current);
        }
        const slotMs = START_MS + minute * MINUTE;
        if (minute % current.every !== 0 && (wakeMs === undefined || wakeMs > slotMs)) continue;
        const live = all.flatMap(({ from, length = Infinity }, index) =>
          minute >= from && minute < from + length ? [NAMES[index] ?? ''] : [],
        );
        const items = empty.includes(minute) ? [] : live.map((name) => stream(name));
        const poll: Poll = failed.includes(minute) ? { failure: 'unavailable' } : { items, complete: true };
        const made = advance({ rule, state, poll, slotMs, gap: false });
        wakeMs = made.wakeMs ?? (made.change ? undefined : wakeMs);
        announced.push(...made.firings.flatMap(announcedBy));
        if (made.change) state = storedAndLoaded(withChange(state, made.change));
      }
      const lasting = all.flatMap(({ length }, index) => (length === undefined ? [`${NAMES[index]}-1`] : []));

      expect(new Set(announced).size).toBe(announced.length);
      expect(announced).toEqual(expect.arrayContaining(lasting));
    }),
    { numRuns: runs(120, 2_000) },
  );
});
