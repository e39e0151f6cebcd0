import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { accountsOf } from '#src/app/accounts.ts';
import { checkInstallation } from '#src/app/check-installation.ts';
import { emptiedFolder } from '#src/app/emptied-folder.ts';
import { openRegistry } from '#src/app/open-registry.ts';
import { openRuleSource } from '#src/app/rule-source.ts';
import { openState } from '#src/app/stored-state.ts';
import { openConfig } from '#src/config/open-config.ts';
import { createLog } from '#src/log.ts';
import { NO_LISTS } from '#src/rules/lists.ts';
import type { RuleSource } from '#src/rules/rule-sources.ts';
import { startSandbox } from '#sandbox/index.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const REAL = { DISCORD_TOKEN: 'MTIwMjU4NDEzMTk5MzYwMDAwMg.aaaaaa.bbbbbb', DISCORD_GUILD_ID: '1202584131993600001' };
const RULE = 'id: hourly\nwhen: { every: 1h }\nthen: [{ do: discord.send, with: { channel: live, content: Hello } }]\n';

/** An installation with an empty rules folder. */
function openInstallation(variables: Readonly<Record<string, string>> = REAL) {
  const folder = temporaryFolder({ inMemory: true });
  onTestFinished(() => folder[Symbol.dispose]());
  const rules = join(folder.path, 'rules');
  mkdirSync(rules);
  const environment = { FANFARE_DATA: join(folder.path, 'data'), FANFARE_RULES: rules, ...variables };
  return { rules, environment, config: openConfig(environment), file: join(rules, 'hourly.yaml') };
}

type Installation = ReturnType<typeof openInstallation>;

function ranBefore({ file }: Pick<Installation, 'file'>, source = RULE): ReadonlyMap<string, RuleSource> {
  return new Map([[file, { file, source }]]);
}

async function emptied(installation: Installation, stored: ReadonlyMap<string, RuleSource>) {
  const { config } = installation;
  return emptiedFolder({ config, registry: await openRegistry({ config, stored, nowMs: () => 0 }) });
}

function startOf(installation: Installation, stored = ranBefore(installation)) {
  const { config } = installation;
  const clock = new ManualClock();
  const lines: string[] = [];
  const source = openRuleSource({
    config,
    store: { ruleVersions: undefined, ruleSources: { load: async () => stored, change: async () => undefined } },
    accounts: accountsOf(config),
    listSource: { shapes: async () => ({}), names: async () => [], current: async () => NO_LISTS },
    eventBus: { subscribe: () => () => undefined },
    clock,
    log: createLog({ level: 'info', secrets: [], write: (line) => lines.push(line), color: false }),
  });
  return { source, clock, lines };
}

/** The start reads the folder `times` times, and waits on. A reading takes real time, so each one ends with the next sleep. */
async function waitsOn(clock: ManualClock, times = 1): Promise<void> {
  for (let time = 0; time < times; time++) {
    await clock.advance(1_000);
    await expect.poll(() => clock.sleeping, { interval: 3 }).toBe(1);
  }
}

test('a start with an empty folder waits for its volume, and begins with the rules of the last run', async () => {
  const installation = openInstallation();
  const { rules, file } = installation;
  const { source, clock, lines } = startOf(installation);
  await expect.poll(() => clock.sleeping).toBe(1);
  await waitsOn(clock, 10);
  const whileEmpty = [...lines];

  // A deployment may replace the folder.
  renameSync(rules, `${rules}-away`);
  await waitsOn(clock, 2);
  mkdirSync(rules);
  writeFileSync(file, RULE);
  await clock.advance(1_000);

  const { registry } = await source;
  expect(whileEmpty).toEqual([
    expect.stringMatching(/ error rules are missing; Fanfare waits.*the last run had 1 rule".*To delete all rules/),
  ]);
  expect([registry.stored.rules, registry.running].map((found) => found.map(({ id }) => id))).toEqual([['hourly'], ['hourly']]);
});

test('another file in the folder confirms that all rules were deleted', async () => {
  const installation = openInstallation();
  const { source, clock } = startOf(installation);
  await expect.poll(() => clock.sleeping).toBe(1);

  writeFileSync(join(installation.rules, 'README.md'), '');
  await clock.advance(2_000);

  const { registry } = await source;
  expect([registry.stored.rules.length, registry.running.length]).toEqual([1, 0]);
});

test('a start waits for each empty subfolder that had rules, until it has a file or is deleted', async () => {
  const installation = openInstallation();
  const { rules } = installation;
  const folders = ['a', 'b', 'c/d', 'other', 'moved'].map((name) => join(rules, name));
  const [a = '', b = '', c = '', , moved = ''] = folders;
  for (const folder of folders) mkdirSync(folder, { recursive: true });
  const ruleOf = (name: string): string => RULE.replace('hourly', name);
  writeFileSync(join(rules, 'moved.yaml'), ruleOf('moved'));
  const { source, clock, lines } = startOf(
    installation,
    new Map([a, b, c, moved].map((folder) => [join(folder, 'x.yaml'), { file: join(folder, 'x.yaml'), source: ruleOf(basename(folder)) }])),
  );
  await expect.poll(() => clock.sleeping).toBe(1);

  writeFileSync(join(a, 'x.yaml'), ruleOf('a'));
  await waitsOn(clock);
  writeFileSync(join(b, 'README.md'), '');
  await waitsOn(clock);
  rmSync(c, { recursive: true });
  rmSync(dirname(c), { recursive: true });
  await clock.advance(1_000);

  const { registry } = await source;
  expect(lines.filter((line) => line.includes(' error '))).toEqual(
    [a, b, c].map((folder) => expect.stringContaining(`folder=${folder} `) as unknown),
  );
  expect(registry.running.map(({ id }) => id)).toEqual(['a', 'moved']);
});

test('a start goes on if the rule of an empty subfolder is restored elsewhere', async () => {
  const installation = openInstallation();
  const { rules } = installation;
  const [lost = '', found = ''] = ['lost', 'found'].map((name) => join(rules, name));
  mkdirSync(lost);
  writeFileSync(join(rules, 'other.yaml'), RULE.replace('hourly', 'other'));
  const { source, clock } = startOf(installation, new Map([[join(lost, 'x.yaml'), { file: join(lost, 'x.yaml'), source: RULE }]]));
  await expect.poll(() => clock.sleeping).toBe(1);

  writeFileSync(join(rules, 'unrelated.yaml'), RULE.replace('hourly', 'unrelated'));
  await waitsOn(clock);
  mkdirSync(found);
  writeFileSync(join(found, 'x.yaml'), RULE);
  await clock.advance(1_000);

  const { registry } = await source;
  expect(registry.running.map(({ id }) => id).toSorted()).toEqual(['hourly', 'other', 'unrelated']);
});

test('a new volume, which has only the folder of its file system, is empty', async () => {
  const installation = openInstallation();
  mkdirSync(join(installation.rules, 'lost+found'));

  expect(await emptied(installation, ranBefore(installation))).toMatchObject({
    message: 'the folder is empty, and the last run had 1 rule',
  });
});

test.for([
  ['the last run had no rules', REAL, () => new Map<string, RuleSource>()],
  ['its rules were off', REAL, (of: Installation) => ranBefore(of, `${RULE}enabled: sandbox\n`)],
  ['it ran on the sandbox', {}, ranBefore],
  ['it only had rules of the program', REAL, (of: Installation) => ranBefore({ ...of, file: 'fanfare/followed.yaml' })],
  ['its rules are published in a database', { ...REAL, DATABASE_URL: 'postgres://127.0.0.1:9/fanfare' }, ranBefore],
] as const)('a start with an empty folder does not wait if %s', async ([, variables, stored]) => {
  const installation = openInstallation(variables);

  expect(await emptied(installation, stored(installation))).toBeUndefined();
});

test('a folder that cannot be read has its own error', async () => {
  const installation = openInstallation();
  rmSync(installation.rules, { recursive: true });

  await expect(startOf(installation).source).rejects.toMatchObject({ message: 'there is no such file or folder' });
});

test('the checks name an emptied folder', async () => {
  const sandbox = await startSandbox({});
  onTestFinished(() => sandbox[Symbol.asyncDispose]());
  const { environment, config, file } = openInstallation(sandbox.environment);
  {
    await using store = await openState(config);
    await store.ruleSources.change({ save: [{ file, source: RULE }], forget: [] });
  }

  const results = await checkInstallation(environment, AbortSignal.timeout(30_000));

  expect(results.filter(({ about }) => about === 'rules')).toMatchObject([
    { state: 'bad', what: expect.stringContaining('the folder is empty, and the last run had 1 rule') as unknown },
  ]);
});
