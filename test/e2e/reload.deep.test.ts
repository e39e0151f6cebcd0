import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { startSandbox, type Sandbox } from '#sandbox/index.ts';
import { observedPlatforms, type DoneRequest } from '../acceptance/observed-platforms.ts';
import { eventually, getJson, launch, postJson, type FanfareProcess } from '../support/fanfare-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const Rules = z.object({
  items: z.array(
    z.object({ id: z.string(), on: z.boolean(), file: z.string(), schedule: z.string().optional(), diagnostics: z.array(z.unknown()) }),
  ),
});
const Deliveries = z.object({ items: z.array(z.object({ rule: z.string(), do: z.string(), state: z.string() })) });
const Messages = z.object({ items: z.array(z.object({ content: z.string() })) });

const RULE = (text: string, every = '5s'): string => `id: live
when: { every: ${every}, watch: streaming.getStreams, with: { users: [ada] }, grace: 10m }
then:
  - id: card
    do: discord.send
    with: { channel: live, content: "\${{ item.owner.displayName }} ${text}" }
`;

interface Installation extends Disposable {
  readonly rules: string;
  readonly environment: Readonly<Record<string, string>>;
  write(file: string, text: string): Promise<void>;
}

async function install(sandbox: Sandbox): Promise<Installation> {
  const directory = temporaryFolder({ inMemory: true });
  const rules = join(directory.path, 'rules');
  await mkdir(rules);
  await writeFile(join(rules, 'live.yaml'), RULE('is live'));
  return {
    rules,
    environment: { ...sandbox.environment, FANFARE_DATA: join(directory.path, 'data'), FANFARE_RULES: rules },
    // Editors write files this way.
    async write(file, text) {
      await writeFile(join(rules, `.${file}.swp`), text);
      await rename(join(rules, `.${file}.swp`), join(rules, file));
    },
    [Symbol.dispose]: () => directory[Symbol.dispose](),
  };
}

function logged(fanfare: FanfareProcess, what: RegExp): Promise<boolean> {
  return eventually(String(what), () => Promise.resolve(what.test(fanfare.output())));
}

async function ruleViews(fanfare: FanfareProcess): Promise<readonly string[]> {
  const { items } = Rules.parse(await getJson(`${fanfare.url}/api/rules`));
  return items.map(({ id, on, schedule, diagnostics }) => `${id} ${on ? 'on' : 'off'} ${schedule ?? '-'} ${diagnostics.length}`);
}

async function ada(sandbox: Sandbox, what: 'goLive' | 'end'): Promise<void> {
  await postJson(`${sandbox.url}/control/world`, { do: what, user: 'ada' });
}

test('a rule is edited, broken, repaired, moved and deleted at runtime', async () => {
  await using sandbox = await startSandbox({});
  using installation = await install(sandbox);
  await using fanfare = await launch(installation);
  await eventually('the rule', async () => (await ruleViews(fanfare)).length === 1);

  await installation.write('live.yaml', RULE('plays', '10s'));
  await logged(fanfare, /info +~ live: when\.every 5s → 10s, content of then\[0\] rule=live\n/);
  const edited = await ruleViews(fanfare);
  await installation.write('live.yaml', `${RULE('plays', '10s')}wenn: 3\n`);
  await logged(fanfare, /warn +! .*live\.yaml:7:1 wenn: unknown key: wenn .*; the last valid version keeps running\n/);
  const broken = await ruleViews(fanfare);
  await installation.write('live.yaml', RULE('plays', '10s'));
  await logged(fanfare, /live\.yaml: the errors are fixed\n/);
  const repaired = await ruleViews(fanfare);
  await rename(join(installation.rules, 'live.yaml'), join(installation.rules, 'moved.yaml'));
  await logged(fanfare, /info +~ live: now in .*moved\.yaml rule=live\n/);
  await rm(join(installation.rules, 'moved.yaml'));
  await logged(fanfare, /info +- live rule=live\n/);

  expect([edited, broken, repaired, await ruleViews(fanfare)]).toEqual([
    ['live on every 10s 0'],
    ['live on every 10s 1'],
    ['live on every 10s 0'],
    [],
  ]);
});

test('a reload during a delivery sends the decided message once', async () => {
  const reloaded = Promise.withResolvers<void>();
  const onCome = async ({ platform, method, path }: DoneRequest): Promise<void> => {
    if (platform === 'discord' && method === 'POST' && path.endsWith('/messages')) await reloaded.promise;
  };
  await using sandbox = await startSandbox({ platforms: observedPlatforms({ onCome }) });
  using installation = await install(sandbox);
  await ada(sandbox, 'end');
  await using fanfare = await launch(installation);
  await eventually(
    'a first look',
    async () => z.object({ items: z.array(z.unknown()).min(1) }).safeParse(await getJson(`${fanfare.url}/api/decisions`)).success,
  );
  await ada(sandbox, 'goLive');
  const state = async (): Promise<string | undefined> => Deliveries.parse(await getJson(`${fanfare.url}/api/deliveries`)).items[0]?.state;
  await eventually('a message on its way', async () => (await state()) === 'sending');

  await installation.write('live.yaml', RULE('plays'));
  await installation.write('more.yaml', RULE('is there').replace('id: live', 'id: more'));
  await logged(fanfare, /~ live: content of then\[0\]/);
  const whileReloaded = await state();
  reloaded.resolve();
  await eventually('the message', async () => (await state()) === 'sent');

  expect(whileReloaded).toBe('sending');
  expect(Messages.parse(await getJson(`${sandbox.url}/control/messages`)).items.map(({ content }) => content)).toEqual(['Ada is live']);
});

test('a signal reloads the rules, and a start with a broken file runs the last valid version', async () => {
  await using sandbox = await startSandbox({});
  using installation = await install(sandbox);
  {
    await using fanfare = await launch(installation);
    // The API answers before that. During the start, a signal to reload has no effect.
    await logged(fanfare, /^ {2}rules: live$/m);
    fanfare.signal('SIGHUP');
    await logged(fanfare, /no rule has changed\n/);
  }
  await installation.write('live.yaml', 'id: live\nwhen: now\n');

  await using fanfare = await launch(installation);
  await eventually('the rule', async () => (await ruleViews(fanfare)).length === 1);

  expect(await ruleViews(fanfare)).toEqual([expect.stringMatching(/^live on every 5s [1-9]/)]);
  await logged(fanfare, /not reloaded: .*live\.yaml \(\d errors?, see above\)/);
});

test('a signal to reload does not end a start that waits for its database', async () => {
  using folder = temporaryFolder();
  await using fanfare = await launch({
    environment: { FANFARE_DATA: folder.path, DATABASE_URL: 'postgres://fanfare:secret@127.0.0.1:9/fanfare' },
  });
  await logged(fanfare, /Fanfare waits, and starts when it can/);
  fanfare.signal('SIGHUP');
  fanfare.signal('SIGTERM');

  expect(await fanfare.exit).toBe(0);
});
