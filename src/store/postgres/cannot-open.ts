import { codeOf, ConfigError } from '#src/errors.ts';
import { isSystemError } from '#src/rules/document/read-text-file.ts';
import { DatabaseUnavailable, sqlStateOf } from './database-error.ts';
import { ReadOnlySession, SharedSession } from './session.ts';

/** The clock of the server shows an instant before the release of this Fanfare. */
export class ClockBeforeRelease extends Error {
  override readonly name = 'ClockBeforeRelease';

  constructor(nowMs: number) {
    super(`its clock is wrong: it shows ${new Date(nowMs).toISOString()}, which is before the release of this Fanfare`);
  }
}

/** The setting with the address of the database. */
const SETTING = 'DATABASE_URL';

type Remedy = readonly [message: string, hint: string];

const READ_ONLY: Remedy = [
  'it only reads',
  'connect to the primary server, not to a standby; if it is the primary, find out why default_transaction_read_only is on',
];

const SHARED: Remedy = [
  'a connection pooler that is not in session mode shares its connections',
  'set pool_mode = session for this database in the pooler, or connect to PostgreSQL directly',
];

const STARTS_OR_STOPS: Remedy = ['it is starting or stopping', 'wait a few seconds, and start Fanfare again'];

/** The errors of PostgreSQL that an operator can fix, by code. */
const CURABLE: Readonly<Record<string, Remedy>> = {
  '57P01': STARTS_OR_STOPS,
  '57P02': STARTS_OR_STOPS,
  '57P03': STARTS_OR_STOPS,
  '25006': READ_ONLY,
  '28P01': ['it refuses the user or the password', 'check the user and the password in this address'],
  '28000': ['it refuses the user', 'check the user in this address, and pg_hba.conf of the server'],
  '3D000': ['the database does not exist', 'create it with createdb, or correct its name in this address'],
  '42501': [
    'the user may not create tables',
    'start Fanfare once as a user with the right to create schemas; to grant it: grant create on database <name> to <user>',
  ],
  '53300': ['it has no free connections', 'raise max_connections of the server, or the connection limit of the user or the database'],
};

/** A `ConfigError` with the reason and the remedy if an operator can fix it; otherwise the error. It has no password. */
export function cannotOpen(url: string, error: unknown): unknown {
  if (error instanceof ConfigError) return error;
  const reason = error instanceof DatabaseUnavailable ? error.cause : error;
  const curable = remedyFor(url, reason);
  if (!curable) return error;
  const [message, hint] = curable;
  return new ConfigError(`the database ${locationOf(url)} cannot be opened: ${message}`, { file: SETTING, hint, cause: reason });
}

/** The server starts, stops, or has no free connections, memory or disk. */
const PASSING_STATE = /^(?:57P0|53|08(?!P01))/u;
/** The network, or the server, does not answer. A socket file is missing while its server is down. */
const PASSING_CODE = /^(?:ECONN|ETIMEDOUT|EHOST|ENET|ENOTFOUND|EAI_AGAIN|EPIPE|ENOENT)/u;
/** The driver has no code for these. */
const PASSING_MESSAGE = /timeout|Connection terminated/iu;

/** Whether the reason why a database cannot be opened may end without an operator's change of the settings. */
export function isPassing(error: unknown): boolean {
  const reason = error instanceof ConfigError || error instanceof DatabaseUnavailable ? error.cause : error;
  if (reason instanceof DatabaseUnavailable) return isPassing(reason);
  if (reason instanceof ClockBeforeRelease) return true;
  if (!(reason instanceof Error)) return false;
  const state = sqlStateOf(reason);
  if (state !== undefined) return PASSING_STATE.test(state);
  const code = codeOf(reason);
  return code === undefined ? PASSING_MESSAGE.test(reason.message) : PASSING_CODE.test(code);
}

function remedyFor(url: string, error: unknown): Remedy | undefined {
  if (error instanceof ReadOnlySession) return READ_ONLY;
  if (error instanceof SharedSession) return SHARED;
  if (error instanceof ClockBeforeRelease) return [error.message, 'turn on time synchronization on the server: timedatectl set-ntp true'];
  const code = sqlStateOf(error);
  if (code === '42501' && isAboutConnecting(error)) return NO_CONNECT;
  if (code === undefined) return unreachable(url, error);
  return code === PROTOCOL_VIOLATION && error instanceof Error ? refusedByPooler(error) : CURABLE[code];
}

const NO_CONNECT: Remedy = ['the user may not connect to it', 'grant the right: grant connect on database <name> to <user>'];

const TRUST = 'name the certificate of its authority in the address: ?sslmode=verify-full&sslrootcert=/path/to/ca.pem';

/** Whether PostgreSQL refused the database itself. Its messages have the language of the server, so the function of the server counts. */
function isAboutConnecting(error: unknown): boolean {
  return error instanceof Error && 'routine' in error && error.routine === 'CheckMyDatabase';
}

/** PostgreSQL does not report it for the requests of Fanfare; poolers report it for most of their errors. */
const PROTOCOL_VIOLATION = '08P01';

function refusedByPooler({ message }: Error): Remedy {
  return [`a connection pooler refuses the connection (${message})`, `${SHARED[1]}, or correct its settings`];
}

/** The codes of Node for a certificate that it does not accept. */
const CERTIFICATE = /^(?:CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH|ERR_TLS_CERT)/u;

function unreachable(url: string, error: unknown): Remedy {
  if (error instanceof Error && error.message === 'The server does not support SSL connections')
    return ['it offers no encryption', 'turn on ssl in PostgreSQL, or remove sslmode from the address if the network is trusted'];
  if (isSystemError(error) && 'path' in error && 'syscall' in error && error.syscall === 'open')
    return [`the file ${String(error.path)} in its address cannot be read (${error.code})`, 'correct sslrootcert, sslcert or sslkey'];
  const code = codeOf(error);
  if (code !== undefined && CERTIFICATE.test(code))
    return [`its certificate is not trusted (${code})`, `${TRUST}, and use the host name of the certificate`];
  const reason = code === undefined ? '' : ` (${code})`;
  return [`it does not answer${reason}`, `start PostgreSQL, and check that this machine reaches ${locationOf(url)}`];
}

/** The error for a database that a newer program migrated. */
export function tooNew(version: number, known: number): ConfigError {
  return new ConfigError(`a newer Fanfare migrated the database (version ${version} of the schema; this Fanfare knows ${known})`, {
    file: SETTING,
    hint: 'update Fanfare',
  });
}

/** An error about the database, with the option or setting that has its address. */
export function aboutAddress(setting: string, error: unknown): unknown {
  return error instanceof ConfigError && error.file === SETTING ? error.about(setting) : error;
}

/** The address of a database without user and password. */
export function locationOf(url: string): string {
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`;
}
