import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openDoctor } from '#src/app/open-doctor.ts';
import { openSignIn } from '#src/app/open-sign-in.ts';
import { openRunningState, type RunningState } from '#src/app/running-state.ts';
import { systemClock } from '#src/clock.ts';
import { configOfEnvironment } from '#src/config/config.ts';
import { createLog } from '#src/log.ts';
import { createDatabaseHealth } from '#src/admin/queries/database-health.ts';
import { createDatabase } from '../support/postgres-database.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const postgres = await createDatabase();
const folder = temporaryFolder({ inMemory: true });
afterAll(async () => {
  await postgres[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

const OLD = 'the key that all processes had at first';
const NEW = 'the key that all processes have afterwards';
let folders = 0;

/** The environment of a process that runs on another machine. */
function environmentOf(key?: string): Readonly<Record<string, string>> {
  const data = join(folder.path, String(folders++));
  mkdirSync(data);
  return { DATABASE_URL: postgres.url, FANFARE_DATA: data, ...(key === undefined ? {} : { FANFARE_KEY: key }) };
}

interface Started extends AsyncDisposable {
  readonly lines: readonly string[];
}

async function start(worker: string, environment: Readonly<Record<string, string>>): Promise<Started> {
  const lines: string[] = [];
  const log = createLog({ level: 'info', secrets: [], write: (line) => void lines.push(line), color: false });
  const database = createDatabaseHealth({ onChange: () => undefined, clock: systemClock, log });
  const state: RunningState = await openRunningState({ config: configOfEnvironment(environment), worker, role: 'worker', database, log });
  return { lines, [Symbol.asyncDispose]: () => state[Symbol.asyncDispose]() };
}

async function keyChecks(environment: Readonly<Record<string, string>>): Promise<unknown> {
  await using doctor = await openDoctor({ environment, write: () => undefined });
  const results = await Array.fromAsync(doctor.examine(AbortSignal.timeout(60_000)));
  return results.filter(({ about, state }) => about === 'the key' && state === 'bad');
}

test('a process with another key names the processes with the first one, and starts', async () => {
  await using first = await start('first', environmentOf(OLD));
  await using same = await start('same', environmentOf(` ${OLD}\n`));
  await using other = await start('other', environmentOf(NEW));

  expect([...first.lines, ...same.lines]).toEqual([]);
  expect(other.lines).toHaveLength(1);
  expect(other.lines.join('')).toMatch(/set the same FANFARE_KEY everywhere, and restart the processes .*first on .*same on /u);
  expect(other.lines.join('')).not.toMatch(/the key that all/u);
});

test('a process without a key names the processes that have one, and creates no key', async () => {
  await using _first = await start('first', environmentOf(OLD));
  const environment = environmentOf();
  await using without = await start('without', environment);

  expect(without.lines.join('')).toMatch(/set the same FANFARE_KEY everywhere.*first on /u);
  expect(existsSync(join(environment['FANFARE_DATA'] ?? '', 'key'))).toBe(false);
});

test('the file with the key counts as FANFARE_KEY', async () => {
  const environment = environmentOf();
  writeFileSync(join(environment['FANFARE_DATA'] ?? '', 'key'), `${OLD}\n`, { mode: 0o600 });
  await using _first = await start('first', environmentOf(OLD));
  await using same = await start('same', environment);

  expect(same.lines).toEqual([]);
});

test('after a change of the key everywhere, no process warns about an earlier key', async () => {
  {
    await using _first = await start('first', environmentOf(OLD));
    await using rolling = await start('second', environmentOf(NEW));
    expect(rolling.lines).toHaveLength(1);
  }
  await using first = await start('first', environmentOf(NEW));
  await using second = await start('second', environmentOf(NEW));

  expect([...first.lines, ...second.lines]).toEqual([]);
});

test('fanfare doctor and fanfare auth name the running processes with another key', async () => {
  await using _first = await start('first', environmentOf(OLD));
  const lines: string[] = [];
  await using _signIn = await openSignIn({ environment: environmentOf(NEW), write: (line) => void lines.push(line) });

  expect(await keyChecks(environmentOf(OLD))).toEqual([]);
  expect(await keyChecks(environmentOf(NEW))).toEqual([
    {
      about: 'the key',
      state: 'bad',
      what: expect.stringMatching(/^running processes have another key than this command, .*: first on \S+$/u),
      remedy: 'set the same FANFARE_KEY everywhere, and restart the processes',
    },
  ]);
  expect(lines.join('')).toContain('other processes have another key');
});
