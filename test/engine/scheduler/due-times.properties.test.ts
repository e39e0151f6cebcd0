import { expect, test } from 'vitest';
import { createAgenda, type Due } from '#src/engine/scheduler/agenda.ts';
import type { Schedule } from '#src/rules/rule.ts';
import { fc, runs } from '../../support/property.ts';
import { makeRule } from '../../support/rules.ts';

const START_MS = Date.parse('2026-11-20T18:00:00Z');
const IDS = ['one', 'two', 'three'];

const schedule: fc.Arbitrary<Schedule> = fc.oneof(
  fc.integer({ min: 5, max: 90 }).map((seconds) => ({ everyMs: seconds * 1000 })),
  fc.constant({ cron: '* * * * *', timezone: 'UTC' }),
  fc.integer({ min: 0, max: 120 }).map((seconds) => ({ atMs: START_MS + seconds * 1000 })),
);
const id = fc.constantFrom(...IDS);
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('pass' as const), ms: fc.integer({ min: 1, max: 20_000 }) }) },
  fc.record({ kind: fc.constant('setBack' as const), ms: fc.integer({ min: 1, max: 9_000 }) }),
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('put' as const), id, schedule }) },
  fc.record({ kind: fc.constant('drop' as const), id }),
  fc.record({ kind: fc.constant('hurry' as const), id, names: fc.constantFrom(undefined, ['ada']) }),
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('end' as const),
      which: fc.nat(2),
      how: fc.constantFrom('finish', 'wake', 'rest', 'retry', 'backOff'),
    }),
  },
);

test('no rule that is not running is due before the instant that the agenda announces, and a tick finds that instant', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 30, maxLength: 60, size: 'max' }), (steps) => {
      let nowMs = START_MS;
      let version = 0;
      const running = new Map<string, Due>();
      /** What a ticker knows: it reads the instant after each tick and when it becomes earlier. */
      let announcedMs = Infinity;
      const agenda = createAgenda({ onSooner: () => (announcedMs = agenda.soonestMs()) });
      const soonestMs = (): number => Math.min(...IDS.flatMap((one) => (running.has(one) ? [] : (agenda.nextMs(one) ?? []))));

      let tickedMs = -Infinity;

      function tick(): void {
        // A dropped rule leaves its instant until then.
        const isLookedFor = nowMs >= announcedMs || nowMs < tickedMs;
        tickedMs = nowMs;
        for (const due of agenda.due(nowMs, () => true)) {
          agenda.begin(due.rule.id);
          running.set(due.rule.id, due);
        }
        announcedMs = agenda.soonestMs();
        expect(isLookedFor ? announcedMs : soonestMs()).toBe(soonestMs());
      }

      function end(due: Due, how: string): void {
        const { rule, slotMs } = due;
        if (how === 'backOff') agenda.backOff(rule.id, { nowMs, isOutage: false });
        else if (how !== 'retry' || !agenda.retryFailedPoll(due, { failure: 'unavailable' }, nowMs)) {
          const wakeMs = how === 'wake' ? nowMs + 1_500 : undefined;
          agenda.finish(rule.id, { slotMs, nowMs, wakeMs, resting: how === 'rest' ? { isEmpty: true } : undefined });
        }
        running.delete(rule.id);
        agenda.end(rule.id, nowMs);
      }

      for (const one of steps) {
        if (one.kind === 'pass') {
          nowMs += one.ms;
          if (nowMs >= announcedMs) tick();
        } else if (one.kind === 'setBack') {
          nowMs -= one.ms;
          // The longest pause of the ticker ends.
          tick();
        } else if (one.kind === 'put') {
          const rule = makeRule({ id: one.id, version: String(version++), schedule: one.schedule });
          agenda.put(rule, { last: undefined, startMs: nowMs, wasDown: false });
        } else if (one.kind === 'drop') agenda.drop(one.id);
        else if (one.kind === 'hurry') agenda.hurry({ rule: one.id, names: one.names }, nowMs);
        else {
          const due = [...running.values()][one.which % Math.max(running.size, 1)];
          if (due) end(due, one.how);
        }
        expect(announcedMs).toBeLessThanOrEqual(soonestMs());
      }
    }),
    { numRuns: runs(300, 5_000) },
  );
});
