import { readFileSync } from 'node:fs';
import type { Kind } from './fixtures.ts';

const KINDS: Readonly<Record<string, Kind>> = { read: 'read', 'write that creates': 'creates', 'write that sets': 'sets' };

interface Row {
  readonly statuses: string;
  readonly kind: Kind;
  readonly json: ReadonlySet<string>;
  readonly page: ReadonlySet<string>;
}

const rows = readFileSync('docs/explanation/answers.md', 'utf8').split('\n').flatMap(rowOf);

function rowOf(line: string): readonly Row[] {
  const [, statuses = '', request = '', json = '', page = ''] = line.split('|').map((cell) => cell.trim());
  const kind = KINDS[request];
  return kind === undefined ? [] : [{ statuses, kind, json: wordsIn(json), page: wordsIn(page) }];
}

function wordsIn(cell: string): ReadonlySet<string> {
  return new Set(Array.from(cell.matchAll(/`(\w+)`/g), ([, word = '']) => word));
}

function includes(statuses: string, status: number): boolean {
  return statuses
    .replace('other ', '')
    .split(', ')
    .some((part) => {
      const [first = 0, last = first] = part.split('–').map(Number);
      return status >= first && status <= last;
    });
}

/** The outcomes that the documentation allows for an answer. */
export function documented(kind: Kind, status: number): { readonly json: ReadonlySet<string>; readonly page: ReadonlySet<string> } {
  const fitting = rows.filter((row) => row.kind === kind && includes(row.statuses, status));
  const [special, ...further] = fitting.toSorted(
    (one, other) => Number(one.statuses.startsWith('other')) - Number(other.statuses.startsWith('other')),
  );
  if (!special || further.some(({ statuses }) => !statuses.startsWith('other')))
    throw new Error(`no single row for ${kind} with ${status}`);
  return special;
}
