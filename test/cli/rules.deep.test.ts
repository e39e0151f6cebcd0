import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import pg from 'pg';
import { publishApproved } from '#src/engine/rule-sets/approve-rule.ts';
import { openPostgresStore } from '#src/store/postgres/open.ts';
import { startPostgres } from '../support/postgres.ts';
import { runHere } from '../support/run-here.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { cardRule } from '../engine/rule-sets/fixture.ts';

const postgres = await startPostgres();
afterAll(() => postgres[Symbol.asyncDispose]());

describe('fanfare rules', () => {
  test('publishes, lists and rolls back the folder', async () => {
    using folder = temporaryFolder();
    const rules = join(folder.path, 'rules');
    await mkdir(rules);
    const write = (file: string, text: string): Promise<void> => writeFile(join(rules, file), text);
    const environment = { DATABASE_URL: postgres.url, FANFARE_RULES: rules, FANFARE_DATA: folder.path, NO_COLOR: '1' };
    async function run(...args: readonly string[]): Promise<readonly [code: number, output: string]> {
      const { code, output } = await runHere({ args: ['rules', ...args], environment });
      return [code, output];
    }

    expect(await run('versions')).toEqual([0, 'No rules are published. To publish the rules folder: fanfare rules push\n']);
    await write('live.yaml', cardRule('live'));
    expect(await run('push', '--dry-run')).toEqual([0, '+ live\nNothing is published (--dry-run).\n']);
    expect(await run('push', '--by', 'ci', '--note', 'first')).toEqual([0, '+ live\nVersion 1 is in force: 1 new.\n']);
    expect(await run('push')).toEqual([0, 'Version 1 is in force and has the same files. Nothing is published.\n']);

    await write('live.yaml', 'id: live\nwenn: now\n');
    const [code, output] = await run('push');
    expect(code).toBe(1);
    expect(output).toMatch(/live\.yaml:1:1[^]*1 file: 2 errors\. Nothing is published\.\n$/u);

    await write('live.yaml', cardRule('live', { text: 'plays' }));
    await write('more.yaml', cardRule('more', { channel: 'more' }));
    const check = await runHere({ args: ['check'], environment });
    expect(check.code).toBe(0);
    expect(check.output).toMatch(/\n\nChanges since version 1:\n~ live: content of then\[0\]\n\+ more\n$/u);
    expect((await run('push', '--by', 'ci'))[1]).toBe('~ live: content of then[0]\n+ more\nVersion 2 is in force: 1 new, 1 changed.\n');
    expect((await run('rollback', '--by', 'ada'))[1]).toBe(
      'Rollback to version 1\n~ live: content of then[0]\n- more\nVersion 3 is in force: 1 changed, 1 deleted.\n',
    );
    expect(await run('rollback')).toEqual([1, expect.stringContaining('there is no version before the version in force')]);
    expect(await run('rollback', '9')).toEqual([1, expect.stringContaining('there is no version 9')]);
    const at = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ`;
    expect((await run('versions'))[1]).toMatch(
      new RegExp(
        String.raw`^\* {4}3 {2}${at} {2}ada; 1 changed, 1 deleted; repeats version 1
      2 {2}${at} {2}ci; 1 new, 1 changed
      1 {2}${at} {2}ci; 1 new; first

\* in force\n$`.replaceAll('\n      ', '\n {5}'),
        'u',
      ),
    );
  });

  test('answers with JSON', async () => {
    using folder = temporaryFolder();
    await writeFile(join(folder.path, 'live.yaml'), cardRule('live', { text: 'as JSON' }));
    const environment = { DATABASE_URL: postgres.url, FANFARE_RULES: folder.path, FANFARE_DATA: join(folder.path, 'data') };
    const run = async (...args: readonly string[]): Promise<unknown> =>
      JSON.parse((await runHere({ args: ['rules', ...args, '--json'], environment })).stdout);
    const inForce = { number: expect.any(Number), by: 'ci', publishedAt: expect.stringMatching(/Z$/u) };

    expect(await run('push', '--dry-run')).toMatchObject({ version: 1, outcome: 'dryRun', changes: [{ rule: 'live' }] });
    expect(await run('push', '--by', 'ci')).toMatchObject({ outcome: 'published', inForce });
    expect(await run('versions')).toMatchObject({ versions: expect.arrayContaining([expect.objectContaining(inForce)]) });
    expect(await run('pull')).toEqual({ version: 1, written: [] });
    await writeFile(join(folder.path, 'live.yaml'), 'id: live\nwenn: now\n');
    expect(await run('push')).toMatchObject({
      outcome: 'errors',
      diagnostics: expect.arrayContaining([expect.objectContaining({ line: 1 })]),
    });
  });

  test('keeps, writes and deletes rules that members approved in Discord', async () => {
    using folder = temporaryFolder();
    const rules = join(folder.path, 'rules');
    await mkdir(rules);
    await writeFile(join(rules, 'live.yaml'), cardRule('live'));
    const database = `approved_${process.pid}`;
    const client = new pg.Client(postgres.url);
    await client.connect();
    await client.query(`create database ${database}`);
    await client.end();
    const url = new URL(`/${database}`, postgres.url).href;
    const environment = { DATABASE_URL: url, FANFARE_RULES: rules, FANFARE_DATA: folder.path, NO_COLOR: '1' };
    async function run(...args: readonly string[]): Promise<readonly [code: number, output: string]> {
      const { code, output } = await runHere({ args: ['rules', ...args], environment });
      return [code, output.replaceAll(folder.path, '')];
    }
    async function approve(rule: string): Promise<void> {
      await using store = await openPostgresStore({ url });
      const { ruleVersions: versions } = store;
      const options = { versions, accounts: {}, isOn: () => false, nowMs: () => 0 };
      expect(
        await publishApproved({ rule, source: cardRule(rule, { channel: rule }), tests: `rule: ${rule}\n`, by: 'Grace' }, options),
      ).toMatchObject({
        kind: 'published',
      });
    }
    await run('push', '--by', 'ci');
    await approve('raid');
    await approve('chess');

    expect((await run('versions'))[1]).toMatch(/^\* {4}3 .*Grace; 2 new; approved chess in Discord\n/u);
    await writeFile(join(rules, 'more.yaml'), cardRule('more', { channel: 'more' }));
    expect((await run('push'))[1]).toBe(
      'Kept, because members approved them in Discord: chess.yaml, raid.yaml. To write them into the folder: fanfare rules pull\n' +
        '+ more\nVersion 4 is in force: 1 new.\n',
    );
    const check = await runHere({ args: ['check'], environment });
    expect(check.code).toBe(0);
    expect(check.output).not.toContain('Changes since version');
    expect(await run('delete')).toEqual([2, expect.stringContaining('name the rule to delete')]);
    expect(await run('delete', 'live')).toEqual([1, expect.stringContaining('live is not a rule that a member approved')]);
    expect(await run('delete', 'gone')).toEqual([1, expect.stringContaining('approved in Discord: chess, raid')]);
    expect(await run('delete', 'chess')).toEqual([0, '- chess\nVersion 5 is in force: 2 deleted.\n']);

    const next = 'Publish the folder, for example with fanfare rules push. From then on, the rules belong to the folder.\n';
    expect(await run('pull')).toEqual([0, `written   /rules/raid.test.yaml\nwritten   /rules/raid.yaml\n${next}`]);
    expect(await readFile(join(rules, 'raid.yaml'), 'utf8')).toBe(cardRule('raid', { channel: 'raid' }));
    expect(await run('pull')).toEqual([0, 'The rules folder has all rules that members approved in Discord.\n']);
    expect((await run('push'))[1]).toBe('Version 5 is in force and has the same files. Nothing is published.\n');
    await rm(join(rules, 'raid.yaml'));
    expect((await run('push'))[1]).toBe('- raid\nVersion 6 is in force: 2 deleted.\n');
  });

  test('without DATABASE_URL is an error with the reason that the folder is loaded', async () => {
    using folder = temporaryFolder();
    const { code, output } = await runHere({ args: ['rules', 'push'], environment: { FANFARE_DATA: folder.path } });

    expect(code).toBe(1);
    expect(output).toMatch(/^error: DATABASE_URL: it is not set, .* loads the rules folder itself\n {2}to publish/u);
  });

  test('refuses a version that is not a number', async () => {
    const { code, output } = await runHere({ args: ['rules', 'rollback', 'first'] });

    expect(code).toBe(2);
    expect(output).toContain('first is not the number of a version');
  });
});
