import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { z } from 'zod';
import { startSandbox } from '#sandbox/index.ts';
import { eventually, getJson, launch, type FanfareProcess } from '../support/fanfare-process.ts';
import { startPostgres } from '../support/postgres.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const postgres = await startPostgres();
afterAll(() => postgres[Symbol.asyncDispose]());

const Rules = z.object({
  items: z.array(z.object({ id: z.string(), schedule: z.string() })),
  version: z.object({ number: z.number(), by: z.string(), repeats: z.number().optional() }).optional(),
});

const rule = (every: string): string => `id: live
when: { every: ${every}, watch: streaming.getStreams, with: { users: [ada] } }
then:
  - do: discord.send
    with: { channel: live, content: hi }
`;

test('two processes switch to a changed folder, a rollback and a push', async () => {
  await using sandbox = await startSandbox({});
  using directory = temporaryFolder({ inMemory: true });
  const rules = join(directory.path, 'rules');
  await mkdir(rules);
  await writeFile(join(rules, 'live.yaml'), rule('30s'));
  const common = { ...sandbox.environment, DATABASE_URL: postgres.url, FANFARE_DATA: join(directory.path, 'data') };
  const withFolder = { ...common, FANFARE_RULES: rules };
  async function run(...args: readonly string[]): Promise<string> {
    const command = await launch({ args: ['rules', ...args], environment: withFolder });
    expect([await command.exit, command.output()]).toEqual([0, expect.any(String)]);
    return command.output();
  }
  async function runs(fanfare: FanfareProcess, version: number, schedule: string): Promise<boolean> {
    const found = Rules.parse(await getJson(`${fanfare.url}/api/rules`));
    return found.version?.number === version && found.items.map((one) => one.schedule).join() === schedule;
  }

  await using first = await launch({ environment: { ...withFolder, FANFARE_WORKER: 'a' } });
  await eventually('version 1', () => runs(first, 1, 'every 30s'));
  await using second = await launch({
    environment: { ...common, FANFARE_RULES: join(directory.path, 'no-folder'), FANFARE_WORKER: 'b' },
  });
  const both = (version: number, schedule: string): Promise<unknown> =>
    Promise.all([first, second].map((one) => eventually(`version ${version} in both`, () => runs(one, version, schedule))));
  await both(1, 'every 30s');

  await writeFile(join(rules, 'live.yaml'), rule('20s'));
  await both(2, 'every 20s');
  expect(await run('rollback')).toContain('Version 3 is in force');
  await both(3, 'every 30s');
  await writeFile(join(rules, 'live.yaml'), `${rule('10s')}wenn: now\n`);
  await eventually('the errors', () => Promise.resolve(first.output().includes('it is not published')));
  await both(3, 'every 30s');
  await writeFile(join(rules, 'live.yaml'), rule('10s'));
  await both(4, 'every 10s');

  expect(await run('versions')).toMatch(
    /^\* {4}4 .*folder of [^\n]*\n {5}3 .*repeats version 1\n {5}2 .*folder of [^\n]*\n {5}1 .*folder of/u,
  );
  expect(second.output()).toContain('another version of the rules is in force');
});
