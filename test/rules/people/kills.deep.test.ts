import { expect, test } from 'vitest';
import { silentLog } from '#src/log.ts';
import { createPlanner } from '#src/engine/planner/planner.ts';
import { createScheduler } from '#src/engine/scheduler/scheduler.ts';
import type { RuleStates } from '#src/engine/scheduler/rule-states.ts';
import { advance } from '#src/rules/evaluate/advance.ts';
import type { ListEntry } from '#src/rules/lists.ts';
import type { Item } from '#src/rules/poll.ts';
import { openStore } from '#src/store/store.ts';
import { stream } from '../evaluate/fixture.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { entry, listsOf, peopleRule } from './people-stage.ts';

/** The list and the live channels at each minute. The announcement of grace is requested at minute 3. */
const MINUTES: readonly { readonly list: string; readonly live: string; readonly request?: string }[] = [
  { list: '1/ada', live: '' },
  { list: '1/ada', live: 'ada' },
  { list: '1/ada 1/grace 2/ada', live: 'ada grace' },
  { list: '1/ada 1/grace 2/ada', live: 'ada grace', request: 'team/1/grace' },
  { list: '1/grace 2/ada', live: 'ada grace' },
  { list: '1/grace 2/ada', live: 'grace' },
  { list: '1/grace 2/ada', live: 'ada/2 grace' },
  { list: '2/ada', live: 'ada/2' },
  { list: '', live: 'ada/2' },
  { list: '', live: '' },
];

/** The stream of a channel, for example `ada/2` for the second one of ada. */
function toStream(text: string): Item {
  const [name = '', number = '1'] = text.split('/');
  return stream(name, { id: `${name}-${number}` });
}

type Kill = { readonly at: number; readonly when: 'before' | 'after' };

/** The steps that a run decides, for example `then team/1/ada 0`, and the number of its commits. */
async function runMinutes(kill?: Kill): Promise<{ readonly decided: readonly string[]; readonly commits: number }> {
  const clock = new ManualClock('2026-11-20T18:00:00Z');
  await using store = await openStore({ clock });
  const rule = peopleRule('people: team, confirm: { gone: 1 }');
  let [entries, live, commits, isKilled]: [readonly ListEntry[], readonly string[], number, boolean] = [[], [], 0, false];
  const states: RuleStates = {
    ...store.ruleStates,
    async commit(made) {
      const isHere = ++commits === kill?.at;
      if (isHere) isKilled = true;
      if (isHere && kill.when === 'before') throw new Error('killed');
      const written = await store.ruleStates.commit(made);
      if (isHere) throw new Error('killed');
      return written;
    },
  };
  const { read } = createPlanner({
    poll: async ({ account }) => ({
      items: account === 'twitch' ? live.map(toStream) : [],
      approximate: false,
      partialErrors: [],
    }),
    log: silentLog,
  });
  const open = () =>
    createScheduler({
      rules: [rule],
      states,
      read,
      advance,
      lists: { current: () => Promise.resolve(listsOf(entries)) },
      onCommit: () => undefined,
      clock,
      log: silentLog,
    });
  let scheduler = await open();
  for (const minute of MINUTES) {
    entries = minute.list
      .split(' ')
      .filter(Boolean)
      .map((name) => entry(name));
    live = minute.live.split(' ').filter(Boolean);
    await scheduler.tick();
    if (minute.request) await scheduler.run('team', { requested: new Set([minute.request]) }).catch(() => undefined);
    if (isKilled) {
      isKilled = false;
      scheduler = await open();
      // A person who gets no answer presses again.
      if (minute.request) await scheduler.run('team', { requested: new Set([minute.request]) });
      await scheduler.tick();
    }
    await clock.advance(60_000);
  }
  const { items } = await store.deliveryLog.list({ rule: 'team', limit: 100 });
  const decided = items
    .filter(({ section }) => section !== 'while')
    .map(({ section, episode, step, state }) => `${section} ${episode.split('@')[0]} ${step} ${state}`);
  return { decided: decided.toSorted(), commits };
}

test('a kill before or after any commit neither loses nor repeats an announcement or an end while names are added and removed', async () => {
  const whole = await runMinutes();
  const announced = whole.decided.filter((line) => line.startsWith('then'));
  expect(announced.map((line) => line.split(' ')[1])).toEqual(['team/1/ada', 'team/1/grace', 'team/2/ada']);

  const others: unknown[] = [];
  for (let at = 1; at <= whole.commits; at++) {
    for (const when of ['before', 'after'] as const) {
      const { decided } = await runMinutes({ at, when });
      if (JSON.stringify(decided) !== JSON.stringify(whole.decided)) others.push({ at, when, decided, whole: whole.decided });
    }
  }
  expect(others).toEqual([]);
});
