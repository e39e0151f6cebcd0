import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import type { Log } from '#src/log.ts';

/** The log of this process: with PostgreSQL, the lines of many workers are often in one log. */
export function workerLog(log: Log, worker: string, { DATABASE_URL: url = '' }: Readonly<Record<string, string | undefined>>): Log {
  return url === '' ? log : log.child({ worker });
}

const HOST_LENGTH = 24;

/** The id of this process, unless the configuration names one: the host name and a random part. */
export function newWorkerId(): string {
  const [host = ''] = hostname().split('.');
  return `${host.slice(0, HOST_LENGTH) || 'worker'}-${randomBytes(3).toString('hex')}`;
}
