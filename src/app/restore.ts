import { existsSync, renameSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { systemClock } from '#src/clock.ts';
import { ConfigError } from '#src/errors.ts';
import { copyDatabase } from '#src/store/sqlite/copy.ts';
import { createProcessLock } from '#src/store/sqlite/process-lock.ts';
import { openStore } from '#src/store/store.ts';
import { openConfig } from '#src/config/open-config.ts';
import { keyFileOf, makeDataDirectory } from '#src/config/data-directory.ts';
import type { CopyRequest } from './backup.ts';

/** A restored copy. */
export interface Restored {
  /** The last instant that the copy contains. */
  readonly copiedAt: Date;
  /** The path of the previous state; undefined if there was none. */
  readonly before: string | undefined;
  /** Whether the tokens of accounts can be opened. */
  readonly hasKey: boolean;
}

/** Replaces the state with a copy. Before it sends, Fanfare searches the platforms for deliveries that the copy does not contain. */
export async function restore({ environment, file }: CopyRequest): Promise<Restored> {
  const config = openConfig(environment);
  const state = join(config.dataDirectory, 'fanfare.sqlite');
  if (!existsSync(file)) throw new ConfigError('there is no such copy', { file, hint: 'name a file that fanfare backup wrote' });
  if (resolve(file) === resolve(state)) throw new ConfigError('this is the state itself', { file, hint: 'name a copy of it' });
  await makeDataDirectory(config);
  using _sender = await claimNow(state);

  const fresh = `${state}.restoring`;
  await copyDatabase({ from: file, to: fresh });
  const copiedAt = await noteRestore(fresh);
  const before = moveAside(state);
  renameSync(fresh, state);
  return { copiedAt, before, hasKey: config.key !== undefined || existsSync(keyFileOf(config)) };
}

/** Takes the lock of the sender of `state`; throws if Fanfare runs. */
async function claimNow(state: string): Promise<Disposable> {
  const holder = createProcessLock({ file: state, name: 'sender', clock: systemClock });
  const running = new AbortController();
  try {
    return await holder.claim({ signal: running.signal, onWait: () => running.abort() });
  } catch (error) {
    if (!running.signal.aborted) throw error;
    throw new ConfigError('Fanfare runs with this state', { file: state, hint: 'stop it first' });
  }
}

/** Migrates the copy and records the restore in it. */
async function noteRestore(copy: string): Promise<Date> {
  await using store = await openStore({ file: copy });
  return await store.restores.note();
}

/** Keeps the previous state and its write-ahead log, because it may be newer than the copy. */
function moveAside(state: string): string | undefined {
  const before = `${state}.before-${new Date().toISOString().replaceAll(/[:.]/gu, '-')}`;
  const parts = ['', '-wal', '-shm'].filter((part) => existsSync(state + part));
  for (const part of parts) renameSync(state + part, before + part);
  return parts.length > 0 ? before : undefined;
}
