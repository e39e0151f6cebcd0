import { ConfigError } from '#src/errors.ts';

interface Words {
  readonly message: string;
  readonly hint: string;
}

const ELSEWHERE = 'point FANFARE_DATA at a folder that can be written to';

/** What SQLite says of a file that somebody can cure, by the lower byte of its code. */
const CURABLE: Readonly<Record<number, Words>> = {
  5: { message: 'another program holds it', hint: 'end that program, or point FANFARE_DATA at another folder' },
  8: { message: 'it may be read, and not be written to', hint: ELSEWHERE },
  10: {
    message: 'the disk does not take or give what is asked of it',
    hint: `look at the disk and at what is left of it, or ${ELSEWHERE}`,
  },
  11: { message: 'it is damaged', hint: 'put a backup in its place, or point FANFARE_DATA at another folder' },
  13: { message: 'the disk is full', hint: 'make room, or point FANFARE_DATA at another disk' },
  14: { message: 'it cannot be opened', hint: ELSEWHERE },
  26: { message: 'it is not a database of Fanfare', hint: 'point FANFARE_DATA at another folder' },
};

/** Why the database in `file` cannot be opened, where somebody can do something about it; otherwise the error as it is. */
export function cannotOpen(file: string, error: unknown): unknown {
  if (!(error instanceof Error && 'errcode' in error && typeof error.errcode === 'number')) return error;
  const words = CURABLE[error.errcode & 0xff];
  return words ? new ConfigError(`the state cannot be opened: ${words.message}`, { file, hint: words.hint }) : error;
}
