import { Argument, Option, type Command } from 'commander';
import { z } from 'zod';
import type { Access } from '#src/admin/access/access.ts';
import { ROLES, type Role } from '#src/admin/actions/actor.ts';
import type { Person } from '#src/admin/actions/people.ts';
import { PersonAnswer } from '#src/admin/queries/access-answers.ts';
import { refuseOthers, type ActionArguments } from './action-arguments.ts';
import { answering, type Answer } from './answering.ts';
import { document } from './document.ts';
import { oneLine } from './format.ts';
import { operator } from './operator.ts';
import { forQuestions, type Terminal } from './terminal.ts';
import { UsageError } from './usage-error.ts';

export function declare(program: Command, out: Terminal): void {
  const command = document(program.command('user'), {
    group: 'operate',
    summary: 'Add, list, change and remove people who sign in to the page',
    description: [
      'People on other machines sign in to the page with a name and a password, or with Discord. On this machine, they need no password.',
      'add: add a person. list: list the people, also those who signed in with Discord. remove: remove a person. role: change the role. password: set a new password. sign-out: end all sessions. remove and password also end them.',
      'The last admin with a password cannot be removed or get another role.',
      'The command asks for the password, on a terminal twice, or reads it from standard input. A viewer reads, an editor also previews, pauses, runs, resends, resolves and answers, and an admin may do everything.',
    ],
    examples: [
      ['Add an admin', 'fanfare user add ada --role admin'],
      ['Set a new password, and sign the person out everywhere', 'fanfare user password ada'],
    ],
    exits: ['The action is done', 'There is no such user, or the password is too short'],
  })
    .addArgument(new Argument('<action>', 'What to do').choices(['add', 'list', 'remove', 'role', 'password', 'sign-out']))
    .argument('[name]', 'Name of the person, in upper or lower case, or the id, as list shows it')
    .addOption(new Option('--role <role>', 'With add and role: role of the person. With add, default: viewer').choices(ROLES));
  answering(command, {
    schema: UserAnswer,
    out,
    needsRun: true,
    async run(shown, action: keyof typeof RUNS, name: string | undefined, options: UserOptions) {
      refuseOthers(command, action, TAKES[action]);
      if (name === undefined && action !== 'list') throw new UsageError('name the person');
      const { withAccess } = await import('#src/app/open-access.ts');
      return await withAccess(process.env, (access) => RUNS[action]({ ...options, name: name ?? '', access, out: shown }));
    },
  });
}

const UserAnswer = z.union([
  z.object({ user: PersonAnswer }).describe('With `add` and `role`.'),
  z.object({ users: z.array(PersonAnswer).readonly().describe('The people, by name.') }).describe('With `list`.'),
  z.object({ removed: z.string().describe('The person, as typed.') }).describe('With `remove`.'),
  z.object({ changed: z.string().describe('The person, as typed.') }).describe('With `password`.'),
  z.object({ signedOut: z.string().describe('The id of the person.') }).describe('With `sign-out`.'),
]);

type UserResult = Promise<Answer<z.input<typeof UserAnswer>>>;

interface UserOptions {
  readonly role?: Role | undefined;
}

interface UserParts extends UserOptions {
  readonly name: string;
  readonly access: Access;
  readonly out: Terminal;
}

async function add({ name, role = 'viewer', access, out }: UserParts): UserResult {
  const person = await access.addPerson({ name, role, password: await askPassword(out) }, operator());
  out.print(`${person.name} may sign in as ${role}.`);
  return { data: { user: person } };
}

async function list({ access, out }: UserParts): UserResult {
  const users = await access.people();
  if (users.length === 0) out.print('There are no users. To add one: fanfare user add <name> --role admin');
  for (const { id, name, role } of users) out.print(`${role.padEnd(6)}  ${oneLine(name)}  (${id})`);
  return { data: { users } };
}

async function remove({ name, access, out }: UserParts): UserResult {
  const person = await access.removePerson({ person: name }, operator());
  out.print(`${name} is removed and signed out.`);
  if (person.kind === 'discord')
    out.print(
      out.paint('yellow', 'The person can sign in again with Discord, until the roles there or signIn.discord no longer allow it.'),
    );
  await printTokens(person, { access, out });
  return { data: { removed: name } };
}

async function changePassword({ name, access, out }: UserParts): UserResult {
  await access.changePassword({ person: name, password: await askPassword(out) }, operator());
  out.print(`${name} has a new password and is signed out.`);
  return { data: { changed: name } };
}

async function changeRole({ name, role, access, out }: UserParts): UserResult {
  if (role === undefined) throw new UsageError('name the new role', { argument: '--role' });
  const person = await access.changeRole({ person: name, role }, operator());
  out.print(`${person.name} is ${role}.`);
  if (role !== 'admin') await printTokens(person, { access, out });
  return { data: { user: person } };
}

/** Prints the valid tokens that a person made: they are for programs, so they outlast the rights of the person. */
async function printTokens({ name }: Pick<Person, 'name'>, { access, out }: Pick<UserParts, 'access' | 'out'>): Promise<void> {
  const valid = (await access.tokens()).filter(({ by, revokedAt, expiresAt }) => by === name && !revokedAt && !isPast(expiresAt));
  if (valid.length === 0) return;
  out.print(out.paint('yellow', `Tokens that ${oneLine(name)} made stay valid:`));
  for (const token of valid) out.print(`  ${oneLine(token.name)} (${token.scope}). To revoke it: fanfare token revoke ${token.id}`);
  out.print('Programs with these tokens can have made others: fanfare token list shows all.');
}

function isPast(at: Date | undefined): boolean {
  return at !== undefined && at.getTime() <= Date.now();
}

async function signOut({ name, access, out }: UserParts): UserResult {
  const person = await access.signOutPerson({ person: name }, operator());
  out.print(`${person.name} is signed out everywhere.`);
  return { data: { signedOut: person.id } };
}

const RUNS = { add, list, remove, role: changeRole, password: changePassword, 'sign-out': signOut };

const TAKES: Readonly<Record<keyof typeof RUNS, ActionArguments>> = {
  add: { options: ['--role'] },
  list: { most: 0 },
  remove: {},
  role: { options: ['--role'] },
  password: {},
  'sign-out': {},
};

async function askPassword(out: Terminal): Promise<string> {
  const { prompter } = await import('./prompter.ts');
  const hint = 'Run the command in a terminal, or write the password to its standard input. Nothing was changed.';
  using asking = prompter({
    input: process.stdin,
    out: forQuestions(out),
    command: 'fanfare user',
    hint,
    screen: process.stderr,
  });
  const ask = (text: string): Promise<string> =>
    asking.ask({
      text,
      isSecret: true,
      isExact: true,
      read: (typed) => (typed === '' ? { error: 'a value is required' } : { value: typed }),
    });
  for (;;) {
    const password = await ask('Password (at least 12 characters)');
    // A person does not see what they type.
    if (!process.stdin.isTTY || (await ask('Repeat the password')) === password) return password;
    forQuestions(out).print('The passwords differ. Type them again.');
  }
}
