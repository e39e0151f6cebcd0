import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { isDatabaseUnavailable } from '#src/errors.ts';
import type { Log } from '#src/log.ts';

/** The log of this process: with PostgreSQL, the lines of many workers are often in one log. */
export function workerLog(log: Log, worker: string, { DATABASE_URL: url = '' }: Readonly<Record<string, string | undefined>>): Log {
  return withoutRepeats(url === '' ? log : log.child({ worker }));
}

/** One line says that the database does not answer, or accepts no writes. The failures that follow from it are details. */
function withoutRepeats(log: Log): Log {
  const levelOf = (fields: object, level: 'warn' | 'error') => (isAboutDatabase(fields) ? 'debug' : level);
  return {
    ...log,
    warn: (fields, message) => log[levelOf(fields, 'warn')](fields, message),
    error: (fields, message) => log[levelOf(fields, 'error')](fields, message),
    child: (fields) => withoutRepeats(log.child(fields)),
  };
}

function isAboutDatabase(fields: object): boolean {
  return 'error' in fields && isDatabaseUnavailable(fields.error);
}

const HOST_LENGTH = 24;

/** The id of this process, unless the configuration names one: the host name and a random part. */
export function newWorkerId(): string {
  const [host = ''] = hostname().split('.');
  return `${host.slice(0, HOST_LENGTH) || 'worker'}-${randomBytes(3).toString('hex')}`;
}
