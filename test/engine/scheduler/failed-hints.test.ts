import { expect, test } from 'vitest';
import { createAgenda } from '#src/engine/scheduler/agenda.ts';
import { MINUTE, START_MS } from '../../rules/evaluate/fixture.ts';
import { rule, start } from './rest-fixture.ts';

const HOUR = 60 * MINUTE;
const hourly = (over: Parameters<typeof rule>[0] = {}) => rule({ schedule: { everyMs: HOUR }, ...over });

test.for([
  ['of some names', ['ada']],
  ['of the whole list', undefined],
] as const)('a poll %s that a hint brings is tried again after growing pauses, if it fails', async ([, names]) => {
  let isDown = false;
  const { until, scheduler, polls, asked } = await start({ rule: hourly(), shown: () => (isDown ? undefined : []), isNotified: false });
  await until(10);
  isDown = true;
  await scheduler.hurry([{ rule: 'card', names }]);
  await until(12);
  isDown = false;
  await until(70);

  // The pauses of 5, 10, 20, 40 and 80 seconds end between two ticks, which come every 15 seconds.
  expect(polls).toEqual([0, 10, 10.25, 10.5, 11, 11.75, 13.25, 60]);
  expect(asked.filter(({ at }) => at >= 10 && at < 60).map((one) => one.names)).toEqual(Array.from({ length: 6 }, () => names));
});

test('a slot of the schedule that fails keeps the poll of the hint', async () => {
  const { until, scheduler, polls } = await start({
    rule: hourly(),
    shown: (atMs) => (atMs >= START_MS + 59 * MINUTE && atMs < START_MS + 62 * MINUTE ? undefined : []),
    isNotified: false,
  });
  await until(59);
  await scheduler.hurry([{ rule: 'card', names: ['ada'] }]);
  await until(70);

  expect(polls).toEqual([0, 59, 59.25, 59.5, 60, 60.75, 62.25]);
});

test.for<[string, string, readonly string[]]>([
  ['the same name', 'ada', ['ada']],
  ['another name', 'grace', ['ada', 'grace']],
])('a new hint about %s does not wait for the pause of a failed one', async ([, name, names]) => {
  const { until, scheduler, polls, asked } = await start({
    rule: hourly({ watched: { with: { users: ['ada', 'grace', 'linus'] } } }),
    shown: (atMs) => (atMs >= START_MS + 10 * MINUTE && atMs < START_MS + 14 * MINUTE ? undefined : []),
    isNotified: false,
  });
  await until(10);
  await scheduler.hurry([{ rule: 'card', names: ['ada'] }]);
  await until(14);
  await scheduler.hurry([{ rule: 'card', names: [name] }]);
  await until(30);

  expect(polls).toEqual([0, 10, 10.25, 10.5, 11, 11.75, 13.25, 14]);
  expect(asked.at(-1)?.names).toEqual(names);
});

test('the pause ends when the platform said that it takes requests again, and a new schedule keeps the poll', () => {
  const agenda = createAgenda();
  const watching = hourly();
  const nowMs = START_MS + 10 * MINUTE;
  agenda.put(watching, { last: { slotMs: START_MS }, startMs: START_MS, wasDown: false });
  agenda.hurry({ rule: 'card', names: ['ada'], accounts: ['twitch'] }, nowMs);
  const [due] = agenda.due(nowMs);
  if (!due) throw new Error('the rule is not due');
  agenda.begin('card');
  agenda.finish('card', { slotMs: due.slotMs, nowMs, wakeMs: undefined, isPartial: true, isFailed: true, retryAtMs: nowMs + 15 * MINUTE });
  agenda.end('card', nowMs);

  expect(agenda.nextMs('card')).toBe(nowMs + 15 * MINUTE);
  agenda.put({ ...watching, version: '2', schedule: { everyMs: 2 * HOUR } }, { last: undefined, startMs: nowMs, wasDown: false });
  expect(agenda.due(nowMs + 15 * MINUTE)).toMatchObject([{ hintedBy: ['twitch'], names: ['ada'] }]);
});

test('if the clock is set back, the poll of a hint that failed is repeated within the interval of the rule', () => {
  const agenda = createAgenda();
  agenda.put(rule(), { last: { slotMs: START_MS }, startMs: START_MS, wasDown: false });
  agenda.hurry({ rule: 'card', names: ['ada'], accounts: ['twitch'] }, START_MS + 10_000);
  let nowMs = START_MS + 10_000;
  for (let failures = 0; failures < 10; failures++) {
    const [due] = agenda.due(nowMs);
    if (!due) throw new Error('the rule is not due');
    agenda.begin('card');
    agenda.finish('card', { slotMs: due.slotMs, nowMs, wakeMs: undefined, isFailed: true });
    agenda.end('card', nowMs);
    nowMs = agenda.nextMs('card') ?? Infinity;
  }

  agenda.due(nowMs - HOUR);

  expect(agenda.nextMs('card')).toBe(nowMs - HOUR + MINUTE);
});
