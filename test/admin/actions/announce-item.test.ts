import { expect, onTestFinished, test } from 'vitest';
import { createRuleActions } from '#src/admin/actions/rule-actions.ts';
import { silentLog } from '#src/log.ts';
import { createPlanner } from '#src/engine/planner/planner.ts';
import { createScheduler } from '#src/engine/scheduler/scheduler.ts';
import { advance } from '#src/rules/evaluate/advance.ts';
import type { ListEntry } from '#src/rules/lists.ts';
import { openStore } from '#src/store/store.ts';
import { entry, listsOf, peopleRule } from '../../rules/people/people-stage.ts';
import { stream } from '../../rules/evaluate/fixture.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const EDITOR = { name: 'ada', via: 'discord', role: 'editor' } as const;
const STARTED = '2026-11-20T18:00:00Z';

/** The actions on a rule with people, over a store. `restart` makes a new scheduler over the same store. */
async function openActions() {
  const clock = new ManualClock(STARTED);
  const store = await openStore({ clock });
  onTestFinished(() => store[Symbol.asyncDispose]());
  const rule = peopleRule();
  const world: { entries: readonly ListEntry[]; live: readonly string[] } = { entries: [], live: [] };
  const { read } = createPlanner({
    poll: async ({ account }) => {
      const items = account === 'twitch' ? world.live.map((name) => stream(name)) : [];
      return { items, approximate: false, partialErrors: [] };
    },
    log: silentLog,
  });
  const open = () =>
    createScheduler({
      rules: [rule],
      states: store.ruleStates,
      read,
      advance,
      lists: { current: () => Promise.resolve(listsOf(world.entries)) },
      onCommit: () => undefined,
      clock,
      log: silentLog,
    });
  let scheduler = await open();
  const unused = () => Promise.reject(new Error('not part of this test'));
  const actions = createRuleActions({
    ...store,
    rules: () => [rule],
    isOn: () => true,
    run: (id, options) => scheduler.run(id, options),
    test: unused,
    preview: unused,
    replay: unused,
    clock,
  });
  await scheduler.tick();
  await clock.advance(60_000);
  return {
    world,
    announce: async (item: string, by: Parameters<typeof actions.announceItem>[1] = EDITOR) =>
      (await actions.announceItem({ rule: 'team', item }, by))?.outcome,
    tick: async () => {
      await clock.advance(60_000);
      await scheduler.tick();
    },
    restart: async () => void (scheduler = await open()),
    sent: async () => (await store.deliveryLog.list({ rule: 'team' })).items.filter(({ section }) => section === 'then').length,
    logged: async () => (await store.auditLog.list()).items.map(({ outcome, after }) => [outcome, after]).toReversed(),
  };
}

test('a person who was live before they were added is announced once, even if it is requested twice or after a restart', async () => {
  const { world, announce, tick, restart, sent, logged } = await openActions();
  world.entries = [entry('1/ada'), entry('1/grace')];
  world.live = ['ada'];
  await tick();
  expect(await sent()).toBe(0);

  expect(await Promise.all([announce('team/1/ada'), announce('team/1/ada')])).toEqual(['announced', 'alreadyAnnounced']);
  await restart();
  await tick();

  expect([await announce('team/1/ada'), await announce('team/1/grace'), await sent()]).toEqual(['alreadyAnnounced', 'notLive', 1]);
  expect((await logged())[0]).toEqual(['done', { item: 'team/1/ada', announcement: 'announced' }]);
});

test('a person is announced before the first poll of the rule with them, and that poll does not repeat it', async () => {
  const { world, announce, tick, sent } = await openActions();
  world.entries = [entry('1/ada')];
  world.live = ['ada'];

  expect(await announce('team/1/ada')).toBe('announced');
  await tick();
  expect(await sent()).toBe(1);
});

test('an administrator of a server announces the people of that server only', async () => {
  const { world, announce } = await openActions();
  world.entries = [entry('1/ada'), entry('2/ada')];
  world.live = ['ada'];
  const by = { ...EDITOR, scope: { server: '1' } };

  await expect(announce('team/2/ada', by)).rejects.toThrow('the server 1 only');
  expect(await announce('team/1/ada', by)).toBe('announced');
});
