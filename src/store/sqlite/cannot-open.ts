import { dirname } from 'node:path';
import { ConfigError, type ConfigErrorOptions } from '#src/errors.ts';
import { isSystemError } from '#src/rules/document/read-text-file.ts';

interface Explanation {
  readonly message: string;
  readonly hint: string | ((file: string) => string);
}

/** The role of a database: `backup` is the source of a restore. */
export type Role = 'state' | 'backup';

/** How to fix a file that cannot be written, or whose folder cannot. */
export const makeWritable = (file: string): string =>
  `make the folder ${dirname(file)} and its files writable for the user of Fanfare, or move the folder and set FANFARE_DATA`;

const BUSY = 5;
const IO_ERROR = 10;
const DAMAGED = 11;
const FOREIGN = 26;
const OTHER_BACKUP = 'restore another file that fanfare backup wrote';

/** The errors of SQLite that an operator can fix, by the lower byte of their code. */
const CURABLE: Readonly<Record<number, Explanation>> = {
  [BUSY]: { message: 'another program has locked it', hint: 'end that program, or its transaction' },
  8: { message: 'it is read-only', hint: makeWritable },
  [IO_ERROR]: {
    message: 'the disk reports an error',
    hint: (file) => `check the disk of ${dirname(file)} and its free space, or move the folder to another disk and set FANFARE_DATA`,
  },
  [DAMAGED]: {
    message: 'it is damaged',
    hint: 'restore a backup with npx fanfare restore <file>. To begin without a state: set FANFARE_DATA to another folder',
  },
  13: {
    message: 'the disk is full',
    hint: (file) => `free some space in ${dirname(file)}, or move the folder to another disk and set FANFARE_DATA`,
  },
  14: { message: 'the system refuses access to it', hint: makeWritable },
  // SQLite does not recognize a file whose beginning is damaged.
  [FOREIGN]: {
    message: 'it is not a database of Fanfare',
    hint: 'if it was the state, it is damaged: restore a backup with npx fanfare restore <file>. If another program wrote it, set FANFARE_DATA to another folder',
  },
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
  const code = resultCodeOf(error);
  if (code !== undefined) return curable(code, file, role) ?? error;
  if (!isSystemError(error)) return error;
  return new ConfigError(`the file cannot be opened (${error.code})`, {
    file,
    hint: role === 'backup' ? OTHER_BACKUP : makeWritable(file),
  });
}

/** The error for a copy that cannot be written; undefined if the reason is in its source. */
export function cannotWrite(file: string, error: unknown): ConfigError | undefined {
  const message = COPY_FAULTS[resultCodeOf(error) ?? 0];
  if (message === undefined || (resultCodeOf(error) === IO_ERROR && READ_ERRORS.has(extendedResultCodeOf(error) ?? 0))) return undefined;
  return new ConfigError(`the file cannot be written: ${message}`, { file, hint: 'free some space, or name a file on another disk' });
}

/** The errors of SQLite that end when an operator acts while Fanfare runs, see `DatabaseState.code`. */
const PASSING: Readonly<Record<number, string>> = {
  [BUSY]: 'SQLITE_BUSY',
  8: 'SQLITE_READONLY',
  [IO_ERROR]: 'SQLITE_IOERR',
  13: 'SQLITE_FULL',
  14: 'SQLITE_CANTOPEN',
};

/** The file of the state cannot be used for now, for example because its disk is full. */
export class StateUnavailable extends ConfigError {
  override readonly name = 'DatabaseUnavailable';
  /** See `DatabaseState.code`. */
  readonly code: string;

  constructor(message: string, { code, ...options }: ConfigErrorOptions & { readonly code: string }) {
    super(message, options);
    this.code = code;
  }
}

/** The error of a statement: a `ConfigError` if an operator can fix the reason. */
export function cannotUse(file: string, error: unknown): unknown {
  const code = resultCodeOf(error);
  if (code === undefined) return error;
  const [passing, explanation] = [PASSING[code], CURABLE[code]];
  if (passing === undefined || !explanation) return cannotOpen(file, error);
  const hint = hintOf(explanation, file);
  return new StateUnavailable(`the state cannot be used: ${explanation.message}`, { file, hint, code: passing });
}

function hintOf({ hint }: Explanation, file: string): string {
  return typeof hint === 'string' ? hint : hint(file);
}

function resultCodeOf(error: unknown): number | undefined {
  const code = extendedResultCodeOf(error);
  return code === undefined ? undefined : code & 0xff;
}

function extendedResultCodeOf(error: unknown): number | undefined {
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
  if (!explanation) return undefined;
  const hint = role === 'backup' ? OTHER_BACKUP : hintOf(explanation, file);
  return new ConfigError(`the ${role} cannot be opened: ${explanation.message}`, { file, hint });
}
