import { ConfigError } from '#src/errors.ts';

/** The roles of a process: all parts of the work, or one. */
export const ROLES = ['all', 'worker', 'gateway', 'web'] as const;

export type Role = (typeof ROLES)[number];

/** The parts that a process runs. */
export interface Duties {
  /** Runs rules and sends deliveries. */
  readonly works: boolean;
  /** Holds shards of the gateway of Discord. */
  readonly gateway: boolean;
  /** Serves the page, and takes interactions over HTTP. Every process serves its health and its metrics. */
  readonly web: boolean;
}

/** The duties of a role; throws a `ConfigError` if other processes cannot share the state. */
export function dutiesOf(role: Role, { databaseUrl }: { readonly databaseUrl?: string | undefined }): Duties {
  if (role !== 'all' && databaseUrl === undefined) {
    throw new ConfigError(`the role ${role} is one part of several processes, which share their state in PostgreSQL`, {
      file: '--role',
      hint: 'set DATABASE_URL, or start without --role',
    });
  }
  const has = (duty: Role): boolean => role === 'all' || role === duty;
  return { works: has('worker'), gateway: has('gateway'), web: has('web') };
}
