import { writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { ConfigError } from '#src/errors.ts';
import { openJournal } from '../journal-sqlite.ts';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';

describe('the journal', () => {
  test('has documents by collection, in the order in which they were first written', () => {
    const journal = openJournal();

    journal.put('a', '2', { text: 'second' });
    journal.put('a', '1', { text: 'first' });
    journal.put('b', '2', 'elsewhere');
    journal.put('a', '2', { text: 'second, edited' });

    expect(journal.all('a')).toEqual([{ text: 'second, edited' }, { text: 'first' }]);
    expect(journal.get('b', '2')).toBe('elsewhere');
    expect(journal.get('a', '3')).toBeUndefined();
    expect(journal.all('c')).toEqual([]);
  });

  test('forgets what is dropped', () => {
    const journal = openJournal();
    journal.put('a', '1', 1);

    journal.drop('a', '1');
    journal.drop('a', '1');

    expect(journal.all('a')).toEqual([]);
  });

  test('is found again in its file', () => {
    using folder = temporaryFolder();
    const file = `${folder.path}/deeper/sandbox.sqlite`;
    const journal = openJournal({ file });
    journal.put('a', '1', [1, null, 'ü']);
    journal.close();

    const again = openJournal({ file });

    expect(again.all('a')).toEqual([[1, null, 'ü']]);
    again.close();
  });

  test('does not grow without end: the oldest go, each collection for itself', () => {
    const journal = openJournal({ mostDocuments: 50 });
    journal.put('quiet', 'only', 0);

    for (let number = 1; number <= 1000; number++) journal.put('log', String(number), number);

    const kept = journal.all('log');
    expect(kept.length).toBeLessThanOrEqual(150);
    expect(kept.at(-1)).toBe(1000);
    expect(journal.all('quiet')).toEqual([0]);
  });

  test('a file that is something else is refused', () => {
    using folder = temporaryFolder();
    const file = `${folder.path}/notes.txt`;
    writeFileSync(file, 'these are only notes, and long enough to be looked at as a header of a database, which they are not'.repeat(10));

    expect(() => openJournal({ file })).toThrow(/not a database/);
    expect(() => openJournal({ file })).toThrow(ConfigError);
  });
});
