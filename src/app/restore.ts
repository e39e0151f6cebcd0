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

/** A copy that is the state from now on. */
export interface Restored {
  /** What the copy knows ends here. */
  readonly copiedAt: Date;
  /** The path of the previous state; undefined if there was none. */
  readonly before: string | undefined;
  /** Whether the tokens of accounts can be opened. */
  readonly hasKey: boolean;
}

/** Puts a copy in the place of the state. Nothing is sent before Fanfare has looked on the platforms for what the copy does not know. */
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

/** The right to send what is kept in `state`; refuses where a Fanfare that runs has it. */
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

/** Brings the copy to the newest version, and notes in it what it may have lost. */
async function noteRestore(copy: string): Promise<Date> {
  await using store = await openStore({ file: copy });
  return await store.restores.note();
}

/** Keeps the state that was there, with its log of changes: it may know more than the copy. */
function moveAside(state: string): string | undefined {
  const before = `${state}.before-${new Date().toISOString().replaceAll(/[:.]/gu, '-')}`;
  const parts = ['', '-wal', '-shm'].filter((part) => existsSync(state + part));
  for (const part of parts) renameSync(state + part, before + part);
  return parts.length > 0 ? before : undefined;
}
