import { fc, runs } from '../../support/property.ts';
import { expect, test } from 'vitest';
import type { Rule, Schedule } from '#src/rules/rule.ts';
import { createAgenda, type Agenda } from '#src/engine/scheduler/agenda.ts';
import { makeRule } from '../../support/rules.ts';

const START_MS = Date.parse('2026-11-20T18:00:00Z');
const END_MS = START_MS + 40 * 3_600_000;
const MINUTE_MS = 60_000;

/** An event of the program or its clock. */
type Event =
  | { readonly kind: 'ticks'; readonly seconds: number }
  | { readonly kind: 'restart' | 'suspend' | 'setBack' | 'jump'; readonly ms: number }
  | { readonly kind: 'reload' };

const event: fc.Arbitrary<Event> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('ticks' as const), seconds: fc.integer({ min: 1, max: 200 }) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constantFrom('restart' as const, 'suspend' as const, 'setBack' as const, 'jump' as const),
      ms: fc.oneof(
        fc.integer({ min: 1, max: 5_000 }),
        fc.integer({ min: 1, max: 30 * MINUTE_MS }),
        fc.integer({ min: 1, max: 300 * MINUTE_MS }),
      ),
    }),
  },
  { weight: 2, arbitrary: fc.constant({ kind: 'reload' as const }) },
);

const when: fc.Arbitrary<Schedule> = fc.oneof(
  fc.integer({ min: 5, max: 900 }).map((seconds) => ({ everyMs: seconds * 1000 })),
  fc.constantFrom('* * * * *', '*/7 * * * *', '0 * * * *', '5,55 * * * *').map((cron) => ({ cron, timezone: 'Europe/Paris' })),
  fc.integer({ min: 0, max: 60 }).map((minutes) => ({ atMs: START_MS + minutes * MINUTE_MS })),
);

/** All slots of a schedule, from its definition. */
function allSlots(schedule: Schedule): readonly number[] {
  if ('atMs' in schedule) return [schedule.atMs];
  const found: number[] = [];
  if ('everyMs' in schedule) {
    const first = Math.floor(START_MS / schedule.everyMs) * schedule.everyMs;
    for (let slotMs = first; slotMs <= END_MS; slotMs += schedule.everyMs) found.push(slotMs);
    return found;
  }
  if ('command' in schedule || 'webhook' in schedule) return found;
  const minutes = { '* * * * *': 1, '*/7 * * * *': 7, '0 * * * *': 60 }[schedule.cron];
  for (let slotMs = START_MS; slotMs <= END_MS; slotMs += MINUTE_MS) {
    const minute = (slotMs / MINUTE_MS) % 60;
    if (minutes === undefined ? minute === 5 || minute === 55 : minute % minutes === 0) found.push(slotMs);
  }
  return found;
}

/** The slot that is due at a tick according to the reference: of all slots, one that is not done and not too old. */
function expected(
  rule: Rule,
  slots: readonly number[],
  { doneMs, nowMs }: { readonly doneMs: number; readonly nowMs: number },
): number | undefined {
  const oldestMs = nowMs - (rule.missed === 'skip' ? Math.min(rule.maxAgeMs, MINUTE_MS) : rule.maxAgeMs);
  const open = slots.filter((slotMs) => slotMs > doneMs && slotMs <= nowMs && slotMs >= oldestMs);
  return rule.missed === 'all' && !rule.watched ? open.slice(-rule.max)[0] : open.at(-1);
}

test('through restarts, reloads and clock changes no slot runs twice, and slots are only lost by their policy', () => {
  const rules = fc.record({
    schedule: when,
    missed: fc.constantFrom('skip' as const, 'once' as const, 'all' as const),
    maxAgeMs: fc.integer({ min: 1, max: 120 }).map((minutes) => minutes * MINUTE_MS),
    max: fc.integer({ min: 1, max: 12 }),
    watches: fc.boolean(),
  });
  fc.assert(
    fc.property(rules, fc.array(event, { maxLength: 25 }), ({ watches, ...over }, events) => {
      const base = makeRule({ ...over, ...(watches ? {} : { watched: undefined }) });
      const slots = allSlots(base.schedule);
      let version = 1;
      let nowMs = START_MS;
      let seenMs = -Infinity;
      const run: number[] = [START_MS - 1];
      let doneMs = START_MS - 1;

      function restart(): Agenda {
        const lastMs = run.at(-1) ?? 0;
        doneMs = base.missed === 'skip' ? Math.max(lastMs, nowMs - 1) : lastMs;
        seenMs = -Infinity;
        const fresh = createAgenda();
        fresh.put({ ...base, version: String(version) }, { last: { slotMs: lastMs }, startMs: nowMs, wasDown: true });
        return fresh;
      }
      let agenda = restart();

      function tick(): void {
        if (nowMs < seenMs) doneMs = Math.max(run.at(-1) ?? 0, Math.min(doneMs, nowMs));
        seenMs = nowMs;
        const due = agenda.due(nowMs).map(({ slotMs }) => slotMs);
        const slotMs = expected(base, slots, { doneMs, nowMs });
        expect(due.map((ms) => new Date(ms).toISOString())).toEqual(slotMs === undefined ? [] : [new Date(slotMs).toISOString()]);
        if (slotMs === undefined) return;
        expect(slotMs).toBeGreaterThan(run.at(-1) ?? 0);
        agenda.begin(base.id);
        agenda.finish(base.id, { slotMs, nowMs, wakeMs: undefined });
        agenda.end(base.id, nowMs);
        run.push(slotMs);
        doneMs = Math.max(doneMs, slotMs, base.watched ? nowMs : slotMs);
      }

      for (const one of events) {
        if (one.kind === 'ticks') for (let second = 0; second < one.seconds; second++, nowMs += 1000) tick();
        else if (one.kind === 'reload')
          agenda.put({ ...base, version: String(++version) }, { last: undefined, startMs: nowMs, wasDown: false });
        else {
          nowMs += one.kind === 'setBack' ? -one.ms : one.ms;
          if (one.kind === 'restart') agenda = restart();
        }
      }
      for (let second = 0; second < 20; second++, nowMs += 1000) tick();
    }),
    { numRuns: runs(100, 2_000) },
  );
});

test('through changes of the schedule every slot of the present schedule runs', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ schedule: when, seconds: fc.integer({ min: 1, max: 300 }) }), { minLength: 2, maxLength: 8 }),
      (parts) => {
        const agenda = createAgenda();
        let nowMs = START_MS;
        let lastMs = START_MS - 1;
        for (const [index, { schedule, seconds }] of parts.entries()) {
          const fromMs = nowMs;
          const rule = makeRule({ watched: undefined, missed: 'once', schedule, version: String(index) });
          agenda.put(rule, { last: { slotMs: lastMs }, startMs: nowMs, wasDown: false });
          const run: number[] = [];
          for (let second = 0; second < seconds; second++, nowMs += 1000) {
            for (const { slotMs } of agenda.due(nowMs)) {
              expect(slotMs).toBeGreaterThan(lastMs);
              agenda.begin(rule.id);
              agenda.finish(rule.id, { slotMs, nowMs, wakeMs: undefined });
              agenda.end(rule.id, nowMs);
              lastMs = slotMs;
              run.push(slotMs);
            }
          }
          const came = allSlots(schedule).filter((slotMs) => slotMs >= fromMs && slotMs < nowMs);
          expect(run.filter((slotMs) => slotMs >= fromMs)).toEqual(came);
          expect(run.every((slotMs) => allSlots(schedule).includes(slotMs))).toBe(true);
        }
      },
    ),
    { numRuns: runs(50, 1_000) },
  );
});
