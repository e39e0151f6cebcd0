import { ConfigError } from '#src/errors.ts';

interface Explanation {
  readonly message: string;
  readonly hint: string;
}

/** The role of a database: `backup` is the source of a restore. */
export type Role = 'state' | 'backup';

const DAMAGED = 11;
const FOREIGN = 26;
const OTHER_BACKUP = 'restore another file that fanfare backup wrote';
const ELSEWHERE = 'point FANFARE_DATA at a folder that can be written to';

/** The errors of SQLite that an operator can fix, by the lower byte of their code. */
const CURABLE: Readonly<Record<number, Explanation>> = {
  5: { message: 'another program has locked it', hint: 'stop that program, or point FANFARE_DATA at another folder' },
  8: { message: 'it is read-only', hint: ELSEWHERE },
  10: {
    message: 'the disk reports an error',
    hint: `check the disk and its free space, or ${ELSEWHERE}`,
  },
  [DAMAGED]: { message: 'it is damaged', hint: 'restore a backup with fanfare restore <file>, or point FANFARE_DATA at another folder' },
  13: { message: 'the disk is full', hint: 'free some space, or point FANFARE_DATA at another disk' },
  14: { message: 'it cannot be opened', hint: ELSEWHERE },
  [FOREIGN]: { message: 'it is not a database of Fanfare', hint: 'set FANFARE_DATA to another folder' },
};

/** A `ConfigError` with the reason and the remedy if an operator can fix it; otherwise the error. */
export function cannotOpen(file: string, error: unknown, role?: Role): unknown {
  const code = codeOf(error);
  return code === undefined ? error : (curable(code, file, role) ?? error);
}

/** Whether SQLite reports that a file is damaged or no database. */
export function isDamage(error: unknown): boolean {
  const code = codeOf(error);
  return code === DAMAGED || code === FOREIGN;
}

function codeOf(error: unknown): number | undefined {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode & 0xff : undefined;
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
