import { expect, test } from 'vitest';
import type { ReplayView } from '#src/engine/simulation/replay/replay-view.ts';
import { stepName } from '#src/rules/step-name.ts';
import { rulesIn, run, START_MS, type Stage, type StageOptions } from './replay-fixture.ts';

const MINUTE_MS = 60_000;
const STREAMS = 'watch: streaming.getStreams, with: { users: [ada] }';

function streamFrom(afterMs: number): StageOptions['seen'] {
  const ada = { id: 's1', owner: { id: 'ada', handle: 'ada' }, title: 'Chess', startedAt: new Date(START_MS + afterMs).toISOString() };
  return (_query, nowMs) => (nowMs >= afterMs ? [ada] : []);
}

async function replayed(stage: Stage, source: string): Promise<readonly string[]> {
  const [rule] = rulesIn([source]);
  if (!rule) throw new Error('there is no rule');
  return lines(await stage.replay(rule));
}

/** For example `same 18:01:00 told`, with the time then if it differs. */
function lines({ events }: ReplayView): readonly string[] {
  const time = (at: Date): string => at.toISOString().slice(11, 19);
  return events.map(({ kind, at, actualAt = at, position }) => {
    const then = time(actualAt) === time(at) ? '' : `, then ${time(actualAt)}`;
    return `${kind} ${time(at)}${then} ${stepName(position)}`;
  });
}

test('a question takes as long in the replay as in reality, so a rule with mode single does not announce in the meantime', async () => {
  const rule = `
id: single
mode: single
when: { every: 1m }
then: [{ id: verdict, do: discord.ask, answerWithin: 150s, with: { channel: mods, content: "ok?", choices: [a, b] } }]
`;
  await using stage = await run({ rules: rulesIn([rule]), seen: () => [], answers: () => false, forMs: 7.5 * MINUTE_MS });

  expect(await replayed(stage, rule)).toEqual(['same 18:01:00 verdict', 'same 18:04:00 verdict', 'same 18:07:00 verdict']);
});

test('the replay runs a rule at the end of its new quiet hours, between its last recorded poll and the next one', async () => {
  const rule = `
id: night
when: { every: 5m, ${STREAMS} }
then: [{ id: told, do: discord.send, with: { channel: live, content: LIVE } }]
`;
  await using stage = await run({ rules: rulesIn([rule]), seen: streamFrom(3 * MINUTE_MS), forMs: 9.5 * MINUTE_MS });

  expect(await replayed(stage, `${rule}quiet: { from: "17:00", to: "18:07", timezone: UTC, then: hold }\n`)).toEqual([
    'same 18:07:00, then 18:05:00 told',
  ]);
});

test('a delivery that failed after a notification is not a message that the replay sends only now', async () => {
  const rule = `
id: noticed
when: { every: 1m, ${STREAMS}, confirm: { new: 1 } }
then: [{ do: discord.send, with: { channel: live, content: LIVE } }]
`;
  const afterMs = 100_000;
  await using stage = await run({
    rules: rulesIn([rule]),
    seen: streamFrom(afterMs),
    refuses: () => 'rejected',
    hints: [{ afterMs: afterMs + 4_000, rule: 'noticed', names: ['ada'] }],
    forMs: 4 * MINUTE_MS,
  });
  const [loaded] = stage.rules;
  if (!loaded) throw new Error('there is no rule');
  const { items } = await stage.store.deliveryLog.list({ rule: 'noticed', state: 'failed' });

  const { events, failed } = await stage.replay(loaded);

  expect(items).toHaveLength(1);
  expect(events).toEqual([]);
  expect(failed).toBe(1);
});

test('a step of an edited rule is in the replay even if another step at its position still waits', async () => {
  const rule = `
id: first
when: { every: 1m, ${STREAMS} }
then: [{ wait: 30m }, { do: discord.send, with: { channel: live, content: later } }]
`;
  await using stage = await run({ rules: rulesIn([rule]), seen: streamFrom(MINUTE_MS), forMs: 3 * MINUTE_MS });

  const edited = rule.replace(/then: .*/u, 'then: [{ do: discord.thread, with: { channel: live, name: LIVE } }]');
  expect(await replayed(stage, edited)).toEqual(['more 18:02:00 step 1']);
});

test('a delivery that failed hides no later messages of an edited rule', async () => {
  const rule = `
id: tick
when: { every: 1m }
then: [{ id: tick, do: discord.send, with: { channel: live, content: hi } }]
`;
  const rules = rulesIn([`${rule}cooldown: 150s\n`]);
  await using stage = await run({ rules, seen: () => [], refuses: (n) => (n === 1 ? 'rejected' : undefined), forMs: 5 * MINUTE_MS });

  expect(await replayed(stage, rule)).toEqual(['more 18:02:00 tick', 'more 18:03:00 tick', 'same 18:04:00 tick', 'more 18:05:00 tick']);
});
