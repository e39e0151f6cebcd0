import { ConfigError } from '#src/errors.ts';

interface Words {
  readonly message: string;
  readonly hint: string;
}

const DAMAGED = 11;
const FOREIGN = 26;
const ELSEWHERE = 'point FANFARE_DATA at a folder that can be written to';

/** What SQLite says of a file that somebody can cure, by the lower byte of its code. */
const CURABLE: Readonly<Record<number, Words>> = {
  5: { message: 'another program holds it', hint: 'end that program, or point FANFARE_DATA at another folder' },
  8: { message: 'it may be read, and not be written to', hint: ELSEWHERE },
  10: {
    message: 'the disk does not take or give what is asked of it',
    hint: `look at the disk and at what is left of it, or ${ELSEWHERE}`,
  },
  [DAMAGED]: { message: 'it is damaged', hint: 'restore a backup with fanfare restore <file>, or point FANFARE_DATA at another folder' },
  13: { message: 'the disk is full', hint: 'make room, or point FANFARE_DATA at another disk' },
  14: { message: 'it cannot be opened', hint: ELSEWHERE },
  [FOREIGN]: { message: 'it is not a database of Fanfare', hint: 'point FANFARE_DATA at another folder' },
};

/** Why the database in `file` cannot be opened, where somebody can do something about it; otherwise the error as it is. */
export function cannotOpen(file: string, error: unknown): unknown {
  const code = codeOf(error);
  return code === undefined ? error : (curable(code, file) ?? error);
}

/** Whether SQLite says that what a file holds is not a database, or not a whole one. */
export function isDamage(error: unknown): boolean {
  const code = codeOf(error);
  return code === DAMAGED || code === FOREIGN;
}

function codeOf(error: unknown): number | undefined {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode & 0xff : undefined;
}

/** What is said of a file that SQLite reads, and that is not whole. */
export function damaged(file: string): ConfigError | undefined {
  return curable(DAMAGED, file);
}

/** What is said of a file that another program made. */
export function foreign(file: string): ConfigError | undefined {
  return curable(FOREIGN, file);
}

function curable(code: number, file: string): ConfigError | undefined {
  const words = CURABLE[code];
  return words && new ConfigError(`the state cannot be opened: ${words.message}`, { file, hint: words.hint });
}
