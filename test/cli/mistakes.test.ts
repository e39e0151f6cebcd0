import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openStore } from '#src/store/store.ts';
import { runHere } from '../support/run-here.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

describe('a mistake of the operator ends the command with a message', () => {
  test('unknown commands and arguments', async () => {
    using directory = temporaryFolder();
    const environment = { FANFARE_DATA: directory.path };

    const none = await runHere({ args: ['nonsense'], environment });
    const missing = await runHere({ args: ['pause'], environment });
    const many = await runHere({ args: ['start', 'x'], environment });
    const similar = await runHere({ args: ['chek'], environment });

    expect([none, missing, many].map(({ code }) => code)).toEqual([2, 2, 2]);
    expect(none.output).toBe("error: unknown command 'nonsense'\n  To list the commands: fanfare --help\n");
    expect(missing.output).toBe("error: missing required argument 'rule'\n  To see the usage: fanfare pause --help\n");
    expect(many.output).toMatch(/^error: too many arguments/);
    expect(similar.output).toMatch(/^error: unknown command 'chek'\. Did you mean check\?\n/);
  });

  test.for([
    [['replay', 'live', '--since', 'soon'], 'error: --since: soon is not a duration\n'],
    [['pause', 'live', '--until', 'soon'], 'error: --until: soon is not a time\n'],
    [['pause', 'live', '--until', '2001-12-24 18:00'], 'error: --until: 2001-12-24 18:00 is in the past (2001-12-24 18:00)\n'],
    [['pause', 'live', '--until', 'in 60 weeks'], 'error: --until: in 60 weeks is more than a year away ('],
    [['pause', 'live', '--from', 'next monday 9:00'], 'error: --from: next monday 9:00 can mean 20'],
    [['pause', 'live', '--until', '2030-12-24'], 'error: --until: 2030-12-24 has no time of day\n'],
    [['explain'], 'error: name a rule'],
    [['explain', '--item', ''], 'error: --item: the name is empty\n'],
    [['resolve', '3f2a', 'maybe'], 'error: unknown resolution maybe\n'],
    [['rules', 'rollback', 'x'], 'error: x is not the number of a version\n'],
    [['new', '--kind', 'live'], 'error: --channels: this option is required\n'],
    [['new', '--kind', 'live', '--channels', 'a b'], 'error: --channels: a name has no spaces, and a comma separates names; found "a b"\n'],
    [['new', '--kind', 'top', '--game', '${{ x }}'], 'error: --game: a name has no control characters and no ${{; found "${{ x }}"\n'],
    [['new', '--kind', '--game'], "error: option '--kind <kind>' argument missing\n"],
    [
      ['preview', 'live', '--items', '5', '--items=7'],
      "error: option '--items <count>' is given twice, with 5 and 7\n  To see the usage: fanfare preview --help\n",
    ],
    [['preview', 'live', '--items', '0', '--items', '0'], 'error: --items: '],
    [['user', 'list', 'ada'], 'error: name: list does not take ada\n'],
    [['user', 'remove', 'ada', '--role', 'admin'], 'error: --role: remove does not take this option\n'],
    [['token', 'list', 'x'], 'error: id: list does not take x\n'],
    [['token', 'list', '--json', '--scope', 'read'], '"argument": "--scope"'],
    [['token', 'create', 'ci', '--name', 'ci'], 'error: id: create does not take ci\n  To name what uses the token: --name\n'],
    [['rules', 'pull', '--dry-run'], 'error: --dry-run: pull does not take this option\n'],
    [['rules', 'versions', '3'], 'error: target: versions does not take 3\n'],
    [['lists', 'add', 'team', 'ada', '--replace'], 'error: --replace: add does not take this option\n'],
    [['lists', '--server', '123'], 'error: --server: list does not take this option\n'],
    [['answer', '--text', 'Hello'], 'error: name the question and the choice\n'],
    [['explain', 'live', '--item', 'ada'], 'error: --item: it shows the decisions of all rules\n  Leave out live, or leave out --item.\n'],
    [['schema', '--config', '--list'], "error: option '--list' cannot be used with option '--config'\n"],
    [['auth', 'twitch', '--sign-out', '--channel'], "error: option '--sign-out' cannot be used with option '--channel'\n"],
    [['completion', 'bash', 'x'], 'error: words: bash does not take x\n'],
    [['rules', 'psuh'], 'error: action: enter one of list, push, versions, rollback, pull, delete; found "psuh"\n'],
    [['user', 'add', 'ada', '--role', 'boss'], 'error: --role: enter one of viewer, editor, admin; found "boss"\n'],
    [['token', 'create', '--json', '--scope', 'all'], '"message": "--scope: enter one of '],
    [['help', 'nonsense'], "error: unknown command 'nonsense'\n"],
    [['new', '--kind', 'live', '--channels', 'ada', '--take', '3'], 'error: --take: a rule of the kind live does not use it\n'],
    [['sandbox', '--port', 'x'], 'error: --port: expected a whole number'],
    [['sandbox', '--port', ''], 'error: --port: expected a whole number of at least 0, found ""'],
  ] as const)('wrong usage: fanfare %s', async ([args, message]) => {
    using directory = temporaryFolder();

    const { code, output } = await runHere({ args, environment: { FANFARE_DATA: directory.path }, cwd: directory.path });

    expect({ code, output }).toEqual({ code: 2, output: expect.stringContaining(message) });
  });

  test('a file instead of the id of a rule', async () => {
    using directory = temporaryFolder();
    await runHere({ args: ['init'], cwd: directory.path });

    const { code, output } = await runHere({ args: ['preview', 'rules/first-rule.yaml'], cwd: directory.path });

    expect({ code, output }).toEqual({ code: 1, output: expect.stringContaining('Did you mean first-rule?') });
  });

  // Node's own creation of folders never ends there.
  test.skipIf(process.platform !== 'linux')('a project in a folder that cannot be created', async () => {
    const { code, output } = await runHere({ args: ['init', '/proc/fanfare'] });

    expect({ code, output }).toEqual({
      code: 1,
      output: expect.stringContaining('/proc/fanfare/rules: the folder cannot be created (ENOENT)'),
    });
  });

  test('a folder without rules, in which resolve works', async () => {
    using directory = temporaryFolder();

    const check = await runHere({ args: ['check'], cwd: directory.path });
    const resolve = await runHere({ args: ['resolve'], cwd: directory.path });

    expect(check.code).toBe(1);
    expect(check.output).toMatch(
      /^error: \.\/rules: there is no such file or folder\n {2}If the folder had rules, .* To create a project: npx fanfare init/,
    );
    expect(resolve).toMatchObject({ code: 0, output: expect.stringMatching(/^There are no unknown deliveries/m) });
  });

  test.for([
    [['pause', 'live']],
    [['resume', 'live']],
    [['resolve']],
    [['resend']],
    [['answer']],
    [['explain', 'live']],
    [['user', 'list']],
    [['token', 'list']],
    [['servers']],
  ] as const)('a state with which Fanfare has not run, for example in a wrong folder: fanfare %s', async ([args]) => {
    using directory = temporaryFolder();
    const environment = { FANFARE_DATA: join(directory.path, 'data'), FANFARE_RULES: join(directory.path, 'rules') };
    await mkdir(environment.FANFARE_RULES);
    await writeFile(
      join(environment.FANFARE_RULES, 'live.yaml'),
      'id: live\nwhen: { every: 1h }\nthen: [{ do: discord.send, with: { channel: live, content: Hello } }]\n',
    );

    // A first command may create the state.
    await runHere({ args, environment });
    const { output, stdout } = await runHere({ args, environment });
    await using store = await openStore({ file: join(environment.FANFARE_DATA, 'fanfare.sqlite') });
    await store.environments.begin('real', { isAlone: true });
    const later = await runHere({ args, environment });

    expect(output).toMatch(/^warning: .*fanfare\.sqlite: Fanfare has not run with this state: .*FANFARE_DATA$/m);
    expect(stdout).not.toContain('warning');
    expect(later.output).not.toContain('warning');
  });

  test('a state folder of the sandbox that cannot be created', async () => {
    using directory = temporaryFolder();
    await writeFile(join(directory.path, 'file'), '');
    const environment = { FANFARE_DATA: join(directory.path, 'file', 'data') };

    const { code, output } = await runHere({ args: ['sandbox', '--port', '0'], environment });

    expect(code).toBe(1);
    expect(output).toMatch(/the data folder cannot be created\n {2}EEXIST: a file has the name of the folder/);
    expect(output).not.toContain('    at ');
  });

  test('a folder with the name .env', async () => {
    using directory = temporaryFolder();
    await mkdir(join(directory.path, '.env'));

    const { code, output } = await runHere({ args: ['check'], cwd: directory.path });

    expect(code).toBe(1);
    expect(output).toBe('error: .env: the file cannot be read\n  it must be a file of at most 1 MB with lines as NAME=value\n');
  });

  test('a test file with the id of another rule', async () => {
    using directory = temporaryFolder();
    const rule = 'id: mine\nwhen: { every: 1m }\nthen: [{ do: discord.send, with: { channel: live, content: hello } }]\n';
    await writeFile(join(directory.path, 'mine.yaml'), rule);
    await writeFile(
      join(directory.path, 'mine.test.yaml'),
      'rule: yours\nstart: 2026-11-20T18:00:00Z\ncases: [{ it: runs, polls: [{ at: 0s, items: [] }], expect: [] }]\n',
    );

    const { code, output } = await runHere({ args: ['test', directory.path] });

    expect(code).toBe(1);
    expect(output).toContain('mine.test.yaml:1:1 error rule: this file tests yours, but the rule beside it is mine');
  });
});
