import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { ConfigError } from '#src/errors.ts';
import type { Json } from '#src/clients/operation/json.ts';
import type { Journal } from './journal.ts';

const MEMORY = ':memory:';
/** The number of documents that a collection keeps. The oldest are deleted first. */
const MOST_DOCUMENTS = 2000;
/** The journal deletes old documents after this number of writes. */
const PUTS_BETWEEN_SWEEPS = 100;

const schema = `
  pragma journal_mode = wal;
  pragma synchronous = normal;
  create table if not exists document (
    seq integer primary key,
    collection text not null,
    id text not null,
    body text not null,
    unique (collection, id)
  ) strict;
  create index if not exists document_in_order on document (collection, seq);
`;

interface JournalOptions {
  /** Absent: in memory. */
  readonly file?: string | undefined;
  readonly mostDocuments?: number | undefined;
}

/** A journal in an SQLite file, which is created if it does not exist. */
export function openJournal({ file = MEMORY, mostDocuments = MOST_DOCUMENTS }: JournalOptions = {}): Journal {
  const database = openDatabase(file);
  const put = database.prepare(
    'insert into document (collection, id, body) values (?, ?, ?) on conflict (collection, id) do update set body = excluded.body',
  );
  const get = database.prepare('select body from document where collection = ? and id = ?');
  const all = database.prepare('select body from document where collection = ? order by seq');
  const drop = database.prepare('delete from document where collection = ? and id = ?');
  const sweep = database.prepare(
    'delete from document where collection = ?1 and seq <= (select seq from document where collection = ?1 order by seq desc limit 1 offset ?2)',
  );
  const puts = new Map<string, number>();

  return {
    put(collection, id, document) {
      const count = (puts.get(collection) ?? 0) + 1;
      puts.set(collection, count);
      try {
        put.run(collection, id, JSON.stringify(document));
        if (count % PUTS_BETWEEN_SWEEPS === 0) sweep.run(collection, mostDocuments);
      } catch (error) {
        throw asConfigError(file, error);
      }
    },

    get(collection, id) {
      const row = get.get(collection, id);
      return row && toDocument(row);
    },

    all: (collection) => all.all(collection).map(toDocument),

    drop(collection, id) {
      drop.run(collection, id);
    },

    close: () => database.close(),
  };
}

function openDatabase(file: string): DatabaseSync {
  if (file !== MEMORY) mkdirSync(dirname(file), { recursive: true });
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(file, { timeout: 5000 });
    database.exec(schema);
    return database;
  } catch (error) {
    database?.close();
    throw asConfigError(file, error);
  }
}

/** The errors of SQLite that whoever starts the sandbox can fix, by the lower byte of their code. */
const REMEDIES: Readonly<Record<number, string>> = {
  5: 'stop the program that has locked it',
  8: 'make it writable, or use another folder',
  10: 'check the disk and its free space',
  11: 'move it away',
  13: 'free some space on the disk, or use another one',
  14: 'make the folder writable, or use another one',
  26: 'move it away',
};

function asConfigError(file: string, error: unknown): unknown {
  if (!(error instanceof Error && 'errcode' in error && typeof error.errcode === 'number')) return error;
  const hint = REMEDIES[error.errcode & 0xff];
  return hint === undefined ? error : new ConfigError(`the database of the sandbox cannot be used: ${error.message}`, { file, hint });
}

function toDocument({ body }: Readonly<Record<string, unknown>>): Json {
  return JSON.parse(String(body)) as Json; // put() wrote it
}
