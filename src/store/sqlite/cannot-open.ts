import { ConfigError } from '#src/errors.ts';

interface Explanation {
  readonly message: string;
  readonly hint: string;
}

/** The role of a database: `backup` is the source of a restore. */
export type Role = 'state' | 'backup';

const BUSY = 5;
const IO_ERROR = 10;
const DAMAGED = 11;
const FOREIGN = 26;
const OTHER_BACKUP = 'restore another file that fanfare backup wrote';
const ELSEWHERE = 'point FANFARE_DATA at a folder that can be written to';

/** The errors of SQLite that an operator can fix, by the lower byte of their code. */
const CURABLE: Readonly<Record<number, Explanation>> = {
  [BUSY]: { message: 'another program has locked it', hint: 'stop that program, or point FANFARE_DATA at another folder' },
  8: { message: 'it is read-only', hint: ELSEWHERE },
  [IO_ERROR]: {
    message: 'the disk reports an error',
    hint: `check the disk and its free space, or ${ELSEWHERE}`,
  },
  [DAMAGED]: { message: 'it is damaged', hint: 'restore a backup with fanfare restore <file>, or point FANFARE_DATA at another folder' },
  13: { message: 'the disk is full', hint: 'free some space, or point FANFARE_DATA at another disk' },
  14: { message: 'it cannot be opened', hint: ELSEWHERE },
  [FOREIGN]: { message: 'it is not a database of Fanfare', hint: 'set FANFARE_DATA to another folder' },
};

/** The errors of SQLite about the target of a copy. */
const COPY_FAULTS: Readonly<Record<number, string>> = {
  8: 'it is read-only',
  [IO_ERROR]: 'the disk reports an error',
  13: 'the disk is full',
  14: 'it cannot be opened',
};

/** SQLITE_IOERR_READ and SQLITE_IOERR_SHORT_READ. */
const READ_ERRORS: ReadonlySet<number> = new Set([266, 522]);

/** A `ConfigError` with the reason and the remedy if an operator can fix it; otherwise the error. */
export function cannotOpen(file: string, error: unknown, role?: Role): unknown {
  const code = codeOf(error);
  if (code !== undefined) return curable(code, file, role) ?? error;
  if (!(error instanceof Error && 'syscall' in error && 'code' in error)) return error;
  return new ConfigError(`the file cannot be opened (${String(error.code)})`, { file, hint: role === 'backup' ? OTHER_BACKUP : ELSEWHERE });
}

/** The error for a copy that cannot be written; undefined if the reason is in its source. */
export function cannotWrite(file: string, error: unknown): ConfigError | undefined {
  const message = COPY_FAULTS[codeOf(error) ?? 0];
  if (message === undefined || (codeOf(error) === IO_ERROR && READ_ERRORS.has(extendedCodeOf(error) ?? 0))) return undefined;
  return new ConfigError(`the file cannot be written: ${message}`, { file, hint: 'free some space, or name a file on another disk' });
}

/** The error of a statement: a `ConfigError` if an operator can fix the reason. A lock of another program ends without an operator. */
export function cannotUse(file: string, error: unknown): unknown {
  const code = codeOf(error);
  return code === undefined || code === BUSY ? error : cannotOpen(file, error);
}

function codeOf(error: unknown): number | undefined {
  const code = extendedCodeOf(error);
  return code === undefined ? undefined : code & 0xff;
}

function extendedCodeOf(error: unknown): number | undefined {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode : undefined;
}

/** The error for a damaged database. */
export function damaged(file: string, role?: Role): ConfigError | undefined {
  return curable(DAMAGED, file, role);
}

/** The error for a database of another program. */
export function foreign(file: string, role?: Role): ConfigError | undefined {
  return curable(FOREIGN, file, role);
}

function curable(code: number, file: string, role: Role = 'state'): ConfigError | undefined {
  const explanation = CURABLE[code];
  const hint = role === 'backup' ? OTHER_BACKUP : explanation?.hint;
  return explanation && new ConfigError(`the ${role} cannot be opened: ${explanation.message}`, { file, hint });
}
