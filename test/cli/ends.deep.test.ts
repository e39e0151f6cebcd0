import { chmodSync, cpSync, mkdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, test, type TestContext } from 'vitest';
import { program } from '#src/cli/program.ts';
import { terminal } from '#src/cli/terminal.ts';
import { connectAlone } from '#src/store/postgres/connect-alone.ts';
import { openPostgresStore } from '#src/store/postgres/open.ts';
import { openStore } from '#src/store/store.ts';
import { freePort } from '../support/fanfare-process.ts';
import { startPooler } from '../support/pooler.ts';
import { startPostgres } from '../support/postgres.ts';
import { fc, runs } from '../support/property.ts';
import { longestStayMs, runCommand } from '../support/run-command.ts';
import { mountSmallDisk } from '../support/small-disk.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

interface Installation {
  readonly folder: string;
  readonly data: string;
}

interface Run {
  readonly args: (place: Installation) => readonly string[];
  /** A command that runs until it is stopped: the output of a running one. */
  readonly stopAt?: RegExp;
  /** Whether the command makes no sense without a database. */
  readonly needsDatabase?: true;
}

/** A process that runs its rules, or waits for its database. */
const STARTED = /^ {2}rules: |Fanfare waits/mu;

/** Every command, with arguments that use all its parts. */
const RUNS: Readonly<Record<string, readonly Run[]>> = {
  init: [{ args: ({ folder }) => ['init', join(folder, 'made')] }],
  auth: [{ args: () => ['auth', 'twitch'] }, { args: () => ['auth', 'twitch', '--channel'] }, { args: () => ['auth', 'discord'] }],
  doctor: [{ args: () => ['doctor'] }],
  new: [{ args: () => ['new', '--kind', 'live', '--channels', 'grace', '--say', 'discord'] }],
  check: [{ args: () => ['check'] }],
  test: [{ args: () => ['test'] }],
  preview: [{ args: () => ['preview', 'live'] }],
  replay: [{ args: () => ['replay', 'live'] }],
  capabilities: [{ args: () => ['capabilities', 'twitch'] }],
  schema: [{ args: () => ['schema'] }],
  start: [
    { args: () => ['start'], stopAt: STARTED },
    { args: () => ['start', '--role', 'worker'], stopAt: STARTED },
  ],
  sandbox: [{ args: () => ['sandbox', '--port', '0'], stopAt: /Events of the simulated world/u }],
  explain: [{ args: () => ['explain', 'live'] }, { args: () => ['explain', '--item', 'ada'] }],
  pause: [{ args: () => ['pause', 'live'] }],
  resume: [{ args: () => ['resume', 'live'] }],
  resolve: [{ args: () => ['resolve'] }, { args: () => ['resolve', '3f2a81c0', 'sent'] }],
  run: [{ args: () => ['run', 'live'] }],
  keep: [{ args: () => ['keep', 'live'] }],
  token: [{ args: () => ['token', 'list'] }, { args: () => ['token', 'create', '--name', 'ci'] }],
  lists: [{ args: () => ['lists'] }, { args: () => ['lists', 'add', 'team', 'ada'] }],
  servers: [{ args: () => ['servers'] }],
  posts: [{ args: () => ['posts'] }, { args: () => ['posts', 'cancel', '3f2a81c0'] }],
  user: [{ args: () => ['user', 'list'] }],
  resend: [{ args: () => ['resend'] }],
  answer: [{ args: () => ['answer'] }, { args: () => ['answer', '3f2a81c0', 'send'] }],
  completion: [{ args: () => ['completion', 'bash'] }, { args: () => ['completion', 'words', '--', 'fanfare', 'pause', ''] }],
  rules: [
    { args: () => ['rules', 'list'] },
    { args: () => ['rules', 'push'] },
    { args: () => ['rules', 'versions'] },
    { args: () => ['rules', 'rollback'] },
    { args: () => ['rules', 'pull'] },
    { args: () => ['rules', 'delete', 'live'] },
  ],
  backup: [{ args: ({ folder }) => ['backup', join(folder, 'backup.sqlite')] }],
  restore: [{ args: ({ folder }) => ['restore', join(folder, 'copy.sqlite')] }, { args: () => ['restore'], needsDatabase: true }],
  migrate: [{ args: ({ folder }) => ['migrate', '--to', join(folder, 'moved')] }, { args: () => ['migrate', '--to', ADDRESS] }],
};

/** Only a clone has the benchmarks, and they take minutes. */
const WITHOUT_RUN = ['bench'];

/** Replaced by the address of the cause, else by one at which nothing answers. */
const ADDRESS = '<address>';

const RULE = `id: live
when: { every: 1m, watch: streaming.getStreams, with: { users: [ada] } }
then: [{ do: discord.send, with: { channel: live, content: hello } }]
`;

const postgres = await startPostgres();
const pooler = await startPooler({ targetPort: postgres.port, mode: 'transaction' });
const template = temporaryFolder();
const full = mountSmallDisk();
const taken = createServer();

beforeAll(async () => {
  mkdirSync(join(template.path, 'rules'));
  mkdirSync(join(template.path, 'data'));
  writeFileSync(join(template.path, 'rules', 'live.yaml'), RULE);
  for (const file of ['data/fanfare.sqlite', 'copy.sqlite']) {
    await using store = await openStore({ file: join(template.path, file) });
    await store.ruleSources.change({ save: [{ file: 'live.yaml', source: RULE }], forget: [] });
  }
  await new Promise<void>((listening) => taken.listen(0, '127.0.0.1', listening));
  await prepareDatabases();
});
afterAll(async () => {
  await pooler[Symbol.asyncDispose]();
  await postgres[Symbol.asyncDispose]();
  template[Symbol.dispose]();
  full?.[Symbol.dispose]();
  taken.close();
});

/** Databases with a schema, of which users can do less and less. */
async function prepareDatabases(): Promise<void> {
  const client = await connectAlone({ url: postgres.url, schema: 'public', applicationName: 'test' });
  for (const name of ['readonly', 'norights', 'empty']) await client.query(`create database ${name}`);
  for (const name of ['readonly', 'norights']) await (await openPostgresStore({ url: urlOf({ path: `/${name}` }) }))[Symbol.asyncDispose]();
  await client.query('alter database readonly set default_transaction_read_only = on');
  await client.query("create role nobody login password 'x'");
  await client.query("create role excluded login password 'x'");
  await client.query('create database closed');
  await client.query('revoke connect on database closed from public');
  await client.end();
}

function urlOf({
  user = 'postgres',
  password,
  path = '/postgres',
  port = postgres.port,
}: {
  readonly user?: string;
  readonly password?: string;
  readonly path?: string;
  readonly port?: number;
}): string {
  const url = new URL(postgres.url);
  return `postgres://${user}:${password ?? url.password}@127.0.0.1:${port}${path}`;
}

const MEGABYTE = Buffer.alloc(100_000, 0xff);

/** The problems that an operator can cause: each changes the installation, or sets variables. */
const CAUSES: Readonly<Record<string, (place: Installation, context: TestContext) => Readonly<Record<string, string>> | void>> = {
  nothing: () => undefined,
  'no rules folder': ({ folder }) => rmSync(join(folder, 'rules'), { recursive: true }),
  'a rule with an error': ({ folder }) => writeFileSync(join(folder, 'rules', 'live.yaml'), 'id: live\nwenn: 3\n'),
  'a rule file that is a folder': ({ folder }) => mkdirSync(join(folder, 'rules', 'more.yaml')),
  'a broken fanfare.yaml': ({ folder }) => writeFileSync(join(folder, 'fanfare.yaml'), 'accounts: [\n'),
  'a fanfare.yaml that is a folder': ({ folder }) => mkdirSync(join(folder, 'fanfare.yaml')),
  'a wrong variable': () => ({ PORT: 'x' }),
  'a data folder that is a file': ({ data }) => {
    rmSync(data, { recursive: true });
    writeFileSync(data, '');
  },
  'a data folder that does not exist': ({ data }) => rmSync(data, { recursive: true }),
  'a damaged state': ({ data }) => writeFileSync(join(data, 'fanfare.sqlite'), MEGABYTE, { flag: 'r+' }),
  'a state of another program': ({ data }) => {
    rmSync(join(data, 'fanfare.sqlite'));
    using database = new DatabaseSync(join(data, 'fanfare.sqlite'));
    database.exec('create table t (a text)');
  },
  'a state that is a folder': ({ data }) => {
    rmSync(join(data, 'fanfare.sqlite'));
    mkdirSync(join(data, 'fanfare.sqlite'));
  },
  'a state that was cut': ({ data }) => {
    truncateSync(join(data, 'fanfare.sqlite'));
    writeFileSync(join(data, 'key'), 'x');
  },
  'a state of a newer version': ({ data }) => {
    using database = new DatabaseSync(join(data, 'fanfare.sqlite'));
    database.exec('pragma user_version = 999');
  },
  'a key that is wrong': ({ data }) => writeFileSync(join(data, 'key'), 'x'),
  'a state that is only readable': ({ data }) => chmodSync(join(data, 'fanfare.sqlite'), 0o400),
  'a full disk': (_, { skip }) => {
    if (!full) return skip('this user cannot mount a disk');
    const data = join(full.path, 'data');
    cpSync(join(template.path, 'data'), data, { recursive: true });
    full.fill(0);
    return { FANFARE_DATA: data };
  },
  'a port that is in use': () => {
    const address = taken.address();
    return { PORT: String(typeof address === 'object' ? address?.port : 0) };
  },
  'an address without a database': () => ({ DATABASE_URL: urlOf({ port: 9 }) }),
  'an address that is none': () => ({ DATABASE_URL: 'postgres://no host/x' }),
  'an address of another protocol': () => ({ DATABASE_URL: 'mysql://127.0.0.1/x' }),
  'a wrong password': () => ({ DATABASE_URL: urlOf({ password: 'wrong' }) }),
  'a database that does not exist': () => ({ DATABASE_URL: urlOf({ path: '/nowhere' }) }),
  'a database that only reads': () => ({ DATABASE_URL: urlOf({ path: '/readonly' }) }),
  'a pooler that shares connections': () => ({ DATABASE_URL: urlOf({ port: pooler.port }) }),
  'a user without rights': () => ({ DATABASE_URL: urlOf({ user: 'nobody', password: 'x', path: '/norights' }) }),
  'a user without rights in an empty database': () => ({ DATABASE_URL: urlOf({ user: 'nobody', password: 'x', path: '/empty' }) }),
  'a user who may not connect': () => ({ DATABASE_URL: urlOf({ user: 'excluded', password: 'x', path: '/closed' }) }),
};

test('every command has a run', async () => {
  const { commands } = await program(['node', 'fanfare'], terminal(process));

  expect([...Object.keys(RUNS), ...WITHOUT_RUN].toSorted()).toEqual(commands.map((command) => command.name()).toSorted());
});

/** All pairs take ten minutes, so each run takes some; FANFARE_SEED selects others, and FANFARE_RUNS more. */
const PAIRS = Object.keys(RUNS).flatMap((command) => Object.keys(CAUSES).map((cause) => [command, cause] as const));
const COUNT = Math.min(runs(40, 40), PAIRS.length);
const [selected = []] = fc.sample(fc.shuffledSubarray(PAIRS, { minLength: COUNT, maxLength: COUNT }), 1);

test.concurrent.for(selected)('%s with %s ends by itself, with an exit code and without a stack', async ([command, cause], context) => {
  for (const { args, stopAt, needsDatabase } of RUNS[command] ?? []) {
    using folder = temporaryFolder();
    cpSync(template.path, folder.path, { recursive: true });
    const place = { folder: folder.path, data: join(folder.path, 'data') };
    const variables = CAUSES[cause]?.(place, context) ?? {};
    const environment: Readonly<Record<string, string>> = { FANFARE_DATA: place.data, PORT: String(await freePort()), ...variables };
    if (needsDatabase && environment['DATABASE_URL'] === undefined) continue;
    const address = environment['DATABASE_URL'] ?? urlOf({ port: 9 });
    const line = args(place).map((one) => (one === ADDRESS ? address : one));

    const { code, output, stayedMs } = await runCommand({ args: line, environment, cwd: folder.path, stopAt });

    const shown = `fanfare ${line.join(' ')}\n${output}`;
    expect([0, 1], shown).toContain(code);
    expect(output, shown).not.toMatch(/This is a bug in Fanfare|^ {4}at /mu);
    expect(stayedMs, shown).toBeLessThan(longestStayMs());
  }
});
