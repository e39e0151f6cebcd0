import type { SchemaVersion } from './migrate.ts';

/** By which workers notice that their keys differ; null for a worker of an older version, and empty for a worker without a key. */
export const VERSION_7: SchemaVersion = {
  worksWith: 6,
  sql: 'alter table worker add column key_fingerprint text collate "C";',
};
