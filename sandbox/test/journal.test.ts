import { rmSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { ConfigError } from '#src/errors.ts';
import { openJournal } from '../journal-sqlite.ts';
import { mountSmallDisk } from '../../test/support/small-disk.ts';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';

describe('the journal', () => {
  test('lists the documents of a collection in the order of their first write', () => {
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

  test('deletes documents', () => {
    const journal = openJournal();
    journal.put('a', '1', 1);

    journal.drop('a', '1');
    journal.drop('a', '1');

    expect(journal.all('a')).toEqual([]);
  });

  test('is restored from its file', () => {
    using folder = temporaryFolder();
    const file = `${folder.path}/deeper/sandbox.sqlite`;
    const journal = openJournal({ file });
    journal.put('a', '1', [1, null, 'ü']);
    journal.close();

    const again = openJournal({ file });

    expect(again.all('a')).toEqual([[1, null, 'ü']]);
    again.close();
  });

  test('limits each collection by deleting the oldest documents', () => {
    const journal = openJournal({ mostDocuments: 50 });
    journal.put('quiet', 'only', 0);

    for (let number = 1; number <= 1000; number++) journal.put('log', String(number), number);

    const kept = journal.all('log');
    expect(kept.length).toBeLessThanOrEqual(150);
    expect(kept.at(-1)).toBe(1000);
    expect(journal.all('quiet')).toEqual([0]);
  });

  test('refuses a file with another format', () => {
    using folder = temporaryFolder();
    const file = `${folder.path}/notes.txt`;
    writeFileSync(file, 'these notes are longer than the header of a database file, but they are no database'.repeat(10));

    expect(() => openJournal({ file })).toThrow(/not a database/);
    expect(() => openJournal({ file })).toThrow(ConfigError);
  });

  test('reports a full disk, when it opens and when it writes', ({ skip }) => {
    using disk = mountSmallDisk() ?? skip('this user cannot mount a disk');
    const file = `${disk.path}/sandbox.sqlite`;
    const errors = [0, 8_192, 16_384, 65_536, 262_144].map((freeBytes) => {
      for (const name of [file, `${file}-wal`, `${file}-shm`, `${disk.path}/filler`]) rmSync(name, { force: true });
      disk.fill(freeBytes);
      return errorOf(() => {
        const journal = openJournal({ file });
        try {
          for (let number = 1; number <= 100; number++) journal.put('log', String(number), 'x'.repeat(10_000));
        } finally {
          journal.close();
        }
      });
    });

    for (const error of errors) expect(error).toMatchObject({ name: 'ConfigError', hint: expect.stringContaining('disk') });
  });
});

function errorOf(act: () => void): unknown {
  try {
    act();
  } catch (error) {
    return error;
  }
}
