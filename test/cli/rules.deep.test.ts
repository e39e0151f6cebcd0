import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { launch } from '../support/fanfare-process.ts';
import { startPostgres } from '../support/postgres.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { cardRule } from '../registry/fixture.ts';

const postgres = await startPostgres();
afterAll(() => postgres[Symbol.asyncDispose]());

describe('fanfare rules', () => {
  test('publishes, lists and rolls back the folder', async () => {
    using folder = temporaryFolder();
    const rules = join(folder.path, 'rules');
    await mkdir(rules);
    const write = (file: string, text: string): Promise<void> => writeFile(join(rules, file), text);
    async function run(...args: readonly string[]): Promise<readonly [code: number | undefined, output: string]> {
      const environment = { DATABASE_URL: postgres.url, FANFARE_RULES: rules, FANFARE_DATA: folder.path, NO_COLOR: '1' };
      const command = await launch({ args: ['rules', ...args], environment });
      return [await command.exit, command.output()];
    }

    expect(await run('list')).toEqual([0, 'No rules are published. To publish the rules folder: fanfare rules push\n']);
    await write('live.yaml', cardRule('live'));
    expect(await run('push', '--dry-run')).toEqual([0, '+ live\nNothing is published (--dry-run).\n']);
    expect(await run('push', '--by', 'ci', '--note', 'first')).toEqual([0, '+ live\nVersion 1 is in force: 1 new.\n']);
    expect(await run('push')).toEqual([0, 'Version 1 is in force and has the same files. Nothing is published.\n']);

    await write('live.yaml', 'id: live\nwenn: now\n');
    const [code, output] = await run('push');
    expect(code).toBe(1);
    expect(output).toMatch(/live\.yaml:1:1[^]*1 file: 3 errors\. Nothing is published\.\n$/u);

    await write('live.yaml', cardRule('live', { text: 'plays' }));
    await write('more.yaml', cardRule('more'));
    const check = await launch({
      args: ['check'],
      environment: { DATABASE_URL: postgres.url, FANFARE_RULES: rules, FANFARE_DATA: folder.path, NO_COLOR: '1' },
    });
    expect(await check.exit).toBe(0);
    expect(check.output()).toMatch(/\n\nChanges since version 1:\n~ live: content of then\[0\]\n\+ more\n$/u);
    expect((await run('push', '--by', 'ci'))[1]).toBe('~ live: content of then[0]\n+ more\nVersion 2 is in force: 1 new, 1 changed.\n');
    expect((await run('rollback', '--by', 'ada'))[1]).toBe(
      'Rollback to version 1\n~ live: content of then[0]\n- more\nVersion 3 is in force: 1 changed, 1 deleted.\n',
    );
    expect(await run('rollback')).toEqual([1, expect.stringContaining('there is no version before the version in force')]);
    expect(await run('rollback', '9')).toEqual([1, expect.stringContaining('there is no version 9')]);
    const at = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ`;
    expect((await run('list'))[1]).toMatch(
      new RegExp(
        String.raw`^\* {4}3 {2}${at} {2}ada; 1 changed, 1 deleted; repeats version 1
      2 {2}${at} {2}ci; 1 new, 1 changed
      1 {2}${at} {2}ci; 1 new; first

\* in force\n$`.replaceAll('\n      ', '\n {5}'),
        'u',
      ),
    );
  });

  test('without DATABASE_URL says that the folder is loaded', async () => {
    using folder = temporaryFolder();
    const command = await launch({ args: ['rules', 'push'], environment: { FANFARE_DATA: folder.path } });

    expect(await command.exit).toBe(1);
    expect(command.output()).toMatch(/^error: DATABASE_URL: it is not set, .* loads the rules folder itself\n {2}to publish/u);
  });

  test('refuses a version that is not a number', async () => {
    const command = await launch({ args: ['rules', 'rollback', 'first'] });

    expect(await command.exit).toBe(1);
    expect(command.output()).toContain('first is not the number of a version');
  });
});
