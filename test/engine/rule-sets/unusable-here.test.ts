import { expect, test } from 'vitest';
import { openRegistry } from '#src/app/open-registry.ts';
import { configOfEnvironment } from '#src/config/config.ts';
import { createReloads } from '#src/engine/rule-sets/reloads.ts';
import { createSharedScheduler } from '#src/engine/scheduler/shared-scheduler.ts';
import { advance } from '#src/rules/evaluate/advance.ts';
import { createSharedAgenda } from '#src/store/postgres/agenda.ts';
import { startTwoProcesses, type TimedProcess } from '../../store/postgres/timed-database.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const { database, one, two, ending, awaitEnd } = await startTwoProcesses();
const restartedTwo = await database.open('two again');

const BLUESKY = { BLUESKY_HANDLE: 'ada.example', BLUESKY_APP_PASSWORD: 'p' };
const BOTH = { ...BLUESKY, MASTODON_URL: 'https://social.example', MASTODON_ACCESS_TOKEN: 't' };

const rule = (as: string): string => `id: hourly
when: { every: 10s }
then: [{ do: social.createPost, as: [${as}], with: { text: hello } }]
`;

async function publish(source: string | undefined): Promise<void> {
  const after = (await one.store.ruleVersions.inForce())?.number ?? 0;
  const other = {
    file: 'other.yaml',
    source: 'id: other\nwhen: { every: 1h }\nthen: [{ do: social.createPost, as: [bluesky], with: { text: hi } }]\n',
  };
  const files = source === undefined ? [other] : [other, { file: 'hourly.yaml', source }];
  await one.store.ruleVersions.publish({ files, by: 'ci', after });
}

/** A process that runs the published rules with the accounts of its machine. */
async function start(process: TimedProcess, environment: Readonly<Record<string, string>>) {
  const { store, clock, log } = process;
  using folder = temporaryFolder({ inMemory: true });
  const config = configOfEnvironment({ FANFARE_RULES: folder.path, ...environment });
  const stored = await store.ruleSources.load();
  const registry = await openRegistry({ config, versions: store.ruleVersions, stored, nowMs: () => clock.nowMs() });
  const scheduler = await createSharedScheduler({
    rules: registry.running,
    states: store.ruleStates,
    advance,
    agenda: createSharedAgenda({ ...process, jobsSchema: database.jobsSchema, wasDown: false }),
    read: async () => undefined,
    onCommit: () => undefined,
    clock,
    log,
  });
  awaitEnd(scheduler.work(ending()));
  const quick = { nowMs: () => clock.nowMs(), sleep: () => Promise.resolve() };
  const nothing = () => undefined;
  const reloads = createReloads({ registry, scheduler, store, onRetired: nothing, onChange: nothing, clock: quick, log });
  await reloads.begin();
  await reloads.settled();
  const reload = async (): Promise<void> => {
    await reloads.reload();
    await reloads.settled();
  };
  return { scheduler, reload, runs: () => registry.running.map(({ id }) => id) };
}

const slots = async (): Promise<number> => (await one.store.decisions.list({ rule: 'hourly' })).items.length;
const scheduled = async () => (await database.db.selectFrom('agenda').select('rule').orderBy('rule').execute()).map((row) => row.rule);
const sources = async () => [...(await one.store.ruleSources.load()).keys()].toSorted();
const withdrawn = async () => (await one.store.deliveryLog.list({ limit: 100 })).items.flatMap((one) => one.withdrawn ?? []);

test('a published rule that one machine cannot use runs on the others, also after that machine restarts', async () => {
  await publish(rule('bluesky'));
  const [able, unable] = [await start(one, BOTH), await start(two, BLUESKY)];
  const passUntilSlots = async (count: number): Promise<void> => {
    await expect
      .poll(
        async () => {
          await database.advance(1_000, one, two, restartedTwo);
          await able.scheduler.tick();
          await unable.scheduler.tick();
          return slots();
        },
        { interval: 3, timeout: 20_000 },
      )
      .toBeGreaterThanOrEqual(count);
  };
  await passUntilSlots(1);

  await publish(rule('bluesky, mastodon'));
  await able.reload();
  await unable.reload();
  expect([able.runs(), unable.runs()]).toEqual([['hourly', 'other'], ['other']]);
  expect([await scheduled(), await sources()]).toEqual([
    ['hourly', 'other'],
    ['hourly.yaml', 'other.yaml'],
  ]);
  await passUntilSlots((await slots()) + 2);

  const restarted = await start(restartedTwo, BLUESKY);
  expect([restarted.runs(), await scheduled(), await sources()]).toEqual([['other'], ['hourly', 'other'], ['hourly.yaml', 'other.yaml']]);
  await passUntilSlots((await slots()) + 2);
  expect(await withdrawn()).toEqual([]);

  await publish(undefined);
  for (const process of [able, unable, restarted]) await process.reload();
  expect([able.runs(), await scheduled()]).toEqual([['other'], ['other']]);
  // The reload does not wait until they are stored.
  await expect.poll(sources).toEqual(['other.yaml']);
  expect(await withdrawn()).not.toEqual([]);
});
