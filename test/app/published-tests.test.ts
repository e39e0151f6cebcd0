import { afterAll, expect, test } from 'vitest';
import { createClients } from '#src/app/clients.ts';
import { openOperatorQueries } from '#src/app/open-queries.ts';
import { readConfig } from '#src/config/config.ts';
import { silentLog } from '#src/log.ts';
import { createAccountHealth } from '#src/queries/accounts.ts';
import { openStage } from '../registry/fixture.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { startPostgresStores } from '../support/postgres-stores.ts';

const stores = await startPostgresStores();
afterAll(() => stores[Symbol.asyncDispose]());

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
  await using store = await stores.open({ clock });
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
  const queries = openOperatorQueries({
    config: readConfig({ FANFARE_RULES: stage.folder }),
    clients: createClients({ streaming: [], social: [], discord: [] }, clock, {}),
    registry,
    scheduler,
    store,
    discord: () => ({ state: 'absent' }),
    health: createAccountHealth(() => undefined),
    clock,
    log: silentLog,
  });
  const results = async () => {
    const run = await queries.test('chess');
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
