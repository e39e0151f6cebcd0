import type { Posting } from '#src/engine/posting/posting.ts';
import { expect, test } from 'vitest';
import { createClients } from '#src/clients/clients.ts';
import { openActions } from '#src/app/open-actions.ts';
import { configOfEnvironment } from '#src/config/config.ts';
import { silentLog } from '#src/log.ts';
import { openListFolder } from '#src/engine/lists/list-folder.ts';
import { createEventBus } from '#src/engine/event-bus.ts';
import { createObservers } from '#src/engine/observers.ts';
import { openStage } from '../engine/rule-sets/fixture.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { openEmptyStore } from '../support/postgres-stores.ts';

const RULE = `id: chess
when: { every: 5m, watch: streaming.getGameStreams, with: { game: Chess } }
then: [{ do: discord.send, with: { channel: live, content: "\${{ item.url }}" } }]
`;
const testsOf = (text: string): string => `rule: chess
start: 2026-11-20T18:00:00Z
cases:
  - it: tells who is new
    polls:
      - { at: 0s, items: [{ key: ada }] }
      - { at: 5m, items: [{ key: ada }, { key: grace }] }
    expect: [{ at: 5m, do: discord.send, with: { content: ${text} } }]
`;

test('in Discord, the tests of a rule are those of the published version', async () => {
  const clock = new ManualClock();
  await using store = await openEmptyStore({ clock });
  const { ruleVersions } = store;
  const publish = (tests: string | undefined, after: number) =>
    ruleVersions.publish({
      files: [{ file: 'chess.yaml', source: RULE }, ...(tests === undefined ? [] : [{ file: 'chess.test.yaml', source: tests }])],
      by: 'ci',
      after,
    });
  await publish(undefined, 0);
  await using stage = await openStage({}, { store, clock });
  const { registry, scheduler, reloads } = stage;
  const actions = openActions({
    config: configOfEnvironment({ FANFARE_RULES: stage.folder }),
    clients: createClients({ streaming: [], social: [], discord: [] }, clock, {}),
    registry,
    scheduler,
    deliveryEngine: {
      reopen: () => Promise.resolve(undefined),
      resolve: () => Promise.resolve(undefined),
      answer: () => Promise.resolve(undefined),
    },
    posting: {} as Posting, // no test posts
    store,
    listFolder: openListFolder(stage.folder),
    eventBus: createEventBus(),
    observers: createObservers(),
    openAccess: () => Promise.reject(new Error('not part of this test')),
    clock,
    log: silentLog,
    signal: new AbortController().signal,
  });
  const results = async () => {
    const run = await actions.testRule({ rule: 'chess' }, { name: 'ada', via: 'discord', role: 'viewer' });
    return { untested: run?.untested, passed: run?.cases.map(({ passed }) => passed), diagnostics: run?.diagnostics };
  };

  expect(await results()).toEqual({ untested: ['chess'], passed: [], diagnostics: [] });
  await publish(testsOf('/grace/'), 1);
  await reloads.reload();
  expect(await results()).toEqual({ untested: [], passed: [true], diagnostics: [] });
  await publish(testsOf('/linus/'), 2);
  await reloads.reload();
  expect(await results()).toEqual({ untested: [], passed: [false], diagnostics: [] });
});
