import { afterEach, expect, test } from 'vitest';
import { PassThrough } from 'node:stream';
import { withAccess } from '#src/app/open-access.ts';
import { runHere } from '../support/run-here.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const PASSWORD = 'correct horse battery';

const stdin = Object.getOwnPropertyDescriptor(process, 'stdin') ?? {};
afterEach(() => void Object.defineProperty(process, 'stdin', stdin));

/** Types one line, and runs a command with the state of a folder. */
async function run(folder: string, args: readonly string[], typed = PASSWORD) {
  const input = new PassThrough();
  input.end(`${typed}\n`);
  Object.defineProperty(process, 'stdin', { configurable: true, value: input });
  return runHere({ args, environment: { FANFARE_DATA: folder } });
}

test('people are added, listed, changed and removed', async () => {
  using folder = temporaryFolder();
  const on = (...args: readonly string[]) => run(folder.path, args);

  expect(await on('user', 'add', 'Ada', '--role', 'admin')).toMatchObject({
    code: 0,
    output: expect.stringContaining('Ada may sign in as admin.'),
  });
  expect(await on('user', 'add', 'ADA')).toMatchObject({ code: 1, output: expect.stringContaining('There already is a user ADA.') });
  expect(await run(folder.path, ['user', 'add', 'eve'], 'short')).toMatchObject({ code: 1, output: expect.stringContaining('12') });
  const { stdout } = await on('user', 'list', '--json');
  expect(JSON.parse(stdout)).toEqual({ version: 1, users: [{ id: 'password:ada', name: 'Ada', kind: 'password', role: 'admin' }] });
  expect((await on('user', 'password', 'ada')).code).toBe(0);
  expect(await on('user', 'remove', 'ada')).toMatchObject({
    code: 1,
    output: expect.stringContaining('Ada is the last admin with a password.'),
  });
  expect(await on('user', 'role', 'ada', '--role', 'editor')).toMatchObject({ code: 1, output: expect.stringContaining('last admin') });
  expect((await on('user', 'add', 'Grace')).code).toBe(0);
  expect((await on('user', 'role', 'grace')).code).toBe(2);
  expect(await on('user', 'role', 'grace', '--role', 'admin')).toMatchObject({
    code: 0,
    output: expect.stringContaining('Grace is admin.'),
  });
  expect(await on('user', 'sign-out', 'grace')).toMatchObject({
    code: 0,
    output: expect.stringContaining('Grace is signed out everywhere.'),
  });
  expect((await on('user', 'remove', 'ada')).code).toBe(0);
  expect((await on('user', 'remove', 'ada')).code).toBe(1);
  expect((await on('user', 'remove')).code).toBe(2);
});

test.for([
  ['remove', 'mallory'],
  ['role', 'mallory', '--role', 'viewer'],
])('fanfare user %s names the tokens of the person that stay valid', async (args) => {
  using folder = temporaryFolder();
  const environment = { FANFARE_DATA: folder.path };
  const by = { name: 'Mallory', via: 'page', role: 'admin' } as const;
  await run(folder.path, ['user', 'add', 'Ada', '--role', 'admin']);
  await run(folder.path, ['user', 'add', 'Mallory', '--role', 'admin']);
  const [valid, revoked] = await withAccess(environment, async (access) => {
    const made = [];
    for (const name of ['backdoor', 'old']) made.push(await access.createToken({ name, scope: 'admin' }, by));
    await access.createToken({ name: 'of ada', scope: 'read' }, { ...by, name: 'Ada' });
    await access.revokeToken({ token: made[1]?.token.id ?? '' }, by);
    return made.map(({ token }) => token.id);
  });

  const { code, output } = await run(folder.path, ['user', ...args]);

  expect(code).toBe(0);
  expect(output).toContain(`backdoor (admin). To revoke it: fanfare token revoke ${valid}`);
  expect(output).not.toMatch(new RegExp(`of ada|${revoked}`, 'u'));
});

test('fanfare user remove says that a member of Discord can sign in again', async () => {
  using folder = temporaryFolder();
  const roles = { viewer: ['everyone'], editor: [], admin: [] };
  const eve = { id: '7', name: 'Eve', memberships: [{ roles: [], isAdministrator: false, canManageServer: false }] };
  await withAccess({ FANFARE_DATA: folder.path }, (access) => access.signInWithDiscord(eve, { roles, address: '192.0.2.1' }));

  const { code, output } = await run(folder.path, ['user', 'remove', 'discord:7']);

  expect([code, output]).toEqual([0, expect.stringContaining('can sign in again with Discord')]);
});

test.for([' correct horse battery ', '    a b c    '])('the typed password is the password, with its spaces: %j', async (password) => {
  using folder = temporaryFolder();
  expect((await run(folder.path, ['user', 'add', 'Ada', '--role', 'admin'], password)).code).toBe(0);

  const signIn = (typed: string) =>
    withAccess({ FANFARE_DATA: folder.path }, (access) => access.signIn({ name: 'ada', password: typed, address: '192.0.2.7' }));
  expect(await signIn(password)).toMatchObject({ secret: expect.any(String) });
  expect(await signIn(password.trim())).toEqual({ refused: 'wrong' });
});

test('on a terminal, a new password is asked for twice', async () => {
  using folder = temporaryFolder();
  const [one, other] = ['correct horse battery', 'correct horse batery'];
  const input = Object.assign(new PassThrough(), { isTTY: true });
  Object.defineProperty(process, 'stdin', { configurable: true, value: input });
  input.write([one, other, one, one].map((line) => `${line}\r`).join(''));

  const { code, output } = await runHere({ args: ['user', 'add', 'Ada'], environment: { FANFARE_DATA: folder.path } });

  expect([code, output.match(/Repeat the password/gu)?.length, output.match(/The passwords differ/gu)?.length]).toEqual([0, 2, 1]);
});

test('a token is shown once, and revoked', async () => {
  using folder = temporaryFolder();
  const on = (...args: readonly string[]) => run(folder.path, args);
  const created = await on('token', 'create', '--name', 'ci', '--scope', 'write', '--expires', 'in 30d');
  const [text = ''] = /^fanfare_[\w-]{43}$/mu.exec(created.output) ?? [];
  const listed = await on('token', 'list', '--json');
  const { tokens } = JSON.parse(listed.stdout) as { readonly tokens: readonly { readonly id: string }[] }; // printed by the command

  expect(text).not.toBe('');
  expect(listed.output).not.toContain(text);
  expect(tokens).toMatchObject([{ name: 'ci', scope: 'write' }]);
  expect((await on('token', 'list')).output).toMatch(/^[\da-f]{8} {2}write {4}expires \d{4}-\d\d-\d\d, never used {2}ci$/mu);
  expect((await on('token', 'revoke', tokens[0]?.id ?? '')).code).toBe(0);
  expect(await on('token', 'revoke', tokens[0]?.id ?? '')).toMatchObject({
    code: 1,
    output: expect.stringMatching(/no active token \w+\. To list the tokens: npx fanfare token list\n/u),
  });
  expect((await on('token', 'list')).output).toContain('revoked');
  expect((await on('token', 'create')).code).toBe(2);
  expect((await on('token', 'create', '--name', 'x', '--expires', 'yesterday')).code).toBe(2);
});
